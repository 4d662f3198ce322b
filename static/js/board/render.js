// Draws a state into the board's nodes. Checkers are kept and moved, never drawn anew, so that they can glide.

/** @import { BoardState, BoardWords, OpenStep, Place, PlaceFacts, Side } from "../types.js" */

import { flag, gliding, vars } from "./anim.js";
import { drawArrows } from "./arrows.js";
import { CHECKERS, columnOf, isPoint, numberAt, other, POINTS, SHOWN, SHOWN_ON_BAR, SIDES, slotOf } from "./geometry.js";

/** A slot, or one of the two other places.
 * @typedef {number | "bar" | "off"} Key
 * @typedef {{ key: Key, level: number }} Target
 * @typedef {{ node: HTMLElement, at: Target | null }} Checker
 * @typedef {object} Face
 * @property {HTMLElement} node
 * @property {Map<Key, HTMLElement>} spots
 * @property {Record<Side, Checker[]>} checkers
 * @property {SVGSVGElement} arrows
 * @property {() => void} glide
 * @property {string} roll      the roll that lies on the board, to see a new one
 */

/** @param {string} tag @param {string} className @param {Record<string, string>} [attributes] @returns {HTMLElement} */
export function element(tag, className, attributes = {}) {
  const node = document.createElement(tag);
  node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/** @returns {Face} */
export function buildFace() {
  const node = element("div", "board-face");
  const arrows = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  arrows.setAttribute("class", "board-arrows");
  arrows.setAttribute("aria-hidden", "true");
  /** @type {Face} */
  const face = { node, spots: new Map(), checkers: { light: [], dark: [] }, arrows, glide: gliding(node), roll: "" };
  node.append(
    element("div", "board-field", { "data-half": "0" }), element("div", "board-field", { "data-half": "1" }),
    element("div", "board-tray", { "data-whose": "their" }), element("div", "board-tray", { "data-whose": "own" }),
  );
  for (let slot = 0; slot < POINTS; slot += 1) addSpot(face, slot, point(slot));
  for (const place of /** @type {const} */ (["bar", "off"])) {
    addSpot(face, place, element("button", "board-place", { type: "button", "data-place": place, tabindex: "-1" }));
  }
  node.append(arrows);
  for (const side of SIDES) for (let n = 0; n < CHECKERS; n += 1) addChecker(face, side);
  return face;
}

/** @param {Face} face @param {Key} key @param {HTMLElement} spot */
function addSpot(face, key, spot) {
  face.spots.set(key, spot);
  face.node.append(spot);
}

/** @param {Face} face @param {Side} side */
function addChecker(face, side) {
  const node = element("span", "board-ck", { "data-side": side, "aria-hidden": "true" });
  face.checkers[side].push({ node, at: null });
  face.node.append(node);
}

/** @param {number} slot */
function point(slot) {
  const { column, half, top } = columnOf(slot);
  const spot = element("button", "board-point", {
    type: "button", tabindex: "-1", "data-slot": String(slot), "data-row": top ? "top" : "bottom", "data-tone": (column + top) % 2 ? "a" : "b",
  });
  vars(spot, { c: column, half });
  spot.append(element("span", "board-wash"), element("span", "board-num", { "aria-hidden": "true" }));
  return spot;
}

/** @param {Face} face @param {BoardState} state @param {boolean} first   nothing was shown before, so nothing glides */
export function draw(face, state, first) {
  face.node.dataset.route = state.orientation.route;
  face.node.dataset.white = state.orientation.white ?? "light";
  placeCheckers(face, state, first);
  drawDice(face, state, first);
  drawCube(face, state);
  drawArrows(face, state);
}

// --- checkers ----------------------------------------------------------------------------------

/** @param {Face} face @param {BoardState} state @param {boolean} first */
function placeCheckers(face, state, first) {
  for (const side of SIDES) {
    const open = targets(state, side);
    /** @type {Checker[]} */
    const moving = [];
    for (const checker of face.checkers[side]) {
      const index = open.findIndex((target) => checker.at?.key === target.key && checker.at.level === target.level);
      const [same] = index < 0 ? [] : open.splice(index, 1);
      if (same) put(face, state, side, checker, same, false);
      else moving.push(checker);
    }
    moving.forEach((checker, n) => {
      const target = open[n];
      if (target) put(face, state, side, checker, target, !first);
      else checker.node.remove();
    });
    countTops(face.checkers[side]);
  }
  if (!first) face.glide();
}

/** @param {BoardState} state @param {Side} side @returns {Target[]} */
function targets({ points, bar, off, orientation }, side) {
  /** @type {Target[]} */
  const list = [];
  const sign = side === "light" ? 1 : -1;
  points.forEach((count, index) => stack(list, slotOf(index + 1, "light", orientation), count * sign));
  stack(list, "bar", bar[side]);
  stack(list, "off", off[side]);
  return list;
}

/** @param {Target[]} list @param {Key} key @param {number} count */
function stack(list, key, count) {
  for (let level = 0; level < count; level += 1) list.push({ key, level });
}

/** @param {Face} face @param {BoardState} state @param {Side} side @param {Checker} checker @param {Target} target @param {boolean} went */
function put(face, state, side, checker, target, went) {
  const { node } = checker;
  if (!node.isConnected) face.node.append(node);
  checker.at = target;
  flag(node, "went", went);
  node.dataset.place = isPoint(target.key) ? "point" : target.key;
  if (isPoint(target.key)) {
    const { column, half, top } = columnOf(target.key);
    vars(node, { c: column, half, top, level: Math.min(target.level, SHOWN - 1) });
    return;
  }
  // a checker waits in the half where it enters; it is borne off on its owner's side
  const own = side === state.orientation.viewer;
  const level = target.key === "bar" ? Math.min(target.level, SHOWN_ON_BAR - 1) : target.level;
  vars(node, { top: (target.key === "bar") === own ? 1 : 0, level });
}

/** @param {Checker[]} checkers */
function countTops(checkers) {
  const standing = checkers.filter((checker) => checker.node.isConnected);
  /** @type {Map<Key, number>} */
  const heights = new Map();
  for (const { at } of standing) if (at) heights.set(at.key, Math.max(heights.get(at.key) ?? 0, at.level + 1));
  for (const { node, at } of standing) {
    if (!at) continue;
    const height = heights.get(at.key) ?? 0;
    const top = at.level === height - 1;
    flag(node, "top", top);
    if (top && at.key !== "off" && height > (at.key === "bar" ? SHOWN_ON_BAR : SHOWN)) node.dataset.n = String(height);
    else delete node.dataset.n;
  }
}

// --- dice and cube ---------------------------------------------------------------------------------

/** @param {Face} face @param {BoardState} state @param {boolean} first */
function drawDice(face, { dice, orientation }, first) {
  const key = dice ? `${dice.side}:${dice.values.map((die) => `${die.side ?? ""}${die.value}`).join("")}` : "";
  const moved = Boolean(dice) && key === face.roll.replace(/(light|dark)(?=\d)/g, "");
  const fresh = !first && key !== face.roll && !moved;
  for (const node of face.node.querySelectorAll(".board-die")) node.remove();
  face.roll = key;
  if (!dice) return;
  const halves = dice.values.map((die) => die.side ?? dice.side);
  dice.values.forEach(({ value, used }, n) => {
    const half = halves[n];
    const mates = halves.filter((side) => side === half).length;
    const place = halves.slice(0, n).filter((side) => side === half).length;
    const die = element("span", "board-die", { "data-side": half ?? dice.side, "data-value": String(value), "aria-hidden": "true" });
    flag(die, "used", used);
    flag(die, "new", fresh);
    vars(die, { i: place - (mates - 1) / 2, half: half === orientation.viewer ? 1 : 0 });
    face.node.append(die);
  });
}

/** @param {Face} face @param {BoardState} state */
function drawCube(face, { cube, orientation }) {
  /** @type {HTMLElement | null} */
  let node = face.node.querySelector(".board-cube");
  if (!cube) {
    node?.remove();
    return;
  }
  if (!node) {
    node = element("span", "board-cube", { "aria-hidden": "true" });
    face.node.append(node);
  }
  node.textContent = String(cube.value);
  if (cube.offered || !cube.owner) node.dataset.owner = "none";
  else node.dataset.owner = cube.owner === orientation.viewer ? "own" : "their";
  flag(node, "offered", cube.offered);
}

// --- labels, live checkers, and what the selection opens ----------------------------------------------

/** @param {Face} face @param {BoardState} state @param {Place | null} selected @param {BoardWords} words */
export function mark(face, state, selected, words) {
  const froms = new Set(state.openSteps.map((step) => step.from));
  const tos = new Map(state.openSteps.filter((step) => step.from === selected).map((step) => [step.to, step]));
  for (const [key, spot] of face.spots) {
    const facts = describe(state, key, selected, froms, tos);
    flag(spot, "source", facts.source);
    flag(spot, "selected", facts.selected);
    flag(spot, "to", facts.step);
    spot.setAttribute("aria-label", words.place(facts));
    spot.setAttribute("aria-disabled", String(!facts.source && !facts.step));
    spot.setAttribute("aria-pressed", String(facts.selected));
    if (isPoint(key)) spot.dataset.point = String(facts.place);
    const label = spot.querySelector(".board-num");
    if (label) label.textContent = String(facts.shown);
  }
  markCheckers(face, state, selected, froms);
  markLandings(face, state, tos);
}

/** @param {BoardState} state @param {Key} key @param {Place | null} selected @param {Set<Place>} froms @param {Map<Place, OpenStep>} tos
 * @returns {PlaceFacts} */
function describe({ points, bar, off, orientation }, key, selected, froms, tos) {
  const mine = orientation.viewer;
  const place = isPoint(key) ? numberAt(key, mine, orientation) : key;
  const count = isPoint(key) ? (points[numberAt(key, "light", orientation) - 1] ?? 0) : 0;
  const held = key === "bar" ? bar : off;
  return {
    place,
    shown: isPoint(key) ? numberAt(key, orientation.mover, orientation) : key,
    whose: count === 0 ? "none" : count > 0 === (mine === "light") ? "own" : "their",
    count: Math.abs(count),
    own: isPoint(key) ? 0 : held[mine],
    their: isPoint(key) ? 0 : held[other(mine)],
    source: froms.has(place),
    selected: selected === place,
    step: tos.get(place) ?? null,
  };
}

/** @param {Face} face @param {BoardState} state @param {Place | null} selected @param {Set<Place>} froms */
function markCheckers(face, { orientation }, selected, froms) {
  for (const side of SIDES) {
    for (const { node, at } of face.checkers[side]) {
      if (!node.isConnected || !at) continue;
      const place = isPoint(at.key) ? numberAt(at.key, orientation.viewer, orientation) : at.key;
      const top = side === orientation.viewer && node.hasAttribute("data-top");
      flag(node, "live", top && selected === null && froms.has(place));
      flag(node, "selected", top && selected === place);
    }
  }
}

/** @param {Face} face @param {BoardState} state @param {Map<Place, OpenStep>} tos */
function markLandings(face, { points, orientation }, tos) {
  for (const node of face.node.querySelectorAll(".board-to")) node.remove();
  for (const [to, step] of tos) {
    if (!isPoint(to)) continue;
    const slot = slotOf(to, orientation.viewer, orientation);
    const { column, half, top } = columnOf(slot);
    const count = Math.abs(points[numberAt(slot, "light", orientation) - 1] ?? 0);
    const node = element("span", "board-to", { "aria-hidden": "true" });
    const sum = element("span", "board-sum");
    sum.textContent = String(step.dice.reduce((total, die) => total + die, 0));
    node.append(sum);
    flag(node, "hit", step.hit);
    vars(node, { c: column, half, top, level: step.hit ? 0 : Math.min(count, SHOWN - 1) });
    face.node.append(node);
  }
}
