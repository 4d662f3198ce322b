// The chat of the table: ready phrases, free text, and a switch that hides what the opponent writes.

/** @import { ChatLine } from "../types.js" @import { Model } from "./session.js" */

import { actButton, find, make, part, recall, remember } from "./dom.js";

const LONGEST = 200;

export class Chat {
  /** @param {HTMLElement} main @param {string} matchId @param {(text: string) => void} send */
  constructor(main, matchId, send) {
    this.list = part(main, "chat");
    this.scroll = part(main, "chat-scroll");
    this.empty = part(main, "chat-empty");
    this.unread = part(main, "unread");
    this.panel = find(main, '[data-panel="chat"]');
    this.form = part(main, "chat-form");
    this.quick = part(main, "quick");
    this.muteButton = actButton(main, "mute");
    this.key = `mute:${matchId}`;
    this.muted = recall(this.key) === "on";
    this.drawn = -1;
    /** @type {Model | null} */
    this.model = null;
    this.#listen(send);
  }

  /** @param {Model} model @returns {boolean}   whether the opponent has said something new */
  show(model) {
    const shown = model.chat.filter((line) => !this.muted || line.from === model.you || line.from === null);
    const before = this.drawn;
    this.model = model;
    this.#readOnly(model.you === null);
    if (shown.length === before) return false;
    const stuck = this.scroll.scrollHeight - this.scroll.scrollTop - this.scroll.clientHeight < LONGEST;
    this.list.replaceChildren(...shown.map((line) => this.#row(line, model.you)));
    this.empty.hidden = shown.length > 0;
    this.drawn = shown.length;
    if (stuck || before < 0) this.scroll.scrollTop = this.scroll.scrollHeight;
    const news = before >= 0 && shown.length > before && shown.at(-1)?.from !== model.you;
    if (news && this.panel.hasAttribute("data-off")) this.unread.hidden = false;
    return news;
  }

  /** A line, with the way to report it where it is somebody else's. @param {ChatLine} line @param {string | null} you */
  #row(line, you) {
    const row = lineNode(line);
    const report = this.panel.dataset.report;
    if (report && line.from !== you) {
      const href = report.replace("/0/", `/${line.n}/`);
      row.append(" ", make("a", { class: "chat-report", href, target: "_blank" }, gettext("Report")));
    }
    return row;
  }

  seen() {
    this.unread.hidden = true;
    this.scroll.scrollTop = this.scroll.scrollHeight;
  }

  /** @param {boolean} watching */
  #readOnly(watching) {
    this.form.hidden = watching;
    this.quick.hidden = watching;
    this.muteButton.hidden = watching;
    this.muteButton.setAttribute("aria-pressed", String(this.muted));
    this.muteButton.textContent = this.muted ? gettext("Unmute") : gettext("Mute");
  }

  /** @param {(text: string) => void} send */
  #listen(send) {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const line = this.form.querySelector("input");
      const text = line?.value.trim().slice(0, LONGEST);
      if (!line || !text) return;
      send(text);
      line.value = "";
    });
    this.quick.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button?.textContent) send(button.textContent.trim());
    });
    this.muteButton.addEventListener("click", () => {
      this.muted = !this.muted;
      remember(this.key, this.muted ? "on" : "off");
      this.drawn = -1;
      if (this.model) this.show(this.model);
    });
  }
}

/** @param {ChatLine} line */
function lineNode({ at, name, text }) {
  const time = new Date(at);
  const shown = time.toLocaleTimeString(document.documentElement.lang || "en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return make("li", {}, make("time", { datetime: time.toISOString() }, shown), " ", make("b", { dir: "auto" }, name || gettext("Anonymous")), " ", make("span", { dir: "auto" }, text));
}
