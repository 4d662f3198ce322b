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
  const atStake = typeof offer.take_at === "number";
  write(fact(root, "take-price"), atStake
    ? interpolate(gettext("%(sum)s a point"), { sum: money(offer.take_at ?? 0, match.currency) }, true)
    : pointsText(value));
  write(fact(root, "drop-price"), typeof offer.drop_costs === "number" ? money(offer.drop_costs, match.currency) : pointsText(value / 2));
}
