// Playing, looking back and analysing: what can be done in each, and nothing else.

import { button, el } from "./dom.js";

/** @import { Child } from "./dom.js" */

/** @typedef {"play" | "back" | "analyse"} Mode */

/** @type {[Mode, string][]} */
const MODES = [["play", "Play"], ["back", "Look back"], ["analyse", "Analyse"]];

/**
 * The mode that a link names, if it names one.
 * @param {string | undefined} text
 */
export const modeOf = (text) => MODES.find(([mode]) => mode === text)?.[0] ?? null;

/**
 * What a position is for, where nobody has said it: a game that goes on is played, one that is over is looked back at.
 * @param {{ played: boolean, fresh: boolean, over: boolean }} source
 * @returns {Mode}
 */
export function usualMode({ played, fresh, over }) {
  if (fresh) return "play";
  if (!played) return "analyse";
  return over ? "back" : "play";
}

/**
 * The choice between them.
 * @param {Mode} chosen
 * @param {(mode: Mode) => void} onmode
 */
export const switcher = (chosen, onmode) =>
  el("div", { class: "modes", role: "group", "aria-label": "What to do" },
    MODES.map(([mode, words]) => button(words, () => onmode(mode), { pressed: mode === chosen })));

/**
 * What can be done with a game: each is null where it cannot.
 * @typedef {object} Acts
 * @property {(() => unknown) | null} undo
 * @property {(() => unknown) | null} redo
 * @property {() => unknown} flip
 * @property {(() => unknown) | null} hint
 * @property {(() => unknown) | null} thoughts Show what the opponent thinks, or not.
 * @property {(() => unknown) | null} resign Ask whether to.
 * @property {() => unknown} giveUp
 * @property {() => unknown} stay Do not resign after all.
 * @property {(() => unknown) | null} again Once more, once it is over.
 * @property {(() => unknown) | null} otherSide
 * @property {(() => unknown) | null} harder
 * @property {() => unknown} whatWentWrong
 * @property {(() => unknown) | null} review
 * @property {() => unknown} values
 * @property {(() => unknown) | null} ask Why not this move?
 * @property {(() => unknown) | null} goOn Play on from the shown position.
 * @property {string | null} search The link to a search of it.
 */

/**
 * How things stand.
 * @typedef {object} State
 * @property {boolean} over
 * @property {boolean} mayUndo Whether moves can be taken back in this game at all.
 * @property {boolean} resigning Whether it is asked if the game is given up.
 * @property {boolean} values Whether values are shown.
 * @property {boolean} asking Whether a move is asked for, to be refuted.
 * @property {boolean} thoughts Whether the opponent's thoughts are shown.
 */

/** @param {string} words @param {(() => unknown) | null} act @param {import("./dom.js").Properties} [more] */
const maybe = (words, act, more = {}) => act && button(words, act, more);

/** @param {string} words @param {(() => unknown) | null} act @param {import("./dom.js").Properties} [more] */
const ready = (words, act, more = {}) => button(words, act ?? (() => {}), { disabled: !act, ...more });

/** What is seldom wanted stands back. */
const QUIET = { class: "quiet" };

/** @type {Record<Mode, (acts: Acts, state: State) => Child[]>} */
const BUTTONS = {
  play: (acts, { over, mayUndo, resigning, thoughts }) => (resigning
    ? [
      el("span", { class: "question" }, "Give up this game?"),
      button("No, go on", acts.stay),
      button("Yes, give up", acts.giveUp),
    ]
    : [
      maybe("Play again", acts.again, { class: "primary" }),
      maybe("The other side", acts.otherSide),
      maybe("Harder", acts.harder),
      over && button("What went wrong", acts.whatWentWrong),
      !over && mayUndo && ready("Hint", acts.hint),
      mayUndo && ready("Undo", acts.undo),
      mayUndo && ready("Redo", acts.redo),
      maybe("Play on from here", acts.goOn),
      button("Flip", acts.flip, QUIET),
      maybe("Its thoughts", acts.thoughts, { pressed: thoughts, ...QUIET }),
      maybe("Resign", acts.resign, QUIET),
    ]),
  back: (acts) => [
    ready("Review the game", acts.review),
    maybe("Play on from here", acts.goOn),
    button("Flip", acts.flip, QUIET),
  ],
  analyse: (acts, { values, asking, mayUndo }) => [
    button("Values", acts.values, { pressed: values }),
    ready("Why not…", acts.ask, { pressed: asking }),
    mayUndo && ready("Undo", acts.undo),
    mayUndo && ready("Redo", acts.redo),
    maybe("Play on from here", acts.goOn),
    button("Flip", acts.flip, QUIET),
    acts.search && el("a", { class: "button", href: acts.search }, "Watch a search"),
  ],
};

/**
 * The buttons of a mode.
 * @param {Mode} mode
 * @param {Acts} acts
 * @param {State} state
 */
export const buttons = (mode, acts, state) => BUTTONS[mode](acts, state);
