// The ready check: what is at stake, what it costs, who has accepted, and how long it stays open.

/** @import { Match, PlayerFacts, Side, View } from "../types.js" @import { Model } from "./session.js" */

import { other } from "../board/geometry.js";
import { actButton, fact, icon, make, part, write } from "./dom.js";
import { isSingle, money, ratingPoints } from "./money.js";
import { kindText, roomName, variantName } from "./phrases.js";
import { oddsTable } from "./score.js";
import { flagOf } from "./strips.js";
import { clockText, leftUntil } from "./time.js";

const SECOND_MS = 1_000;

export class ReadyCheck {
  /** @param {HTMLElement} main @param {{ accept: () => void, leave: () => void }} run */
  constructor(main, run) {
    this.root = part(main, "ready");
    this.acceptButton = actButton(this.root, "accept");
    this.leaveButton = actButton(this.root, "leave");
    this.acceptButton.addEventListener("click", run.accept);
    this.leaveButton.addEventListener("click", run.leave);
    this.drawn = "";
  }

  /** @param {Model & { view: View, match: Match }} model @param {boolean} mayPress */
  show(model, mayPress) {
    const { view, match, you } = model;
    const open = view.phase === "ready" || view.phase === "seeds";
    this.root.hidden = !open;
    if (!open) return;
    this.#terms(match, you);
    this.#seats(model);
    const accepted = you !== null && view.accepted[you];
    this.acceptButton.hidden = you === null;
    this.leaveButton.hidden = you === null || view.phase === "seeds";
    this.acceptButton.disabled = accepted || !mayPress || !view.may.includes("accept");
    this.leaveButton.disabled = !mayPress || !view.may.includes("leave");
    write(this.acceptButton, accepted ? gettext("Accepted") : gettext("Accept"));
    write(fact(this.root, "waiting"), waitingText(model));
  }

  /** @param {View} view @param {number} now */
  tick(view, now) {
    if (this.root.hidden) return;
    write(fact(this.root, "left"), clockText(leftUntil(view.clock.deadline, now)));
  }

  /** @param {string} text */
  problem(text) {
    const node = fact(this.root, "problem");
    node.hidden = !text;
    write(node, text);
  }

  /** @param {Match} match @param {Side | null} you */
  #terms(match, you) {
    if (this.drawn === match.id) return;
    this.drawn = match.id;
    write(fact(this.root, "game"), [variantName(match.variant), kindText(match), roomName(match.room)].join(" · "));
    fact(this.root, "terms").replaceChildren(...termRows(match).map(([label, value]) => make("div", {}, make("dt", {}, label), make("dd", {}, value))));
    const odds = fact(this.root, "odds");
    odds.hidden = you === null || !match.fees.length;
    if (odds instanceof HTMLTableElement) oddsTable(match, isSingle(match) ? match.fees : match.fees.slice(0, 1), odds);
    write(fact(this.root, "note"), [
      gettext("Before both have accepted nothing is held and leaving costs nothing."),
      match.players.light.points ? "" : gettext("This match does not count for ratings."),
    ].join(" ").trim());
  }

  /** @param {Model & { view: View, match: Match }} model */
  #seats({ match, view, you }) {
    const first = you ?? "light";
    fact(this.root, "seats").replaceChildren(...[other(first), first].map((side) => seatNode(match.players[side], view.accepted[side], side === you)));
  }
}

/** @param {PlayerFacts} player @param {boolean} accepted @param {boolean} own */
function seatNode(player, accepted, own) {
  const facts = player.rating === null ? [] : [interpolate(gettext("rating %(rating)s"), { rating: player.rating }, true)];
  if (player.points) facts.push(interpolate(gettext("win %(win)s, loss %(lose)s"), { win: ratingPoints(player.points.win), lose: ratingPoints(player.points.lose) }, true));
  if (player.unfinished) {
    facts.push(interpolate(ngettext("%(count)s unfinished match", "%(count)s unfinished matches", player.unfinished), { count: player.unfinished }, true));
  }
  const state = accepted ? [icon("check"), gettext("accepted")] : [gettext("not yet")];
  return make("li", { "data-accepted": accepted },
    make("span", { class: "seat-who" }, make("b", { dir: "auto" }, player.name), ...flagOf(player.country), ...(own ? [make("span", { class: "dim" }, gettext("you"))] : [])),
    make("span", { class: "dim num" }, facts.join(", ")),
    make("span", { class: "seat-state" }, ...state));
}

/** @param {Match} match @returns {[string, string][]} */
function termRows(match) {
  const { clock, currency } = match;
  /** @type {[string, string][]} */
  const rows = [[isSingle(match) ? gettext("Stake a point") : gettext("Stake"), money(match.stake, currency)]];
  if (isSingle(match) && match.limit !== null) rows.push([gettext("Most you can lose"), money(match.limit, currency)]);
  rows.push([gettext("Clock"), interpolate(gettext("%(move)s s a move, then %(reserve)s in reserve"), {
    move: Math.round(clock.move_ms / SECOND_MS), reserve: clockText(clock.reserve_ms) }, true)]);
  rows.push([gettext("Options"), optionsText(match)]);
  return rows;
}

/** @param {Match} match */
function optionsText(match) {
  const options = [];
  if (match.jacoby) options.push(gettext("Jacoby"));
  if (match.beavers) options.push(gettext("beavers"));
  if (!isSingle(match)) options.push(match.crawford ? gettext("Crawford") : gettext("no Crawford"));
  if (match.blitz) options.push(gettext("blitz: a loss on time counts triple"));
  return options.length ? options.join(", ") : gettext("none");
}

/** @param {Model & { view: View, match: Match }} model */
function waitingText({ view, you, match }) {
  if (view.phase === "seeds") return gettext("Locking the dice…");
  if (you && view.accepted[you]) return interpolate(gettext("Waiting for %(name)s."), { name: match.players[other(you)].name }, true);
  return gettext("The table closes by itself in");
}
