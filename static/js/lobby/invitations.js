// Tables that friends have opened for the reader: a list, and one notification for each that is new.

/** @import { Invitation } from "./types" */

import { notify } from "./notify.js";

const told = new Set([...document.querySelectorAll("[data-invitation]")].map((row) => /** @type {HTMLElement} */ (row).dataset["invitation"] ?? ""));

/** @param {Invitation[]} rows */
export function showInvitations(rows) {
  const list = document.querySelector("[data-invitations]");
  const template = document.querySelector("[data-invitation-row]");
  if (!(list instanceof HTMLElement) || !(template instanceof HTMLTemplateElement)) return;
  list.replaceChildren(...rows.map((row) => {
    const element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
    element.dataset["invitation"] = row.id;
    for (const place of element.querySelectorAll("[data-field]")) {
      place.textContent = row[/** @type {"name" | "what" | "stake"} */ (/** @type {HTMLElement} */ (place).dataset["field"])];
    }
    element.querySelector("a")?.setAttribute("href", row.url);
    return element;
  }));
  const box = list.closest("[data-invitations-box]");
  if (box instanceof HTMLElement) box.hidden = rows.length === 0;
  for (const row of rows) {
    if (!told.has(row.id)) notify(interpolate(gettext("%(name)s invites you to a table."), { name: row.name }, true), row.url);
    told.add(row.id);
  }
}
