// Playing again: who wants to, and the way to the new table once both do.

/** @import { Match, Rematch, Side, View } from "../types.js" @import { Model } from "./session.js" */

import { other } from "../board/geometry.js";
import { actButton, find, part, write } from "./dom.js";

const NOBODY = { light: false, dark: false, next: null };

export class Again {
  /** @param {HTMLElement} main @param {(want: boolean) => void} ask */
  constructor(main, ask) {
    this.root = find(part(main, "result"), '[data-part="again"]');
    this.says = find(this.root, '[data-fact="again"]');
    this.button = actButton(this.root, "rematch");
    this.way = find(this.root, '[data-act="next"]');
    this.path = main.dataset.table ?? "";
    this.gone = false;
    /** @type {Side | null} */
    this.you = null;
    /** @type {Rematch} */
    this.wishes = NOBODY;
    this.button.addEventListener("click", () => ask(!(this.you && this.wishes[this.you])));
  }

  /** @param {Model & { view: View, match: Match }} model @param {boolean} mayPress */
  show(model, mayPress) {
    const { you, match, view } = model;
    this.you = you;
    this.wishes = model.rematch ?? NOBODY;
    const { next } = this.wishes;
    this.root.hidden = view.phase !== "over" || (!you && !next) || match.anonymous === true;  // there chance decides
    if (this.root.hidden) return;
    this.button.hidden = !you || next !== null;
    this.button.disabled = !mayPress;
    this.way.hidden = next === null;
    if (next !== null) this.way.setAttribute("href", this.path.replace("00000000-0000-0000-0000-000000000000", next));
    const rival = you ? match.players[other(you)].name : "";
    const own = you !== null && this.wishes[you];
    const their = you !== null && this.wishes[other(you)];
    write(this.button, own ? gettext("Take back") : their ? gettext("Accept the rematch") : gettext("Rematch"));
    this.button.classList.toggle("btn-main", !own);
    write(this.says, next !== null ? gettext("The rematch is ready.") : own ? interpolate(gettext("Waiting for %(name)s…"), { name: rival }, true)
      : their ? interpolate(gettext("%(name)s wants to play again."), { name: rival }, true) : gettext("Same terms, same opponent."));
    if (you && next !== null && model.rematchIsNews && !this.gone) {
      this.gone = true;
      location.assign(this.way.getAttribute("href") ?? "");
    }
  }
}
