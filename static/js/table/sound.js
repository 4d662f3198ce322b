// Short tones made on the spot: nothing to load. A switch turns them off; the browser allows them after a first press.

import { recall, remember } from "./dom.js";

const KEY = "sound";
const LOUDNESS = 0.08;
const FADE_S = 0.05;

/** Frequency in hertz, start and length in seconds. @type {Record<string, [number, number, number][]>} */
const TONES = {
  roll: [[320, 0, 0.05], [240, 0.07, 0.05], [290, 0.14, 0.06]],
  move: [[180, 0, 0.06]],
  turn: [[523, 0, 0.1], [659, 0.11, 0.14]],
  offer: [[440, 0, 0.12], [554, 0.14, 0.12], [440, 0.28, 0.16]],
  low: [[880, 0, 0.09], [880, 0.16, 0.09]],
  chat: [[700, 0, 0.06]],
  won: [[523, 0, 0.12], [659, 0.13, 0.12], [784, 0.26, 0.24]],
  lost: [[392, 0, 0.14], [330, 0.16, 0.24]],
};

/** @type {AudioContext | null} */
let context = null;

export const soundOn = () => recall(KEY) !== "off";

/** @param {boolean} on */
export function setSound(on) {
  remember(KEY, on ? "on" : "off");
  if (on) play("turn");
}

/** Browsers give a page its voice only after the person has touched it. */
export function unlock() {
  context ??= typeof AudioContext === "undefined" ? null : new AudioContext();
  if (context?.state === "suspended") void context.resume();
}

/** @param {string} name */
export function play(name) {
  if (!context || context.state !== "running" || !soundOn()) return;
  for (const [frequency, start, length] of TONES[name] ?? []) tone(context, frequency, context.currentTime + start, length);
}

/** @param {AudioContext} audio @param {number} frequency @param {number} start @param {number} length */
function tone(audio, frequency, start, length) {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(LOUDNESS, start);
  gain.gain.exponentialRampToValueAtTime(LOUDNESS / 100, start + length + FADE_S);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length + FADE_S);
}
