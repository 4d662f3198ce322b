// The list of moves beside the board.

/** @import { Match, Side, View } from "../types.js" @import { Model } from "./session.js" @import { Cell } from "./moves.js" */

import { make, part, write } from "./dom.js";
import { isSingle } from "./money.js";
import { moveRows } from "./moves.js";
import { nameOf } from "./phrases.js";
import { gameText } from "./score.js";

export class MoveList {
  /** @param {HTMLElement} main */
  constructor(main) {
    this.body = part(main, "moves");
    this.scroll = part(main, "moves-scroll");
    this.empty = part(main, "moves-empty");
    this.title = part(main, "moves-title");
    this.heads = [part(main, "moves-left"), part(main, "moves-right")];
    this.picker = picker(main);
    this.picker.addEventListener("change", () => { this.chosen = Number(this.picker.value); this.#again(); });
    this.drawn = "";
    this.listed = "";
    /** The game whose moves are shown, 0 for the one being played. */
    this.chosen = 0;
    this.#again = () => {};
  }

  /** @type {() => void} */ #again;

  /** @param {Model & { view: View, match: Match }} model @param {[Side, Side]} order   left column first */
  show(model, order) {
    this.#again = () => this.show(model, order);
    this.#list(model);
    const rows = moveRows(model.events, order[0], (side) => nameOf(model, side), this.chosen, model.match.variant);
    const key = JSON.stringify([rows, order, model.view.phase, this.chosen]);
    if (key === this.drawn) return;
    this.drawn = key;
    write(this.title, isSingle(model.match) ? gettext("Moves") : interpolate(gettext("Game %(number)s"), { number: this.chosen || Math.max(1, model.view.game) }, true));
    write(this.empty, this.chosen ? gettext("The moves of this game are in the replay.") : gettext("The first roll will appear here."));
    this.heads.forEach((head, n) => write(head, nameOf(model, order[n] ?? "light")));
    const last = rows.length - 1;
    let turns = 0;
    this.body.replaceChildren(...rows.map((row, n) => row.note
      ? make("tr", { class: "aside" }, make("td", { colspan: "3" }, row.note))
      : make("tr", {}, make("th", { scope: "row" }, String(turns += 1)), ...order.map((side) => cellNode(row[side], n === last && isLatest(rows, side, order))))));
    this.empty.hidden = rows.length > 0;
    this.scroll.scrollTop = this.scroll.scrollHeight;
  }

  /** The games of a series to choose from; a new game is shown as soon as it begins.
   * @param {Model & { view: View, match: Match }} model */
  #list(model) {
    const { games, match, view } = model;
    this.picker.hidden = isSingle(match) || games.length === 0;
    const key = `${games.length}:${view.game}`;
    if (key === this.listed) return;
    this.listed = key;
    const playing = view.game > games.length;
    this.chosen = 0;
    const options = games.map((game, n) => make("option", { value: String(n + 1) },
      `${n + 1}. ${nameOf(model, game.winner)}: ${gameText(game, model.match?.variant ?? "")}`));
    if (playing) options.push(make("option", { value: "0" }, interpolate(gettext("%(number)s. being played"), { number: view.game }, true)));
    this.picker.replaceChildren(...options);
    this.picker.value = playing ? "0" : String(games.length);
  }
}

/** @param {HTMLElement} main @returns {HTMLSelectElement} */
function picker(main) {
  const node = part(main, "moves-game");
  if (!(node instanceof HTMLSelectElement)) throw new Error("the games are not a list");
  return node;
}

/** @param {ReturnType<typeof moveRows>} rows @param {Side} side @param {[Side, Side]} order */
function isLatest(rows, side, order) {
  const last = rows.at(-1);
  return Boolean(last?.[side]) && (side === order[1] || !last?.[order[1]]);
}

/** @param {Cell | undefined} cell @param {boolean} latest */
function cellNode(cell, latest) {
  if (!cell) return make("td");
  return make("td", { class: latest ? "now" : "" }, ...(cell.dice ? [make("b", {}, cell.dice)] : []), cell.text);
}
