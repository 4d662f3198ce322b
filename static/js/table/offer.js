// The offered cube lies between the players; beside it stands what each answer costs.

/** @import { Match, View } from "../types.js" @import { Model } from "./session.js" */

import { fact, write } from "./dom.js";
import { money } from "./money.js";
import { pointsText } from "./phrases.js";

/** @param {HTMLElement} root @param {Model & { view: View, match: Match }} model */
export function showOffer(root, { view, you, match }) {
  const { offer } = view;
  const mine = offer !== null && offer.kind !== "resign" && you !== null && offer.by !== you;
  root.hidden = !mine;
  if (!mine) return;
  const value = offer.value ?? view.cube.value;
  write(fact(root, "take-price"), takeText(offer.take_at ?? null, value, match));
  write(fact(root, "drop-price"), typeof offer.drop_costs === "number" ? money(offer.drop_costs, match.currency) : pointsText(value / 2));
}

/** Where the table's limit is nearer than the cube, the limit is the price.
 * @param {number | null} atStake   at a point, after a take @param {number} value   of the cube @param {Match} match */
function takeText(atStake, value, { limit, currency }) {
  if (atStake === null) return pointsText(value);
  if (limit !== null && atStake >= limit) return interpolate(gettext("%(sum)s in all"), { sum: money(limit, currency) }, true);
  return interpolate(gettext("%(sum)s a point"), { sum: money(atStake, currency) }, true);
}
