// Reminds a player, as often as they asked for it, how long they have been here and what play has brought.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const KEY = "reminded";

const box = document.querySelector("[data-reminder]");
if (box instanceof HTMLElement) watch(box);

/** @param {HTMLElement} box */
function watch(box) {
  const everyMs = Number(box.dataset["every"]) * MINUTE_MS;
  const beganMs = Number(box.dataset["began"]) * SECOND_MS;
  const look = () => {
    if (!box.hidden || Date.now() - lastTime(beganMs) < everyMs) return;
    localStorage.setItem(KEY, String(Date.now()));
    void remind(box);
  };
  box.querySelector("[data-go-on]")?.addEventListener("click", () => { box.hidden = true; });
  setInterval(look, SECOND_MS);
  look();
}

/** When this sitting began, or the last reminder came, in any tab. @param {number} beganMs @returns {number} */
function lastTime(beganMs) {
  return Math.max(beganMs, Number(localStorage.getItem(KEY) ?? 0));
}

/** @param {HTMLElement} box */
async function remind(box) {
  const answer = await fetch(box.dataset["url"] ?? "", { headers: { Accept: "application/json" } });
  if (!answer.ok) return;
  /** @type {{ minutes: number, result: string }} */
  const found = await answer.json();
  const text = ngettext("You have been here for %(minutes)s minute. Playing for money: %(result)s.",
    "You have been here for %(minutes)s minutes. Playing for money: %(result)s.", found.minutes);
  const says = box.querySelector("[data-says]");
  if (says) says.textContent = interpolate(text, found, true);
  box.hidden = false;
}
