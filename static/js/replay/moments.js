// A finished match as moments, read off what the page carries: which one a link names, the move list, what is said. Pure.

/** @import { ChatLine, Match, MatchEvent, Phase, Side, View, WireCube } from "../types.js" */

import "../board/catalog.js";
import { levelName, listed, pointsText } from "../table/phrases.js";

/**
 * @typedef {object} Moment   the table after event `n`
 * @property {number} n
 * @property {Phase} phase
 * @property {Side | null} on_roll
 * @property {Record<Side, number[]>} board
 * @property {[number, number] | null} dice
 * @property {WireCube} cube
 * @property {Record<Side, number>} score
 * @property {number} game
 * @property {boolean} crawford
 * @property {View["last_turn"]} last_turn
 * @property {Record<Side, number>} reserve_ms
 * @property {string | null} xgid
 *
 * @typedef {object} Replay
 * @property {Match} match
 * @property {Side | null} you
 * @property {MatchEvent[]} events
 * @property {Moment[]} moments
 * @property {ChatLine[]} chat
 *
 * @typedef {{ n: number, dice: string, text: string }} Cell   `n` is the moment it leads to
 * @typedef {{ light?: Cell, dark?: Cell }} Row
 * @typedef {{ number: number, rows: Row[], result: string }} Game
 */

/** The moment that a link names, or the last one before it; the first without a link.
 * @param {readonly Moment[]} moments @param {string} hash   "#57" @returns {number} an index */
export function momentAt(moments, hash) {
  const wanted = Number.parseInt(hash.replace(/^#/, ""), 10);
  if (!Number.isFinite(wanted)) return 0;
  return Math.max(0, moments.findLastIndex(({ n }) => n <= wanted));
}

/** @param {Replay} replay @param {number} index @returns {MatchEvent | undefined} */
export function eventAt({ events, moments }, index) {
  const n = moments[index]?.n;
  return events.find((event) => event.n === n);
}

/** The games with their moves, left column light. @param {Replay} replay @returns {Game[]} */
export function gamesOf({ events, match }) {
  /** @type {Game[]} */
  const games = [];
  let dice = "";
  for (const event of events) {
    if (event.kind === "game_started") games.push({ number: event.game, rows: [], result: "" });
    const game = games.at(-1);
    if (!game) continue;
    if (event.kind === "game_ended") game.result = resultText(event, match);
    dice = diceOf(event) ?? dice;
    const said = saidIn(event, match);
    if (!said) continue;
    place(game.rows, said.side, { n: event.n, dice: event.kind === "turn_played" ? dice : "", text: said.text });
  }
  return games;
}

/** @param {MatchEvent} event @returns {string | null} */
function diceOf(event) {
  if (event.kind === "rolled") return `${event.high}${event.low}`;
  if (event.kind === "opening_rolled") return [event.light, event.dark].sort((a, b) => b - a).join("");
  return null;
}

/** @param {Row[]} rows @param {Side} side @param {Cell} cell */
function place(rows, side, cell) {
  const last = rows.at(-1);
  if (last && !last[side] && !(side === "light" && last.dark)) last[side] = cell;
  else rows.push({ [side]: cell });
}

/** What a player did, in the words of a score sheet.
 * @param {MatchEvent} event @param {Match} match @returns {{ side: Side, text: string } | null} */
function saidIn(event, { variant }) {
  switch (event.kind) {
    case "turn_played": return { side: event.side, text: event.text || gettext("cannot move") };
    case "double_offered": return { side: event.side, text: interpolate(gettext("doubles to %(value)s"), { value: event.value }, true) };
    case "beavered": return { side: event.side, text: interpolate(gettext("beavers to %(value)s"), { value: event.value }, true) };
    case "double_taken":
    case "beaver_accepted": return { side: event.side, text: gettext("takes") };
    case "double_dropped": return { side: event.side, text: gettext("drops") };
    case "resign_offered": return { side: event.side, text: interpolate(gettext("resigns: %(level)s"), { level: levelName(event.level, variant) }, true) };
    case "resign_refused": return { side: event.side, text: gettext("plays on") };
    case "resign_accepted": return { side: event.side, text: gettext("accepts") };
    case "time_expired": return { side: event.side, text: gettext("out of time") };
    default: return null;
  }
}

/** What happened at a moment, as a sentence. @param {MatchEvent | undefined} event @param {Match} match */
export function captionOf(event, match) {
  if (!event) return "";
  const name = (/** @type {Side} */ side) => match.players[side].name;
  switch (event.kind) {
    case "game_started": return interpolate(gettext("Game %(number)s begins."), { number: event.game }, true);
    case "opening_rolled": return interpolate(gettext("Opening roll: %(light)s %(a)s, %(dark)s %(b)s."), { light: name("light"), dark: name("dark"), a: event.light, b: event.dark }, true);
    case "colours_drawn": return interpolate(gettext("Draw of colours: %(light)s %(a)s, %(dark)s %(b)s."), { light: name("light"), dark: name("dark"), a: event.light, b: event.dark }, true);
    case "rolled": return interpolate(gettext("%(name)s rolled %(dice)s."), { name: name(event.side), dice: listed([event.high, event.low]) }, true);
    case "game_ended": return resultText(event, match);
    case "match_ended": return interpolate(gettext("The match is over. %(name)s won."), { name: name(event.winner) }, true);
    case "match_voided": return gettext("The match was declared void.");
    case "abandoned": return gettext("The match was broken off.");
    case "adjudicated": return gettext("The match was adjudicated.");
    default: {
      const said = saidIn(event, match);
      return said ? `${name(said.side)}: ${said.text}` : "";
    }
  }
}

/** @param {Extract<MatchEvent, { kind: "game_ended" }>} event @param {Match} match */
function resultText({ winner, win, points }, { players, variant }) {
  const facts = { name: players[winner].name, level: levelName(win, variant), points: pointsText(points) };
  return interpolate(gettext("%(name)s won the game: %(level)s, %(points)s."), facts, true);
}

/** The lines that had been said by a moment. @param {Replay} replay @param {number} index */
export function chatBy({ chat, events, moments }, index) {
  const n = moments[index]?.n ?? 0;
  const isLast = index >= moments.length - 1;
  const at = events.find((event) => event.n === n)?.at ?? 0;
  return isLast ? chat : chat.filter((line) => line.at <= at);
}
