// Sums of money as people read them. Amounts are integers of minor units; chips have none smaller.

/** @import { FeeRow, Match } from "../types.js" */

import "../board/catalog.js";

const CENTS = 100;
const CHIPS = "PLAY";
const MINUS = "−";

/** @param {string} language */
const locale = (language) => language || "en";

/** @param {number} amount @param {string} currency @param {string} [language] */
export function money(amount, currency, language = document.documentElement.lang) {
  const sign = amount < 0 ? MINUS : "";
  const whole = Math.abs(amount);
  if (currency === CHIPS) {
    const count = new Intl.NumberFormat(locale(language)).format(whole);
    return sign + interpolate(ngettext("%(count)s chip", "%(count)s chips", whole), { count }, true);
  }
  return sign + new Intl.NumberFormat(locale(language), { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(whole / CENTS);
}

/** With its sign always said.
 * @param {number} amount @param {string} currency @param {string} [language] */
export function signed(amount, currency, language) {
  return (amount > 0 ? "+" : "") + money(amount, currency, language);
}

/** A change of a rating, its sign always said.
 * @param {number} hundredths */
export function ratingPoints(hundredths) {
  const whole = Math.abs(hundredths);
  return `${hundredths < 0 ? MINUS : "+"}${Math.floor(whole / CENTS)}.${String(whole % CENTS).padStart(2, "0")}`;
}

/** What losing at this level costs: the same sum that the winner wins before the fee.
 * @param {readonly FeeRow[]} rows @param {number} level */
export function worthOf(rows, level) {
  return rows.find((row) => row.win_kind === level);
}

/** @param {Match} match */
export const isSingle = (match) => match.kind === "single";
