// Where things lie: points, slots and columns. A slot follows the viewer's way round: 0 top right, 11 top left,
// 12 bottom left, 23 bottom right. Knows no document.

/** @import { Orientation, Place, Route, Side } from "../types.js" */

export const POINTS = 24;
export const HALF = 12;
export const QUARTER = 6;
export const CHECKERS = 15;
/** Checkers that stand free on a point, and on the bar; above that the top one carries the count. */
export const SHOWN = 5;
export const SHOWN_ON_BAR = 4;
export const SIDES = /** @type {const} */ (["light", "dark"]);

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "light" ? "dark" : "light");

/** How far along its own way round a side's point lies: 0 is farthest from home, point 24 in both games.
 * @param {number} number */
const travelOf = (number) => POINTS - number;

/** @param {number} travel */
const numberOf = (travel) => POINTS - travel;

/** The same place, counted by the other side.
 * @param {number} travel @param {Route} route */
const acrossOf = (travel, route) => (route === "opposed" ? POINTS - 1 - travel : (travel + HALF) % POINTS);

/** @param {number} number @param {Side} side @param {Orientation} orientation */
export function slotOf(number, side, { viewer, route }) {
  const travel = travelOf(number);
  return side === viewer ? travel : acrossOf(travel, route);
}

/** @param {number} slot @param {Side} side @param {Orientation} orientation */
export function numberAt(slot, side, { viewer, route }) {
  return numberOf(side === viewer ? slot : acrossOf(slot, route));
}

/** A side's own point as a position in `BoardState.points`, which light numbers.
 * @param {number} number @param {Side} side @param {Route} route */
export function indexOf(number, side, route) {
  if (side === "light") return number - 1;
  return numberOf(acrossOf(travelOf(number), route)) - 1;
}

/** Pips from a side's own point to off.
 * @param {number} number */
export const pipsFrom = (number) => number;

/** @param {number} slot */
export function columnOf(slot) {
  const column = slot < HALF ? HALF - 1 - slot : slot - HALF;
  return { column, half: column < QUARTER ? 0 : 1, top: slot < HALF ? 1 : 0 };
}

/** Rows of places from left to right, as the arrow keys walk them.
 * @returns {(number | "bar" | "off")[][]} */
export function rows() {
  const top = Array.from({ length: HALF }, (_, n) => HALF - 1 - n);
  const bottom = Array.from({ length: HALF }, (_, n) => HALF + n);
  return [
    [...top.slice(0, QUARTER), "bar", ...top.slice(QUARTER)],
    [...bottom.slice(0, QUARTER), "bar", ...bottom.slice(QUARTER), "off"],
  ];
}

/** Distance between the checkers of a stack; repeats `--step` of board.css.
 * @param {number} height @param {number} unit @param {number} checker */
export function stackStep(height, unit, checker) {
  const gap = Math.min(2.5 * unit, Math.max(1.6 * unit, 0.15 * height));
  const length = (height - unit - gap) / 2;
  return Math.min(checker, (length - checker - 0.06 * unit) / 4);
}

/** @param {Place} place @returns {place is number} */
export const isPoint = (place) => typeof place === "number";
