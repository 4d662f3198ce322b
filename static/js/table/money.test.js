// Sums are read as people of each language write them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { money, ratingPoints, signed } from "./money.js";

test("dollars have cents, chips have none", () => {
  assert.equal(money(862, "USD", "en"), "$8.62");
  assert.equal(money(1_000, "PLAY", "en"), "1,000 chips");
  assert.equal(money(1, "PLAY", "en"), "1 chip");
});

test("a gain and a loss say their sign; nothing has none", () => {
  assert.equal(signed(862, "USD", "en"), "+$8.62");
  assert.equal(signed(-1_000, "USD", "en"), "−$10.00");
  assert.equal(signed(0, "USD", "en"), "$0.00");
});

test("a change of a rating has its sign and two decimals", () => {
  assert.deepEqual([390, -504, 1000, 7, 0].map(ratingPoints), ["+3.90", "−5.04", "+10.00", "+0.07", "+0.00"]);
});

test("Russian and Finnish put the sign and the comma where they belong", () => {
  assert.match(money(123_456, "USD", "ru"), /^1.234,56.\$$/);
  assert.match(money(123_456, "USD", "fi"), /^1.234,56.\$$/);
});
