// The sheet at the end: result, money, balance, the dice's proof. A loss has the same size, order and words as a win.

/** @import { Match, RatingResult, Result, Side, View } from "../types.js" @import { Model } from "./session.js" */

import { other } from "../board/geometry.js";
import { forfeitText, verdictTexts } from "./absence.js";
import { actButton, fact, find, make, part, write } from "./dom.js";
import { isSingle, money, ratingPoints, signed } from "./money.js";
import { kindText, levelName, pointsText } from "./phrases.js";

export class ResultSheet {
  /** @param {HTMLElement} main */
  constructor(main) {
    this.root = part(main, "result");
    this.shown = false;
    this.summed = "";
    actButton(this.root, "look").addEventListener("click", () => this.#look(main));
    actButton(main, "show-result").addEventListener("click", () => { this.root.hidden = false; this.#heading().focus(); });
  }

  /** @param {Model & { view: View, match: Match }} model */
  show(model) {
    const { phase, result } = model.view;
    const over = phase === "over" ? result !== null : phase === "cancelled" || phase === "void";
    if (!over) return;
    if (this.shown) {
      if (result && sumKey(model) !== this.summed) this.#sums(model, result);
      return;
    }
    this.shown = true;
    if (phase === "over" && result) this.#result(model, result);
    else this.#nothing(model);
    this.root.hidden = false;
    this.#heading().focus();
  }

  #heading() {
    return fact(this.root, "heading");
  }

  /** @param {HTMLElement} main */
  #look(main) {
    this.root.hidden = true;
    actButton(main, "show-result").focus();
  }

  /** @param {Model & { view: View, match: Match }} model @param {Result} result */
  #result(model, result) {
    this.root.dataset.outcome = model.you ? (result.winner === model.you ? "won" : "lost") : "watched";
    write(this.#heading(), headingText(model, result));
    write(fact(this.root, "sub"), subText(model, result));
    find(this.root, '[data-act="verdict"]').hidden = result.reason !== "adjudicated" || !model.you;
    part(this.root, "afterwards").hidden = !model.you;
    this.#sums(model, result);
  }

  /** The balance arrives a moment after the result.
   * @param {Model & { view: View, match: Match }} model @param {Result} result */
  #sums(model, result) {
    this.summed = sumKey(model);
    fact(this.root, "sum").replaceChildren(...sumRows(model, result));
    fact(this.root, "sum").hidden = !model.you || !result.money;
  }

  /** @param {Model & { view: View, match: Match }} model */
  #nothing(model) {
    const { phase } = model.view;
    this.root.dataset.outcome = phase;
    find(this.root, '[data-part="again"]').hidden = true;
    write(this.#heading(), phase === "void" ? gettext("The match was declared void") : gettext("The match did not start"));
    write(fact(this.root, "sub"), phase === "void" ? voidText(model) : cancelledText(model));
    for (const name of ["sum", "proof"]) fact(this.root, name).hidden = true;
    find(this.root, '[data-act="look"]').hidden = phase === "cancelled";
  }
}

/** @param {Model & { view: View, match: Match }} model @param {Result} result */
function headingText({ match, view, you }, { winner }) {
  const own = view.score[you ?? winner];
  const their = view.score[other(you ?? winner)];
  const facts = { score: `${own}–${their}`, name: match.players[winner].name };
  if (isSingle(match)) {
    if (!you) return interpolate(gettext("%(name)s won"), facts, true);
    return winner === you ? gettext("You won") : gettext("You lost");
  }
  if (!you) return interpolate(gettext("%(name)s won %(score)s"), facts, true);
  return winner === you ? interpolate(gettext("You won %(score)s"), facts, true) : interpolate(gettext("You lost %(score)s"), facts, true);
}

/** @param {Model & { view: View, match: Match }} model @param {Result} result */
function subText(model, result) {
  const { match, you } = model;
  const rival = match.players[other(you ?? result.winner)].name;
  const worth = interpolate(gettext("%(level)s, cube %(cube)s, %(points)s"), { level: levelName(result.win, match.variant), cube: result.cube, points: pointsText(result.points) }, true);
  const what = isSingle(match) && result.win ? worth : kindText(match);
  return [interpolate(gettext("Against %(name)s: %(what)s."), { name: rival, what }, true), reasonText(result, model), ratingText(model, result)].filter(Boolean).join("\n");
}

