// The panels beside the board: tabs where they take turns, a drawer on a phone.

import { find } from "./dom.js";

const PHONE = "(max-width: 599px)";

export class Panels {
  /** @param {HTMLElement} main @param {(name: string) => void} turned */
  constructor(main, turned) {
    this.root = find(main, ".panels");
    this.tabs = /** @type {HTMLButtonElement[]} */ ([...main.querySelectorAll(".tab")]);
    this.turned = turned;
    for (const tab of this.tabs) tab.addEventListener("click", () => this.turnTo(tab.dataset.tab ?? "score"));
    const drawer = find(main, "[data-drawer]");
    drawer.addEventListener("click", () => {
      const open = this.root.toggleAttribute("data-open");
      drawer.setAttribute("aria-expanded", String(open));
      drawer.setAttribute("aria-label", open ? gettext("Close the drawer") : gettext("Open the drawer"));
    });
    this.turnTo(matchMedia(PHONE).matches ? "score" : "moves");
  }

  /** @param {string} name */
  turnTo(name) {
    for (const tab of this.tabs) tab.setAttribute("aria-pressed", String(tab.dataset.tab === name));
    for (const panel of this.root.querySelectorAll(".panel")) panel.toggleAttribute("data-off", panel instanceof HTMLElement && panel.dataset.panel !== name);
    this.turned(name);
  }
}
