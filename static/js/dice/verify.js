// Checks the dice of a match from its record, with the browser's own cryptography. The same arithmetic
// as games/fairness.py and verify_dice.py, written a third time; docs/fairness.md holds the exact bytes.
// Knows no page.

const FACES = 6;
const GOOD_BYTES = 252;
const COUNTER_BYTES = 4;
const LAST_ROLL = 2 ** 32 - 1;
const FORMAT = "nardy-dice-1";
const SEED = /^[0-9a-f]{64}$/;
const MATCH_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SIDES = /** @type {const} */ (["server", "light", "dark"]);
const FIELDS = [
  "format", "match_id", "server_commit", "light_commit", "dark_commit",
  "server_seed", "light_seed", "dark_seed", "drawn", "rolls",
];

/**
 * @typedef {{ n: number, by: "light" | "dark" | "both", dice: [number, number] }} RecordedRoll
 * @typedef {{
 *   format: string, match_id: string, drawn: number, rolls: RecordedRoll[],
 *   server_commit: string, light_commit: string | null, dark_commit: string | null,
 *   server_seed: string | null, light_seed: string | null, dark_seed: string | null,
 * }} DiceRecord
 * @typedef {{ problem: string, n?: number, until?: number, thrown?: [number, number] }} Finding
 */

export class BadRecord extends Error {}

/** Whether this browser can check at all: it lends its cryptography only to secure pages. */
export const canVerify = () => globalThis.crypto?.subtle !== undefined;

/**
 * The record in a text. Throws BadRecord for anything that is none.
 * @param {string} text
 * @returns {DiceRecord}
 */
export function parseRecord(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    throw new BadRecord("not a dice record: not JSON");
  }
  if (!isRecord(read)) throw new BadRecord("not a dice record");
  return read;
}

/**
 * Everything that is wrong with a finished match's record; an empty list proves its dice.
 * @param {DiceRecord} record
 * @param {(checked: number) => void} [progress] told after each roll
 * @returns {Promise<Finding[]>}
 */
export async function verify(record, progress = () => undefined) {
  return [...(await sealFindings(record)), ...numberFindings(record), ...(await rollFindings(record, progress))];
}

/**
 * The seal of a seed: its SHA-256.
 * @param {string} seed
 */
export async function commitment(seed) {
  return digits(await crypto.subtle.digest("SHA-256", bytes(seed)));
}

/**
 * The dice of a match whose seeds are open, as a function of the roll's number.
 * @param {DiceRecord} record
 * @returns {Promise<(n: number) => Promise<[number, number]>>}
 */
export async function diceFor(record) {
  const { server_seed: server, light_seed: light, dark_seed: dark } = record;
  if (server === null || light === null || dark === null) throw new BadRecord("the seeds are still closed");
  const key = await crypto.subtle.importKey("raw", bytes(server), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const match = bytes(record.match_id.replaceAll("-", ""));
  /** @param {Uint8Array[]} counters */
  const digest = async (...counters) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(bytes(light), bytes(dark), match, ...counters)));
  return (n) => diceOf((block) => (block === 0 ? digest(counter(n)) : digest(counter(n), counter(block))));
}

/**
 * The first two dice in a stream of digests; asks for no more of them than it must.
 * @param {(block: number) => Promise<Uint8Array>} digest
 * @returns {Promise<[number, number]>}
 */
export async function diceOf(digest) {
  /** @type {number[]} */
  const dice = [];
  for (let block = 0; ; block += 1) {
    for (const byte of await digest(block)) if (byte < GOOD_BYTES) dice.push((byte % FACES) + 1);
    const [first, second] = dice;
    if (first !== undefined && second !== undefined) return [first, second];
  }
}

// --- the three kinds of findings ---------------------------------------------------------------

