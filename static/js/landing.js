// The first page's board: plays an example game, over and over, until the reader pauses it.

/** @import { BoardState, Place, PlayedStep, Side } from "./types.js" */

import { still } from "./board/anim.js";
import { createBoard } from "./board/board.js";
import { SIDES } from "./board/geometry.js";
import { applied, counted, pips, placeOf, rolled } from "./board/state.js";
import { watching } from "./board/words.js";
import { GAME } from "./landing-game.js";

const ROLLED_MS = 1500;
const MOVED_MS = 1300;
const ENDED_MS = 5000;
const OFF = 0;
const BAR = 25;
const ROUTE = "opposed";

const names = { light: gettext("Light"), dark: gettext("Dark") };

/** @typedef {{ side: Side, dice: [number, number], steps: PlayedStep[] }} ShownTurn */

/** @param {string} text @returns {Place} */
function place(text) {
  if (text === "bar") return placeOf(BAR);
  return placeOf(text === "off" ? OFF : Number(text));
}

/** @param {string} text @param {number} n @returns {ShownTurn} */
function read(text, n) {
  const [dice = "", ...parts] = text.split(" ");
  const steps = parts.map((part) => {
    const [from = "", to = ""] = part.replace("*", "").split("/");
    return { from: place(from), to: place(to), hit: part.endsWith("*") };
  });
  return { side: n % 2 ? "dark" : "light", dice: [Number(dice[0]), Number(dice[1])], steps };
}

/** @returns {BoardState} */
function start() {
  const counts = Array(BAR + 1).fill(0);
  for (const [point, count] of [[24, 2], [13, 5], [8, 3], [6, 5]]) counts[/** @type {number} */ (point)] = count;
  return {
    ...counted({ light: counts, dark: counts }, ROUTE),
    dice: null,
    cube: null,
    orientation: { viewer: "light", mover: "light", route: ROUTE },
    openSteps: [],
    lastTurn: null,
  };
}

/** @param {ShownTurn} turn */
const rolledWords = ({ side, dice }) => interpolate(gettext("%(name)s rolled %(dice)s."), { name: names[side], dice: dice.join("-") }, true);

/** @param {ShownTurn} turn */
const endWords = ({ side }) => interpolate(gettext("%(name)s has borne off all checkers and wins."), { name: names[side] }, true);

/** @param {ShownTurn} turn @param {string} text */
function turnWords({ side, steps }, text) {
  const name = names[side];
  if (!steps.length) return interpolate(gettext("%(name)s cannot move."), { name }, true);
  return interpolate(gettext("%(name)s played %(moves)s."), { name, moves: text.split(" ").slice(1).join(" ") }, true);
}

/** The board after the turn's dice, or after its steps.
 * @param {BoardState} state @param {ShownTurn} turn @param {boolean} rolling @returns {BoardState} */
function after(state, { side, dice, steps }, rolling) {
  const orientation = { ...state.orientation, mover: side };
  if (rolling) return { ...state, orientation, dice: rolled(side, dice), lastTurn: null };
  const moved = steps.reduce((shown, step) => applied(shown, side, { ...step, hit: step.hit ?? false }), state);
  return { ...moved, orientation, dice: rolled(side, dice, true), lastTurn: { side, steps } };
}

/** @param {HTMLElement} figure */
function playOn(figure) {
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (figure.querySelector(selector));
  const board = createBoard(find(".board-host"), watching(names));
  const says = find("[data-says]");
  const pause = find("[data-pause]");
  let state = start();
  let step = 0;
  let timer = 0;

  /** @param {BoardState} shown */
  function show(shown) {
    state = shown;
    board.show(state);
    for (const side of SIDES) find(`[data-pips="${side}"]`).textContent = String(pips(state, side));
  }

  function next() {
    const n = Math.floor(step / 2);
    const rolling = step % 2 === 0;
    if (n === GAME.length) {
      step = 0;
      show(start());
      says.textContent = "";
      return wait(ROLLED_MS);
    }
    const text = GAME[n] ?? "";
    const turn = read(text, n);
    show(after(state, turn, rolling));
    step += 1;
    const ended = step === 2 * GAME.length;
    says.textContent = rolling ? rolledWords(turn) : ended ? endWords(turn) : turnWords(turn, text);
    return wait(ended ? ENDED_MS : rolling ? ROLLED_MS : MOVED_MS);
  }

  /** @param {number} ms */
  function wait(ms) {
    window.clearTimeout(timer);
    timer = window.setTimeout(next, ms);
  }

  /** @param {boolean} on */
  function run(on) {
    window.clearTimeout(timer);
    pause.dataset["pause"] = on ? "running" : "paused";
    pause.setAttribute("aria-label", on ? gettext("Pause the board") : gettext("Let the board play"));
    pause.querySelector("use")?.setAttribute("href", `${document.documentElement.dataset["icons"] ?? ""}#${on ? "pause" : "play"}`);
    if (on) wait(ROLLED_MS);
  }

  pause.addEventListener("click", () => run(pause.dataset["pause"] === "paused"));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) window.clearTimeout(timer);
    else if (pause.dataset["pause"] === "running") wait(ROLLED_MS);
  });
  show(state);
  run(!still());
}

const figure = document.querySelector(".live");
if (figure instanceof HTMLElement) playOn(figure);
