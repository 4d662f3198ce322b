// The last turn as arrows over the board.

/** @import { BoardState, Place, Side } from "../types.js" @import { Face } from "./render.js" */

import { isPoint, numberAt, SHOWN, slotOf, stackStep, HALF } from "./geometry.js";

/** @typedef {{ x: number, y: number }} Spot */

/** @param {Face} face @param {BoardState | null} state */
export function drawArrows(face, state) {
  face.arrows.replaceChildren();
  if (!state?.lastTurn) return;
  const scale = measured(face);
  const { side, steps } = state.lastTurn;
  /** @type {Map<string, number>} */
  const seen = new Map();
  for (const step of steps) {
    const from = centre(face, state, scale, side, step.from, "from", seen);
    const to = centre(face, state, scale, side, step.to, "to", seen);
    arrow(face, from, to, scale.unit);
  }
}

/** @typedef {{ width: number, height: number, unit: number, checker: number }} Scale
 * @param {Face} face @returns {Scale} */
function measured({ node }) {
  const style = getComputedStyle(node);
  const unit = node.clientWidth / Number(style.getPropertyValue("--bd-w"));
  return { width: node.clientWidth, height: node.clientHeight, unit, checker: unit * Number(style.getPropertyValue("--bd-ck")) };
}

/** Where a checker of the last turn stood (one above the stack that is left) or stands now.
 * @param {Face} face @param {BoardState} state @param {Scale} scale @param {Side} side @param {Place} place
 * @param {"from" | "to"} end @param {Map<string, number>} seen @returns {Spot} */
function centre(face, state, { height, unit, checker }, side, place, end, seen) {
  const own = side === state.orientation.viewer;
  const key = isPoint(place) ? slotOf(place, side, state.orientation) : place;
  const spot = face.spots.get(key);
  const x = spot ? spot.offsetLeft + spot.offsetWidth / 2 : 0;
  if (key === "bar") return { x, y: height / 2 + (own ? -1 : 1) * (0.62 * unit + checker / 2) };
  if (key === "off") return { x, y: own ? height - 1.2 * unit : 1.2 * unit };
  const again = seen.get(`${end}:${key}`) ?? 0;
  seen.set(`${end}:${key}`, again + 1);
  const count = state.points[numberAt(key, "light", state.orientation) - 1] ?? 0;
  const held = (count > 0 ? "light" : "dark") === side ? Math.abs(count) : 0;
  const level = Math.max(0, Math.min(SHOWN - 1, end === "from" ? held + again : held - 1 - again));
  const down = 0.53 * unit + level * stackStep(height, unit, checker) + checker / 2;
  return { x, y: key < HALF ? down : height - down };
}

/** @param {Face} face @param {Spot} from @param {Spot} to @param {number} unit */
function arrow(face, from, to, unit) {
  const middle = face.node.clientHeight / 2;
  const flat = from.y < middle === to.y < middle;
  const rise = flat ? Math.sign(middle - from.y) * Math.min(1.6 * unit, Math.abs(to.x - from.x) * 0.3) : 0;
  const bend = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + rise };
  const angle = Math.atan2(to.y - bend.y, to.x - bend.x);
  const tip = { x: to.x - Math.cos(angle) * 0.3 * unit, y: to.y - Math.sin(angle) * 0.3 * unit };
  const before = (/** @type {number} */ length, turn = 0) =>
    `${tip.x - Math.cos(angle + turn) * length * unit} ${tip.y - Math.sin(angle + turn) * length * unit}`;
  const line = `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${before(0.24)}`;
  stroke(face, "case", line, 0.15 * unit);
  stroke(face, "line", line, 0.075 * unit);
  stroke(face, "head", `M${tip.x} ${tip.y}L${before(0.4, 0.52)}L${before(0.4, -0.52)}Z`, 0.035 * unit);
}

/** @param {Face} face @param {string} className @param {string} shape @param {number} width */
function stroke(face, className, shape, width) {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("class", className);
  path.setAttribute("d", shape);
  path.setAttribute("stroke-width", String(width));
  face.arrows.append(path);
}
