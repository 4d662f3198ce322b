// The wire: connects, greets, beats, notices a dead line, comes back for ever, and sends what was not answered again
// under the same id. Knows frames only as text with a kind.

/** @import { Command, Frame } from "../types.js" */

const VERSION = 1;
const BEAT_MS = 5_000;
const SILENCE_MS = 9_000;
const PROBE_MS = 3_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
const OPENING_MS = 10_000;
const BUSY_PAUSE_MS = 400;
/** Signed out · wrong origin · no such match. */
export const FINAL_CODES = new Set([4001, 4003, 4004]);
/** The session ended: if it was only renewed, the next connection has the seat again; else it has not. */
export const SESSION_ENDED = 4010;

/** How long to wait before the next try: 0.5 s, doubling, at most 8 s, a little earlier at random.
 * @param {number} tries   failed so far @param {number} chance   0 to 1 */
export function pauseBefore(tries, chance) {
  const whole = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, tries - 1));
  return Math.max(FIRST_PAUSE_MS, whole * (1 - chance / 4));
}

/** @returns {string} */
export function newId() {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * What a line needs of the world, so that a test can be the world.
 * @typedef {object} World
 * @property {() => WebSocket} open
 * @property {() => number} now
 * @property {() => number} chance
 * @property {(run: () => void, ms: number) => number} later
 * @property {(timer: number) => void} never
 *
 * @typedef {object} Listener
 * @property {() => number} have        version of the last event held
 * @property {(frame: Frame) => void} frame
 * @property {(live: boolean) => void} line
 * @property {(code: number) => void} final   closed for good
 */

export class Line {
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Map<string, string>} */ #unanswered = new Map();
  #tries = 0;
  #heard = 0;
  #asked = 0;
  #retry = 0;
  #overdue = 0;
  #over = false;
  #ended = false;
  #seated = false;
  /** @type {Set<string>} */ #repeated = new Set();

  /** @param {World} world @param {Listener} listener */
  constructor(world, listener) {
    this.world = world;
    this.listener = listener;
  }

  connect() {
    if (this.#socket || this.#over) return;
    this.world.never(this.#retry);
    const socket = this.world.open();
    this.#socket = socket;
    this.#asked = this.world.now();
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = ({ data }) => this.#arrived(socket, data);
    socket.onclose = ({ code }) => this.#closed(socket, code);
    this.#overdue = this.world.later(() => this.#abandon(socket), OPENING_MS);
  }

  /** Sends a command, now or as soon as the line is up. Returns its id.
   * @param {Command} cmd @param {number} at   version it is made against @param {Record<string, unknown>} [fields] */
  send(cmd, at, fields = {}) {
    const id = newId();
    const text = JSON.stringify({ v: VERSION, id, cmd, at, ...fields });
    this.#unanswered.set(id, text);
    if (this.live) this.#socket?.send(text);
    return id;
  }

  /** Asks for what is missing. */
  hello() {
    this.#say({ v: VERSION, cmd: "hello", have: this.#ended ? 0 : this.listener.have() });
  }

  /** Every five seconds, from a clock that a hidden tab does not slow down. */
  beat() {
    if (!this.live) return;
    if (this.#heard < this.#asked && this.world.now() - this.#asked >= SILENCE_MS) {
      this.#abandon(this.#socket);
      return;
    }
    if (this.#heard >= this.#asked) this.#asked = this.world.now();
    this.#say({ v: VERSION, cmd: "beat" });
  }

  /** The tab woke up, or the network came back: is the line still alive? */
  probe() {
    if (this.#over) return;
    const socket = this.#socket;
    if (!socket) {
      this.#tries = 0;
      this.connect();
      return;
    }
    if (!this.live) return;
    const asked = this.world.now();
    this.beat();
    this.world.later(() => { if (this.#socket === socket && this.#heard < asked) this.#abandon(socket); }, PROBE_MS);
  }

  get live() {
    return this.#socket?.readyState === 1;
  }

  get over() {
    return this.#over;
  }

  /** @param {object} frame */
  #say(frame) {
    if (this.live) this.#socket?.send(JSON.stringify(frame));
  }

  /** @param {WebSocket} socket */
  #opened(socket) {
    if (this.#socket !== socket) return;
    this.world.never(this.#overdue);
    this.#heard = this.#asked = this.world.now();
    this.hello();
    for (const text of this.#unanswered.values()) socket.send(text);
  }

  /** @param {WebSocket} socket @param {string} text */
  #arrived(socket, text) {
    if (this.#socket !== socket) return;
    this.#heard = this.world.now();
    /** @type {Frame} */
    const frame = JSON.parse(text);
    if (frame.kind === "beat" && frame.ask) {
      this.#say({ v: VERSION, cmd: "beat", ask: frame.ask });
      return;
    }
    if (this.#ended && frame.kind === "snapshot") {
      this.#ended = false;
      if (this.#seated && frame.you === null) {
        this.#finish(socket, SESSION_ENDED);
        return;
      }
    }
    if (frame.kind === "snapshot") this.#seated = frame.you !== null;
    if (frame.kind === "snapshot" || frame.kind === "events") this.#back();
    if (frame.kind === "refused" && frame.code === "busy" && this.#again(socket, frame.ref)) return;
    if (frame.kind === "ack" || frame.kind === "refused") this.#unanswered.delete(frame.ref ?? "");
    this.listener.frame(frame);
  }

  /** A table that was busy is asked again under the same id; true if it will be.
   * @param {WebSocket} socket @param {string | null} ref */
  #again(socket, ref) {
    const text = this.#unanswered.get(ref ?? "");
    if (!ref || !text || this.#repeated.has(ref)) return false;
    this.#repeated.add(ref);
    this.world.later(() => { if (this.#socket === socket && this.live) socket.send(text); }, BUSY_PAUSE_MS);
    return true;
  }

  /** @param {WebSocket} socket @param {number} code */
  #finish(socket, code) {
    this.#over = true;
    this.#socket = null;
    socket.onclose = null;
    socket.close();
    this.listener.final(code);
  }

  #back() {
    this.#tries = 0;
    this.listener.line(true);
  }

  /** A line that says nothing is closed from here; its own close may never come.
   * @param {WebSocket | null} socket */
  #abandon(socket) {
    if (!socket || this.#socket !== socket) return;
    socket.onclose = null;
    socket.close();
    this.#closed(socket, 1006);
  }

  /** @param {WebSocket} socket @param {number} code */
  #closed(socket, code) {
    if (this.#socket !== socket) return;
    this.#socket = null;
    this.world.never(this.#overdue);
    if (FINAL_CODES.has(code)) {
      this.#over = true;
      this.listener.final(code);
      return;
    }
    if (code === SESSION_ENDED) this.#ended = true;
    this.listener.line(false);
    this.#tries += 1;
    this.#retry = this.world.later(() => this.connect(), pauseBefore(this.#tries, this.world.chance()));
  }
}

/** The real world.
 * @param {string} path @returns {World} */
export function browserWorld(path) {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return {
    open: () => new WebSocket(url),
    now: () => Date.now(),
    chance: () => Math.random(),
    later: (run, ms) => window.setTimeout(run, ms),
    never: (timer) => window.clearTimeout(timer),
  };
}

/** Calls every five seconds, from a worker where there is one: browsers slow the timers of hidden tabs down.
 * @param {() => void} run */
export function everyBeat(run) {
  try {
    const worker = new Worker(new URL("./pulse.js", import.meta.url));
    worker.onmessage = run;
    worker.onerror = () => { setInterval(run, BEAT_MS); };
    worker.postMessage(BEAT_MS);
  } catch {
    setInterval(run, BEAT_MS);
  }
}
