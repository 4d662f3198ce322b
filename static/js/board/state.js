// Narrows the turns that the server listed, and previews chosen steps. It invents nothing: every step is an edge of the
// server's graph. Also turns the wire's counts into the board's state.

/** @import { BoardState, GraphStep, OpenStep, Place, PlayedStep, Route, Side, Turns, WireEdge } from "../types.js" */

import { indexOf, isPoint, other, pipsFrom, POINTS, SIDES } from "./geometry.js";

const WIRE_OFF = 0;
const WIRE_BAR = 25;
const BAR_PIPS = 25;
const DOUBLE = 4;

// --- the wire's numbers ----------------------------------------------------------------------

/** @param {number} number @returns {Place} */
export function placeOf(number) {
  if (number === WIRE_BAR) return "bar";
  return number === WIRE_OFF ? "off" : number;
}

/** @param {Place} place @returns {number} */
export function wireOf(place) {
  if (place === "bar") return WIRE_BAR;
  return place === "off" ? WIRE_OFF : place;
}

/** @param {Record<Side, number[]>} counts   26 a side: off, points 1–24 by own number, bar @param {Route} route
 * @returns {Pick<BoardState, "points" | "bar" | "off">} */
export function counted(counts, route) {
  const points = Array(POINTS).fill(0);
  for (const side of SIDES) {
    const sign = side === "light" ? 1 : -1;
    for (let number = 1; number <= POINTS; number += 1) points[indexOf(number, side, route)] += sign * (counts[side][number] ?? 0);
  }
  return {
    points,
    bar: { light: counts.light[WIRE_BAR] ?? 0, dark: counts.dark[WIRE_BAR] ?? 0 },
    off: { light: counts.light[WIRE_OFF] ?? 0, dark: counts.dark[WIRE_OFF] ?? 0 },
  };
}

/** The dice as they lie: a double is played four times.
 * @param {Side} side @param {readonly [number, number]} roll @param {boolean} [used] @returns {NonNullable<BoardState["dice"]>} */
export function rolled(side, [a, b], used = false) {
  const values = a === b ? Array(DOUBLE).fill(a) : [a, b];
  return { side, values: values.map((value) => ({ value, used })) };
}

// --- the turn graph ---------------------------------------------------------------------------

/** The node reached by the chosen steps.
 * @param {readonly GraphStep[]} chosen */
const nodeAt = (chosen) => chosen.at(-1)?.next ?? 0;

/** @param {WireEdge} edge @returns {GraphStep} */
const stepOf = ([from, to, die, hit, next]) => ({ from: placeOf(from), to: placeOf(to), die, hit: Boolean(hit), next });

/** @param {Turns} turns @param {number} node @returns {GraphStep[]} */
const edges = (turns, node) => (turns.nodes[node] ?? []).map(stepOf);

/** Steps that can come next, each also joined with those that carry the same checker on.
 * @param {Turns} turns @param {readonly GraphStep[]} chosen @returns {OpenStep[]} */
export function openSteps(turns, chosen) {
  /** @type {Map<string, OpenStep>} */
  const found = new Map();
  for (const first of edges(turns, nodeAt(chosen))) collect(turns, [first], found);
  return [...found.values()];
}

/** @param {Turns} turns @param {GraphStep[]} parts @param {Map<string, OpenStep>} found */
function collect(turns, parts, found) {
  const step = joined(parts);
  const key = `${step.from}/${step.to}`;
  const known = found.get(key);
  if (!known || better(step, known)) found.set(key, step);
  for (const next of edges(turns, nodeAt(parts))) {
    if (next.from === step.to) collect(turns, [...parts, next], found);
  }
}

/** @param {GraphStep[]} parts @returns {OpenStep} */
function joined(parts) {
  const [first] = parts;
  const last = parts.at(-1);
  if (!first || !last) throw new Error("a step has at least one part");
  return { from: first.from, to: last.to, dice: parts.map((part) => part.die), hit: last.hit, parts };
}

/** Of two ways to one place: the shorter, then the one that hits more, then the larger die first.
 * @param {OpenStep} a @param {OpenStep} b */
function better(a, b) {
  if (a.parts.length !== b.parts.length) return a.parts.length < b.parts.length;
  const hits = (/** @type {OpenStep} */ step) => step.parts.filter((part) => part.hit).length;
  if (hits(a) !== hits(b)) return hits(a) > hits(b);
  return (a.dice[0] ?? 0) > (b.dice[0] ?? 0);
}

/** Whether the chosen steps are a whole turn.
 * @param {Turns} turns @param {readonly GraphStep[]} chosen */
export function complete(turns, chosen) {
  return edges(turns, nodeAt(chosen)).length === 0;
}

/** Chosen steps that still exist in a graph that arrived anew: kept as long as they fit.
 * @param {Turns} turns @param {readonly GraphStep[]} chosen @returns {GraphStep[]} */
export function kept(turns, chosen) {
  /** @type {GraphStep[]} */
  const steps = [];
  for (const old of chosen) {
    const same = edges(turns, nodeAt(steps)).find((edge) => edge.from === old.from && edge.to === old.to && edge.die === old.die);
    if (!same) break;
    steps.push(same);
  }
  return steps;
}

// --- previews -------------------------------------------------------------------------------------

/** The state as it will look after one more step of `side`.
 * @param {BoardState} state @param {Side} side @param {PlayedStep & { die?: number, dice?: number[] }} step @returns {BoardState} */
export function applied(state, side, step) {
  const next = structuredClone(state);
  const { route } = state.orientation;
  const sign = side === "light" ? 1 : -1;
  if (step.from === "bar") next.bar[side] -= 1;
  else if (isPoint(step.from)) shift(next.points, indexOf(step.from, side, route), -sign);
  if (step.to === "off") next.off[side] += 1;
  else if (isPoint(step.to)) {
    const index = indexOf(step.to, side, route);
    if (next.points[index] === -sign) {
      next.points[index] = 0;
      next.bar[other(side)] += 1;
    }
    shift(next.points, index, sign);
  }
  for (const value of step.dice ?? (step.die ? [step.die] : [])) {
    const die = next.dice?.values.find((shown) => shown.value === value && !shown.used);
    if (die) die.used = true;
  }
  return next;
}

/** @param {number[]} points @param {number} index @param {number} by */
function shift(points, index, by) {
  points[index] = (points[index] ?? 0) + by;
}

/** @param {Pick<BoardState, "points" | "bar" | "orientation">} state @param {Side} side */
export function pips(state, side) {
  const { route } = state.orientation;
  const sign = side === "light" ? 1 : -1;
  let sum = state.bar[side] * BAR_PIPS;
  for (let number = 1; number <= POINTS; number += 1) {
    sum += Math.max(0, sign * (state.points[indexOf(number, side, route)] ?? 0)) * pipsFrom(number);
  }
  return sum;
}
