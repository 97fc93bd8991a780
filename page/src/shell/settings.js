// Dialog of settings, and the list of keys.

import { button, el } from "./dom.js";
import * as sound from "./sound.js";
import { looks } from "./theme.js";

const KEYS = [
  ["Arrow keys on the board", "go from place to place"],
  ["Enter or Space on a place", "play there, or choose it and where to go on"],
  ["Escape", "let go of what was chosen"],
  ["b", "go to the board"],
  ["← →", "previous and next position, off the board"],
  ["Home, End", "first and last position"],
  ["u", "undo"],
  ["f", "flip the board; in a search: full screen"],
  ["v", "engine on and off"],
  ["n, p, c", "in a search: next step, previous step, next cut"],
  ["t", "go to the search tree; arrows walk in it, Enter opens and closes"],
];

/** The dialog. */
export function settings() {
  /** @type {HTMLButtonElement} */
  const toggle = button(
    "Sound on a move",
    () => {
      sound.toggle();
      toggle.setAttribute("aria-pressed", String(sound.isOn()));
    },
    { pressed: sound.isOn() },
  );
  /** @type {HTMLDialogElement} */
  const dialog = el(
    "dialog",
    { "aria-label": "Settings", onclose: () => dialog.remove() },
    el("h2", {}, "Settings"),
    ...looks(),
    el("p", {}, toggle),
    el("h2", {}, "Keys"),
    el(
      "dl",
      {},
      KEYS.map(([key, words]) => [el("dt", {}, key), el("dd", {}, words)]),
    ),
    button("Close", () => dialog.close()),
  );
  document.body.append(dialog);
  dialog.showModal();
}
