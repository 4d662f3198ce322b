// The board offers what the server listed, and previews it. Each case is also tried from the other side.

import assert from "node:assert/strict";
import { test } from "node:test";

import { applied, complete, counted, kept, openSteps, pips, rolled, wireOf } from "./state.js";

/** 6-5 on 13 and 8: 13/7/2, 13/8, 8/2*, with both orders. @type {import("../types.js").Turns} */
const SIX_FIVE = {
  nodes: [
    [[13, 7, 6, false, 1], [13, 8, 5, false, 2], [8, 2, 6, true, 3]],
    [[7, 2, 5, true, 4], [13, 8, 5, false, 4]],
    [[13, 7, 6, false, 4], [8, 2, 6, true, 4]],
    [[13, 8, 5, false, 4]],
    [],
  ],
};

const START = (() => {
  const side = Array(26).fill(0);
  for (const [point, count] of [[24, 2], [13, 5], [8, 3], [6, 5]]) side[point] = count;
  return side;
})();

const board = (viewer, counts, route = "opposed") => ({
  ...counted(counts, route), dice: null, cube: null, openSteps: [], lastTurn: null, orientation: { viewer, mover: viewer, route },
});

test("what can be played first is every edge of the root and what the same checker carries on with", () => {
  const found = openSteps(SIX_FIVE, []).map(({ from, to, dice, hit }) => ({ from, to, dice, hit }));
  assert.deepEqual(found, [
    { from: 13, to: 7, dice: [6], hit: false },
    { from: 13, to: 2, dice: [6, 5], hit: true },
    { from: 13, to: 8, dice: [5], hit: false },
    { from: 8, to: 2, dice: [6], hit: true },
  ]);
});

test("after a step only the edges of its node are left", () => {
  const [first] = openSteps(SIX_FIVE, []);
  assert.deepEqual(openSteps(SIX_FIVE, first.parts).map(({ from, to }) => [from, to]), [[7, 2], [13, 8]]);
});

test("a turn is complete where the graph ends, and not before", () => {
  const joined = openSteps(SIX_FIVE, []).find(({ dice }) => dice.length === 2);
  assert.equal(complete(SIX_FIVE, []), false);
  assert.equal(complete(SIX_FIVE, joined.parts.slice(0, 1)), false);
  assert.equal(complete(SIX_FIVE, joined.parts), true);
});

test("of two ways to one place the one that hits is taken, then the larger die first", () => {
  const turns = { nodes: [[[13, 10, 3, false, 1], [13, 11, 2, true, 2]], [[10, 8, 2, false, 3]], [[11, 8, 3, false, 3]], []] };
  const way = () => openSteps(turns, []).find(({ to }) => to === 8).dice;
  assert.deepEqual(way(), [2, 3]);
  turns.nodes[0][1][3] = false;
  assert.deepEqual(way(), [3, 2]);
});

test("the bar and off keep their names on the board and their numbers on the wire", () => {
  const turns = { nodes: [[[25, 20, 5, false, 1]], [[1, 0, 5, false, 2]], []] };
  const [enter] = openSteps(turns, []);
  assert.equal(enter.from, "bar");
  const [off] = openSteps(turns, enter.parts);
  assert.equal(off.to, "off");
  assert.deepEqual([enter.from, enter.to, off.to].map(wireOf), [25, 20, 0]);
});

test("chosen steps survive a graph that arrives anew, up to the first that is gone", () => {
  const chosen = openSteps(SIX_FIVE, []).find(({ dice }) => dice.length === 2).parts;
  assert.deepEqual(kept(SIX_FIVE, chosen), chosen);
  const shorter = { nodes: [[[13, 7, 6, false, 1]], [[24, 19, 5, false, 2]], []] };
  assert.deepEqual(kept(shorter, chosen).map(({ to }) => to), [7]);
});

for (const [side, enemy] of [["light", "dark"], ["dark", "light"]]) {
  test(`${side}: counts on the wire become points, and 167 pips at the start`, () => {
    const state = board(side, { light: START, dark: START });
    assert.equal(state.points[23], 2);
    assert.equal(state.points[0], -2);
    assert.equal(pips(state, side), 167);
    assert.equal(pips(state, enemy), 167);
  });

  test(`${side}: a step moves a checker, uses its die and sends a blot to the bar`, () => {
    const blot = Array(26).fill(0);
    blot[18] = 1;
    const state = { ...board(side, { [side]: START, [enemy]: blot }), dice: rolled(side, [6, 1]) };
    const next = applied(state, side, { from: 13, to: 7, die: 6 });
    assert.equal(next.bar[enemy], 1);
    assert.equal(pips(next, side), 161);
    assert.deepEqual(next.dice.values.map(({ used }) => used), [true, false]);
    assert.equal(state.bar[enemy], 0);
  });

  test(`${side}: entering from the bar and bearing off`, () => {
    const counts = Array(26).fill(0);
    counts[25] = 1;
    counts[3] = 1;
    const state = board(side, { [side]: counts, [enemy]: Array(26).fill(0) });
    const next = applied(applied(state, side, { from: "bar", to: 20 }), side, { from: 3, to: "off" });
    assert.deepEqual([next.bar[side], next.off[side], pips(next, side)], [0, 1, 20]);
  });
}

test("in long nardy each side counts from its own head", () => {
  const head = Array(26).fill(0);
  head[24] = 15;
  const state = board("light", { light: head, dark: head }, "parallel");
  assert.deepEqual([state.points[23], state.points[11]], [15, -15]);
  assert.deepEqual([pips(state, "light"), pips(state, "dark")], [360, 360]);
});

test("a double lies as four dice", () => {
  assert.deepEqual(rolled("dark", [3, 3]).values.map(({ value }) => value), [3, 3, 3, 3]);
});
