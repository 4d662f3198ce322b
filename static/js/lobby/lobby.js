// The lobby page: shows what the socket sends, opens the new-table form, goes to a table that was joined.

/** @import { LobbyFrame, Prospect } from "./types" */

import { createFilters } from "./filters.js";
import { showInvitations } from "./invitations.js";
import { notify, offerNotifications } from "./notify.js";
import { askAboutSeen } from "./prospects.js";
import { quoteAsTyped } from "./quote.js";
import { changeRows, fillOwn, showRows } from "./rows.js";
import { showWay } from "./seated.js";
import { connect } from "./socket.js";

/** @template {HTMLElement} T @param {string} selector @param {new () => T} type @returns {T} */
function part(selector, type) {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}

const root = part("[data-lobby]", HTMLElement);
const offers = part("[data-offers]", HTMLTableElement);
const offerRows = /** @type {HTMLElement} */ (offers.tBodies[0]);
const running = part("[data-running]", HTMLElement);
const offerTemplate = part("[data-offer-row]", HTMLTemplateElement);
const runningTemplate = part("[data-running-row]", HTMLTemplateElement);
const filters = createFilters(part("[data-filters]", HTMLFormElement), arrange);
/** @type {string[]} */
let mine = [...document.querySelectorAll("tr[data-mine]")].map((row) => /** @type {HTMLElement} */ (row).dataset["id"] ?? "");

/** Tables of people whom this reader does not meet. @type {string[]} */
let apart = [];

/** @type {Record<string, Prospect>} */
let prospects = {};

/** Fees and rating points as they are for this reader; what is no longer open is forgotten. */
function showProspects() {
  /** @type {Record<string, Prospect>} */
  const kept = {};
  for (const row of offerRows.children) {
    const id = row instanceof HTMLElement ? row.dataset["id"] ?? "" : "";
    const prospect = prospects[id];
    if (!prospect) continue;
    fillOwn(row, prospect);
    kept[id] = prospect;
  }
  prospects = kept;
}

/** Marks my rows, hides what is not wanted, and says so where nothing is left. */
function arrange() {
  for (const row of offerRows.children) {
    if (!(row instanceof HTMLElement)) continue;
    row.toggleAttribute("data-mine", mine.includes(row.dataset["id"] ?? ""));
    row.toggleAttribute("data-apart", apart.includes(row.dataset["id"] ?? ""));
  }
  const shown = filters.apply(offerRows);
  const any = offerRows.querySelector("tr:not([data-apart])") !== null;
  offers.hidden = shown === 0;
  part("[data-no-offers]", HTMLElement).hidden = any;
  part("[data-none-wanted]", HTMLElement).hidden = !any || shown > 0;
  part("[data-waiting]", HTMLElement).hidden = mine.length === 0;
  const watched = filters.apply(running);
  running.hidden = watched === 0;
  part("[data-no-running]", HTMLElement).hidden = watched > 0;
}

/** @param {Record<string, number>} heads */
function showHeads(heads) {
  for (const place of document.querySelectorAll("[data-count]")) {
    place.textContent = String(heads[/** @type {HTMLElement} */ (place).dataset["count"] ?? ""] ?? 0);
  }
}

/** @param {string} tables */
function listed(tables) {
  part("[data-tables]", HTMLElement).textContent = tables;
  showProspects();
  arrange();
  asking.look();
}

/** @param {LobbyFrame} frame */
function show(frame) {
  switch (frame.kind) {
    case "list":
      showRows(offerRows, offerTemplate, frame.offers, document.getElementById("offers-title"));
      showRows(running, runningTemplate, frame.running, document.getElementById("running-title"));
      return listed(frame.tables);
    case "changes":
      changeRows(offerRows, offerTemplate, frame.offers, document.getElementById("offers-title"));
      changeRows(running, runningTemplate, frame.running, document.getElementById("running-title"));
      return listed(frame.tables);
    case "mine":
      mine = frame.offers;
      apart = frame.apart;
      return arrange();
    case "invitations":
      return showInvitations(frame.rows);
    case "prospects":
      prospects = { ...prospects, ...frame.offers };
      return showProspects();
    case "heads":
      part("[data-players]", HTMLElement).textContent = frame.players;
      return showHeads(frame.rooms);
    case "seated":
      notify(gettext("Your table is ready."), frame.url);
      return showWay(part("[data-seated]", HTMLElement), frame, true);
    case "refused":
    case "bye":
    case "beat":
      return undefined;
  }
}

/** The lost strip waits a moment, so that a short break does not flicker. */
const LOST_AFTER_MS = 1000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let losing;

const line = connect(root.dataset["socket"] ?? "", {
  frame: show,
  standing(up) {
    const strip = part("[data-lost]", HTMLElement);
    clearTimeout(losing);
    if (up) strip.hidden = true;
    else losing = setTimeout(() => { strip.hidden = false; }, LOST_AFTER_MS);
  },
});

const asking = askAboutSeen(offerRows, (offers) => line.ask(offers));
offerNotifications();

const panel = document.querySelector("#new");
const form = document.querySelector("[data-new-form]");
if (panel instanceof HTMLElement && form instanceof HTMLFormElement) {
  for (const opener of document.querySelectorAll("a[data-new]")) {
    opener.addEventListener("click", (event) => {
      event.preventDefault();
      panel.dataset["open"] = "";
      panel.scrollIntoView({ block: "nearest" });
      const first = form.querySelector("#n-stake");
      if (first instanceof HTMLElement) first.focus();
    });
  }
  quoteAsTyped(form);
  const summary = form.querySelector("[data-summary]");
  if (summary instanceof HTMLElement) summary.focus();
}
document.querySelector("[data-all]")?.addEventListener("click", (event) => {
  event.preventDefault();
  filters.clear();
});

/** A second press of the same button changes nothing; the server would not mind either. */
document.addEventListener("submit", (event) => {
  const button = event instanceof SubmitEvent ? event.submitter : null;
  if (!(button instanceof HTMLElement)) return;
  if (button.getAttribute("aria-busy") === "true") event.preventDefault();
  button.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll('button[aria-busy="true"]')) button.removeAttribute("aria-busy");
});
arrange();
