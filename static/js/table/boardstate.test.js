// The board shows the server's view, with this tab's chosen steps on top and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openSteps } from "../board/state.js";
import { boardState, routeOf } from "./boardstate.js";

const side = (...pairs) => pairs.reduce((counts, [at, count]) => Object.assign(counts, { [at]: count }), Array(26).fill(0));
const TURNS = { nodes: [[[13, 7, 6, 0, 1]], [[7, 2, 5, 1, 2]], []] };
const VIEW = {
  phase: "to_move", on_roll: "light", board: { light: side([13, 2], [0, 13]), dark: side([23, 1], [0, 14]) }, dice: [6, 5], crawford: false,
  cube: { value: 2, owner: "dark", offered: false }, last_turn: { side: "dark", steps: [[25, 20, 0], [6, 0, 1]] }, turns: TURNS,
};
const model = (you, view = {}, events = []) => ({ you, view: { ...VIEW, ...view }, events, match: { variant: "backgammon" } });
const LOCAL = { chosen: [], open: true, arrows: true, opening: null };

test("a player sees the board from the own side, a watcher from light's", () => {
  assert.equal(boardState(model("dark"), LOCAL).orientation.viewer, "dark");
  assert.equal(boardState(model(null), LOCAL).orientation.viewer, "light");
});

test("chosen steps are previewed and use up their dice", () => {
  const [step] = openSteps(TURNS, []);
  const state = boardState(model("light"), { ...LOCAL, chosen: step.parts });
  assert.deepEqual([state.points[12], state.points[6]], [1, 1]);
  assert.deepEqual(state.dice.values.map(({ used }) => used), [true, false]);
  assert.deepEqual(state.openSteps.map(({ from, to, hit }) => [from, to, hit]), [[7, 2, true]]);
});

test("nothing can be pressed when it is not open", () => {
  assert.deepEqual(boardState(model("light"), { ...LOCAL, open: false }).openSteps, []);
  assert.deepEqual(boardState(model("light", { turns: null }), LOCAL).openSteps, []);
});

test("the last turn has names for bar and off, and goes when it is of no more interest", () => {
  assert.deepEqual(boardState(model("light"), LOCAL).lastTurn.steps, [{ from: "bar", to: 20, hit: false }, { from: 6, to: "off", hit: true }]);
  assert.equal(boardState(model("light"), { ...LOCAL, arrows: false }).lastTurn, null);
});

test("the opponent's dice stay in sight, used, until the next roll", () => {
  const rolled = [{ n: 1, at: 0, kind: "rolled", side: "dark", high: 4, low: 3 }];
  const state = boardState(model("light", { phase: "to_roll", dice: null, turns: null }, rolled), LOCAL);
  assert.deepEqual(state.dice, { side: "dark", values: [{ value: 4, used: true }, { value: 3, used: true }] });
});

test("opening dice lie in their throwers' halves, the higher first", () => {
  const { dice } = boardState(model("light"), { ...LOCAL, opening: { light: 2, dark: 5 } });
  assert.deepEqual([dice.side, dice.values.map((die) => [die.side, die.value])], ["dark", [["dark", 5], ["light", 2]]]);
});

test("there is no cube before the game, in the Crawford game, or in long nardy", () => {
  assert.equal(boardState(model("light", { board: null }), LOCAL).cube, null);
  assert.equal(boardState(model("light", { crawford: true }), LOCAL).cube, null);
  assert.equal(boardState({ ...model("light"), match: { variant: "long-nardy" } }, LOCAL).cube, null);
  assert.deepEqual([routeOf("backgammon"), routeOf("long-nardy-fnr")], ["opposed", "parallel"]);
});

test("before the game the checkers lie in the trays", () => {
  assert.deepEqual(boardState(model("light", { board: null, dice: null }), LOCAL).off, { light: 15, dark: 15 });
});
