// The sheet over an abandoned match: what happens, until when, and what nobody has to do.

/** @import { Match, View } from "../types.js" @import { Model } from "./session.js" */

import { ending, leftText } from "./absence.js";
import { actButton, fact, part, write } from "./dom.js";
import { clockText, leftUntil } from "./time.js";

export class AdjudicatingSheet {
  /** @param {HTMLElement} main */
  constructor(main) {
    this.root = part(main, "adjudicating");
    this.again = actButton(main, "show-adjudicating");
    this.open = false;
    actButton(this.root, "look-position").addEventListener("click", () => { this.root.hidden = true; this.again.focus(); });
    this.again.addEventListener("click", () => this.#raise());
  }

  /** @param {Model & { view: View, match: Match }} model */
  show(model) {
    const open = model.view.phase === "adjudicating";
    this.again.hidden = !open;
    if (!open) {
      this.root.hidden = true;
      this.open = false;
      return;
    }
    const { left, withModerators } = ending(model.events);
    write(fact(this.root, "who"), leftText(model, left));
    write(fact(this.root, "how"), withModerators
      ? gettext("The engine gave no result in time. A moderator decides now; you will see it here and in your wallet.")
      : gettext("An engine works out what the position was worth, usually within a minute. The dice to come play no part in it."));
    fact(this.root, "wait").hidden = withModerators;
    if (!this.open) this.#raise();
    this.open = true;
  }

  /** @param {View} view @param {number} now   server's time, ms */
  tick({ phase, clock }, now) {
    if (phase !== "adjudicating" || clock.deadline === null) return;
    write(fact(this.root, "until"), interpolate(gettext("A moderator decides if there is no result in %(time)s."), { time: clockText(leftUntil(clock.deadline, now)) }, true));
  }

  #raise() {
    this.root.hidden = false;
    fact(this.root, "heading").focus();
  }
}
