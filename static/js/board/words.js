// What a screen reader hears on the board.

/** @import { BoardWords, CubeShown, Place, PlaceFacts, Side } from "../types.js" */

import "./catalog.js";

/** @type {BoardWords} */
export const words = {
  board({ dice, cube, orientation: { viewer, mover } }) {
    const parts = [
      gettext("Board"),
      viewer === "light" ? gettext("you play light") : gettext("you play dark"),
      mover === viewer ? gettext("your turn") : gettext("the opponent’s turn"),
      dice ? interpolate(gettext("dice %(dice)s"), { dice: listed(dice.values.map((die) => die.value)) }, true) : gettext("not rolled"),
    ];
    if (cube) parts.push(cubeWords(cube, viewer));
    return parts.join(", ");
  },
  place(facts) {
    const parts = [...where(facts)];
    if (facts.step) parts.push(landing(facts.step.dice, facts.step.hit));
    else if (facts.selected) parts.push(gettext("selected"));
    else if (facts.source) parts.push(gettext("can move"));
    return parts.join(", ");
  },
};

/** The board of two other people: nobody is "you".
 * @param {Record<Side, string>} names @returns {BoardWords} */
export function watching(names) {
  return {
    board: ({ dice, cube, orientation: { mover } }) =>
      [
        gettext("Board"),
        interpolate(gettext("%(name)s is on turn"), { name: names[mover] }, true),
        dice ? interpolate(gettext("dice %(dice)s"), { dice: listed(dice.values.map((die) => die.value)) }, true) : gettext("not rolled"),
        ...(cube ? [interpolate(gettext("cube %(value)s"), { value: cube.value }, true)] : []),
      ].join(", "),
    place: ({ place, whose, count, own, their }) => {
      const light = { name: names.light };
      const dark = { name: names.dark };
      if (place === "bar" || place === "off") {
        const counts = { light: light.name, dark: dark.name, own, their };
        return place === "bar"
          ? interpolate(gettext("Bar, %(light)s %(own)s, %(dark)s %(their)s"), counts, true)
          : interpolate(gettext("Borne off, %(light)s %(own)s, %(dark)s %(their)s"), counts, true);
      }
      const point = interpolate(gettext("Point %(number)s"), { number: place }, true);
      if (whose === "none") return [point, gettext("empty")].join(", ");
      return [point, whose === "own" ? light.name : dark.name, checkers(count)].join(", ");
    },
  };
}

/** @param {readonly number[]} values */
function listed(values) {
  return values.join(pgettext("between dice", " and "));
}

/** @param {CubeShown} cube @param {Side} viewer */
function cubeWords({ value, owner, offered }, viewer) {
  if (offered) return interpolate(gettext("cube offered at %(value)s"), { value }, true);
  if (!owner) return interpolate(gettext("cube %(value)s, in the middle"), { value }, true);
  if (owner === viewer) return interpolate(gettext("cube %(value)s, yours"), { value }, true);
  return interpolate(gettext("cube %(value)s, the opponent’s"), { value }, true);
}

/** @param {PlaceFacts} facts @returns {string[]} */
function where({ place, shown, whose, count, own, their }) {
  if (place === "bar") return [interpolate(gettext("Bar, yours %(own)s, opponent’s %(their)s"), { own, their }, true)];
  if (place === "off") return [interpolate(gettext("Borne off, yours %(own)s, opponent’s %(their)s"), { own, their }, true)];
  return [pointWords(place, shown), standing(whose, count)];
}

/** @param {number} place @param {Place} shown */
function pointWords(place, shown) {
  if (shown === place) return interpolate(gettext("Your %(number)s point"), { number: place }, true);
  return interpolate(gettext("Your %(number)s point, the opponent’s %(shown)s"), { number: place, shown }, true);
}

/** @param {PlaceFacts["whose"]} whose @param {number} count */
function standing(whose, count) {
  if (whose === "none") return gettext("empty");
  if (whose === "own") return checkers(count);
  return interpolate(gettext("opponent, %(checkers)s"), { checkers: checkers(count) }, true);
}

/** @param {number} count */
function checkers(count) {
  return interpolate(ngettext("%(count)s checker", "%(count)s checkers", count), { count }, true);
}

/** @param {readonly number[]} dice @param {boolean} hit */
function landing(dice, hit) {
  const values = { dice: dice.join(" + ") };
  return hit ? interpolate(gettext("hit here with %(dice)s"), values, true) : interpolate(gettext("move here with %(dice)s"), values, true);
}
