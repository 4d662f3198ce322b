// The server's view and this tab's chosen steps as one state for the board. Pure.

/** @import { BoardState, GraphStep, Route, Side, View } from "../types.js" @import { Model } from "./session.js" */

import { CHECKERS, POINTS } from "../board/geometry.js";
import { applied, counted, openSteps, placeOf, rolled } from "../board/state.js";
import { lastRoll } from "./moves.js";

/**
 * @typedef {object} Local
 * @property {readonly GraphStep[]} chosen   steps taken but not sent
 * @property {boolean} open                  steps may be chosen now
 * @property {boolean} arrows                the last turn is still of interest
 * @property {{ light: number, dark: number } | null} opening   the opening throw while it is shown
 */

/** @param {string} variant @returns {Route} */
export const routeOf = (variant) => (variant === "backgammon" ? "opposed" : "parallel");

/** Watchers sit on light's side.
 * @param {Model} model @returns {Side} */
export const viewerOf = ({ you }) => you ?? "light";

/** @param {Model & { view: View }} model @param {Local} local @returns {BoardState} */
export function boardState(model, local) {
  const { view } = model;
  const viewer = viewerOf(model);
  const route = routeOf(model.match?.variant ?? "backgammon");
  /** @type {BoardState} */
  let state = {
    ...(view.board ? counted(view.board, route) : inTheBox()),
    dice: diceOf(model, local),
    cube: cubeOf(model, route),
    orientation: { viewer, mover: view.on_roll ?? viewer, route, white: whiteOf(view, route) },
    openSteps: [],
    lastTurn: local.arrows ? turnOf(view) : null,
  };
  for (const step of local.chosen) state = applied(state, viewer, step);
  if (local.open && view.turns) state.openSteps = openSteps(view.turns, local.chosen);
  return state;
}

/** In long nardy whoever moves first plays the light checkers; in backgammon light always does.
 * @param {View} view @param {Route} route @returns {Side} */
const whiteOf = ({ first }, route) => (route === "parallel" ? first ?? "light" : "light");

/** Before the first game the checkers lie in the trays.
 * @returns {Pick<BoardState, "points" | "bar" | "off">} */
function inTheBox() {
  return { points: Array(POINTS).fill(0), bar: { light: 0, dark: 0 }, off: { light: CHECKERS, dark: CHECKERS } };
}

/** @param {Model & { view: View }} model @param {Local} local @returns {BoardState["dice"]} */
function diceOf({ view, events }, { opening }) {
  if (opening) return thrown(opening);
  if (view.dice && view.on_roll) return rolled(view.on_roll, view.dice);
  const last = lastRoll(events);
  return last && view.last_turn?.side === last.side ? rolled(last.side, last.dice, true) : null;
}

/** One die each, in its thrower's half; the higher first, as it will be played.
 * @param {{ light: number, dark: number }} throws @returns {NonNullable<BoardState["dice"]>} */
function thrown({ light, dark }) {
  /** @type {[Side, number][]} */
  const dice = light >= dark ? [["light", light], ["dark", dark]] : [["dark", dark], ["light", light]];
  return { side: light >= dark ? "light" : "dark", values: dice.map(([side, value]) => ({ value, used: false, side })) };
}

/** @param {Model & { view: View }} model @param {Route} route @returns {BoardState["cube"]} */
function cubeOf({ view }, route) {
  return !view.board || route === "parallel" || view.crawford ? null : { ...view.cube };
}

/** @param {View} view @returns {BoardState["lastTurn"]} */
function turnOf({ last_turn: turn }) {
  if (!turn) return null;
  return { side: turn.side, steps: turn.steps.map(([from, to, hit]) => ({ from: placeOf(from), to: placeOf(to), hit: Boolean(hit) })) };
}
