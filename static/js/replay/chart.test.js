import assert from "node:assert/strict";
import { test } from "node:test";

import { nearest, placeOf, spotAt } from "./chart.js";

test("a spot stands at its place along the match, higher for a better chance", () => {
  assert.deepEqual(placeOf(0, 3, 1), [0, 0]);
  assert.deepEqual(placeOf(1, 3, 0.5), [300, 60]);
  assert.deepEqual(placeOf(2, 3, 0), [600, 120]);
  assert.deepEqual(placeOf(0, 1, 0.5), [300, 60]);
});

test("a click finds the nearest spot, a moment the last one before it", () => {
  assert.equal(nearest(-0.1, 5), 0);
  assert.equal(nearest(0.49, 5), 2);
  assert.equal(nearest(1.2, 5), 4);
  const spots = [{ n: 4 }, { n: 9 }, { n: 12 }];
  assert.equal(spotAt(spots, 1), 0);
  assert.equal(spotAt(spots, 9), 1);
  assert.equal(spotAt(spots, 99), 2);
});
