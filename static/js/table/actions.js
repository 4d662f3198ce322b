// The bar under the board: seven places that never change, and the question that Drop and Resign ask once.

/** @import { View } from "../types.js" */

import { actButton, find, make, part, write } from "./dom.js";

const NAMES = /** @type {const} */ (["roll", "double", "done", "undo", "take", "beaver", "accept-resign", "drop", "refuse-resign", "resign"]);

/**
 * @typedef {typeof NAMES[number]} Act
 * @typedef {{ question: string, back: string, choices: { act: string, text: string, run: () => void }[] }} Question
 * @typedef {object} Possible
 * @property {View | null} view
 * @property {boolean} mayPress      the line is up and nothing is on its way
 * @property {boolean} lost          the line is down: the bar says so instead
 * @property {boolean} complete      the chosen steps are a whole turn
 * @property {boolean} started       at least one step is chosen
 * @property {boolean} cube          the game is played with one
 */

export class Actions {
  /** @param {HTMLElement} main @param {(act: Act) => void} run */
  constructor(main, run) {
    this.bar = find(main, ".bar");
    this.say = part(main, "say");
    this.acts = part(main, "acts");
    this.ask = part(main, "ask");
    this.after = part(main, "after");
    this.buttons = new Map(NAMES.map((name) => [name, actButton(this.acts, name)]));
    /** @type {Act | null} */
    this.asking = null;
    for (const [name, button] of this.buttons) button.addEventListener("click", () => run(name));
    this.ask.addEventListener("keydown", (event) => { if (event.key === "Escape") this.closeAsk(); });
  }

  /** @param {string} sentence */
  saying(sentence) {
    write(this.say, sentence);
  }

  /** @param {Possible} possible */
  show({ view, mayPress, lost, complete, started, cube }) {
    const may = new Set(view?.may ?? []);
    const moving = view?.phase === "to_move" && may.has("play");
    const answering = view?.phase === "resign_answer" && may.has("answer");
    const over = view !== null && ["over", "cancelled", "void"].includes(view.phase);
    this.#enable("roll", mayPress && may.has("roll"));
    this.#enable("double", mayPress && may.has("double"));
    this.#enable("done", mayPress && moving && complete);
    this.#enable("undo", mayPress && moving && started);
    this.#enable("take", mayPress && may.has("take"));
    this.#enable("drop", mayPress && may.has("drop"));
    this.#enable("resign", mayPress && may.has("resign"));
    this.#offer("beaver", may.has("beaver"), mayPress);
    this.#offer("accept-resign", answering, mayPress);
    this.#offer("refuse-resign", answering, mayPress);
    for (const name of /** @type {const} */ (["done", "undo"])) this.#button(name).toggleAttribute("data-keep", moving);
    this.#button("double").hidden = !cube;
    this.#button("take").hidden = answering || !cube;
    this.#button("drop").hidden = answering || !cube;
    this.after.hidden = !over;
    if (this.asking && !this.#open(this.asking, may)) this.closeAsk();
    this.acts.hidden = over || view?.phase === "adjudicating" || lost || this.asking !== null;
    this.say.hidden = this.asking !== null;
  }

  /** @param {string} name */
  press(name) {
    const [act, button] = [...this.buttons].find(([known]) => known === name) ?? [];
    if (!act || !button || button.disabled || button.hidden || this.asking) return false;
    button.click();
    return true;
  }

  /** Asks in the bar itself; the safe answer has the focus.
   * @param {Act} act @param {Question} question */
  askOnce(act, { question, back, choices }) {
    this.asking = act;
    const returning = make("button", { class: "btn", type: "button", "data-act": "ask-back" }, back);
    returning.addEventListener("click", () => this.closeAsk());
    const answers = choices.map(({ act: name, text, run }) => {
      const button = make("button", { class: "btn", type: "button", "data-act": name }, text);
      button.addEventListener("click", () => { this.closeAsk(); run(); });
      return button;
    });
    this.ask.replaceChildren(make("p", {}, question), returning, ...answers);
    this.ask.setAttribute("aria-label", this.#button(act).textContent ?? "");
    this.#swap(true);
    returning.focus();
  }

  closeAsk() {
    const act = this.asking;
    if (!act) return;
    const focused = this.ask.contains(document.activeElement);
    this.asking = null;
    this.#swap(false);
    if (focused) this.#button(act).focus();
  }

  /** @param {boolean} asking */
  #swap(asking) {
    this.ask.hidden = !asking;
    this.acts.hidden = asking;
    this.say.hidden = asking;
  }

  /** A question stays only while its answer is still possible.
   * @param {Act} act @param {Set<string>} may */
  #open(act, may) {
    return act === "drop" || act === "resign" ? may.has(act) : false;
  }

  /** @param {Act} name */
  #button(name) {
    const button = this.buttons.get(name);
    if (!button) throw new Error(`no button ${name}`);
    return button;
  }

  /** @param {Act} name @param {boolean} on */
  #enable(name, on) {
    this.#button(name).disabled = !on;
  }

  /** @param {Act} name @param {boolean} shown @param {boolean} mayPress */
  #offer(name, shown, mayPress) {
    this.#button(name).hidden = !shown;
    this.#enable(name, shown && mayPress);
  }
}
