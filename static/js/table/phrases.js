// The sentences of the table: what to do now, what just happened, what a game is called. Pure but for the catalog.

/** @import { GraphStep, Match, MatchEvent, Place, Side, View } from "../types.js" @import { Model } from "./session.js" */

import "../board/catalog.js";
import { other } from "../board/geometry.js";
import { placeOf } from "../board/state.js";
import { creditText, ending, leftText, verdictTexts } from "./absence.js";

/** What a sentence needs to know.
 * @typedef {object} Moment
 * @property {Model & { view: View, match: Match }} model
 * @property {number[]} left        dice still to be played by this player
 * @property {readonly GraphStep[]} chosen
 * @property {boolean} complete     the chosen steps are a whole turn
 * @property {Place | null} selected
 * @property {boolean} slow         a command has been on its way for a while
 */

/** @param {readonly (number | string)[]} items */
export function listed(items) {
  const [last = ""] = items.slice(-1);
  const first = items.slice(0, -1).join(", ");
  return first ? interpolate(pgettext("dice or names", "%(first)s and %(last)s"), { first, last }, true) : String(last);
}

/** @param {number} level @param {string} variant */
export function levelName(level, variant) {
  if (level === 1) return gettext("single game");
  if (variant !== "backgammon") return level === 2 ? gettext("mars") : gettext("triple game");
  return level === 2 ? gettext("gammon") : gettext("backgammon");
}

/** @param {number} count */
export function pointsText(count) {
  return interpolate(ngettext("%(count)s point", "%(count)s points", count), { count }, true);
}

/** @param {string} variant */
export function variantName(variant) {
  if (variant === "backgammon") return gettext("Backgammon");
  return variant === "long-nardy-fnr" ? gettext("Long nardy, federation rules") : gettext("Long nardy");
}

/** @param {string} room */
export function roomName(room) {
  switch (room) {
    case "practice": return gettext("Practice room");
    case "main": return gettext("Main hall");
    case "giants": return gettext("Giants");
    case "dark": return gettext("Dark Room");
    case "blitz": return gettext("Blitz");
    default: return room;
  }
}

/** @param {Match} match */
export function kindText(match) {
  return match.kind === "single" ? gettext("single game") : interpolate(gettext("series to %(length)s"), { length: match.length }, true);
}

/** @param {Model} model @param {Side} side */
export const nameOf = ({ match }, side) => match?.players[side].name ?? "";

// --- what to do now ------------------------------------------------------------------------------

/** @param {Moment} moment @returns {string} */
export function saying(moment) {
  const { model, slow } = moment;
  const { view, you } = model;
  if (slow) return gettext("Sending…");
  switch (view.phase) {
    case "ready": return readySaying(model);
    case "seeds": return gettext("Locking the dice before the first roll…");
    case "to_roll": return rollSaying(model);
    case "to_move": return view.on_roll === you ? moveSaying(moment) : theirMoveSaying(model);
    case "cube_answer":
    case "beaver_answer": return cubeSaying(model);
    case "resign_answer": return resignSaying(model);
    case "adjudicating": return adjudicatingSaying(model);
    case "over": return overSaying(model);
    case "cancelled": return gettext("The match did not start. Nothing was charged.");
    case "void": return gettext("The match was declared void. Both stakes were returned.");
  }
}

/** @param {Moment["model"]} model */
function readySaying({ you, view, match }) {
  if (!you) return gettext("The players are getting ready.");
  if (!view.accepted[you]) return gettext("Look through the terms, then accept or leave.");
  return interpolate(gettext("You accepted. Waiting for %(name)s."), { name: match.players[other(you)].name }, true);
}

/** @param {Moment["model"]} model */
function rollSaying({ view, you, match }) {
  if (view.on_roll !== you) return interpolate(gettext("%(name)s is to roll."), { name: view.on_roll ? match.players[view.on_roll].name : "" }, true);
  if (view.may.includes("double")) return gettext("Your turn: roll or double.");
  if (view.no_double === "crawford_game") return gettext("Your turn: roll. No doubling in the Crawford game.");
  if (view.no_double === "dead_cube") return gettext("Your turn: roll. The cube already covers what both of you need.");
  return gettext("Your turn: roll.");
}

