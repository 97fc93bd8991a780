// Going through a recorded search: step by step, by itself, from cut to cut.

import { button, el, select } from "../shell/dom.js";
import { iconButton } from "../shell/icons.js";

/** @import { Step } from "./recorded.js" */

/** Steps in a second. */
const SPEEDS = [
  ["1", "slowly"],
  ["4", "steadily"],
  ["20", "quickly"],
  ["120", "very quickly"],
];
/** Drawings in a second, at most. */
const DRAWINGS = 30;

export class Player {
  /** @type {Step[]} */
  steps = [];
  /** The current step; as many as there are once the search is over. */
  step = 0;
  #timer = 0;

  /** @param {() => void} onstep The current step is another. */
  constructor(onstep) {
    this.onstep = onstep;
    this.playing = button("Play", () => this.#toggle(), { pressed: false });
    this.speed = select(SPEEDS, "4", { "aria-label": "Speed" });
    this.speed.addEventListener("change", () => this.#timer && this.#play());
    this.cut = button("Next cut", () => this.nextCut(), { "aria-label": "Jump to the next cut" });
    this.node = el(
      "div",
      { class: "part-actions", role: "group", "aria-label": "Go through the search" },
      iconButton("first", "Before the search", () => this.to(0)),
      iconButton("back", "Previous step", () => this.to(this.step - 1)),
      this.playing,
      iconButton("on", "Next step", () => this.to(this.step + 1)),
      this.cut,
      iconButton("last", "After the search", () => this.to(this.steps.length)),
      this.speed,
    );
  }

  /** @param {Step[]} steps */
  load(steps) {
    this.steps = steps;
    this.step = steps.length;
    this.cut.disabled = !steps.some(({ kind }) => kind === "cut");
  }

  /** The current step; undefined once the search is over. @returns {Step | undefined} */
  get now() {
    return this.steps[this.step];
  }

  get isPlaying() {
    return this.#timer !== 0;
  }

  /** Number of nodes entered by the current step: nodes are numbered in that order. */
  get enteredCount() {
    if (!this.now) return Infinity;
    for (let step = this.step; ; step--) if (this.steps[step].kind === "enter") return this.steps[step].node + 1;
  }

  /** @param {number} step */
  to(step) {
    if (!this.steps.length) return;
    this.step = Math.max(0, Math.min(step, this.steps.length));
    this.onstep();
  }

  nextCut() {
    const from = this.now ? this.step + 1 : 0;
    const found = this.steps.findIndex((step, index) => index >= from && step.kind === "cut");
    this.to(found < 0 ? this.steps.length : found);
  }

  #toggle() {
    if (this.#timer) this.pause();
    else this.#play();
  }

  #play() {
    const rate = Number(this.speed.value);
    this.pause();
    if (!this.now) this.to(0);
    const each = Math.max(1, Math.round(rate / DRAWINGS));
    this.#timer = window.setInterval(
      () => {
        this.to(this.step + each);
        if (!this.now) this.pause();
      },
      (1000 * each) / rate,
    );
    this.playing.setAttribute("aria-pressed", "true");
    this.playing.textContent = "Pause";
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.playing.setAttribute("aria-pressed", "false");
    this.playing.textContent = "Play";
  }
}
