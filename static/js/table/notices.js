// What went wrong, said beside the board: refusals that go away by themselves, and the page when there is no table.

import { fact, find, make, part, write } from "./dom.js";

const SHOWN_MS = 6_000;
const MOST = 3;

export class Toasts {
  /** @param {HTMLElement} main */
  constructor(main) {
    this.root = part(main, "toasts");
  }

  /** @param {string} text @param {string} [code] */
  say(text, code = "") {
    for (const same of this.root.children) if (same.textContent === text) return;
    const toast = make("p", { class: "toast", "data-code": code }, text);
    this.root.append(toast);
    while (this.root.children.length > MOST) this.root.firstElementChild?.remove();
    setTimeout(() => toast.remove(), SHOWN_MS);
  }
}

/** Instead of the table, when there is none for this person.
 * @param {HTMLElement} main @param {number} code   of the closed socket @param {string} farewell   what the server said */
export function showGate(main, code, farewell) {
  const root = part(main, "gate");
  const link = fact(root, "main-link");
  const lobby = find(root, '[data-act="lobby"]');
  const signedOut = code === 4001 || code === 4010;
  const [heading, text] = gateWords(code);
  write(fact(root, "heading"), heading);
  write(fact(root, "text"), farewell || text);
  link.textContent = signedOut ? gettext("Sign in") : gettext("Reload the page");
  link.setAttribute("href", signedOut ? (main.dataset.signIn ?? "/") : location.href);
  link.hidden = code === 4004;
  lobby.classList.toggle("btn-main", code === 4004);
  main.dataset.gate = String(code);
  root.hidden = false;
  for (const node of main.children) if (node !== root && node instanceof HTMLElement) node.inert = true;
}

/** @param {number} code @returns {[string, string]} */
function gateWords(code) {
  if (code === 4004) return [gettext("There is no such table"), gettext("It may have been closed before the game began.")];
  if (code === 4003) return [gettext("This page cannot reach the table"), gettext("The connection was opened from another address. Open the table on the site itself.")];
  return [gettext("You are signed out"), gettext("Your seat is kept and your clock may be running. Sign in to come back to the table.")];
}
