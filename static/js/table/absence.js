// Who is away, for how long still, and what became of a match that somebody left: read off events and presence. Pure.

/** @import { Match, MatchEvent, Seat, Side, View } from "../types.js" @import { Model } from "./session.js" */

import { SIDES, other } from "../board/geometry.js";
import { money, signed } from "./money.js";

const PPM = 1_000_000;
const SECOND_MS = 1_000;
const MINUS = "−";
/** A single game's forfeit in blitz, in stakes. */
export const BLITZ_LOSS = 3;

/** @typedef {Extract<MatchEvent, { kind: "adjudicated" }>} Verdict
 *
 * @typedef {object} Ending   how an abandoned match stands
 * @property {readonly Side[]} left        who has left the match
 * @property {boolean} withModerators      no engine answered in time
 * @property {Verdict | null} verdict
 */

/** @param {readonly MatchEvent[]} events @returns {Ending} */
export function ending(events) {
  const abandoned = events.findLast((event) => event.kind === "abandoned");
  const verdict = events.findLast((event) => event.kind === "adjudicated");
  return {
    left: abandoned?.kind === "abandoned" ? SIDES.filter((side) => abandoned[side]) : [],
    withModerators: events.some((event) => event.kind === "sent_to_moderators"),
    verdict: verdict?.kind === "adjudicated" ? verdict : null,
  };
}

/** How long a side's absences have been so far that are over, ms; downtime of the site in them is not counted.
 * @param {readonly MatchEvent[]} events @param {Side} side */
export function awayBefore(events, side) {
  let used = 0;
  let since = /** @type {number | null} */ (null);
  for (const event of events) {
    if (event.kind === "player_lost" && event.side === side) since = event.since_ms;
    else if (event.kind === "credited" && since !== null) since = Math.min(since + event.ms, event.at);
    else if (event.kind === "player_returned" && event.side === side && since !== null) {
      used += Math.max(0, event.at - since);
      since = null;
    }
  }
  return used;
}

/** How much longer this player may be away, ms; null where the server does not tell.
 * @param {Seat} seat @param {number} now   server's time, ms */
export function awayLeft({ here, since, left_ms: left }, now) {
  if (left === undefined || left === null) return null;
  return Math.max(0, here ? left : left - Math.max(0, now - since));
}

/** A game is under way: somebody's clock can run.
 * @param {View} view */
export const isPlaying = ({ phase }) => !["ready", "seeds", "adjudicating", "over", "cancelled", "void"].includes(phase);

/** Downtime in words.
 * @param {number} ms */
export function creditText(ms) {
  const seconds = Math.max(1, Math.round(ms / SECOND_MS));
  return interpolate(ngettext("The site was away for %(seconds)s s; the time was given back.", "The site was away for %(seconds)s s; the time was given back.", seconds), { seconds }, true);
}

/** What leaving costs in blitz, in money.
 * @param {Match} match */
export function blitzLoss(match) {
  const sum = match.kind === "single" ? Math.min(BLITZ_LOSS * match.stake, match.limit ?? BLITZ_LOSS * match.stake) : match.stake;
  return money(sum, match.currency);
}

/** So many stakes, with the sign: two decimals are what a person compares.
 * @param {number} ppm */
export function stakesText(ppm) {
  const count = (Math.abs(ppm) / PPM).toFixed(2);
  if (Number(count) === 0) return count;
  return (ppm < 0 ? MINUS : "+") + count;
}

/** The same in money, half up to a unit.
 * @param {number} ppm @param {Match} match */
export function worthText(ppm, match) {
  const sum = Math.floor((2 * match.stake * Math.abs(ppm) + PPM) / (2 * PPM));
  return signed(ppm < 0 && sum ? -sum : sum, match.currency);
}

/** Who left, as the reader is told.
 * @param {Model & { match: Match }} model @param {readonly Side[]} left */
export function leftText({ match, you }, left) {
  const [gone] = left;
  if (left.length > 1) return gettext("Both players were away for too long.");
  if (!gone) return "";
  return gone === you ? gettext("You were away for too long.") : interpolate(gettext("%(name)s was away for too long."), { name: match.players[gone].name }, true);
}

/** Why this end of the interval was paid, sentence by sentence.
 * @param {Model & { match: Match }} model @returns {string[]} */
export function verdictTexts(model) {
  const { left, verdict } = ending(model.events);
  if (!verdict) return [];
  const { match, you } = model;
  const side = verdict.side;
  const facts = {
    name: match.players[side].name,
    estimate: stakesText(verdict.estimate), sum: worthText(verdict.estimate, match),
    low: stakesText(verdict.low), high: stakesText(verdict.high), lowSum: worthText(verdict.low, match), highSum: worthText(verdict.high, match),
    paid: stakesText(verdict.applied), paidSum: worthText(verdict.applied, match),
  };
  const says = [leftText(model, left)];
  if (verdict.engine === "moderator") {
    return [...says, side === you
      ? interpolate(gettext("A moderator decided: %(paid)s of the stake for you, %(paidSum)s."), facts, true)
      : interpolate(gettext("A moderator decided: %(paid)s of the stake for %(name)s, %(paidSum)s."), facts, true)].filter(Boolean);
  }
  says.push(side === you
    ? interpolate(gettext("The engine’s estimate for you: %(estimate)s of the stake (%(sum)s). Interval (95 %): %(low)s to %(high)s, %(lowSum)s to %(highSum)s."), facts, true)
    : interpolate(gettext("The engine’s estimate for %(name)s: %(estimate)s of the stake (%(sum)s). Interval (95 %): %(low)s to %(high)s, %(lowSum)s to %(highSum)s."), facts, true));
  says.push(left.length > 1
    ? interpolate(gettext("Both left, so the estimate itself was paid: %(paidSum)s."), facts, true)
    : interpolate(gettext("Whoever leaves gets the lower end: %(paid)s, %(paidSum)s."), facts, true));
  return says.filter(Boolean);
}

/** Why a game or match was forfeited by leaving.
 * @param {Model & { match: Match }} model @param {Side} winner */
export function forfeitText(model, winner) {
  const loser = other(winner);
  const { match, you } = model;
  const facts = { name: match.players[loser].name };
  if (match.blitz) {
    return loser === you ? gettext("You left. In blitz that loses three times the stake.") : interpolate(gettext("%(name)s left. In blitz that loses three times the stake."), facts, true);
  }
  return loser === you
    ? gettext("You left. After three or more abandoned matches out of the last thirty, that forfeits the game.")
    : interpolate(gettext("%(name)s left. After three or more abandoned matches out of the last thirty, that forfeits the game."), facts, true);
}
