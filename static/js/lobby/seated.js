// The way to a table that was just joined: by itself, once; after that a banner shows it.

const KEY = "seated";

/** @param {string} match */
function isNew(match) {
  try {
    const before = sessionStorage.getItem(KEY);
    sessionStorage.setItem(KEY, match);
    return before !== match;
  } catch {
    return true;
  }
}

/** Shows the way and, the first time in this tab, goes it. @param {HTMLElement} note @param {{ match: string, url: string }} seat @param {boolean} go */
export function showWay(note, { match, url }, go) {
  const link = note.querySelector("[data-seated-link]");
  // The page may already show the way to a running match.
  note.hidden = [...document.querySelectorAll("a.btn")].some((other) => other !== link && other.getAttribute("href") === url);
  if (link instanceof HTMLAnchorElement) link.href = url;
  if (go && isNew(match)) location.assign(url);
}
