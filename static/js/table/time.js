// Clocks counted down from the server's deadlines. Pure: the time is an argument.

/** @import { Clock, Side } from "../types.js" */

const SECOND_MS = 1_000;
const MINUTE_S = 60;
/** Time is low ten seconds before the flag, move timer and reserve together. */
export const LOW_MS = 10_000;

/** @typedef {{ moveMs: number, reserveMs: number, runs: boolean, low: boolean }} ClockFace */

/** What a side's clock shows. The move timer goes first; only then does the reserve run.
 * @param {Clock} clock @param {Side} side @param {number} now   server's time, ms @returns {ClockFace} */
export function clockFace({ running, move_ms, reserve_ms, used_ms, since }, side, now) {
  const reserve = reserve_ms[side];
  if (running !== side) return { moveMs: Math.max(0, move_ms - (used_ms?.[side] ?? 0)), reserveMs: reserve, runs: false, low: false };
  const spent = Math.max(0, now - since);
  const moveMs = Math.max(0, move_ms - spent);
  const reserveMs = Math.max(0, reserve - Math.max(0, spent - move_ms));
  return { moveMs, reserveMs, runs: true, low: moveMs + reserveMs <= LOW_MS };
}

/** Minutes and seconds, rounded up: 0:00 is out of time, not almost.
 * @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  return `${Math.floor(seconds / MINUTE_S)}:${String(seconds % MINUTE_S).padStart(2, "0")}`;
}

/** What is left until a deadline, ms.
 * @param {number | null} deadline @param {number} now */
export const leftUntil = (deadline, now) => (deadline === null ? 0 : Math.max(0, deadline - now));