/** @param {DiceRecord} record */
async function sealFindings(record) {
  /** @type {Finding[]} */
  const findings = SIDES.some((who) => record[`${who}_seed`] === null) ? [{ problem: "seed_missing" }] : [];
  for (const who of SIDES) {
    const seed = record[`${who}_seed`];
    if (seed !== null && (await commitment(seed)) !== record[`${who}_commit`]) findings.push({ problem: `bad_${who}_commit` });
  }
  return findings;
}

/** @param {DiceRecord} record */
function numberFindings({ drawn, rolls }) {
  /** @type {Finding[]} */
  const findings = [];
  const seen = new Set();
  let highest = 0;
  for (const { n } of rolls) {
    if (seen.has(n)) findings.push({ problem: "duplicated_number", n });
    else if (n > drawn) findings.push({ problem: "unexpected_number", n });
    else if (n < highest) findings.push({ problem: "out_of_order", n });
    seen.add(n);
    highest = Math.max(highest, n);
  }
  const known = [...seen].filter((n) => n <= drawn).sort((a, b) => a - b);
  let before = 0;
  for (const after of [...known, drawn + 1]) {
    const [first, last] = [before + 1, after - 1];
    if (first === last) findings.push({ problem: "missing_number", n: first });
    else if (first < last) findings.push({ problem: "gap", n: first, until: last });
    before = after;
  }
  return findings;
}

/** @param {DiceRecord} record @param {(checked: number) => void} progress */
async function rollFindings(record, progress) {
  /** @type {Finding[]} */
  const findings = [];
  if (SIDES.some((who) => record[`${who}_seed`] === null)) return findings;
  const dice = await diceFor(record);
  for (const [index, roll] of record.rolls.entries()) {
    const thrown = await dice(roll.n);
    if (!isSame(roll, thrown)) findings.push({ problem: "wrong_roll", n: roll.n, thrown });
    progress(index + 1);
  }
  return findings;
}

/** @param {RecordedRoll} roll @param {[number, number]} thrown */
function isSame({ by, dice: [first, second] }, thrown) {
  const straight = first === thrown[0] && second === thrown[1];
  return straight || (by !== "both" && first === thrown[1] && second === thrown[0]);
}

// --- reading -----------------------------------------------------------------------------------

/** @param {any} read @returns {read is DiceRecord} */
function isRecord(read) {
  return (
    read !== null && typeof read === "object" && !Array.isArray(read) &&
    Object.keys(read).sort().join() === [...FIELDS].sort().join() &&
    read.format === FORMAT && isText(MATCH_ID, read.match_id) && isText(SEED, read.server_commit) &&
    ["light_commit", "dark_commit", "server_seed", "light_seed", "dark_seed"].every((name) => read[name] === null || isText(SEED, read[name])) &&
    isInteger(read.drawn, 0, LAST_ROLL) && Array.isArray(read.rolls) && read.rolls.every(isRoll)
  );
}

/** @param {any} read */
function isRoll(read) {
  return (
    read !== null && typeof read === "object" && Object.keys(read).sort().join() === "by,dice,n" &&
    isInteger(read.n, 1, LAST_ROLL) &&
    ["light", "dark", "both"].includes(read.by) &&
    Array.isArray(read.dice) && read.dice.length === 2 && read.dice.every((/** @type {unknown} */ die) => isInteger(die, 1, FACES))
  );
}

/** @param {RegExp} pattern @param {unknown} read */
const isText = (pattern, read) => typeof read === "string" && pattern.test(read);

/** @param {any} read @param {number} least @param {number} most */
const isInteger = (read, least, most) => Number.isInteger(read) && read >= least && read <= most;

// --- bytes and digits --------------------------------------------------------------------------

/** @param {string} hex */
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {ArrayBuffer} buffer */
const digits = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {number} n */
function counter(n) {
  const made = new Uint8Array(COUNTER_BYTES);
  new DataView(made.buffer).setUint32(0, n);
  return made;
}

/** @param {Uint8Array[]} parts */
function joined(...parts) {
  const made = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}
