// One position that nobody plays any more, drawn by the board from what the page carries.

/** @import { CubeShown, Side } from "./types.js" */

import { createBoard } from "./board/board.js";
import { counted, rolled } from "./board/state.js";
import { watching } from "./board/words.js";

/**
 * @typedef {object} Position
 * @property {Record<Side, number[]>} board
 * @property {[number, number] | null} dice
 * @property {CubeShown} cube
 * @property {Side | null} on_roll
 * @property {boolean} crawford
 * @property {string} variant
 * @property {Side} viewer
 * @property {Record<Side, string>} names
 */

const host = document.querySelector("[data-position]");
const told = document.getElementById("position")?.textContent;
if (host instanceof HTMLElement && told) draw(host, JSON.parse(told));

/** @param {HTMLElement} root @param {Position} position */
function draw(root, { board, dice, cube, on_roll: mover, crawford, variant, viewer, names }) {
  const route = variant === "backgammon" ? "opposed" : "parallel";
  createBoard(root, watching(names)).show({
    ...counted(board, route),
    dice: dice && mover ? rolled(mover, dice) : null,
    cube: route === "parallel" || crawford ? null : cube,
    orientation: { viewer, mover: mover ?? viewer, route },
    openSteps: [],
    lastTurn: null,
  });
}
