// A board that draws one state object and reports what the player asked for. It knows no rules and no network.

/** @import { Board, BoardState, BoardWords, OpenStep, Place } from "../types.js" */

import { drawArrows } from "./arrows.js";
import { isPoint, slotOf } from "./geometry.js";
import { listen, stopAt } from "./input.js";
import { buildFace, draw, mark } from "./render.js";
import { words as playerWords } from "./words.js";

/**
 * Fires `board:step` (detail: one of the state's open steps) and `board:select` (detail: `{ place }`) on `root`.
 * @param {HTMLElement} root   an empty element whose size the page decides
 * @param {BoardWords} [words]   what a screen reader hears
 * @returns {Board}
 */
export function createBoard(root, words = playerWords) {
  const face = buildFace();
  /** @type {BoardState | null} */
  let state = null;
  /** @type {Place | null} */
  let selected = null;

  root.classList.add("board");
  root.setAttribute("role", "group");
  root.replaceChildren(face.node);
  listen({ root, face, state: () => state, selected: () => selected, select, play });
  new ResizeObserver(() => drawArrows(face, state)).observe(face.node);

  return { show, select, get selected() { return selected; } };

  /** @param {BoardState} next */
  function show(next) {
    const first = state === null;
    state = next;
    if (!next.openSteps.some((step) => step.from === selected)) selected = null;
    draw(face, next, first);
    remark(next);
  }

  /** @param {Place | null} place */
  function select(place) {
    if (!state || place === selected) return;
    selected = place;
    remark(state);
    root.dispatchEvent(new CustomEvent("board:select", { bubbles: true, detail: { place } }));
  }

  /** @param {OpenStep} step */
  function play(step) {
    selected = null;
    root.dispatchEvent(new CustomEvent("board:step", { bubbles: true, detail: step }));
  }

  /** @param {BoardState} shown */
  function remark(shown) {
    mark(face, shown, selected, words);
    root.setAttribute("aria-label", words.board(shown));
    const key = selected !== null && isPoint(selected) ? slotOf(selected, shown.orientation.viewer, shown.orientation) : selected;
    const current = [...face.spots.values()].find((spot) => spot.tabIndex === 0);
    const stop = (key === null ? undefined : face.spots.get(key)) ?? current ?? face.spots.get(0);
    if (stop) stopAt(face, stop);
  }
}
