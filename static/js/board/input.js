// Mouse, finger and keyboard on the board. Says which place was pressed or which step was asked for; decides nothing.

/** @import { BoardState, OpenStep, Place } from "../types.js" @import { Checker, Face, Key } from "./render.js" */

import { flag, vars } from "./anim.js";
import { isPoint, numberAt, rows, slotOf } from "./geometry.js";

const DRAG_FROM_PX = 6;
const REACH_PX = 12;

/**
 * @typedef {object} Hands
 * @property {HTMLElement} root
 * @property {Face} face
 * @property {() => BoardState | null} state
 * @property {() => Place | null} selected
 * @property {(place: Place | null) => void} select
 * @property {(step: OpenStep) => void} play
 */

/** @param {Hands} hands */
export function listen(hands) {
  const { node } = hands.face;
  const drag = { dragging: false };
  const walk = { upper: false };
  node.addEventListener("click", (event) => onClick(hands, drag, event));
  node.addEventListener("contextmenu", (event) => onContext(hands, event));
  node.addEventListener("keydown", (event) => onKey(hands, walk, event));
  node.addEventListener("pointerdown", (event) => onDown(hands, drag, event));
}

/** @param {Hands} hands @param {Place} place */
function stepsFrom(hands, place) {
  return hands.state()?.openSteps.filter((step) => step.from === place) ?? [];
}

/** @param {Hands} hands @param {Element} spot @returns {Place | null} */
function placeOf(hands, spot) {
  const state = hands.state();
  if (!state || !(spot instanceof HTMLElement)) return null;
  const { place, slot } = spot.dataset;
  if (place === "bar" || place === "off") return place;
  return numberAt(Number(slot), state.orientation.viewer, state.orientation);
}

/** The live place under the finger, or the nearest one within reach: narrow points stay easy to hit.
 * @param {Hands} hands @param {number} x @param {number} y @returns {Place | null} */
function near({ face, ...hands }, x, y) {
  let best = null;
  let least = REACH_PX;
  for (const spot of face.spots.values()) {
    if (!spot.hasAttribute("data-source") && !spot.hasAttribute("data-to")) continue;
    const box = spot.getBoundingClientRect();
    const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (away > least || (best && away === least)) continue;
    least = away;
    best = spot;
  }
  return best && placeOf({ face, ...hands }, best);
}

/** @param {Hands} hands @param {{ dragging: boolean }} drag @param {MouseEvent} event */
function onClick(hands, drag, event) {
  if (drag.dragging) return;
  const byKey = event.detail === 0 && event.target instanceof Element;
  const spot = byKey ? event.target.closest("button") : null;
  const place = byKey ? spot && placeOf(hands, spot) : near(hands, event.clientX, event.clientY);
  if (place === null) hands.select(null);
  else press(hands, place);
}

/** Chooses a checker, moves the chosen one, or, on a second press of the same, plays the larger die.
 * @param {Hands} hands @param {Place} place */
function press(hands, place) {
  const selected = hands.selected();
  const step = selected === null ? undefined : stepsFrom(hands, selected).find((open) => open.to === place);
  if (step) {
    hands.play(step);
    return;
  }
  const larger = single(stepsFrom(hands, place), -1);
  if (!larger) hands.select(null);
  else if (selected === place || hands.root.dataset.press === "quick") hands.play(larger);
  else hands.select(place);
}

/** @param {Hands} hands @param {MouseEvent} event */
function onContext(hands, event) {
  const place = near(hands, event.clientX, event.clientY);
  const smaller = place === null ? undefined : single(stepsFrom(hands, place), 1);
  if (!smaller) return;
  event.preventDefault();
  hands.play(smaller);
}

/** The step of one die: the smaller (1) or the larger (-1).
 * @param {OpenStep[]} steps @param {1 | -1} order */
function single(steps, order) {
  const [first] = steps.toSorted((a, b) => a.dice.length - b.dice.length || order * ((a.dice[0] ?? 0) - (b.dice[0] ?? 0)));
  return first;
}

// --- dragging -----------------------------------------------------------------------------------

