// Positions that nobody plays any more, drawn by the board from what the page carries: each element with
// `data-position` shows the JSON whose id that names, "position" where it names none.

/** @import { CubeShown, Side } from "./types.js" */

import { createBoard } from "./board/board.js";
import { counted, placeOf, rolled } from "./board/state.js";
import { watching } from "./board/words.js";

/**
 * @typedef {object} Position
 * @property {Record<Side, number[]>} board
 * @property {[number, number] | null} dice
 * @property {CubeShown | null} cube
 * @property {Side | null} on_roll
 * @property {boolean} crawford
 * @property {string} variant
 * @property {Side} viewer
 * @property {Record<Side, string>} names
 * @property {[from: number, to: number][]} [steps]   that `on_roll` has just made: shown as arrows
 * @property {string} [title]   what the board is called instead of who is on turn
 */

for (const host of document.querySelectorAll("[data-position]")) {
  if (!(host instanceof HTMLElement)) continue;
  const told = document.getElementById(host.dataset.position || "position")?.textContent;
  if (told) draw(host, JSON.parse(told));
}

/** @param {HTMLElement} root @param {Position} position */
function draw(root, { board, dice, cube, on_roll: mover, crawford, variant, viewer, names, steps, title }) {
  const route = variant === "backgammon" ? "opposed" : "parallel";
  const words = watching(names);
  createBoard(root, title ? { ...words, board: () => title } : words).show({
    ...counted(board, route),
    dice: dice && mover ? rolled(mover, dice) : null,
    cube: route === "parallel" || crawford ? null : cube,
    orientation: { viewer, mover: mover ?? viewer, route },
    openSteps: [],
    lastTurn: mover && steps?.length ? { side: mover, steps: steps.map(([from, to]) => ({ from: placeOf(from), to: placeOf(to) })) } : null,
  });
}