/** @param {Moment} moment */
function moveSaying({ left, chosen, complete, selected }) {
  if (complete) return gettext("All dice are played. Press Done, or take a step back.");
  if (selected === "bar") return gettext("From the bar: choose where.");
  if (selected !== null) return interpolate(gettext("From %(place)s: choose where."), { place: selected }, true);
  const dice = { dice: listed(left) };
  return chosen.length ? interpolate(gettext("Left to play: %(dice)s."), dice, true) : interpolate(gettext("Your turn: play %(dice)s."), dice, true);
}

/** @param {Moment["model"]} model */
function theirMoveSaying({ view, match }) {
  const name = view.on_roll ? match.players[view.on_roll].name : "";
  return interpolate(gettext("%(name)s is playing %(dice)s."), { name, dice: listed(view.dice ?? []) }, true);
}

/** @param {Moment["model"]} model */
function cubeSaying({ view, you, match }) {
  const { offer } = view;
  if (!offer) return "";
  const facts = { name: match.players[offer.by].name, other: match.players[other(offer.by)].name, value: offer.value ?? view.cube.value };
  const beaver = offer.kind === "beaver";
  if (offer.by === you) {
    return beaver ? interpolate(gettext("You beavered to %(value)s. %(other)s is to answer."), facts, true) : interpolate(gettext("You doubled to %(value)s. %(other)s is to answer."), facts, true);
  }
  if (!you) {
    return beaver ? interpolate(gettext("%(name)s beavers to %(value)s. %(other)s is to answer."), facts, true) : interpolate(gettext("%(name)s doubles to %(value)s. %(other)s is to answer."), facts, true);
  }
  return beaver
    ? interpolate(gettext("%(name)s beavers to %(value)s and keeps the cube. Take or drop?"), facts, true)
    : interpolate(gettext("%(name)s doubles to %(value)s. Take or drop?"), facts, true);
}

/** @param {Moment["model"]} model */
function resignSaying({ view, you, match }) {
  const { offer } = view;
  if (!offer) return "";
  const facts = { name: match.players[offer.by].name, other: match.players[other(offer.by)].name, level: levelName(offer.level ?? 1, match.variant) };
  if (offer.by === you) return interpolate(gettext("You offered to resign: %(level)s. %(other)s is to answer."), facts, true);
  if (!you) return interpolate(gettext("%(name)s offers to resign: %(level)s. %(other)s is to answer."), facts, true);
  return interpolate(gettext("%(name)s resigns: %(level)s. Accept, or play on?"), facts, true);
}

/** @param {Moment["model"]} model */
function adjudicatingSaying({ events }) {
  return ending(events).withModerators
    ? gettext("The match was broken off; a moderator decides. The money is locked.")
    : gettext("The match was broken off; an engine works out its value. The money is locked.");
}

/** @param {Moment["model"]} model */
function overSaying({ view, you, match }) {
  const winner = view.result?.winner;
  if (!winner) return gettext("The match is over.");
  if (winner === you) return gettext("The match is over. You won.");
  return you ? gettext("The match is over. You lost.") : interpolate(gettext("The match is over. %(name)s won."), { name: match.players[winner].name }, true);
}

// --- what just happened, for those who listen ----------------------------------------------------------

/** @param {MatchEvent} event @param {Model} model @returns {string}   empty: nothing worth a word */
export function newsText(event, model) {
  switch (event.kind) {
    case "opening_rolled": return openingText(event, model);
    case "colours_drawn": return drawText(event, model);
    case "rolled": return rolledText(event, model);
    case "turn_played": return playedText(event, model);
    case "game_started": return interpolate(gettext("Game %(number)s begins."), { number: event.game }, true);
    case "double_taken": return byName(event.side, model, gettext("You took the double."), gettext("%(name)s took the double."));
    case "beaver_accepted": return byName(event.side, model, gettext("You took the beaver."), gettext("%(name)s took the beaver."));
    case "resign_refused": return byName(event.side, model, gettext("You play on."), gettext("%(name)s does not accept and plays on."));
    case "time_expired": return byName(event.side, model, gettext("Your time is out."), gettext("%(name)s is out of time."));
    case "game_ended": return endedText(event, model);
    case "credited": return creditText(event.ms);
    case "player_lost": return event.side === model.you ? "" : interpolate(gettext("%(name)s has lost the connection."), { name: nameOf(model, event.side) }, true);
    case "player_returned": return byName(event.side, model, gettext("You are back at the table."), gettext("%(name)s is back at the table."));
    case "abandoned": return abandonedText(event, model);
    case "sent_to_moderators": return gettext("There was no result in time: a moderator decides now.");
    case "adjudicated": return model.match ? verdictTexts({ ...model, match: model.match }).join(" ") : "";
    default: return "";
  }
}

