// What this browser says of itself, as one number: with the network it comes from it shows that two accounts
// may be one person's. Kept in a cookie; nothing else is.

const YEAR_S = 365 * 24 * 60 * 60;

/** What differs from one computer to another, and not from one day to the next. */
function traits() {
  const { languages, hardwareConcurrency, maxTouchPoints, platform } = navigator;
  const { width, height, colorDepth } = screen;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const size = [Math.max(width, height), Math.min(width, height), colorDepth, devicePixelRatio];
  return [navigator.userAgent, languages, platform, hardwareConcurrency, maxTouchPoints, zone, size];
}

/** SHA-256 in hexadecimal digits. @param {string} text */
async function digest(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Only where the page is safe is there anything to reckon with.
if (globalThis.isSecureContext) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `browser=${await digest(JSON.stringify(traits()))}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure}`;
}
