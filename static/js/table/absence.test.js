// What the page says of players who are away and of matches that were left.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
const { awayBefore, awayLeft, blitzLoss, creditText, ending, forfeitText, stakesText, verdictTexts, worthText } = await import("./absence.js");
const { moveRows } = await import("./moves.js");
const { newsText, saying } = await import("./phrases.js");

const PLAYERS = { light: { name: "Anna" }, dark: { name: "Boris" } };
const MATCH = { kind: "single", stake: 500, limit: 6_000, currency: "USD", players: PLAYERS };
const SECOND = 1_000;
let n = 0;
const at = (kind, fields, ms = 0) => ({ n: (n += 1), at: ms, kind, ...fields });
const lost = (side, ms) => at("player_lost", { side, since_ms: ms }, ms + 15 * SECOND);
const back = (side, ms) => at("player_returned", { side }, ms);
const left = (light, dark) => at("abandoned", { light, dark });
const verdict = (fields) => at("adjudicated", { side: "dark", estimate: 420_000, low: 380_000, high: 460_000, applied: 380_000, engine: "bgsage 0.3", ...fields });
const model = (events, fields) => ({ you: "light", match: MATCH, events, view: { phase: "adjudicating" }, ...fields });

test("absences add up, also of several cuts, each side its own", () => {
  const events = [lost("dark", 0), back("dark", 40 * SECOND), lost("light", 50 * SECOND), lost("dark", 60 * SECOND), back("dark", 80 * SECOND)];
  assert.equal(awayBefore(events, "dark"), 60 * SECOND);
  assert.equal(awayBefore(events, "light"), 0, "an absence that goes on is not over");
});

test("downtime of the site in an absence does not count", () => {
  assert.equal(awayBefore([lost("dark", 0), at("credited", { ms: 10 * SECOND }, 30 * SECOND), back("dark", 40 * SECOND)], "dark"), 30 * SECOND);
});

test("the countdown runs from the start of the absence and stands while the player is here", () => {
  const seat = { here: false, since: 100 * SECOND, left_ms: 180 * SECOND };
  assert.equal(awayLeft(seat, 130 * SECOND), 150 * SECOND);
  assert.equal(awayLeft(seat, 999 * SECOND), 0);
  assert.equal(awayLeft({ ...seat, here: true }, 130 * SECOND), 180 * SECOND);
  assert.equal(awayLeft({ ...seat, left_ms: null }, 130 * SECOND), null);
});

test("an abandoned match: who left, who decides, what was found", () => {
  assert.deepEqual(ending([]), { left: [], withModerators: false, verdict: null });
  const found = verdict();
  assert.deepEqual(ending([left(false, true), at("sent_to_moderators", {}), found]), { left: ["dark"], withModerators: true, verdict: found });
  assert.deepEqual(ending([left(true, true)]).left, ["light", "dark"]);
});

test("stakes have a sign and two decimals, money is rounded half up", () => {
  assert.deepEqual([stakesText(1_250_000), stakesText(-420_000), stakesText(-1)], ["+1.25", "−0.42", "0.00"]);
  assert.deepEqual([worthText(421_000, MATCH), worthText(-421_000, MATCH), worthText(0, MATCH)], ["+$2.11", "−$2.11", "$0.00"]);
});

test("who left gets the lower end, and is told why", () => {
  const texts = verdictTexts(model([left(false, true), verdict()]));
  assert.equal(texts[0], "Boris was away for too long.");
  assert.match(texts[1], /for Boris: \+0\.42 of the stake \(\+\$2\.10\)\. Interval \(95 %\): \+0\.38 to \+0\.46, \+\$1\.90 to \+\$2\.30/);
  assert.equal(texts[2], "Whoever leaves gets the lower end: +0.38, +$1.90.");
});

test("both left: the estimate itself", () => {
  assert.match(verdictTexts(model([left(true, true), verdict({ applied: 420_000 })]))[2], /^Both left, so the estimate itself was paid: \+\$2\.10/);
});

test("a moderator's decision has no interval", () => {
  const texts = verdictTexts(model([left(false, true), verdict({ side: "light", engine: "moderator", applied: 1_250_000 })]));
  assert.deepEqual(texts, ["Boris was away for too long.", "A moderator decided: +1.25 of the stake for you, +$6.25."]);
});

test("a forfeit says why it is one", () => {
  assert.match(forfeitText(model([]), "light"), /^Boris left\. After three or more abandoned matches/);
  assert.match(forfeitText(model([], { match: { ...MATCH, blitz: true } }), "dark"), /^You left\. In blitz that loses three times/);
  assert.deepEqual([blitzLoss(MATCH), blitzLoss({ ...MATCH, limit: 1_000 }), blitzLoss({ ...MATCH, kind: "series" })], ["$15.00", "$10.00", "$5.00"]);
});

test("the move list has a line for each, across both columns, and still fills the roll that waits", () => {
  const events = [
    at("game_started", { game: 1 }), at("rolled", { side: "light", high: 5, low: 2 }), lost("dark", 0), back("dark", 1),
    at("turn_played", { side: "light", text: "13/8 24/22", steps: [], auto: false }), at("credited", { ms: 12_300 }), left(false, true), verdict(),
  ];
  const rows = moveRows(events, "light", (side) => PLAYERS[side].name);
  assert.deepEqual(rows.map(({ light, note }) => note ?? light?.text), [
    "13/8 24/22", "Boris lost the connection.", "Boris is back.", "The site was away for 12 s; the time was given back.",
    "Boris has left the match.", "Adjudicated: +0.38 of the stake for Boris.",
  ]);
});

test("those who listen hear it", () => {
  assert.equal(newsText(lost("dark", 0), model([])), "Boris has lost the connection.");
  assert.equal(newsText(back("light", 0), model([])), "You are back at the table.");
  assert.equal(newsText(left(false, true), model([])), "Boris was away for too long. The match was broken off; an engine works out its value.");
  assert.equal(newsText(at("sent_to_moderators", {}), model([])), "There was no result in time: a moderator decides now.");
  assert.equal(creditText(400), "The site was away for 1 s; the time was given back.");
});

test("the bar says who decides", () => {
  const moment = (events) => ({ model: model(events), left: [], chosen: [], complete: false, selected: null, slow: false });
  assert.match(saying(moment([left(false, true)])), /an engine works out its value/);
  assert.match(saying(moment([left(false, true), at("sent_to_moderators", {})])), /a moderator decides/);
});
