// The list of moves beside the board.

/** @import { Match, Side, View } from "../types.js" @import { Model } from "./session.js" @import { Cell } from "./moves.js" */

import { make, part, write } from "./dom.js";
import { isSingle } from "./money.js";
import { moveRows } from "./moves.js";
import { nameOf } from "./phrases.js";

export class MoveList {
  /** @param {HTMLElement} main */
  constructor(main) {
    this.body = part(main, "moves");
    this.scroll = part(main, "moves-scroll");
    this.empty = part(main, "moves-empty");
    this.title = part(main, "moves-title");
    this.heads = [part(main, "moves-left"), part(main, "moves-right")];
    this.drawn = "";
  }

  /** @param {Model & { view: View, match: Match }} model @param {[Side, Side]} order   left column first */
  show(model, order) {
    const rows = moveRows(model.events, order[0], (side) => nameOf(model, side));
    const key = JSON.stringify([rows, order, model.view.phase]);
    if (key === this.drawn) return;
    this.drawn = key;
    write(this.title, isSingle(model.match) ? gettext("Moves") : interpolate(gettext("Game %(number)s"), { number: Math.max(1, model.view.game) }, true));
    this.heads.forEach((head, n) => write(head, nameOf(model, order[n] ?? "light")));
    const last = rows.length - 1;
    let turns = 0;
    this.body.replaceChildren(...rows.map((row, n) => row.note
      ? make("tr", { class: "aside" }, make("td", { colspan: "3" }, row.note))
      : make("tr", {}, make("th", { scope: "row" }, String(turns += 1)), ...order.map((side) => cellNode(row[side], n === last && isLatest(rows, side, order))))));
    this.empty.hidden = rows.length > 0;
    this.scroll.scrollTop = this.scroll.scrollHeight;
  }
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
