// The move list and the score by games, read off the events. Pure.

/** @import { GameEnded, MatchEvent, Side } from "../types.js" */

import "../board/catalog.js";
import { creditText, stakesText } from "./absence.js";

/**
 * @typedef {{ dice: string, text: string }} Cell
 * @typedef {{ light?: Cell, dark?: Cell, note?: string }} Row   a note is said of the match, across both columns
 */

/** Rows of a game, the current one if none is named; a turn of the left side begins a new row.
 * @param {readonly MatchEvent[]} events @param {Side} left @param {(side: Side) => string} [name] @param {number} [game]
 * @param {string} [variant] @returns {Row[]} */
export function moveRows(events, left, name = (side) => side, game = 0, variant = "backgammon") {
  /** @type {Row[]} */
  const rows = [];
  let open = /** @type {Cell | null} */ (null);
  for (const event of game ? gameEvents(events, game) : currentGame(events)) {
    if (event.kind === "turn_played" && open) {
      open.text = turnText(event.text);
      open = null;
      continue;
    }
    const note = noteOf(event, name);
    if (note) rows.push({ note });
    const entry = entryOf(event, variant);
    if (!entry) continue;
    place(rows, left, entry.side, entry.cell);
    open = entry.cell.dice ? entry.cell : null;
  }
  return rows;
}

/** The events since the last game began.
 * @param {readonly MatchEvent[]} events @returns {readonly MatchEvent[]} */
export function currentGame(events) {
  const start = events.findLastIndex((event) => event.kind === "game_started");
  return start < 0 ? events : events.slice(start);
}

/** The events of one game, as far as they are held: a long match keeps the last ones.
 * @param {readonly MatchEvent[]} events @param {number} game @returns {readonly MatchEvent[]} */
export function gameEvents(events, game) {
  const start = events.findIndex((event) => event.kind === "game_started" && event.game === game);
  if (start < 0) return [];
  const end = events.findIndex((event, index) => index > start && event.kind === "game_started");
  return events.slice(start, end < 0 ? undefined : end);
}

/** The score after each finished game, never beyond the length of a series.
 * @param {readonly GameEnded[]} games @param {number} length @returns {Record<Side, number>[]} */
export function runningScores(games, length) {
  const score = { light: 0, dark: 0 };
  return games.map(({ winner, points }) => {
    score[winner] = Math.min(length, score[winner] + points);
    return { ...score };
  });
}

/** The last roll and whose it was, also after the turn is over.
 * @param {readonly MatchEvent[]} events @returns {{ n: number, side: Side, dice: [number, number] } | null} */
export function lastRoll(events) {
  const event = currentGame(events).findLast(({ kind }) => kind === "rolled" || kind === "opening_rolled");
  if (event?.kind === "rolled") return { n: event.n, side: event.side, dice: [event.high, event.low] };
  if (event?.kind !== "opening_rolled" || event.light === event.dark) return null;
  return opening(event.n, event.light, event.dark);
}

/** @param {number} n @param {number} light @param {number} dark @returns {{ n: number, side: Side, dice: [number, number] }} */
function opening(n, light, dark) {
  return { n, side: light > dark ? "light" : "dark", dice: [Math.max(light, dark), Math.min(light, dark)] };
}

/** @param {string} text */
const turnText = (text) => text || gettext("cannot move");

/** @param {Row[]} rows @param {Side} left @param {Side} side @param {Cell} cell */
function place(rows, left, side, cell) {
  const last = rows.at(-1);
  const fits = last && !last.note && !last[side] && !(side === left && Object.keys(last).length);
  if (fits) last[side] = cell;
  else rows.push({ [side]: cell });
}

/** @param {MatchEvent} event @param {string} variant @returns {{ side: Side, cell: Cell } | null} */
function entryOf(event, variant) {
  switch (event.kind) {
    case "opening_rolled": {
      if (event.light === event.dark) return null;
      const { side, dice } = opening(event.n, event.light, event.dark);
      return { side, cell: { dice: dice.join(""), text: "" } };
    }
    case "rolled": return { side: event.side, cell: { dice: `${event.high}${event.low}`, text: "" } };
    case "turn_played": return said(event.side, turnText(event.text));
    case "double_offered": return said(event.side, interpolate(gettext("doubles to %(value)s"), { value: event.value }, true));
    case "double_taken": return said(event.side, gettext("takes"));
    case "double_dropped": return said(event.side, gettext("drops"));
    case "beavered": return said(event.side, interpolate(gettext("beavers to %(value)s"), { value: event.value }, true));
    case "beaver_accepted": return said(event.side, gettext("takes"));
    case "resign_offered": return said(event.side, levelText(event.level, variant));
    case "resign_refused": return said(event.side, gettext("plays on"));
    case "resign_accepted": return said(event.side, gettext("accepts"));
    case "time_expired": return said(event.side, gettext("out of time"));
    default: return null;
  }
}

/** What happened to the match rather than in it.
 * @param {MatchEvent} event @param {(side: Side) => string} name */
function noteOf(event, name) {
  switch (event.kind) {
    case "player_lost": return interpolate(gettext("%(name)s lost the connection."), { name: name(event.side) }, true);
    case "player_returned": return interpolate(gettext("%(name)s is back."), { name: name(event.side) }, true);
    case "abandoned": return event.light && event.dark
      ? gettext("Both players have left the match.")
      : interpolate(gettext("%(name)s has left the match."), { name: name(event.light ? "light" : "dark") }, true);
    case "sent_to_moderators": return gettext("A moderator decides.");
    case "adjudicated": return interpolate(gettext("Adjudicated: %(stakes)s of the stake for %(name)s."), { stakes: stakesText(event.applied), name: name(event.side) }, true);
    case "credited": return creditText(event.ms);
    default: return "";
  }
}

/** @param {Side} side @param {string} text */
const said = (side, text) => ({ side, cell: { dice: "", text } });

/** @param {number} level @param {string} variant */
function levelText(level, variant) {
  if (level === 1) return gettext("resigns a single game");
  if (variant !== "backgammon") return gettext("resigns a mars");
  return level === 2 ? gettext("resigns a gammon") : gettext("resigns a backgammon");
}
