// What this tab knows of the match: frames go in, a new model comes out. Pure: no socket, no document, no clock.

/** @import { ChatLine, Frame, GameEnded, Match, MatchEvent, Presence, Rematch, Side, View } from "../types.js" */

import "../board/catalog.js";

/**
 * A command on its way: `answered` is the version that its acknowledgement named, null while there is none.
 * @typedef {{ cmd: string, answered: number | null }} Sent
 *
 * @typedef {object} Model
 * @property {number} version      of the last event held
 * @property {number} seen         version of the view; what commands are made against
 * @property {Side | null} you
 * @property {Match | null} match
 * @property {View | null} view
 * @property {readonly MatchEvent[]} events
 * @property {readonly GameEnded[]} games   every game that has ended, also those whose moves are not held any more
 * @property {readonly ChatLine[]} chat
 * @property {Presence | null} presence
 * @property {Readonly<Record<string, Sent>>} sent   by message id
 * @property {readonly number[]} offsets   server's time minus ours, the last few
 * @property {number | null} balance   the viewer's own, once the match is over
 * @property {string | null} rating    the same
 * @property {Rematch | null} rematch
 * @property {boolean} rematchIsNews   it was agreed while this page looked on
 * @property {string} farewell   what the server said before it closed the socket
 */

/**
 * @typedef {object} Received
 * @property {Model} model
 * @property {readonly MatchEvent[]} news    events that happened just now, not those of a snapshot
 * @property {boolean} gap                   something is missing: say hello again
 * @property {{ cmd: string | null, code: string, text: string } | null} refusal
 */

const OFFSETS_KEPT = 12;
const CHAT_KEPT = 300;

/** @type {Model} */
export const EMPTY = {
  version: 0, seen: 0, you: null, match: null, view: null, events: [], games: [], chat: [], presence: null, sent: {}, offsets: [], balance: null,
  rating: null, rematch: null, rematchIsNews: false, farewell: "",
};

/** @param {Model} model @param {Frame} frame @param {number} at   our time when it arrived, ms @returns {Received} */
export function received(model, frame, at) {
  switch (frame.kind) {
    case "snapshot": return snapshot(timed(model, frame.now, at), frame);
    case "events": return happened(timed(model, frame.now, at), frame);
    case "ack": return quiet(acknowledged(model, frame.ref, frame.version));
    case "refused": return refused(model, frame);
    case "presence": return quiet({ ...model, presence: { light: frame.light, dark: frame.dark, watchers: frame.watchers } });
    case "chat": return quiet({ ...model, chat: chatted(model.chat, frame) });
    case "balance": return quiet({ ...model, balance: frame.amount, rating: frame.rating ?? null });
    case "rematch": return quiet(rematch(model, frame));
    case "beat": return quiet(timed(model, frame.now, at));
    case "bye": return quiet({ ...model, farewell: frame.text });
    default: return unknown(model, frame);
  }
}

/** @param {Model} model @param {string} id @param {string} cmd @returns {Model} */
export function sending(model, id, cmd) {
  return { ...model, sent: { ...model.sent, [id]: { cmd, answered: null } } };
}

/** Whether a command of this name is on its way, or acknowledged while its events are not here yet.
 * @param {Model} model @param {(cmd: string) => boolean} which */
export function waiting(model, which) {
  return Object.values(model.sent).some(({ cmd }) => which(cmd));
}

/** The server's time now, as well as this tab can know it: the sample that travelled fastest is the truest.
 * @param {Model} model @param {number} at   our time, ms */
export function serverNow({ offsets }, at) {
  return at + (offsets.length ? Math.max(...offsets) : 0);
}

/** @param {Model} model @returns {Received} */
function quiet(model) {
  return { model, news: [], gap: false, refusal: null };
}

/** @param {Model} model @param {Rematch} frame @returns {Model} */
function rematch(model, { light, dark, next }) {
  const rematchIsNews = model.rematchIsNews || (next !== null && model.rematch !== null && model.rematch.next === null);
  return { ...model, rematch: { light, dark, next }, rematchIsNews };
}

/** @param {Model} model @param {never} frame @returns {Received} */
function unknown(model, frame) {
  void frame;  // a newer server may say more than this page understands
  return quiet(model);
}

/** @param {Model} model @param {number} now @param {number} at @returns {Model} */
function timed(model, now, at) {
  return { ...model, offsets: [...model.offsets, now - at].slice(-OFFSETS_KEPT) };
}

/** @param {Model} model @param {Extract<Frame, { kind: "snapshot" }>} frame @returns {Received} */
function snapshot(model, frame) {
  const { you, chat, presence } = frame;
  const told = { ...model, you, match: named(frame.match), chat, presence };
  if (frame.version < model.version) return quiet(told);
  const { version, view, events } = frame;
  const games = gamesWith(frame.games ?? [], events);
  return quiet(settled({ ...told, version, seen: version, view, events, games }));
}

/** Where nobody is named the server sends no names at all. @param {Match} match @returns {Match} */
function named(match) {
  const { light, dark } = match.players;
  const anonymous = gettext("Anonymous");
  return { ...match, anonymous: !light.name && !dark.name, players: { light: { ...light, name: light.name || anonymous }, dark: { ...dark, name: dark.name || anonymous } } };
}

/** @param {Model} model @param {Extract<Frame, { kind: "events" }>} frame @returns {Received} */
function happened(model, frame) {
  if (!model.match) return { ...quiet(model), gap: true };
  const news = frame.events.filter((event) => event.n > model.version);
  const gap = news.some((event, index) => event.n !== model.version + 1 + index) || model.version + news.length < frame.version;
  if (gap) return { ...quiet(model), gap: true };
  const version = Math.max(model.version, frame.version);
  const view = frame.version >= model.seen ? frame.view : model.view;
  const seen = Math.max(model.seen, frame.version);
  const games = gamesWith(model.games, news);
  return { ...quiet(settled({ ...model, version, seen, view, events: [...model.events, ...news], games })), news };
}

/** @param {readonly GameEnded[]} games @param {readonly MatchEvent[]} events */
function gamesWith(games, events) {
  const last = games.at(-1)?.n ?? 0;
  const fresh = events.flatMap((event) => (event.kind === "game_ended" && event.n > last ? [event] : []));
  return fresh.length ? [...games, ...fresh] : games;
}

/** @param {Model} model @param {string} ref @param {number} version @returns {Model} */
function acknowledged(model, ref, version) {
  const sent = model.sent[ref];
  if (!sent) return model;
  return settled({ ...model, sent: { ...model.sent, [ref]: { ...sent, answered: version } } });
}

/** Forgets commands whose events have arrived.
 * @param {Model} model @returns {Model} */
function settled(model) {
  const open = Object.entries(model.sent).filter(([, { answered }]) => answered === null || answered > model.version);
  return { ...model, sent: Object.fromEntries(open) };
}

/** @param {Model} model @param {Extract<Frame, { kind: "refused" }>} frame @returns {Received} */
function refused(model, { ref, code, text, version, view }) {
  const { [ref ?? ""]: command, ...sent } = model.sent;
  const newer = view && version >= model.seen ? { view, seen: version } : {};
  return {
    model: { ...model, sent, ...newer },
    news: [],
    gap: version > model.version,
    refusal: { cmd: command?.cmd ?? null, code, text },
  };
}

/** @param {readonly ChatLine[]} chat @param {ChatLine} line @returns {readonly ChatLine[]} */
function chatted(chat, { n, at, from, name, text }) {
  if (chat.some((known) => known.n === n)) return chat;
  return [...chat, { n, at, from, name, text }].slice(-CHAT_KEPT);
}
