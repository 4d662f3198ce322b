// The line comes back for ever, sends again what was not answered, and notices when nobody is there.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Line, pauseBefore } from "./socket.js";

/** A world where time moves only when a test says so. */
function made() {
  const world = { time: 0, timers: [], sockets: [], frames: [], lines: [], finals: [] };
  const listener = {
    have: () => 7, frame: (frame) => world.frames.push(frame), line: (live) => world.lines.push(live), final: (code) => world.finals.push(code),
  };
  world.line = new Line({
    open: () => {
      const socket = { readyState: 0, sent: [], send: (text) => socket.sent.push(JSON.parse(text)), close: () => { socket.readyState = 3; } };
      world.sockets.push(socket);
      return socket;
    },
    now: () => world.time,
    chance: () => 0,
    later: (run, ms) => world.timers.push({ run, at: world.time + ms }),
    never: (n) => { if (world.timers[n - 1]) world.timers[n - 1].run = null; },
  }, listener);
  world.pass = (ms) => {
    const until = world.time + ms;
    for (;;) {
      const due = world.timers.filter(({ run, at }) => run && at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      const { run } = due;
      due.run = null;
      world.time = due.at;
      run();
    }
    world.time = until;
  };
  world.up = () => { const socket = world.sockets.at(-1); socket.readyState = 1; socket.onopen(); return socket; };
  world.hear = (frame) => world.sockets.at(-1).onmessage({ data: JSON.stringify(frame) });
  world.down = (code = 1006) => { const socket = world.sockets.at(-1); socket.readyState = 3; socket.onclose({ code }); };
  return world;
}

/** @type {ReturnType<typeof made>} */
let world;
beforeEach(() => { world = made(); world.line.connect(); });

test("it greets with what it has", () => {
  assert.deepEqual(world.up().sent, [{ v: 1, cmd: "hello", have: 7 }]);
});

test("a command carries its id, its version and its fields", () => {
  const socket = world.up();
  const id = world.line.send("play", 12, { steps: [[13, 7]] });
  assert.deepEqual(socket.sent.at(-1), { v: 1, id, cmd: "play", at: 12, steps: [[13, 7]] });
  assert.match(id, /^[A-Za-z0-9_-]{8,64}$/);
});

test("what was not answered is sent again under the same id after the greeting; what was answered is not", () => {
  world.up();
  const answered = world.line.send("roll", 3);
  const open = world.line.send("play", 4);
  world.hear({ kind: "ack", ref: answered, version: 4 });
  world.down();
  world.pass(500);
  assert.deepEqual(world.up().sent.map(({ cmd, id }) => [cmd, id]), [["hello", undefined], ["play", open]]);
});

test("a command given while the line is down goes out when it is up", () => {
  const id = world.line.send("roll", 3);
  assert.equal(world.up().sent.at(-1).id, id);
});

test("a refusal is an answer too", () => {
  world.up();
  world.hear({ kind: "refused", ref: world.line.send("roll", 3), code: "stale", text: "", version: 5 });
  world.down();
  world.pass(500);
  assert.deepEqual(world.up().sent.map(({ cmd }) => cmd), ["hello"]);
});

test("it tries again for ever, with pauses from half a second to eight", () => {
  for (let n = 0; n < 30; n += 1) {
    world.down();
    world.pass(8_000);
  }
  assert.equal(world.sockets.length, 31);
  assert.deepEqual([1, 2, 3, 4, 5, 6, 20].map((tries) => pauseBefore(tries, 0)), [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  assert.deepEqual([pauseBefore(1, 1), pauseBefore(9, 1)], [500, 6000]);
});

test("only the server's own word makes the pauses short again", () => {
  for (let n = 0; n < 6; n += 1) { world.up(); world.down(); world.pass(8_000); }
  world.up();
  world.hear({ kind: "snapshot" });
  world.down();
  const before = world.sockets.length;
  world.pass(500);
  assert.equal(world.sockets.length, before + 1);
});

test("a session that was only renewed gets its seat back, one that ended does not", () => {
  world.up();
  world.hear({ kind: "snapshot", you: "light" });
  world.down(4010);
  world.pass(1_000);
  world.up();
  world.hear({ kind: "snapshot", you: "light" });
  assert.deepEqual([world.finals, world.line.live], [[], true]);
  world.down(4010);
  world.pass(1_000);
  world.up();
  world.hear({ kind: "snapshot", you: null });
  assert.deepEqual([world.finals, world.line.over], [[4010], true]);
});

test("an ask is echoed", () => {
  world.up();
  world.hear({ kind: "beat", ask: "c0ffee" });
  assert.ok(world.sockets.at(-1).sent.some((frame) => frame.cmd === "beat" && frame.ask === "c0ffee"));
});

test("a busy table is asked once more under the same id", () => {
  world.up();
  const id = world.line.send("roll", 7);
  world.hear({ kind: "refused", ref: id, code: "busy", text: "", version: 7 });
  world.pass(500);
  assert.equal(world.sockets.at(-1).sent.filter((frame) => frame.id === id).length, 2);
  world.hear({ kind: "refused", ref: id, code: "busy", text: "", version: 7 });
  assert.equal(world.frames.at(-1)?.kind, "refused");
});

for (const code of [4001, 4003, 4004]) {
  test(`close code ${code} is final`, () => {
    world.up();
    world.down(code);
    world.pass(60_000);
    assert.deepEqual([world.finals, world.sockets.length, world.line.over], [[code], 1, true]);
  });
}

test("beats that nobody answers end a half-open line", () => {
  world.up();
  world.pass(5_000);
  world.line.beat();
  world.pass(5_000);
  world.line.beat();
  assert.equal(world.line.live, true);
  world.pass(5_000);
  world.line.beat();
  assert.deepEqual([world.line.live, world.lines], [false, [false]]);
  world.pass(500);
  assert.equal(world.sockets.length, 2);
});

test("answered beats keep it, also when the timer was slowed down", () => {
  world.up();
  for (let n = 0; n < 5; n += 1) {
    world.pass(60_000);
    world.line.beat();
    world.pass(40);
    world.hear({ kind: "beat", now: 0 });
  }
  assert.deepEqual([world.line.live, world.sockets.length], [true, 1]);
});

test("after sleep a line that stays silent for three seconds is given up", () => {
  world.up();
  world.pass(600_000);
  world.line.probe();
  world.pass(3_000);
  assert.equal(world.sockets.length >= 1 && !world.line.live, true);
});

test("the network's return does not wait for the pause", () => {
  for (let n = 0; n < 6; n += 1) { world.down(); world.pass(8_000); }
  world.down();
  const before = world.sockets.length;
  world.line.probe();
  assert.equal(world.sockets.length, before + 1);
});

test("a connection that neither opens nor closes is given up after ten seconds", () => {
  world.pass(10_500);
  assert.equal(world.sockets.length, 2);
});

test("what an abandoned socket still says is not heard", () => {
  const first = world.up();
  world.pass(600_000);
  world.line.probe();
  world.pass(3_600);
  first.onmessage({ data: JSON.stringify({ kind: "beat", now: 1 }) });
  assert.deepEqual(world.frames, []);
});
