// The page of a replay: the board at one moment, the moves, the clocks, the chat; buttons, keys and links lead to the others.

/** @import { Side, View } from "../types.js" @import { Cell, Replay } from "./moments.js" */

import { createBoard } from "../board/board.js";
import { pips } from "../board/state.js";
import { watching } from "../board/words.js";
import { boardState } from "../table/boardstate.js";
import { actButton, fact, make, part, write } from "../table/dom.js";
import { EMPTY } from "../table/session.js";
import { clockText } from "../table/time.js";
import { captionOf, chatBy, eventAt, gamesOf, momentAt } from "./moments.js";

const PAUSE_MS = 1_200;
/** @type {Side[]} */
const SIDES = ["light", "dark"];

const main = document.querySelector("main.replay");
const told = document.getElementById("replay")?.textContent;
if (main instanceof HTMLElement && told) start(main, JSON.parse(told));

/** @param {HTMLElement} root @param {Replay} replay */
function start(root, replay) {
  const { moments, match, you } = replay;
  const names = { light: match.players.light.name, dark: match.players.dark.name };
  const board = createBoard(part(root, "board"), watching(names));
  const cells = drawMoves(part(root, "moves"), replay);
  let at = momentAt(moments, location.hash);
  /** @type {number | undefined} */
  let playing;

  const go = (/** @type {number} */ index) => {
    at = Math.min(Math.max(0, index), moments.length - 1);
    history.replaceState(null, "", `#${moments[at]?.n ?? ""}`);
    show();
  };
  const stop = () => {
    window.clearInterval(playing);
    playing = undefined;
    actButton(root, "play").setAttribute("aria-pressed", "false");
  };
  const toggle = () => {
    if (playing !== undefined) return stop();
    if (at >= moments.length - 1) go(0);
    actButton(root, "play").setAttribute("aria-pressed", "true");
    playing = window.setInterval(() => (at >= moments.length - 1 ? stop() : go(at + 1)), PAUSE_MS);
  };

  const steps = {
    first: () => go(0), back: () => go(at - 1), on: () => go(at + 1), last: () => go(moments.length - 1), play: toggle,
  };
  for (const [name, act] of Object.entries(steps)) {
    actButton(root, name).addEventListener("click", () => { if (name !== "play") stop(); act(); });
  }
  addEventListener("hashchange", () => { stop(); at = momentAt(moments, location.hash); show(); });
  addEventListener("keydown", (event) => {
    const act = keyed(event);
    if (!act) return;
    event.preventDefault();
    if (act !== "play") stop();
    steps[act]();
  });
  const flip = root.querySelector('[data-act="flip"]');
  /** @type {Side} */
  let viewer = you ?? "light";
  flip?.addEventListener("click", () => { viewer = viewer === "light" ? "dark" : "light"; show(); });
  root.querySelector('[data-act="copy"]')?.addEventListener("click", () => copy(root));
  show();

  function show() {
    const moment = moments[at];
    if (!moment) return;
    const event = eventAt(replay, at);
    const view = /** @type {View} */ (/** @type {unknown} */ (moment));
    const model = { ...EMPTY, you: viewer, match, view, events: replay.events.slice(0, moment.n) };
    const opening = event?.kind === "opening_rolled" ? event : null;
    const state = boardState(model, { chosen: [], open: false, arrows: true, opening });
    board.show(state);
    write(fact(root, "caption"), captionOf(event, match));
    write(fact(root, "count"), interpolate(gettext("%(number)s of %(all)s"), { number: at + 1, all: moments.length }, true));
    write(fact(root, "xgid"), moment.xgid ?? "–");
    for (const side of SIDES) {
      const strip = part(root, side);
      strip.toggleAttribute("data-turn", moment.on_roll === side);
      write(fact(strip, "score"), moment.score[side]);
      write(fact(strip, "pips"), pips(state, side));
      write(fact(strip, "reserve"), clockText(moment.reserve_ms[side]));
    }
    mark(cells, moment.n);
    drawChat(root, replay, at);
    actButton(root, "first").disabled = actButton(root, "back").disabled = at === 0;
    actButton(root, "last").disabled = actButton(root, "on").disabled = at === moments.length - 1;
    root.dispatchEvent(new CustomEvent("replay:moment", { detail: { n: moment.n, at } }));
  }
}

/** @param {KeyboardEvent} event @returns {"first" | "back" | "on" | "last" | "play" | null} */
function keyed({ key, target, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return null;
  if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]")) return null;
  switch (key) {
    case "ArrowLeft": return "back";
    case "ArrowRight": return "on";
    case "Home": return "first";
    case "End": return "last";
    case " ": return target instanceof Element && target.closest("button, a, summary") ? null : "play";
    default: return null;
  }
}

/** @param {HTMLElement} root @param {Replay} replay @returns {Map<number, HTMLElement>} the links by their moments */
function drawMoves(root, replay) {
  /** @type {Map<number, HTMLElement>} */
  const cells = new Map();
  const { players } = replay.match;
  root.replaceChildren(...gamesOf(replay).map((game) => make("section", {},
    make("h3", {}, interpolate(gettext("Game %(number)s"), { number: game.number }, true)),
    make("table", { class: "moves-list" },
      make("thead", {}, make("tr", {}, make("td"), ...SIDES.map((side) => make("th", { scope: "col" }, players[side].name)))),
      make("tbody", {}, ...game.rows.map((row, n) => make("tr", {}, make("th", { scope: "row" }, String(n + 1)),
        ...SIDES.map((side) => make("td", {}, ...linkTo(row[side], cells))))))),
    ...(game.result ? [make("p", { class: "replay-result" }, game.result)] : []))));
  return cells;
}

/** @param {Cell | undefined} cell @param {Map<number, HTMLElement>} cells */
function linkTo(cell, cells) {
  if (!cell) return [];
  const link = make("a", { href: `#${cell.n}` }, ...(cell.dice ? [make("b", {}, cell.dice), " "] : []), cell.text);
  cells.set(cell.n, link);
  return [link];
}

/** @param {Map<number, HTMLElement>} cells @param {number} n */
function mark(cells, n) {
  for (const [other, link] of cells) {
    if (other !== n) link.removeAttribute("aria-current");
  }
  const link = cells.get(n);
  link?.setAttribute("aria-current", "step");
  const list = link?.closest(".replay-moves");
  if (!(link && list)) return;
  const seen = list.getBoundingClientRect();
  const place = link.getBoundingClientRect();
  if (place.top < seen.top || place.bottom > seen.bottom) list.scrollTop += place.top - seen.top - list.clientHeight / 2;
}

/** @param {HTMLElement} root @param {Replay} replay @param {number} at */
function drawChat(root, replay, at) {
  const list = root.querySelector('[data-part="chat"]');
  if (!(list instanceof HTMLElement)) return;
  const lines = chatBy(replay, at);
  list.replaceChildren(...lines.map((line) => make("li", {}, make("b", {}, line.name), " ", line.text)));
  part(root, "chat-empty").hidden = lines.length > 0;
}

/** @param {HTMLElement} root */
async function copy(root) {
  const field = root.querySelector('[data-part="share"]');
  if (!(field instanceof HTMLInputElement)) return;
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    write(fact(root, "copied"), gettext("Copied."));
  } catch {
    write(fact(root, "copied"), gettext("Press Ctrl+C to copy."));
  }
}
