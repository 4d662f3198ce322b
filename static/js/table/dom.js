// Finding and making nodes; the template holds the fixed ones.

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement} */
export function find(root, selector) {
  const node = root.querySelector(selector);
  if (!(node instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
  return node;
}

/** @param {ParentNode} root @param {string} name */
export const part = (root, name) => find(root, `[data-part="${name}"]`);

/** @param {ParentNode} root @param {string} name */
export const fact = (root, name) => find(root, `[data-fact="${name}"]`);

/** @param {ParentNode} root @param {string} name @returns {HTMLButtonElement} */
export function actButton(root, name) {
  const node = find(root, `[data-act="${name}"]`);
  if (!(node instanceof HTMLButtonElement)) throw new Error(`${name} is not a button`);
  return node;
}

/** Writes only what is new, so that nothing is announced twice.
 * @param {HTMLElement} node @param {string | number} text */
export function write(node, text) {
  if (node.textContent !== String(text)) node.textContent = String(text);
}

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, string | boolean>} [attributes] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]} */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name   a symbol of icons.svg @param {string} [className] @returns {SVGSVGElement} */
export function icon(name, className = "i") {
  const drawing = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  const { icons = "" } = document.documentElement.dataset;
  drawing.setAttribute("class", className);
  drawing.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `${icons}#${name}`);
  drawing.append(use);
  return drawing;
}

/** What a player chose before, where the browser lets a page remember.
 * @param {string} key @returns {string | null} */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // a private window: the choice lasts as long as this page
  }
}
