import assert from "node:assert/strict";
import { test } from "node:test";

import { captionOf, chatBy, gamesOf, momentAt } from "./moments.js";

const match = { players: { light: { name: "Ann" }, dark: { name: "Bob" } } };
const events = [
  { n: 1, at: 1, kind: "match_opened" },
  { n: 2, at: 2, kind: "game_started", game: 1 },
  { n: 3, at: 3, kind: "opening_rolled", light: 1, dark: 3 },
  { n: 4, at: 4, kind: "turn_played", side: "dark", text: "8/5 6/5", steps: [] },
  { n: 5, at: 5, kind: "double_offered", side: "light", value: 2 },
  { n: 6, at: 6, kind: "double_dropped", side: "dark" },
  { n: 7, at: 7, kind: "game_ended", winner: "light", win: 1, cube: 1, points: 1, reason: "drop" },
];
const moments = [2, 3, 4, 5, 6, 7].map((n) => ({ n }));
const chat = [{ n: 1, at: 1, text: "hi" }, { n: 2, at: 6, text: "good luck" }, { n: 3, at: 60, text: "thanks" }];

test("a link names a moment, or the last one before it", () => {
  assert.equal(momentAt(moments, ""), 0);
  assert.equal(momentAt(moments, "#nonsense"), 0);
  assert.equal(momentAt(moments, "#1"), 0);
  assert.equal(momentAt(moments, "#4"), 2);
  assert.equal(momentAt(moments, "#999"), 5);
});

test("the moves stand in two columns, with the dice they were played with", () => {
  const [game, ...more] = gamesOf({ events, match });
  assert.equal(more.length, 0);
  assert.equal(game.number, 1);
  assert.deepEqual(game.rows, [
    { dark: { n: 4, dice: "31", text: "8/5 6/5" } },
    { light: { n: 5, dice: "", text: "doubles to 2" }, dark: { n: 6, dice: "", text: "drops" } },
  ]);
  assert.match(game.result, /Ann/);
});

test("every moment has a sentence", () => {
  for (const event of events.slice(1)) assert.notEqual(captionOf(event, match), "");
  assert.equal(captionOf(undefined, match), "");
});

test("the chat is what had been said by then, and all of it at the end", () => {
  const texts = (index) => chatBy({ chat, events, moments }, index).map((line) => line.text);
  assert.deepEqual(texts(0), ["hi"]);
  assert.deepEqual(texts(4), ["hi", "good luck"]);
  assert.deepEqual(texts(5), ["hi", "good luck", "thanks"]);
});
