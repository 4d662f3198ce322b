// The chance to win over a match, as a line. Draws what it is given; the page's styles give the colours.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 600;
const HEIGHT = 120;
const RADIUS = 4;

/**
 * @typedef {object} Spot   one decision on the line
 * @property {number} n        its moment
 * @property {number} chance   of light, from 0 to 1
 * @property {string} mark     "", "doubtful", "error" or "blunder"
 *
 * @typedef {object} Chart
 * @property {SVGSVGElement} node
 * @property {(n: number) => void} show   marks a moment
 */

/** Where a spot stands. @param {number} index @param {number} count @param {number} chance @returns {[number, number]} */
export function placeOf(index, count, chance) {
  const x = count > 1 ? (index / (count - 1)) * WIDTH : WIDTH / 2;
  return [Math.round(x * 10) / 10, Math.round((1 - chance) * HEIGHT * 10) / 10];
}

/** The spot nearest to a place along the chart. @param {number} part   0 at the left, 1 at the right @param {number} count */
export const nearest = (part, count) => Math.min(count - 1, Math.max(0, Math.round(part * (count - 1))));

/** The last spot at or before a moment. @param {readonly Spot[]} spots @param {number} n */
export const spotAt = (spots, n) => Math.max(0, spots.findLastIndex((spot) => spot.n <= n));

/** @param {readonly Spot[]} spots @param {readonly number[]} games   the moments at which games begin @param {string} label
 * @param {(n: number) => void} choose @returns {Chart} */
export function createChart(spots, games, label, choose) {
  const node = draw("svg", { viewBox: `${-RADIUS} ${-RADIUS} ${WIDTH + 2 * RADIUS} ${HEIGHT + 2 * RADIUS}`, role: "img", "aria-label": label, class: "chart", preserveAspectRatio: "none" });
  const places = spots.map(({ chance }, index) => placeOf(index, spots.length, chance));
  const line = places.map(([x, y]) => `${x},${y}`).join(" ");
  const [x0 = 0] = places[0] ?? [];
  const [x1 = WIDTH] = places.at(-1) ?? [];
  node.append(
    draw("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, class: "chart-field" }),
    draw("polygon", { points: `${x0},${HEIGHT} ${line} ${x1},${HEIGHT}`, class: "chart-area" }),
    draw("line", { x1: 0, y1: HEIGHT / 2, x2: WIDTH, y2: HEIGHT / 2, class: "chart-even" }),
    ...games.slice(1).map((n) => {
      const [x] = placeOf(spotAt(spots, n), spots.length, 0);
      return draw("line", { x1: x, y1: 0, x2: x, y2: HEIGHT, class: "chart-game" });
    }),
    draw("polyline", { points: line, class: "chart-line" }),
    ...spots.flatMap(({ mark }, index) => {
      const [x, y] = places[index] ?? [0, 0];
      return mark === "error" || mark === "blunder" ? [draw("line", { x1: x, y1: y, x2: x, y2: y, class: "chart-mark", "data-mark": mark })] : [];
    }),
  );
  const here = draw("line", { x1: 0, y1: 0, x2: 0, y2: HEIGHT, class: "chart-here" });
  node.append(here);
  node.addEventListener("click", (event) => {
    const box = node.getBoundingClientRect();
    const spot = spots[nearest((event.clientX - box.left) / box.width, spots.length)];
    if (spot) choose(spot.n);
  });
  return { node, show };

  /** @param {number} n */
  function show(n) {
    const [x] = placeOf(spotAt(spots, n), spots.length, 0);
    here.setAttribute("x1", String(x));
    here.setAttribute("x2", String(x));
  }
}

/** @template {keyof SVGElementTagNameMap} T @param {T} tag @param {Record<string, string | number>} attributes @returns {SVGElementTagNameMap[T]} */
function draw(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}
