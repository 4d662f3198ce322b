// The table's own part of the settings: the three automatic switches, the way of pressing, sounds, and ways out.

/** @import { Switches, View } from "../types.js" */

import { make, recall, remember } from "./dom.js";
import { setSound, soundOn } from "./sound.js";

const PRESS = "press";

/**
 * @typedef {object} Wiring
 * @property {HTMLElement} main
 * @property {HTMLElement} host   of the board
 * @property {(switches: Switches) => void} send
 */

export class Settings {
  /** @type {Record<keyof Switches, HTMLInputElement> | null} */ #inputs = null;
  /** @type {Switches | null} */ #switches = null;

  /** @param {Wiring} wiring */
  constructor(wiring) {
    wiring.host.dataset.press = recall(PRESS) ?? "";
    document.addEventListener("settings:build", (event) => {
      if (event instanceof CustomEvent && event.detail.body instanceof HTMLElement) this.#build(event.detail.body, wiring);
    });
  }

  /** @param {View} view */
  show({ switches }) {
    this.#switches = switches;
    if (!this.#inputs) return;
    for (const [name, input] of Object.entries(this.#inputs)) {
      input.disabled = !switches;
      input.checked = Boolean(switches?.[/** @type {keyof Switches} */ (name)]);
    }
  }

  /** @param {HTMLElement} body @param {Wiring} wiring */
  #build(body, { main, host, send }) {
    const rows = {
      auto_roll: toggle("auto_roll", gettext("Roll by itself when I may not double")),
      auto_forced: toggle("auto_forced", gettext("Play forced moves by itself")),
      auto_bear_off: toggle("auto_bear_off", gettext("Bear off by itself in a race")),
    };
    this.#inputs = { auto_roll: rows.auto_roll.input, auto_forced: rows.auto_forced.input, auto_bear_off: rows.auto_bear_off.input };
    const { auto_roll, auto_forced, auto_bear_off } = this.#inputs;
    const changed = () => send({ auto_roll: auto_roll.checked, auto_forced: auto_forced.checked, auto_bear_off: auto_bear_off.checked });
    for (const { input } of Object.values(rows)) input.addEventListener("change", changed);
    const quick = toggle("press", gettext("One press plays the larger die"), host.dataset.press === "quick");
    quick.input.addEventListener("change", () => {
      host.dataset.press = quick.input.checked ? "quick" : "";
      remember(PRESS, host.dataset.press);
    });
    const sound = toggle("sound", gettext("Sounds"), soundOn());
    sound.input.addEventListener("change", () => setSound(sound.input.checked));
    body.append(
      make("fieldset", {}, make("legend", {}, gettext("While playing")), ...[...Object.values(rows), quick, sound].map(({ label }) => label)),
      make("nav", { class: "links", "aria-label": gettext("More") },
        make("a", { href: main.dataset.lobby ?? "/" }, gettext("Leave for the lobby (the clock runs on)")),
        make("a", { href: main.dataset.rules ?? "/rules/", target: "_blank", rel: "noopener" }, gettext("Rules")),
        make("a", { href: main.dataset.verify ?? "#" }, gettext("How the dice are kept fair")),
        make("a", { href: main.dataset.wallet ?? "#" }, gettext("Wallet"))));
    this.show(/** @type {View} */ ({ switches: this.#switches }));
  }
}

/** @param {string} name @param {string} text @param {boolean} [on] */
function toggle(name, text, on = false) {
  const input = make("input", { type: "checkbox", role: "switch", checked: on, "data-switch": name });
  return { input, label: make("label", { class: "switch" }, text, input) };
}
