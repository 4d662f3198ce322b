// The questions that Drop and Resign ask once, with what each answer costs.

/** @import { Match, View } from "../types.js" @import { Model } from "./session.js" @import { Question } from "./actions.js" */

import { other } from "../board/geometry.js";
import { money, worthOf } from "./money.js";
import { levelName } from "./phrases.js";

/** @param {Model & { view: View, match: Match }} model @param {() => void} drop @returns {Question} */
export function dropQuestion({ view, match }, drop) {
  const costs = view.offer?.drop_costs;
  const sum = typeof costs === "number" ? { sum: money(costs, match.currency) } : null;
  return {
    question: sum ? interpolate(gettext("Drop? The game ends and you lose %(sum)s."), sum, true) : gettext("Drop? The game ends and you lose it."),
    back: gettext("Think again"),
    choices: [{ act: "drop-yes", text: sum ? interpolate(gettext("Drop, lose %(sum)s"), sum, true) : gettext("Drop, lose the game"), run: drop }],
  };
}

/** @param {Model & { view: View, match: Match }} model @param {(level: number) => void} resign @returns {Question} */
export function resignQuestion({ view, match, you }, resign) {
  const name = you ? match.players[other(you)].name : "";
  return {
    question: interpolate(gettext("Resign this game? %(name)s may refuse."), { name }, true),
    back: gettext("Play on"),
    choices: view.resign_levels.map((level) => ({ act: `resign-${level}`, text: levelText(view, match, level), run: () => resign(level) })),
  };
}

/** The price stands beside a level when the server has counted it for the present cube.
 * @param {View} view @param {Match} match @param {number} level */
function levelText(view, match, level) {
  const rows = view.worth ?? (view.cube.value === 1 ? match.fees : []);
  const row = match.kind === "single" ? worthOf(rows, level) : undefined;
  const name = levelName(level, match.variant);
  const words = name.charAt(0).toUpperCase() + name.slice(1);
  return row && !view.cube.offered ? interpolate(gettext("%(level)s, lose %(sum)s"), { level: words, sum: money(row.win, match.currency) }, true) : words;
}
