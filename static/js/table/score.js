// The score by games of a series, what a single game is worth, and the terms in a line.

/** @import { FeeRow, GameEnded, Match, Side, View } from "../types.js" @import { Model } from "./session.js" */

import { make, part, write } from "./dom.js";
import { isSingle, money, signed, worthOf } from "./money.js";
import { runningScores } from "./moves.js";
import { kindText, levelName, nameOf, pointsText, roomName, variantName } from "./phrases.js";

const GAMES_SHOWN = 6;

export class Score {
  /** @param {HTMLElement} main */
  constructor(main) {
    this.title = part(main, "what");
    this.box = part(main, "score");
    this.drawn = "";
  }

  /** @param {Model & { view: View, match: Match }} model @param {[Side, Side]} order   the upper row first */
  show(model, order) {
    const { match, view, games } = model;
    const key = JSON.stringify([view.score, view.game, view.crawford, view.cube, view.worth, view.phase === "over", match.id, games.length]);
    if (key === this.drawn) return;
    this.drawn = key;
    write(this.title, [roomName(match.room), variantName(match.variant), kindText(match)].join(" · "));
    const open = this.box.querySelector("details")?.open ?? false;
    this.box.replaceChildren(...(isSingle(match) ? [singleWorth(model)] : [seriesTable(model, order, games), seriesStakes(model)]), note(model));
    if (!isSingle(match) && games.length) this.box.append(sheet(model, order, open));
  }
}

/** Every game that has ended: who won it, how, and the score after it.
 * @param {Model & { view: View, match: Match }} model @param {[Side, Side]} order @param {boolean} open */
function sheet(model, [upper, lower], open) {
  const { games, match } = model;
  const scores = runningScores(games, match.length);
  const rows = games.map((game, n) => {
    const score = scores[n] ?? { light: 0, dark: 0 };
    return make("tr", {},
      make("th", { scope: "row" }, String(n + 1)),
      make("td", { dir: "auto" }, nameOf(model, game.winner)),
      make("td", {}, gameText(game, match.variant)),
      make("td", { class: "num" }, `${score[upper]}–${score[lower]}`));
  });
  const heads = [gettext("Game"), gettext("Winner"), gettext("How"), gettext("Score")].map((text) => make("th", { scope: "col" }, text));
  return make("details", { class: "sheet", open },
    make("summary", {}, gettext("Score sheet")),
    make("table", {}, make("caption", { class: "sr" }, gettext("All games that have ended")), make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)));
}

/** How a game was won: "gammon, cube 2, 4 points".
 * @param {GameEnded} game @param {string} variant */
export function gameText({ win, cube, points, reason }, variant) {
  const how = { drop: gettext("double dropped"), resign: gettext("resigned"), time: gettext("out of time"), left: gettext("left"), borne_off: "", adjudicated: "" }[reason];
  const facts = [win === 1 && how ? how : levelName(win, variant), cube > 1 ? interpolate(gettext("cube %(value)s"), { value: cube }, true) : "", pointsText(points)];
  return facts.filter(Boolean).join(", ");
}

/** What each kind of win is worth, from rows the server counted.
 * @param {Match} match @param {readonly FeeRow[]} rows @param {HTMLTableElement} [table] @returns {HTMLTableElement} */
export function oddsTable(match, rows, table = make("table", { class: "odds" })) {
  const head = [gettext("Result"), gettext("Win"), gettext("Loss")].map((text) => make("th", { scope: "col" }, text));
  /** @param {FeeRow} row @returns {string} */
  const feeText = (row) => interpolate(row.rate ? gettext("fee %(fee)s, %(rate)s each") : gettext("fee %(fee)s"), { fee: money(row.fee, match.currency), rate: row.rate ?? "" }, true);
  const free = rows.every((row) => row.fee === 0);
  const body = rows.map((row) =>
    make("tr", {},
      make("th", { scope: "row" }, isSingle(match) ? levelName(row.win_kind, match.variant) : gettext("the series")),
      make("td", {}, ...(free ? [] : [make("small", {}, feeText(row)), " "]),
        make("span", { class: "money", "data-sign": "gain" }, signed(row.gain, match.currency))),
      make("td", {}, make("span", { class: "money", "data-sign": "loss" }, signed(-row.win, match.currency)))));
  table.replaceChildren(
    make("caption", { class: "sr" }, gettext("What the game is worth")), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  return table;
}

/** @param {Model & { view: View, match: Match }} model */
function singleWorth({ match, view }) {
  return oddsTable(match, view.worth ?? match.fees);
}

/** @param {Model & { view: View, match: Match }} model */
function note({ match, view }) {
  const facts = { stake: money(match.stake, match.currency), limit: money(match.limit ?? match.stake, match.currency), value: view.cube.value };
  const parts = [];
  if (isSingle(match)) parts.push(interpolate(gettext("%(stake)s a point, at most %(limit)s."), facts, true));
  if (isSingle(match) && !view.worth && view.cube.value > 1) {
    parts.push(interpolate(gettext("The sums are for a cube of 1; it now stands at %(value)s."), facts, true));
  }
  if (view.crawford) parts.push(gettext("This is the Crawford game: no doubling."));
  if (match.jacoby) parts.push(gettext("Jacoby: gammons count only after a double."));
  return make("p", { class: "odds-note" }, parts.join(" "));
}

/** @param {Model & { view: View, match: Match }} model @param {[Side, Side]} order @param {readonly GameEnded[]} games */
function seriesTable(model, order, games) {
  const { match, view } = model;
  const shown = games.slice(-GAMES_SHOWN);
  const first = games.length - shown.length + 1;
  const playing = view.phase !== "over" && view.game > games.length;
  const numbers = shown.map((_, n) => make("th", { scope: "col" }, String(first + n)));
  if (playing) numbers.push(make("th", { scope: "col", class: "now" }, String(view.game)));
  const total = make("th", { scope: "col" }, interpolate(gettext("of %(length)s"), { length: match.length }, true));
  const rows = order.map((side) => make("tr", {},
    make("th", { scope: "row" }, nameOf(model, side)),
    ...shown.map(({ winner, points }) => make("td", {}, winner === side ? String(points) : "·")),
    ...(playing ? [make("td", { class: "now" }, make("span", { class: "sr" }, gettext("being played")))] : []),
    make("td", {}, String(view.score[side]))));
  return make("table", { class: "score" },
    make("caption", { class: "sr" }, gettext("Points by game")),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "sr" }, gettext("Player"))), ...numbers, total)),
    make("tbody", {}, ...rows));
}

/** @param {Model & { view: View, match: Match }} model */
function seriesStakes({ match }) {
  const row = worthOf(match.fees, 1);
  const sums = row
    ? [
        [gettext("If you win"), signed(row.gain, match.currency), "gain"],
        [gettext("If you lose"), signed(-row.win, match.currency), "loss"],
        [gettext("Fee in the win"), money(row.fee, match.currency), ""],
      ]
    : [[gettext("Stake"), money(match.stake, match.currency), ""]];
  return make("dl", { class: "stakes" }, ...sums.map(([label = "", sum = "", sign = ""]) =>
    make("div", {}, make("dt", {}, label), make("dd", { class: "money", "data-sign": sign }, sum))));
}
