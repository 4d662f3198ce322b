// Keeps a list of rows equal to what the server sent, without touching rows that did not change.

/** @import { Changes, Prospect, Row } from "./types" */

/** What is known to be so for this reader stands in place of what is so between equals.
 * @param {Element} element @param {Prospect} prospect */
export function fillOwn(element, prospect) {
  for (const place of element.querySelectorAll("[data-own]")) {
    if (!(place instanceof HTMLElement)) continue;
    const text = prospect[/** @type {keyof Prospect} */ (place.dataset["own"])];
    if (place.textContent !== text) place.textContent = text;
    place.dataset["known"] = "";
  }
}

/** @param {Element} element @param {Row} row */
function fill(element, row) {
  const fields = /** @type {Record<string, string | number>} */ (/** @type {unknown} */ (row));
  for (const place of element.querySelectorAll("[data-field]:not([data-known])")) {
    const text = String(fields[/** @type {HTMLElement} */ (place).dataset["field"] ?? ""]);
    if (place.textContent !== text) place.textContent = text;
  }
  for (const link of element.querySelectorAll("a[data-link]")) {
    const address = String(fields[/** @type {HTMLElement} */ (link).dataset["link"] ?? ""]);
    if (address) link.setAttribute("href", address);
    else link.removeAttribute("href");
  }
  for (const button of element.querySelectorAll('button[name="offer"]')) {
    if (button instanceof HTMLButtonElement) button.value = row.id;
  }
}

/** @param {HTMLTemplateElement} template */
function made(template) {
  const element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  return element;
}

/** What the filters go by. @param {HTMLElement} element @param {Row} row */
function mark(element, row) {
  const points = "points" in row ? String(row.points) : "0";
  Object.assign(element.dataset, { id: row.id, variant: row.variant, kind: row.kind, stake: String(row.stake_minor), points });
}

/** Makes a list what it has become. @param {HTMLElement} list @param {HTMLTemplateElement} template @param {Changes<Row>} changes @param {HTMLElement | null} heading takes the focus of a row that goes */
export function changeRows(list, template, { gone, rows, order }, heading) {
  const there = new Map([...list.children].map((child) => [/** @type {HTMLElement} */ (child).dataset["id"] ?? "", /** @type {HTMLElement} */ (child)]));
  for (const id of gone) {
    const row = there.get(id);
    if (row) remove(row, heading);
    there.delete(id);
  }
  /** @type {HTMLElement[]} */
  const top = [];
  for (const row of rows) {
    const known = there.get(row.id);
    const element = known ?? made(template);
    mark(element, row);
    fill(element, row);
    if (!known) top.push(element);
    there.set(row.id, element);
  }
  list.prepend(...top);
  if (order) arrangeRows(list, order.flatMap((id) => there.get(id) ?? []));
}

/** @param {Element} row @param {HTMLElement | null} heading */
function remove(row, heading) {
  if (row.contains(document.activeElement)) heading?.focus();
  row.remove();
}

/** @param {HTMLElement} list @param {Element[]} wanted */
function arrangeRows(list, wanted) {
  wanted.forEach((element, place) => {
    const there = list.children[place];
    if (there !== element) list.insertBefore(element, there ?? null);
  });
}

/** @param {HTMLElement} list @param {HTMLTemplateElement} template @param {Row[]} rows @param {HTMLElement | null} heading takes the focus of a row that goes */
export function showRows(list, template, rows, heading) {
  const kept = new Map([...list.children].map((child) => [/** @type {HTMLElement} */ (child).dataset["id"], child]));
  const wanted = rows.map((row) => {
    const element = /** @type {HTMLElement} */ (kept.get(row.id) ?? made(template));
    kept.delete(row.id);
    mark(element, row);
    fill(element, row);
    return element;
  });
  for (const gone of kept.values()) remove(gone, heading);
  arrangeRows(list, wanted);
}
