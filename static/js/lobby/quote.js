// The new-table form: asks the server what a table would bring, and shows errors beside their fields. Counts nothing itself.

/** @import { Quote } from "./types" */

const WAIT_MS = 250;
const PROGRESS_MS = 300;

/** @param {HTMLFormElement} form */
export function quoteAsTyped(form) {
  const box = /** @type {HTMLElement} */ (form.querySelector("[data-quote]"));
  const body = /** @type {HTMLElement} */ (form.querySelector("[data-quote-rows]"));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  /** @type {AbortController | undefined} */
  let asking;

  /** @param {string} name @param {string} usual */
  function chosen(name, usual) {
    const input = form.querySelector(`[name="${name}"]:checked`);
    return input instanceof HTMLInputElement ? input.value : usual;
  }

  /** Shows what belongs to the kind; what is about the cube only where there is one. */
  function showKind() {
    const kind = chosen("kind", "single");
    const cube = chosen("variant", "backgammon") === "backgammon";
    for (const part of form.querySelectorAll("[data-for]")) {
      if (part instanceof HTMLElement) part.hidden = part.dataset["for"] !== kind || (!cube && "cube" in part.dataset);
    }
  }

  /** @param {Record<string, string>} errors */
  function showErrors(errors) {
    form.querySelector("[data-summary]")?.remove();
    for (const place of form.querySelectorAll("[data-error]")) {
      if (!(place instanceof HTMLElement)) continue;
      const name = place.dataset["error"] ?? "";
      const text = errors[name ? `n-${name}` : ""] ?? "";
      const words = place.querySelector("[data-text]");
      if (words !== null && words.textContent !== text) words.textContent = text;
      place.hidden = !text;
      form.querySelector(`#n-${name || "none"}`)?.setAttribute("aria-invalid", String(Boolean(text)));
    }
  }

  /** @param {Quote} quote */
  function show(quote) {
    showErrors(quote.errors);
    box.hidden = quote.rows === null;
    if (quote.rows === null) return;
    body.replaceChildren(...quote.rows.map((row) => {
      const line = document.createElement("tr");
      const name = Object.assign(document.createElement("th"), { scope: "row", textContent: row.name });
      const fee = Object.assign(document.createElement("td"), { className: "money", textContent: row.fee });
      const gain = Object.assign(document.createElement("td"), { className: "money", textContent: row.gain });
      gain.dataset["sign"] = "gain";
      line.append(name, fee, gain);
      return line;
    }));
    for (const [place, text] of [["[data-most]", quote.most], ["[data-note]", quote.note]]) {
      const element = form.querySelector(String(place));
      if (element !== null) element.textContent = text ?? "";
    }
  }

  async function ask() {
    asking?.abort();
    asking = new AbortController();
    const given = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (name !== "csrfmiddlewaretoken" && name !== "token") given.set(name, String(value));
    }
    const slow = setTimeout(() => box.setAttribute("aria-busy", "true"), PROGRESS_MS);
    try {
      const answer = await fetch(`${form.dataset["quoteUrl"]}?${given}`, { signal: asking.signal });
      if (answer.ok) show(/** @type {Quote} */ (await answer.json()));
    } catch {
      // Offline or overtaken by a newer question: the last answer stays.
    } finally {
      clearTimeout(slow);
      box.removeAttribute("aria-busy");
    }
  }

  form.addEventListener("input", () => {
    showKind();
    clearTimeout(waiting);
    waiting = setTimeout(ask, WAIT_MS);
  });
  showKind();
}