/** @param {Hands} hands @param {{ dragging: boolean }} drag @param {PointerEvent} event */
function onDown(hands, drag, event) {
  drag.dragging = false;
  if (event.button !== 0) return;
  const place = near(hands, event.clientX, event.clientY);
  const checker = place === null ? undefined : topChecker(hands, place);
  if (place === null || !checker || !stepsFrom(hands, place).length) return;
  const { node: face } = hands.face;
  const start = { x: event.clientX, y: event.clientY };

  /** @param {PointerEvent} move */
  const follow = (move) => {
    const dx = move.clientX - start.x;
    const dy = move.clientY - start.y;
    if (!drag.dragging && Math.hypot(dx, dy) < DRAG_FROM_PX) return;
    if (!drag.dragging) {
      drag.dragging = true;
      if (hands.selected() !== place) hands.select(place);
      flag(checker.node, "drag", true);
      face.setPointerCapture(event.pointerId);
    }
    vars(checker.node, { dx: `${dx}px`, dy: `${dy}px` });
  };

  /** @param {PointerEvent} end */
  const drop = (end) => {
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) face.removeEventListener(name, drop);
    face.removeEventListener("pointermove", follow);
    if (!drag.dragging) return;
    flag(checker.node, "drag", false);
    const target = end.type === "pointerup" ? near(hands, end.clientX, end.clientY) : null;
    const step = target === null ? undefined : stepsFrom(hands, place).find((open) => open.to === target);
    if (step) hands.play(step);
    setTimeout(() => { drag.dragging = false; });
  };

  face.addEventListener("pointermove", follow);
  face.addEventListener("pointerup", drop);
  face.addEventListener("pointercancel", drop);
}

/** @param {Hands} hands @param {Place} place @returns {Checker | undefined} */
function topChecker(hands, place) {
  const state = hands.state();
  if (!state) return undefined;
  const { viewer } = state.orientation;
  const key = isPoint(place) ? slotOf(place, viewer, state.orientation) : place;
  return hands.face.checkers[viewer].find(({ node, at }) => node.isConnected && at?.key === key && node.hasAttribute("data-top"));
}

// --- keyboard: one tab stop, arrows along and across --------------------------------------------------

/** @param {Hands} hands @param {{ upper: boolean }} walk   the row being walked: the bar lies in both @param {KeyboardEvent} event */
function onKey(hands, walk, event) {
  if (event.key === "Escape" && hands.selected() !== null) {
    event.stopPropagation();
    hands.select(null);
    return;
  }
  const spot = event.target instanceof Element ? event.target.closest("button") : null;
  if (!spot || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = neighbour(spot.dataset.place ?? Number(spot.dataset.slot), walk, event.key);
  const node = next === undefined ? undefined : hands.face.spots.get(next);
  if (!node) return;
  event.preventDefault();
  stopAt(hands.face, node);
  node.focus();
}

/** @param {number | string} key @param {{ upper: boolean }} walk @param {string} pressed @returns {Key | undefined} */
function neighbour(key, walk, pressed) {
  const [top = [], bottom = []] = rows();
  if (key !== "bar") walk.upper = top.some((place) => place === key);
  else if (pressed === "ArrowUp" || pressed === "ArrowDown") walk.upper = pressed === "ArrowUp";
  const row = walk.upper ? top : bottom;
  const column = row.findIndex((place) => place === key);
  const at = (/** @type {Key[]} */ line, /** @type {number} */ n) => line[Math.max(0, Math.min(line.length - 1, n))];
  switch (pressed) {
    case "ArrowLeft": return at(row, column - 1);
    case "ArrowRight": return at(row, column + 1);
    case "ArrowUp": return at(top, column);
    case "ArrowDown": return at(bottom, column);
    case "Home": return at(row, 0);
    case "End": return at(row, row.length - 1);
    default: return undefined;
  }
}

/** @param {Face} face @param {HTMLElement} stop */
export function stopAt(face, stop) {
  for (const node of face.spots.values()) node.tabIndex = node === stop ? 0 : -1;
}
