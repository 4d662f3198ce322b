// A player's strip: name, country, rating, presence, pips, score, cube and clock.

/** @import { CubeShown, PlayerFacts, Seat, Side } from "../types.js" @import { ClockFace } from "./time.js" */

import { fact, find, icon, make, part, write } from "./dom.js";
import { awayLeft } from "./absence.js";
import { clockText } from "./time.js";

const DRAWN_FLAGS = new Set(["fi", "bg", "am", "ee", "de", "lt", "it", "dk"]);

/**
 * @typedef {object} StripFacts
 * @property {Side} side
 * @property {PlayerFacts} player
 * @property {boolean} turn
 * @property {number | null} pips
 * @property {string | null} score
 * @property {boolean} crawford   the game without the cube is being played
 * @property {CubeShown | null} cube
 */

/**
 * @typedef {object} Absence
 * @property {number} now        server's time, ms
 * @property {boolean} playing   a game is under way
 * @property {boolean} blitz
 * @property {number} before     ms of earlier absences
 */

export class Strip {
  /** @param {HTMLElement} main @param {"own" | "their"} whose */
  constructor(main, whose) {
    this.root = part(main, `strip-${whose}`);
    this.clock = part(this.root, "clock");
    this.country = "";
  }

  /** @param {StripFacts} facts */
  show({ side, player, turn, pips, score, crawford, cube }) {
    this.root.dataset.side = side;
    this.root.toggleAttribute("data-turn", turn);
    write(fact(this.root, "name"), player.name);
    write(fact(this.root, "rating"), player.rating ?? "");
    write(fact(this.root, "pips"), pips ?? "–");
    this.#row("score", score);
    this.#row("crawford", crawford ? gettext("Crawford") : null);
    this.#row("cube", cube && cube.owner === side && !cube.offered ? String(cube.value) : null);
    if (player.country !== this.country) fact(this.root, "country").replaceChildren(...flagOf(player.country));
    this.country = player.country;
  }

  /** @param {Seat} seat @param {Absence} absence */
  showSeat(seat, { now, playing, blitz, before }) {
    const { here, since } = seat;
    const left = awayLeft(seat, now);
    const dot = fact(this.root, "here");
    dot.hidden = false;
    dot.toggleAttribute("data-gone", !here);
    dot.setAttribute("aria-label", here ? gettext("at the table") : gettext("away"));
    const counts = playing && left !== null;
    write(fact(this.root, "away-words"), awayWords(here, counts, blitz));
    this.root.toggleAttribute("data-away", playing && !here);
    if (!here) this.#row("away", !playing ? "" : blitz ? gettext("leaving loses three times the stake") : clockText(left ?? Math.max(0, now - since)));
    else this.#row("away", counts && before > 0 && !blitz ? clockText(left) : null);
  }

  /** @param {ClockFace} face @param {number} wholeMs */
  showClock({ moveMs, reserveMs, runs, low }, wholeMs) {
    write(fact(this.clock, "move"), clockText(moveMs));
    write(fact(this.clock, "reserve"), clockText(reserveMs));
    this.clock.toggleAttribute("data-runs", runs);
    this.clock.toggleAttribute("data-low", low);
    this.clock.style.setProperty("--left", String(wholeMs ? moveMs / wholeMs : 0));
  }

  /** @param {string} name @param {string | null} text */
  #row(name, text) {
    find(this.root, `[data-row="${name}"]`).hidden = text === null;
    if (text !== null) write(fact(this.root, name), text);
  }
}

/** @param {boolean} here @param {boolean} counts @param {boolean} blitz */
function awayWords(here, counts, blitz) {
  if (here) return gettext("May be away for");
  if (blitz) return gettext("Away:");
  return counts ? gettext("Back within") : gettext("Away");
}

/** A drawn flag where there is one, the country's code otherwise.
 * @param {string} country   two letters @returns {Node[]} */
export function flagOf(country) {
  const code = country.toLowerCase();
  if (!/^[a-z]{2}$/.test(code)) return [];
  const name = countryName(code);
  if (!DRAWN_FLAGS.has(code)) return [make("abbr", { class: "country", title: name }, code.toUpperCase())];
  const flag = icon(`flag-${code}`, "flag");
  flag.removeAttribute("aria-hidden");
  flag.setAttribute("role", "img");
  flag.setAttribute("aria-label", name);
  return [flag];
}

/** @param {string} code */
function countryName(code) {
  try {
    return new Intl.DisplayNames([document.documentElement.lang || "en"], { type: "region" }).of(code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}
