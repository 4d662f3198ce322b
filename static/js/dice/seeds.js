// The player's own share of the dice: a random seed for each match, kept in this browser so that every tab
// reveals the same one, and so that the player can later see that the record holds what was really chosen.

const SEED_BYTES = 32;
const KEPT = 50;
const PREFIX = "dice:";

/** @typedef {"light" | "dark"} Side */
/** @typedef {{ seed: string, commit: string, server_commit: string, at: number }} Kept */

/**
 * This browser's seed for its seat in a match, made on first use, and its seal. The site's seal is kept
 * with it: the record must show the same one later.
 * @param {string} matchId
 * @param {Side} side
 * @param {string} serverCommit the site's seal, as the table showed it
 * @returns {Promise<Kept>}
 */
export async function seedFor(matchId, side, serverCommit) {
  const made = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  const fresh = { seed: hex(made), commit: await sealOf(made), server_commit: serverCommit, at: Date.now() };
  const before = kept(matchId, side);  // asked after the wait: another tab may have been first
  if (before !== null) return before;
  forgetOldest();
  try {
    localStorage.setItem(place(matchId, side), JSON.stringify(fresh));
  } catch {
    /* a private window: the seed lives as long as the page */
    forThisPage.set(place(matchId, side), fresh);
  }
  return fresh;
}

/**
 * What this browser remembers of a seat: null if it never accepted there.
 * @param {string} matchId
 * @param {Side} side
 */
export const kept = (matchId, side) => keptAt(place(matchId, side));

/** @type {Map<string, Kept>} */
const forThisPage = new Map();

/** @param {string} matchId @param {Side} side */
const place = (matchId, side) => `${PREFIX}${matchId}:${side}`;

/** @param {string} at @returns {Kept | null} */
function keptAt(at) {
  try {
    return JSON.parse(localStorage.getItem(at) ?? "null") ?? forThisPage.get(at) ?? null;
  } catch {
    return forThisPage.get(at) ?? null;
  }
}

function forgetOldest() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    keys.sort((a, b) => (keptAt(a)?.at ?? 0) - (keptAt(b)?.at ?? 0));
    for (const key of keys.slice(0, Math.max(0, keys.length - KEPT + 1))) localStorage.removeItem(key);
  } catch {
    /* nothing can be kept, so nothing has to go */
  }
}

/** @param {Uint8Array<ArrayBuffer>} seed */
const sealOf = async (seed) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", seed)));

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
