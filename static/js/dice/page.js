// The dice page of a match: checks the embedded record here, in this browser, and marks every roll.

import { sealSeen, seedOf } from "../table/seeds.js";
import { canVerify, commitment, parseRecord, verify } from "./verify.js";

const { gettext, ngettext, interpolate } = window;

/** @typedef {import("./verify.js").DiceRecord} DiceRecord */
/** @typedef {import("./verify.js").Finding} Finding */

const SEALED = /** @type {const} */ (["server", "light", "dark"]);

/** @type {Record<string, (finding: Finding) => string>} */
const SENTENCES = {
  bad_server_commit: () => gettext("The site’s number does not fit its seal."),
  bad_light_commit: () => gettext("Light’s number does not fit its seal."),
  bad_dark_commit: () => gettext("Dark’s number does not fit its seal."),
  seed_missing: () => gettext("A number is missing from the record."),
  wrong_roll: ({ n, thrown }) =>
    filled(gettext("Roll %(n)s is not what the numbers give: %(first)s and %(second)s."), { n, first: thrown?.[0], second: thrown?.[1] }),
  missing_number: ({ n }) => filled(gettext("Roll %(n)s is missing."), { n }),
  gap: ({ n, until }) => filled(gettext("Rolls %(n)s to %(until)s are missing."), { n, until }),
  duplicated_number: ({ n }) => filled(gettext("Roll %(n)s is there twice."), { n }),
  out_of_order: ({ n }) => filled(gettext("Roll %(n)s is out of order."), { n }),
  unexpected_number: ({ n }) => filled(gettext("Roll %(n)s was never drawn."), { n }),
};

const page = /** @type {HTMLElement} */ (document.querySelector("[data-dice-page]"));
const embedded = document.getElementById("dice-record");
if (page !== null && embedded !== null) await check(parseRecord(embedded.textContent ?? ""));

/** @param {DiceRecord} record */
async function check(record) {
  if (!canVerify()) {
    say("unknown", gettext("This browser can only check on a secure page (https). Use the script below."));
    return;
  }
  await markMemory(record);
  if (page.dataset["dicePage"] !== "open") return;
  say("busy", gettext("Checking …"));
  const findings = await verify(record);
  markSeals(findings);
  const wrong = markRolls(record, findings);
  tell(record, findings, wrong);
}

/** @param {Finding[]} findings */
function markSeals(findings) {
  const bad = new Set(findings.map((finding) => finding.problem));
  for (const who of SEALED) {
    const row = page.querySelector(`[data-seal="${who}"]`);
    mark(row, bad.has(`bad_${who}_commit`) ? "wrong" : "ok");
  }
}

/** @param {DiceRecord} record @param {Finding[]} findings @returns {number} how many rolls are wrong */
function markRolls({ rolls }, findings) {
  const doubted = new Set(findings.flatMap(({ n }) => (n === undefined ? [] : [n])));
  const rows = page.querySelectorAll("[data-roll]");
  rows.forEach((row, index) => mark(row, doubted.has(rolls[index]?.n ?? 0) ? "wrong" : "ok"));
  return rolls.filter(({ n }) => doubted.has(n)).length;
}

/** @param {DiceRecord} record @param {Finding[]} findings @param {number} wrong */
function tell({ drawn, rolls }, findings, wrong) {
  const right = rolls.length - wrong;
  const matching = filled(ngettext("%(right)s of %(drawn)s roll matches.", "%(right)s of %(drawn)s rolls match.", drawn), { right, drawn });
  const unproven = findings.length > 0 && right === drawn;
  say(findings.length === 0 ? "ok" : "wrong", unproven ? `${matching} ${gettext("But the record is not in order.")}` : matching);
  const list = page.querySelector("[data-problems]");
  list?.replaceChildren(
    ...findings.map((finding) => {
      const line = document.createElement("li");
      line.textContent = SENTENCES[finding.problem]?.(finding) ?? finding.problem;
      return line;
    }),
  );
  list?.toggleAttribute("hidden", findings.length === 0);
}

/**
 * What this browser itself remembers of the match is compared with the record.
 * @param {DiceRecord} record
 */
async function markMemory(record) {
  const line = page.querySelector("[data-memory]");
  const [seed, seal] = [seedOf(record.match_id), sealSeen(record.match_id)];
  if (line === null || seed === null) return;
  const own = [record.light_commit, record.dark_commit].includes(await commitment(seed));
  const same = own && (seal === null || seal === record.server_commit);
  line.textContent = same
    ? gettext("This browser took part in the match. The record holds the number it chose itself, and the seal of the site that it saw.")
    : gettext("The record does not hold the number that this browser chose, or not the seal of the site that it saw. If you accepted the match on another device, look at this page there.");
  mark(line, same ? "ok" : "wrong");
  line.removeAttribute("hidden");
}

/** @param {string} state @param {string} text */
function say(state, text) {
  const line = page.querySelector("[data-verdict]");
  if (line === null) return;
  mark(line, state);
  line.textContent = text;
}

/** @param {Element | null} element @param {string} state */
function mark(element, state) {
  if (element instanceof HTMLElement) element.dataset["state"] = state;
}

/** @param {string} text @param {Record<string, number | undefined>} values */
function filled(text, values) {
  const known = Object.entries(values).filter((entry) => entry[1] !== undefined);
  return interpolate(text, /** @type {Record<string, number>} */ (Object.fromEntries(known)), true);
}
