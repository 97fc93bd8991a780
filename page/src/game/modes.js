// The controls of the three modes: playing, looking back and analysing.

import { button, el } from "../shell/dom.js";
import { iconButton } from "../shell/icons.js";
import { has } from "../shell/pages.js";
import * as link from "../shell/link.js";
import { harder, here, holdsAll, isHelped, isOver, isPerson, isPlayed, mayMove, ownSides } from "./state.js";

/** @import { Child, Properties } from "../shell/dom.js" */
/** @import { Controller } from "./controller.js" */
/** @import { Mode, Ready } from "./state.js" */

/** @type {[Mode, string][]} */
const MODES = [
  ["play", "Play"],
  ["back", "Look back"],
  ["analyse", "Analyse"],
];

/**
 * The choice between them.
 * @param {Mode} chosen
 * @param {(mode: Mode) => void} onmode
 */
export const switcher = (chosen, onmode) =>
  el(
    "div",
    { class: "modes", role: "group", "aria-label": "What to do" },
    MODES.map(([mode, words]) => button(words, () => onmode(mode), { pressed: mode === chosen })),
  );

const QUIET = { class: "quiet" };
const MAIN = { class: "primary" };

/**
 * Tools of every mode, as icons: undo, redo, hint, flip, resign.
 * @param {Ready} state
 * @param {Controller} does
 * @returns {Child[]}
 */
export function tools(state, does) {
  const { game, shown, mode, redo } = state;
  const isFull = holdsAll(game);
  const isPlaying = mode === "play" && !isOver(game, shown);
  /**
   * One that is marked where it cannot be used.
   * @type {(can: unknown, name: string, words: string, act: () => unknown) => Child}
   */
  const ready = (can, name, words, act) => iconButton(name, words, () => does.attempt(act), { disabled: !can });
  const canResign = mode === "play" && isPlayed(game) && !game.over && ownSides(game).length > 0;
  return [
    mode !== "back" &&
      isFull && [
        ready(does.source.undo && game.position.moves.length, "undo", "Undo", does.undo),
        ready(redo.length, "redo", "Redo", does.redo),
      ],
    isPlaying &&
      (isFull || ownSides(game).length > 0) &&
      isHelped(game) &&
      ready(mayMove(game, shown), "hint", "Hint", does.hint),
    iconButton("flip", "Flip", () => does.toggle("flipped")),
    canResign && iconButton("resign", "Resign", () => does.toggle("resigning"), { disabled: state.resigning }),
  ];
}

/**
 * The buttons of a mode: what is done first comes first.
 * @param {Ready} state
 * @param {Controller} does
 * @returns {Child[]}
 */
export function buttons(state, does) {
  const { game, shown, mode, menu } = state;
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
  const goOn = maybe(isHelped(game) && (shown.moves.length < last || !isPlayed(game)), "Play on from here", does.goOn);
  const resigning = () => does.toggle("resigning");
  if (mode === "back") {
    const isReviewed = state.analysis.steps.length > 0;
    const reviewing = () => does.attempt(does.review);
    return [button("Review the game", reviewing, { disabled: !last, class: isReviewed ? "" : "primary" }), goOn];
  }
  if (mode === "analyse") {
    const { game: spec, start, moves } = here(state);
    return [
      button("Engine", does.toggleValues, { pressed: state.values }),
      button("Why not…", does.ask, { pressed: state.asking, disabled: shown.over }),
      goOn,
      !shown.over &&
        has("tree") &&
        el(
          "a",
          { class: "button", href: link.write(["tree"], { game: spec, start, moves: moves.join(" ") }) },
          "Watch a search",
        ),
    ];
  }
  if (state.resigning && !game.over) {
    return [
      el("span", { class: "asks" }, "Give up this game?"),
      button("No, go on", resigning),
      button("Yes, give up", () => does.attempt(does.resign)),
      state.board.draws && own.length === 2 && button("Agree on a draw", () => does.attempt(does.agreeOnDraw)),
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
    goOn,
    isAlone && button("What it was thinking", () => does.toggle("thoughts"), { pressed: state.thoughts, ...QUIET }),
  ];
}
