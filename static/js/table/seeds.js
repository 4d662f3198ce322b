// This browser's share of the dice: a random seed, locked by its hash before anybody's seed is known.

const BYTES = 32;
/** Where the browser keeps nothing, the seed lives as long as the page. @type {Map<string, string>} */
const kept = new Map();

/** @param {string} matchId */
const seedKey = (matchId) => `seed:${matchId}`;
/** @param {string} matchId */
const sealKey = (matchId) => `seal:${matchId}`;

/** @param {string} key @param {string} text */
function keep(key, text) {
  kept.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // a private window: it lasts as long as this page
  }
}

/** @param {string} key @returns {string | null} */
function recall(key) {
  try {
    return localStorage.getItem(key) ?? kept.get(key) ?? null;
  } catch {
    return kept.get(key) ?? null;
  }
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(text) {
  const bytes = new Uint8Array(text.length / 2);
  bytes.forEach((_, n) => { bytes[n] = Number.parseInt(text.slice(2 * n, 2 * n + 2), 16); });
  return bytes;
}

/** The seed this browser promised for a match, null when it promised none.
 * @param {string} matchId */
export const seedOf = (matchId) => recall(seedKey(matchId));

/** The site's seal as it stood when this browser promised: the match's record must show the same one.
 * @param {string} matchId */
export const sealSeen = (matchId) => recall(sealKey(matchId));

/** Makes and keeps the seed before its hash leaves the browser. Returns the hash, 64 hex digits.
 * @param {string} matchId @param {string} serverCommit   the site's own hash, kept for the dice page @returns {Promise<string>} */
export async function promise(matchId, serverCommit) {
  const seed = seedOf(matchId) ?? hex(crypto.getRandomValues(new Uint8Array(BYTES)));
  keep(seedKey(matchId), seed);
  keep(sealKey(matchId), sealSeen(matchId) ?? serverCommit);
  return commitOf(seed);
}

/** @param {string} seed   64 hex digits @returns {Promise<string>} */
export async function commitOf(seed) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(seed))));
}
