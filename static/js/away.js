// Counts down, in the banner of every page, how much longer a player may be away from a running table.

import { clockText } from "./table/time.js";

const SECOND_MS = 1_000;
const loaded = performance.now();

for (const node of document.querySelectorAll("[data-left-ms]")) {
  if (node instanceof HTMLElement) setInterval(() => tick(node), SECOND_MS);
}

/** @param {HTMLElement} node */
function tick(node) {
  node.textContent = clockText(Number(node.dataset["leftMs"]) - (performance.now() - loaded));
}