/** @param {Result} result @param {Model & { view: View, match: Match }} model @returns {string} */
function reasonText({ reason, winner }, model) {
  const { match, you } = model;
  const loser = other(winner);
  /** @param {Side} side @param {string} own @param {string} theirs   with %(name)s */
  const by = (side, own, theirs) => (side === you ? own : interpolate(theirs, { name: match.players[side].name }, true));
  switch (reason) {
    case "borne_off": return by(winner, gettext("You bore off all checkers."), gettext("%(name)s bore off all checkers."));
    case "drop": return by(loser, gettext("You dropped the double."), gettext("%(name)s dropped the double."));
    case "resign": return by(loser, gettext("You resigned."), gettext("%(name)s resigned."));
    case "time": return [
      by(loser, gettext("You ran out of time."), gettext("%(name)s ran out of time.")), match.blitz ? gettext("In blitz that loses three times the stake.") : "",
    ].join(" ").trim();
    case "left": return forfeitText(model, winner);
    case "adjudicated": return verdictTexts(model).join("\n");
  }
}

/** @param {Model} model */
const sumKey = ({ balance, rating }) => JSON.stringify([balance, rating]);

/** Why the rating changes otherwise than the result says; nothing where both agree.
 * @param {Model & { view: View, match: Match }} model @param {Result} result */
function ratingText({ you, match }, { ratings }) {
  if (ratings?.reason !== "abandoned") return "";
  const gone = other(ratings.winner);
  if (gone === you) return gettext("You left the match: for the rating that is a loss.");
  return interpolate(gettext("%(name)s left the match: for the rating that is a loss."), { name: match.players[gone].name }, true);
}

/** What the rating does and why: by how much, against whom.
 * @param {Model & { match: Match }} model @param {RatingResult | null | undefined} ratings @returns {Node[]} */
function ratingRows({ you, match, rating }, ratings) {
  if (!you || !ratings) return [];
  const facts = { rating: match.players[other(you)].rating ?? "", length: match.length };
  const won = ratings.winner === you;
  const why = isSingle(match)
    ? (won ? gettext("won against %(rating)s") : gettext("lost to %(rating)s"))
    : (won ? gettext("series to %(length)s, won against %(rating)s") : gettext("series to %(length)s, lost to %(rating)s"));
  const change = make("span", {}, ratingPoints(ratings[you]));
  const now = rating === null ? [] : [make("span", { class: "dim" }, interpolate(gettext("now %(rating)s"), { rating }, true))];
  return [
    make("dt", {}, gettext("Rating"), " ", make("small", { class: "dim" }, interpolate(why, facts, true))),
    make("dd", { class: "num", "data-fact": "rating" }, change, " ", ...now),
  ];
}

/** @param {Model & { view: View, match: Match }} model @param {Result} result @returns {Node[]} */
function sumRows(model, { winner, money: sums, ratings }) {
  const { you, balance } = model;
  if (!sums) return [];
  const { currency, win, fee, gain, loss } = sums;
  const won = winner === you;
  const rows = won
    ? [row(gettext("Won from your opponent"), signed(win, currency)), row(gettext("Fee, both players"), signed(-fee, currency))]
    : [row(gettext("Paid to your opponent’s win"), signed(-loss, currency)), row(gettext("Fee"), money(0, currency))];
  if (fee === 0) rows.pop();  // nothing was charged: not a line of zeros
  const total = won
    ? row(gettext("You won"), signed(gain, currency), "gain")
    : row(gettext("You lost"), signed(-loss, currency), "loss");
  return [...rows, total, row(gettext("Balance"), balance === null ? "–" : money(balance, currency)), ratingRows(model, ratings)].flat();
}

/** @param {string} label @param {string} sum @param {"gain" | "loss"} [sign]   the total, and which way it goes @returns {Node[]} */
function row(label, sum, sign) {
  if (!sign) return [make("dt", {}, label), make("dd", { class: "money" }, sum)];
  return [make("dt", { class: "total" }, label), make("dd", { class: "money total", "data-sign": sign }, sum)];
}

/** @param {Model} model */
function cancelledText({ events, you, match }) {
  const reason = endReason(events);
  const rival = match && you ? match.players[other(you)].name : "";
  if (reason === "left") return gettext("A player left before the start. Nothing was charged.");
  if (["hold_failed", "insufficient_funds", "cannot_stake"].includes(reason)) return gettext("A stake could not be held. Nothing was charged.");
  if (rival) return interpolate(gettext("You or %(name)s did not accept in time. Nothing was charged."), { name: rival }, true);
  return gettext("Nothing was charged.");
}

/** @param {Model} model */
function voidText({ events }) {
  return [gettext("Both stakes were returned. Ratings do not change."), endReason(events)].join(" ").trim();
}

/** @param {Model["events"]} events */
function endReason(events) {
  const last = events.findLast((event) => event.kind === "match_voided" || event.kind === "match_cancelled");
  return last?.reason ?? "";
}

/** @param {Side | null} you @param {Result | null} result */
export const outcomeSound = (you, result) => (result && you && result.winner !== you ? "lost" : "won");
