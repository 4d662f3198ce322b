// This browser's share of the dice: a random seed, locked by its hash before anybody's seed is known.

const BYTES = 32;
/** Where the browser keeps nothing, the seed lives as long as the page. @type {Map<string, string>} */
const kept = new Map();

/** @param {string} matchId */
const keyOf = (matchId) => `seed:${matchId}`;

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(text) {
  const bytes = new Uint8Array(text.length / 2);
  bytes.forEach((_, n) => { bytes[n] = Number.parseInt(text.slice(2 * n, 2 * n + 2), 16); });
  return bytes;
}

/** The seed this browser promised for a match, null when it promised none.
 * @param {string} matchId @returns {string | null} */
export function seedOf(matchId) {
  try {
    return localStorage.getItem(keyOf(matchId)) ?? kept.get(matchId) ?? null;
  } catch {
    return kept.get(matchId) ?? null;
  }
}

/** Makes and keeps the seed before its hash leaves the browser. Returns the hash, 64 hex digits.
 * @param {string} matchId @returns {Promise<string>} */
export async function promise(matchId) {
  const seed = seedOf(matchId) ?? hex(crypto.getRandomValues(new Uint8Array(BYTES)));
  kept.set(matchId, seed);
  try {
    localStorage.setItem(keyOf(matchId), seed);
  } catch {
    // a private window: the seed lasts as long as this page
  }
  return commitOf(seed);
}

/** @param {string} seed   64 hex digits @returns {Promise<string>} */
export async function commitOf(seed) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(seed))));
}
