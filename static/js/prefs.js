// Light or dark and the board's material: a dialog that writes cookies. The server puts them on <html>, so nothing flashes.

const A_YEAR_S = 365 * 24 * 60 * 60;
const root = document.documentElement;

/** @type {Record<string, { label: string, otherwise: string, options: Record<string, string> }>} */
const CHOICES = {
  theme: {
    label: gettext("Colours"),
    otherwise: "auto",
    options: { auto: gettext("Like my device"), light: gettext("Light"), dark: gettext("Dark") },
  },
  board: {
    label: gettext("Board"),
    otherwise: "wood",
    options: { wood: gettext("Wood"), slate: gettext("Slate"), contrast: gettext("High contrast") },
  },
};

/** @param {string} name @param {string} value */
function choose(name, value) {
  if (name === "theme" && value === "auto") delete root.dataset["theme"];
  else root.dataset[name] = value;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=${A_YEAR_S}; samesite=lax${secure}`;
}

/** @param {string} tag @param {Record<string, string | boolean>} attributes @param {(Node | string)[]} children */
function node(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** @param {string} name */
function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("class", "i");
  drawing.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `${root.dataset["icons"] ?? ""}#${name}`);
  drawing.append(use);
  return drawing;
}

/** @param {string} name */
function fieldset(name) {
  const { label, otherwise, options } = /** @type {(typeof CHOICES)[string]} */ (CHOICES[name]);
  const current = root.dataset[name] ?? otherwise;
  const labels = Object.entries(options).map(([value, text]) => {
    const input = node("input", { type: "radio", name: `pref-${name}`, value, checked: current === value });
    input.addEventListener("change", () => choose(name, value));
    return node("label", {}, input, node("span", {}, text));
  });
  return node("fieldset", { class: "field" }, node("legend", {}, label), node("div", { class: "seg" }, ...labels));
}

/** A page adds its own switches when it hears "settings:build" on the document; detail.body is where they go. */
function build() {
  const close = node("button", { class: "btn btn-quiet btn-icon", type: "button", "aria-label": gettext("Close") }, icon("close"));
  const body = node("div", { class: "sheet-body" }, ...Object.keys(CHOICES).map(fieldset));
  const head = node("div", { class: "sheet-head" }, node("h2", { id: "settings-title" }, gettext("Settings")), close);
  const dialog = /** @type {HTMLDialogElement} */ (
    node("dialog", { class: "sheet-dialog", "aria-labelledby": "settings-title" }, head, body)
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.dispatchEvent(new CustomEvent("settings:build", { detail: { body } }));
  document.body.append(dialog);
  return dialog;
}

/** @type {HTMLDialogElement | null} */
let dialog = null;
for (const opener of document.querySelectorAll('[data-open="settings"]')) {
  opener.addEventListener("click", (event) => {
    event.preventDefault();
    dialog ??= build();
    dialog.showModal();
  });
}