/** @param {Side} side @param {Model} model @param {string} own @param {string} theirs   with %(name)s @param {Record<string, string | number>} [facts] */
function byName(side, model, own, theirs, facts = {}) {
  return interpolate(side === model.you ? own : theirs, { ...facts, name: nameOf(model, side) }, true);
}

/** @param {Extract<MatchEvent, { kind: "opening_rolled" }>} event @param {Model} model */
function openingText({ light, dark }, model) {
  const facts = { light: nameOf(model, "light"), dark: nameOf(model, "dark"), a: light, b: dark };
  const rolls = interpolate(gettext("Opening roll: %(light)s %(a)s, %(dark)s %(b)s."), facts, true);
  if (light === dark) return `${rolls} ${gettext("A tie: roll again.")}`;
  return `${rolls} ${byName(light > dark ? "light" : "dark", model, gettext("You begin."), gettext("%(name)s begins."))}`;
}

/** @param {Extract<MatchEvent, { kind: "colours_drawn" }>} event @param {Model} model */
function drawText({ light, dark }, model) {
  const facts = { light: nameOf(model, "light"), dark: nameOf(model, "dark"), a: light, b: dark };
  const rolls = interpolate(gettext("Draw of colours: %(light)s %(a)s, %(dark)s %(b)s."), facts, true);
  if (light === dark) return `${rolls} ${gettext("A tie: roll again.")}`;
  return `${rolls} ${byName(light > dark ? "light" : "dark", model, gettext("You play white and move first."), gettext("%(name)s plays white and moves first."))}`;
}

/** @param {Extract<MatchEvent, { kind: "rolled" }>} event @param {Model} model */
function rolledText({ side, high, low }, model) {
  return byName(side, model, gettext("You rolled %(dice)s."), gettext("%(name)s rolled %(dice)s."), { dice: listed([high, low]) });
}

/** @param {Extract<MatchEvent, { kind: "turn_played" }>} event @param {Model} model */
function playedText({ side, steps, auto }, model) {
  if (!steps.length) return byName(side, model, gettext("You cannot move."), gettext("%(name)s cannot move."));
  const facts = { steps: steps.map(([from, to, , hit]) => stepText(from, to, Boolean(hit))).join("; ") };
  if (auto) return byName(side, model, gettext("Played for you: %(steps)s."), gettext("%(name)s played %(steps)s."), facts);
  return side === model.you ? "" : byName(side, model, "", gettext("%(name)s played %(steps)s."), facts);
}

/** @param {number} from @param {number} to @param {boolean} hit */
function stepText(from, to, hit) {
  const place = (/** @type {number} */ number) => {
    const name = placeOf(number);
    if (name === "bar") return gettext("bar");
    return name === "off" ? gettext("off") : String(name);
  };
  const facts = { from: place(from), to: place(to) };
  return hit ? interpolate(gettext("%(from)s to %(to)s, hitting"), facts, true) : interpolate(gettext("%(from)s to %(to)s"), facts, true);
}

/** @param {Extract<MatchEvent, { kind: "abandoned" }>} event @param {Model} model */
function abandonedText(event, model) {
  const { match, view } = model;
  if (!match) return "";
  const left = leftText({ ...model, match }, ending([event]).left);
  return view?.phase === "adjudicating" ? `${left} ${gettext("The match was broken off; an engine works out its value.")}` : left;
}

/** @param {Extract<MatchEvent, { kind: "game_ended" }>} event @param {Model} model */
function endedText({ winner, win, points }, model) {
  const facts = { level: levelName(win, model.match?.variant ?? ""), points: pointsText(points) };
  return byName(winner, model, gettext("You won the game: %(level)s, %(points)s."), gettext("%(name)s won the game: %(level)s, %(points)s."), facts);
}
