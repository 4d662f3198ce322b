// Whatever order frames come in, the tab ends with the server's state or asks for what it lacks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { EMPTY, received, sending, serverNow, waiting } from "./session.js";

const MATCH = { id: "m", players: { light: { name: "Anna" }, dark: { name: "Boris" } } };

const event = (n, kind = "rolled") => ({ n, kind, at: n * 1000 });
const view = (phase) => ({ phase });
const SNAPSHOT = {
  kind: "snapshot", version: 3, you: "light", match: MATCH, view: view("to_roll"), events: [event(1), event(2), event(3)], chat: [],
  presence: { light: { here: true, since: 0 }, dark: { here: true, since: 0 }, watchers: 0 }, now: 10_000,
};
const events = (...numbers) => ({
  kind: "events", version: numbers.at(-1), events: numbers.map((n) => event(n)), view: view(`after ${numbers.at(-1)}`), now: 11_000,
});
const fold = (model, ...frames) => frames.reduce((last, frame) => received(last.model, frame, 0), { model });
const opened = () => received(EMPTY, SNAPSHOT, 0).model;

test("a snapshot is taken whole and is no news", () => {
  const { model, news, gap } = received(EMPTY, SNAPSHOT, 0);
  assert.deepEqual([model.version, model.you, model.view.phase, model.events.length], [3, "light", "to_roll", 3]);
  assert.deepEqual([news, gap], [[], false]);
});

test("events in order move the view on and are news", () => {
  const { model, news } = fold(opened(), events(4, 5));
  assert.deepEqual([model.version, model.view.phase], [5, "after 5"]);
  assert.deepEqual(news.map(({ n }) => n), [4, 5]);
});

test("the balance is kept, whether it comes before or after the rest", () => {
  const balance = { kind: "balance", amount: 5236, currency: "USD" };
  assert.equal(fold(opened(), balance, events(4)).model.balance, 5236);
  assert.equal(fold(EMPTY, balance, SNAPSHOT).model.balance, 5236);
});

test("the same events again are no news and change nothing", () => {
  const { model, news, gap } = fold(opened(), events(4), events(4));
  assert.deepEqual([model.version, model.events.length, news, gap], [4, 4, [], false]);
});

test("events that overlap give only what was missing", () => {
  const { model, news } = fold(opened(), events(4), events(3, 4, 5));
  assert.deepEqual([model.version, news.map(({ n }) => n)], [5, [5]]);
});

test("a gap is seen, applied is nothing", () => {
  const { model, gap } = fold(opened(), events(5));
  assert.deepEqual([gap, model.version, model.view.phase], [true, 3, "to_roll"]);
});

test("a frame that names a version its events do not reach is a gap", () => {
  assert.equal(fold(opened(), { ...events(4), version: 6 }).gap, true);
});

test("a late frame does not take the view back", () => {
  const { model } = fold(opened(), events(4, 5), events(4));
  assert.equal(model.view.phase, "after 5");
});

test("events before any snapshot ask for one", () => {
  assert.equal(received(EMPTY, events(1), 0).gap, true);
});

test("an older snapshot after a reconnect changes people, not the game", () => {
  const { model } = fold(opened(), events(4), { ...SNAPSHOT, chat: [{ n: 1, at: 0, from: null, name: "x", text: "hello" }] });
  assert.deepEqual([model.version, model.view.phase, model.chat.length], [4, "after 4", 1]);
});

test("a command waits until its acknowledged events are here, whichever comes first", () => {
  const isRoll = (cmd) => cmd === "roll";
  const sent = sending(opened(), "id-1", "roll");
  assert.equal(waiting(sent, isRoll), true);
  const ack = { kind: "ack", ref: "id-1", version: 4 };
  assert.equal(waiting(fold(sent, ack).model, isRoll), true);
  assert.equal(waiting(fold(sent, ack, events(4)).model, isRoll), false);
  assert.equal(waiting(fold(sent, events(4)).model, isRoll), true);
  assert.equal(waiting(fold(sent, events(4), ack).model, isRoll), false);
});

test("a refused command waits no longer, and its name comes with the reason", () => {
  const { model, refusal, gap } = fold(sending(opened(), "id-1", "roll"), { kind: "refused", ref: "id-1", code: "x", text: "No.", version: 3 });
  assert.deepEqual(refusal, { cmd: "roll", code: "x", text: "No." });
  assert.deepEqual([Object.keys(model.sent), gap], [[], false]);
});

test("a stale refusal brings the view and asks for the events between", () => {
  const refusal = { kind: "refused", ref: "id-1", code: "stale", text: "Too late.", version: 6, view: view("over") };
  const { model, gap } = fold(sending(opened(), "id-1", "roll"), refusal);
  assert.deepEqual([model.view.phase, model.seen, model.version, gap], ["over", 6, 3, true]);
  assert.equal(fold(model, events(4, 5)).model.view.phase, "over");
  assert.equal(fold(model, events(4, 5, 6)).model.view.phase, "after 6");
});

test("a line of chat comes once", () => {
  const line = { kind: "chat", n: 1, at: 5, from: "dark", name: "Gor", text: "Hello" };
  assert.deepEqual(fold(opened(), line, line).model.chat, [{ n: 1, at: 5, from: "dark", name: "Gor", text: "Hello" }]);
});

test("the frame that travelled fastest tells the server's time best", () => {
  const slow = received(EMPTY, { kind: "beat", now: 1_000 }, 1_400).model;
  const fast = received(slow, { kind: "beat", now: 2_000 }, 2_050).model;
  assert.equal(serverNow(fast, 3_000), 2_950);
});

test("what a newer server says is passed over", () => {
  assert.equal(received(opened(), { kind: "novelty" }, 0).model.version, 3);
});

test("games that ended are kept, also those whose moves came before what is held", () => {
  const ended = (n) => ({ ...event(n, "game_ended"), winner: "light", points: 1 });
  const model = received(EMPTY, { ...SNAPSHOT, version: 900, events: [event(899), event(900)], games: [ended(200), ended(450)] }, 0).model;
  assert.deepEqual(model.games.map(({ n }) => n), [200, 450]);
  const next = received(model, { kind: "events", version: 901, events: [ended(901)], view: view("to_move"), now: 0 }, 0).model;
  assert.deepEqual(next.games.map(({ n }) => n), [200, 450, 901]);
});

test("a rematch is news only if it was agreed while this page looked on", () => {
  const wish = (light, next) => ({ kind: "rematch", light, dark: false, next });
  assert.equal(fold(opened(), wish(true, "m2")).model.rematchIsNews, false);
  const { model } = fold(opened(), wish(true, null), wish(true, "m2"));
  assert.deepEqual([model.rematchIsNews, model.rematch.next], [true, "m2"]);
});

test("where the server names nobody the page says so", () => {
  const nobody = { id: "m", players: { light: { name: "" }, dark: { name: "" } } };
  const { match } = received(EMPTY, { ...SNAPSHOT, match: nobody }, 0).model;
  assert.deepEqual([match.players.light.name, match.players.dark.name, match.anonymous], ["Anonymous", "Anonymous", true]);
  assert.equal(received(EMPTY, SNAPSHOT, 0).model.match.anonymous, false);
});
