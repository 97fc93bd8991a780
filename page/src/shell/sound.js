// A short click on a move; off until it is asked for.

import { keep, readStored } from "./storage.js";

const NAME = "sound";
/** @type {AudioContext | null} */
let context = null;

export const isOn = () => readStored(NAME, false);

export const toggle = () => keep(NAME, !isOn());

/** A click, if sound is on. */
export function click() {
  if (!isOn()) return;
  context ??= new AudioContext();
  const tone = new OscillatorNode(context, { frequency: 660, type: "triangle" });
  const level = new GainNode(context, { gain: 0.15 });
  tone.connect(level).connect(context.destination);
  level.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.08);
  tone.start();
  tone.stop(context.currentTime + 0.09);
}
