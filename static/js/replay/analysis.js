// The analysis under a replay: asks how far it is, then shows error rates, the chance to win, and what each decision cost.

/** @import { Side } from "../types.js" @import { Chart } from "./chart.js" @import { Replay } from "./moments.js" */

import "../board/catalog.js";
import { actButton, fact, make, part, write } from "../table/dom.js";
import { createChart } from "./chart.js";

const ASK_MS = 1_500;
const PPM = 1_000_000;
const THOUSAND = 1_000;
/** @type {Side[]} */
const SIDES = ["light", "dark"];

/**
 * @typedef {"" | "doubtful" | "error" | "blunder"} Mark
 *
 * @typedef {object} Judged   equities and chances are millionths
 * @property {number} n
 * @property {0 | 1} seat
 * @property {"play" | "no_double" | "double" | "take" | "drop"} kind
 * @property {string} chosen
 * @property {number} lost
 * @property {boolean} counts
 * @property {number} chance
 * @property {number | null} luck
 * @property {Mark} mark
 * @property {[string, number][]} options
 *
 * @typedef {{ decisions: number, pr_milli: number, lost: number, luck: number, marks: Record<string, number> }} Player
 *
 * @typedef {object} Analysis
 * @property {number} done
 * @property {number} total
 * @property {boolean} finished
 * @property {boolean} failed
 * @property {string} engine
 * @property {Judged[]} [records]
 * @property {Record<Side, Player>} [players]
 */

const main = document.querySelector("main.replay");
const root = main?.querySelector('[data-part="analysis"]');
const told = document.getElementById("replay")?.textContent;
if (main instanceof HTMLElement && root instanceof HTMLElement && told) watch(main, root, JSON.parse(told));

/** @param {HTMLElement} page @param {HTMLElement} box @param {Replay} replay */
async function watch(page, box, replay) {
  for (;;) {
    const found = await asked(box.dataset.url ?? "");
    if (found) {
      progress(box, found);
      if (found.finished || found.failed) return found.finished ? show(page, box, replay, found) : undefined;
    } else if (found === null) {
      return undefined;
    }
    await new Promise((wake) => { window.setTimeout(wake, ASK_MS); });
  }
}

/** null: nobody has asked for one; undefined: no answer now. @param {string} url @returns {Promise<Analysis | null | undefined>} */
async function asked(url) {
  try {
    const answer = await fetch(url, { headers: { accept: "application/json" } });
    return answer.ok ? (await answer.json()).analysis : undefined;
  } catch {
    return undefined;
  }
}

/** @param {HTMLElement} box @param {Analysis} found */
function progress(box, { done, total, finished, failed }) {
  part(box, "ask").hidden = true;
  part(box, "wait").hidden = finished || failed;
  part(box, "failed").hidden = !failed;
  const bar = box.querySelector("progress");
  if (bar) { bar.max = total; bar.value = done; }
  write(fact(box, "progress"), interpolate(gettext("%(done)s of %(total)s decisions"), { done, total }, true));
}

/** @param {HTMLElement} page @param {HTMLElement} box @param {Replay} replay @param {Analysis} found */
function show(page, box, replay, { records = [], players, engine }) {
  if (!players) return;
  const names = { light: replay.match.players.light.name, dark: replay.match.players.dark.name };
  part(box, "found").hidden = false;
  write(fact(box, "engine"), engine);
  part(box, "rates").replaceChildren(...rateRows(players));
  SIDES.forEach((side) => write(fact(box, `name-${side}`), names[side]));
  const chart = chartOf(replay, records, names);
  part(box, "chart").replaceChildren(chart.node);
  write(fact(box, "chart-says"), interpolate(gettext("The chance of %(name)s to win"), { name: names.light }, true));
  for (const record of records) {
    if (record.mark) page.querySelector(`.replay-moves a[href="#${record.n}"]`)?.setAttribute("data-mark", record.mark);
  }
  let now = Number.parseInt(location.hash.slice(1), 10) || 0;
  const at = (/** @type {number} */ n) => {
    now = n;
    chart.show(n);
    decision(part(box, "decision"), records.filter((record) => record.n === n), names);
  };
  page.addEventListener("replay:moment", (event) => { if (event instanceof CustomEvent) at(event.detail.n); });
  const worse = records.filter(({ mark }) => mark === "error" || mark === "blunder").map(({ n }) => n);
  const next = actButton(box, "next-error");
  next.disabled = worse.length === 0;
  next.addEventListener("click", () => {
    const n = worse.find((each) => each > now) ?? worse[0];
    if (n !== undefined) location.hash = `#${n}`;
  });
  at(now);
}

