// The parts beside the board: each is made from some values of the state, and made anew only when one of them changes.

import { answers } from "../answers/answers.js";
import { button, el } from "../shell/dom.js";
import { spokenMove, numberedMove, gameTitle, moveNotation } from "../shell/words.js";
import { graph } from "../analysis/graph.js";
import { buttons, switcher, tools } from "./modes.js";
import { bar, moveList, report, sides, standing, stepper } from "./panel.js";
import { texts } from "./sharing.js";
import { isHelped, isTurned, tells } from "./state.js";

/** @import { BoardView, MoveView } from "models" */
/** @import { Child } from "../shell/dom.js" */
/** @import { Controller } from "./controller.js" */
/** @import { Analysis, Game, Ready } from "./state.js" */

/**
 * The values that a part is made from, and the part; it is made by these values alone.
 * @typedef {[of: unknown[], make: () => Child]} Part
 */

const NO_STEPS = /** @type {never[]} */ ([]);
const NAMES = [
  "bar",
  "title",
  "status",
  "problem",
  "tools",
  "setup",
  "sides",
  "material",
  "clocks",
  "company",
  "modes",
  "actions",
  "engine",
  "beyond",
  "moves",
  "study",
  "graph",
  "more",
];

/**
 * The places of the parts, still empty.
 * @returns {Record<string, HTMLElement>}
 */
export const places = () => ({
  ...Object.fromEntries(NAMES.map((name) => [name, el("div", { class: `part-${name}` })])),
  title: el("h1"),
  status: el("p", { class: "standing", role: "status" }),
  problem: el("p", { class: "problem", role: "alert" }),
});

/**
 * The places beside the board.
 * @param {HTMLElement} board
 * @param {Record<string, HTMLElement>} all
 */
export const frame = (board, all) =>
  el(
    "div",
    { class: "table game" },
    el("section", { class: "place-of-board", "aria-label": "Board" }, all.bar, board),
    el(
      "section",
      { class: "side", "aria-label": "Game" },
      NAMES.slice(1).map((name) => all[name]),
    ),
  );

/**
 * Value of each move, for the side that numbers are shown for; a hint takes its place.
 * @param {Analysis} analysis
 * @param {boolean} forX
 */
export function marks({ hint, worth }, forX) {
  if (hint || !worth || !forX) return hint ?? worth;
  /** @type {Record<string, MoveView>} */
  const told = {};
  for (const [move, view] of Object.entries(worth)) told[move] = { ...view, brief: view.brief_x };
  return told;
}

/** Activity of the engine, in words; empty where it is idle. @param {Analysis} analysis */
function doing({ waiting, thinking, searching, worth, found }) {
  if (waiting) return answers.waits;
  if (thinking) return "Thinking…";
  if (searching) return worth ? "Looking deeper…" : "Looking…";
  return worth && !found?.certain ? "Stopped before the result was certain." : "";
}

/**
 * Sentence on the earlier position that is shown.
 * @param {Game} game
 * @param {BoardView} board
 * @param {number} ply
 * @param {boolean} isHeard Whether the move is in spoken words, not in written notation.
 */
function earlierText({ position }, board, ply, isHeard) {
  if (!ply) return "The first position.";
  const { plies_before, notation } = position;
  const words = isHeard ? notation.map((move) => spokenMove(board, move)) : notation;
  return `After ${numberedMove({ plies_before, notation: words }, ply)}.`;
}

/**
 * The parts of a state.
 * @param {Ready} state
 * @param {Controller} does
 * @returns {Record<string, Part>}
 */
export function parts(state, does) {
  const { game, shown, mode, analysis, menu, board } = state;
  const { moves, names } = game.position;
  const { found, of, steps } = analysis;
  const [ply, last] = [shown.moves.length, moves.length];
  const isNew = game.kind === "new";
  const isTold = tells(state);
  const reviewed = mode === "play" ? NO_STEPS : steps;
  const ended = shown.over && { text: shown.result, bar: shown.winner ? Number(shown.winner === "x") : 0.5 };
  const known = found && of === ply ? found.score : steps.find((step) => step.ply === ply)?.score;
  const title = gameTitle(menu.games, game.position.game);
  const tip = Object.keys(analysis.hint ?? {})[0];
  const [status, said] = [false, true].map((isHeard) => {
    const stands =
      ply === last ? standing(game, board, isTurned(state), isHeard) : earlierText(game, board, ply, isHeard);
    const tried = tip && moveNotation(shown, tip);
    return [stands, game.note, tried && `Try ${isHeard ? spokenMove(board, tried) : tried}.`].filter(Boolean).join(" ");
  });
  const words = doing(analysis);
  const side = state.forX || of !== ply ? "x" : shown.to_move; // as the list of best lines tells its numbers
  const before = of === ply ? "" : game.position.notation[of];
  const isSearching = analysis.thinking || analysis.searching;
  const told = isTold ? found : null;
  return {
    bar: [[isTold, ended && ended.text, known], () => isTold && bar(ended || known)],
    title: [[title], () => title],
    status: [
      [status],
      () =>
        said === status
          ? status
          : [el("span", { "aria-hidden": "true" }, status), el("span", { class: "unseen" }, said)],
    ],
    sides: [[game, analysis.thinking, state.isLost], () => sides(game, menu.players, analysis.thinking, state.isLost)],
    modes: [[isNew, mode, isHelped(game)], () => !isNew && isHelped(game) && switcher(mode, does.enter)],
    actions: [
      [game, shown, mode, state.values, state.asking, state.resigning, state.thoughts, steps.length > 0],
      () => !isNew && buttons(state, does),
    ],
    engine: [
      [told, words, isSearching, before, side],
      () => [
        (told || words) && report(told, words, names[side], side === "x", before),
        isSearching && button("Stop", does.stop),
      ],
    ],
    tools: [
      [game, shown, mode, state.resigning, state.redo],
      () => !isNew && [stepper(ply, last, does.go), tools(state, does)],
    ],
    moves: [[isNew, game.position, ply, reviewed], () => !isNew && moveList(game.position, ply, reviewed, does.go)],
    graph: [[reviewed, game.position, ply], () => reviewed.length > 0 && graph(reviewed, game.position, ply, does.go)],
    more: [[game, shown], () => !isNew && texts(game, shown)],
  };
}
