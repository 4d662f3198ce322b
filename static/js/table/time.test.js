// A clock is a simple delay with a reserve, counted from the server's times.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clockFace, clockText, leftUntil } from "./time.js";

const CLOCK = { running: "light", move_ms: 12_000, reserve_ms: { light: 30_000, dark: 60_000 }, since: 100_000, deadline: 142_000 };
const face = (side, now) => clockFace(CLOCK, side, now);

test("the move timer goes first, the reserve stays whole", () => {
  assert.deepEqual(face("light", 105_000), { moveMs: 7_000, reserveMs: 30_000, runs: true, low: false });
});

test("when the move timer is out the reserve runs", () => {
  assert.deepEqual(face("light", 120_000), { moveMs: 0, reserveMs: 22_000, runs: true, low: false });
});

test("time is low ten seconds before the flag, not ten seconds before each move's end", () => {
  assert.equal(face("light", 111_000).low, false);
  assert.equal(face("light", 132_000).low, true);
  assert.equal(face("light", 131_999).low, false);
});

test("the waiting side's clock stands, and no clock goes below zero", () => {
  assert.deepEqual(face("dark", 999_000), { moveMs: 12_000, reserveMs: 60_000, runs: false, low: false });
  assert.deepEqual(face("light", 999_000), { moveMs: 0, reserveMs: 0, runs: true, low: true });
});

test("an offer in the middle of a turn leaves the one who made it what was left of the move timer", () => {
  const clock = { ...CLOCK, running: "dark", used_ms: { light: 5_000, dark: 0 } };
  assert.equal(clockFace(clock, "light", 105_000).moveMs, 7_000);
});

test("a server whose time seems earlier gives no extra time", () => {
  assert.equal(face("light", 99_000).moveMs, 12_000);
});

test("seconds are rounded up", () => {
  assert.deepEqual([clockText(0), clockText(1), clockText(9_001), clockText(60_000), clockText(252_000)], ["0:00", "0:01", "0:10", "1:00", "4:12"]);
  assert.deepEqual([leftUntil(null, 5), leftUntil(10, 5), leftUntil(5, 10)], [0, 5, 0]);
});