/** @param {Replay} replay @param {readonly Judged[]} records @param {Record<Side, string>} names @returns {Chart} */
function chartOf(replay, records, names) {
  const spots = records.filter(({ kind }) => kind === "play").map(({ n, chance, mark }) => ({ n, chance: chance / PPM, mark }));
  const games = replay.events.flatMap((event) => (event.kind === "game_started" ? [event.n] : []));
  const label = interpolate(gettext("The chance of %(name)s to win, from the first turn to the last"), { name: names.light }, true);
  return createChart(spots, games, label, (n) => { location.hash = `#${n}`; });
}

/** @param {Record<Side, Player>} players */
function rateRows(players) {
  /** @type {[string, (player: Player) => string][]} */
  const rows = [
    [gettext("Error rate (PR)"), ({ pr_milli }) => (pr_milli / THOUSAND).toFixed(2)],
    [gettext("Decisions"), ({ decisions }) => String(decisions)],
    [gettext("Doubtful"), ({ marks }) => String(marks.doubtful ?? 0)],
    [gettext("Errors"), ({ marks }) => String(marks.error ?? 0)],
    [gettext("Blunders"), ({ marks }) => String(marks.blunder ?? 0)],
    [gettext("Luck"), ({ luck }) => signed(luck)],
  ];
  return rows.map(([title, value]) => make("tr", {}, make("th", { scope: "row" }, title), ...SIDES.map((side) => make("td", {}, value(players[side])))));
}

/** @param {HTMLElement} box @param {readonly Judged[]} records @param {Record<Side, string>} names */
function decision(box, records, names) {
  const [record] = records;
  if (!record) {
    box.replaceChildren(make("p", { class: "dim" }, gettext("Nothing was decided at this moment.")));
    return;
  }
  box.replaceChildren(
    make("p", {}, make("b", {}, names[record.seat === 0 ? "light" : "dark"]), ` ${wayText(record.chosen)} `,
      make("span", { class: "mark", "data-mark": record.mark }, record.mark ? markText(record.mark) : ""),
      ...(record.luck === null ? [] : [make("span", { class: "dim" }, ` ${interpolate(gettext("luck of the roll %(luck)s"), { luck: signed(record.luck) }, true)}`)])),
    ...(record.options.length ? [make("table", {}, make("tbody", {}, ...record.options.map(([text, lost]) => make("tr", text === record.chosen ? { "data-chosen": true } : {},
      make("td", {}, wayText(text)), make("td", {}, lost ? `−${(lost / PPM).toFixed(3)}` : gettext("best"))))))]
      : [make("p", { class: "dim" }, gettext("There was no choice."))]),
  );
}

/** @param {string} way */
function wayText(way) {
  switch (way) {
    case "no_double": return gettext("no double");
    case "double": return gettext("double");
    case "take": return gettext("take");
    case "drop": return gettext("drop");
    case "": return gettext("no play");
    default: return way;
  }
}

/** @param {Exclude<Mark, "">} mark */
function markText(mark) {
  if (mark === "blunder") return gettext("blunder");
  return mark === "error" ? gettext("error") : gettext("doubtful");
}

/** @param {number} ppm */
function signed(ppm) {
  const value = (Math.abs(ppm) / PPM).toFixed(3);
  return ppm < 0 ? `−${value}` : `+${value}`;
}
