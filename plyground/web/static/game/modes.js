// The controls of the three modes: playing, looking back and analysing.

import { button, el } from "../shell/dom.js";
import { has } from "../shell/pages.js";
import * as link from "../shell/link.js";
import { harder, here, holdsAll, isOver, isPerson, isPlayed, mayMove, ownSides } from "./state.js";

/** @import { Child, Properties } from "../shell/dom.js" */
/** @import { Controller } from "./controller.js" */
/** @import { Mode, Ready } from "./state.js" */

/** @type {[Mode, string][]} */
const MODES = [["play", "Play"], ["back", "Look back"], ["analyse", "Analyse"]];

/**
 * The choice between them.
 * @param {Mode} chosen
 * @param {(mode: Mode) => void} onmode
 */
export const switcher = (chosen, onmode) =>
  el("div", { class: "modes", role: "group", "aria-label": "What to do" },
    MODES.map(([mode, words]) => button(words, () => onmode(mode), { pressed: mode === chosen })));

/** Controls that are seldom used, behind a button. */
const QUIET = { class: "quiet" };
const MAIN = { class: "primary" };

/**
 * The buttons of a mode.
 * @param {Ready} state
 * @param {Controller} does
 * @returns {Child[]}
 */
export function buttons(state, does) {
  const { game, shown, mode, redo, menu } = state;
  const { x, o } = game.players;
  const last = game.position.moves.length;
  const isFull = holdsAll(game);
  const isEnded = isPlayed(game) && game.over && isFull;
  const own = ownSides(game);
  /**
   * A button, if it can be used.
   * @type {(can: unknown, words: string, act: () => unknown, more?: Properties) => Child}
   */
  const maybe = (can, words, act, more) => Boolean(can) && button(words, () => does.attempt(act), more);
  /** One that is marked where it cannot be used. @type {(can: unknown, words: string, act: () => unknown) => Child} */
  const ready = (can, words, act) => button(words, () => does.attempt(act), { disabled: !can });
  const flip = button("Flip", () => does.toggle("flipped"), QUIET);
  const goOn = maybe(shown.moves.length < last || !isPlayed(game), "Play on from here", does.goOn);
  const undo = isFull && [ready(last, "Undo", does.undo), ready(redo.length, "Redo", does.redo)];
  const resigning = () => does.toggle("resigning");
  if (mode === "back") return [ready(last, "Review the game", does.review), goOn, flip];
  if (mode === "analyse") {
    const { game: spec, start, moves } = here(state);
    return [
      button("Values", does.toggleValues, { pressed: state.values }),
      button("Why not…", does.ask, { pressed: state.asking, disabled: shown.over }),
      undo,
      goOn,
      flip,
      !shown.over && has("tree")
        && el("a", { class: "button", href: link.write(["tree"], { game: spec, start, moves: moves.join(" ") }) },
          "Watch a search"),
    ];
  }
  if (state.resigning && !game.over) {
    return [
      el("span", { class: "question" }, "Give up this game?"),
      button("No, go on", resigning),
      button("Yes, give up", () => does.attempt(does.resign)),
    ];
  }
  const stronger = harder(menu.players, game.players);
  const isAlone = isPlayed(game) && !(isPerson(game, "x") && isPerson(game, "o"));
  const back = () => {
    does.enter("back");
    return does.review();
  };
  return [
    maybe(isEnded, "Play again", () => does.again({ x, o }), MAIN),
    maybe(isEnded && own.length === 1, "The other side", () => does.again({ x: o, o: x })),
    maybe(isEnded && stronger, "Harder", () => stronger && does.again(stronger)),
    maybe(isOver(game, shown), "What went wrong", back),
    !isOver(game, shown) && isFull && ready(!shown.over && mayMove(game, shown), "Hint", does.hint),
    undo,
    goOn,
    flip,
    isAlone && button("Its thoughts", () => does.toggle("thoughts"), { pressed: state.thoughts, ...QUIET }),
    isPlayed(game) && !game.over && own.length > 0 && button("Resign", resigning, QUIET),
  ];
}
