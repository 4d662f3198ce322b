// The move list says what happened, in whose column, and nothing twice.

import assert from "node:assert/strict";
import { test } from "node:test";

import { gameEvents, lastRoll, moveRows, runningScores } from "./moves.js";

let n = 0;
const at = (kind, fields) => ({ n: (n += 1), at: 0, kind, ...fields });
const roll = (side, high, low) => at("rolled", { side, high, low });
const turn = (side, text) => at("turn_played", { side, text, steps: [], auto: false });
const GAME = [
  at("game_started", { game: 1 }),
  at("opening_rolled", { light: 4, dark: 4 }),
  at("opening_rolled", { light: 3, dark: 6 }),
  turn("dark", "24/18 13/10"),
  roll("light", 5, 2), turn("light", "13/8 13/11"),
  roll("dark", 6, 6), turn("dark", ""),
  at("double_offered", { side: "light", value: 2 }),
  at("double_taken", { side: "dark", value: 2 }),
  roll("light", 4, 1),
];
const cells = (left) => moveRows(GAME, left).map(({ light, dark }) => [light, dark].map((cell) => cell && `${cell.dice} ${cell.text}`.trim()));

test("ties of the opening are not moves; the winner plays both dice", () => {
  assert.equal(cells("dark")[0][1], "63 24/18 13/10");
});

test("with the starter on the left each row is one round", () => {
  assert.deepEqual(cells("dark"), [["52 13/8 13/11", "63 24/18 13/10"], ["doubles to 2", "66 cannot move"], ["41", "takes"]]);
});

test("with the starter on the right the first row begins empty", () => {
  assert.deepEqual(cells("light"), [
    [undefined, "63 24/18 13/10"], ["52 13/8 13/11", "66 cannot move"], ["doubles to 2", "takes"], ["41", undefined],
  ]);
});

test("the last roll is known while it is played and after", () => {
  assert.deepEqual(lastRoll(GAME).dice, [4, 1]);
  assert.deepEqual([lastRoll(GAME.slice(0, 3)).side, lastRoll(GAME.slice(0, 3)).dice], ["dark", [6, 3]]);
  assert.equal(lastRoll(GAME.slice(0, 2)), null);
});

test("a new game begins a new list; the moves of an earlier one can be read on", () => {
  const events = [...GAME, at("game_ended", { winner: "light", points: 2 }), at("game_started", { game: 2 })];
  assert.deepEqual(moveRows(events, "light"), []);
  assert.equal(moveRows(events, "light", undefined, 1).length, 4);
  assert.deepEqual(gameEvents(events, 2).map(({ kind }) => kind), ["game_started"]);
  assert.deepEqual(gameEvents(GAME.slice(1), 1), []);
});

test("the score after each game never passes the length of the series", () => {
  const games = [["light", 2], ["dark", 4], ["light", 1], ["dark", 6]].map(([winner, points]) => ({ winner, points }));
  assert.deepEqual(runningScores(games, 5), [
    { light: 2, dark: 0 }, { light: 2, dark: 4 }, { light: 3, dark: 4 }, { light: 3, dark: 5 },
  ]);
});
