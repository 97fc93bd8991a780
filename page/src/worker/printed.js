// Output of the lessons' commands, as the terminal's verbs word it (`terminal/verbs`), by a game's module.

import { constants } from "./constants.js";
import {
  FIRST_EXPLANATION,
  COMPARED_HEAD,
  bestPlay,
  censusLine,
  lateLine,
  perftLine,
  rowCells,
  searchLines,
  solvedLines,
} from "../made/terminal/lines.js";
import { Position } from "./position.js";
import { race } from "./microscope/racing.js";
import { searchOnce } from "./microscope/searched.js";
import { describeNode, spy, textLines } from "../made/microscope/forms.js";
import { recordSearch } from "./microscope/recording.js";
import { Refused } from "./refused.js";
import { bestFirst } from "../made/score.js";
import { simulate } from "./engine/simulating.js";
import { smallSweep } from "./engine/sweeping.js";
import { think } from "./engine/thinking.js";

/** @import { RaceView } from "models" */
/** @import { Game } from "./game.js" */
/** @import { Report } from "../made/engine/report.js" */

/**
 * A command that is a search (`Search` in `web/lessons/examples.py`): its verb, the moves to its position, and its
 * options, each with the word that follows.
 * @typedef {{ verb: string, game: string, moves: readonly string[], options: Record<string, string> }} Search
 */

/** All that is printed by now, and what is being done. @typedef {{ output: string, standing: string }} Printed */

const RUNNING = "Running…";
/** Monte Carlo search has a tree of its own, and other options. */
const MCTS = /^mcts(?::exploration=([\d.]+))?$/;
/** Seconds for listing all states of a game that may cycle. */
const LISTING = 60;

/** @type {Record<string, (here: Position, options: Record<string, string>) => Iterable<Printed>>} */
const VERBS = { perft, search, tree, compare, analyse, solve };

/**
 * Output of a command, more and more of it.
 * @param {Game} game
 * @param {Search} asked
 */
export function runCommand(game, { verb, moves, options }) {
  const here = moves.reduce((position, word) => position.play(word), Position.at(game));
  return VERBS[verb](here, options);
}

/** Each line with its end. @param {readonly string[]} said */
const lines = (said) => said.map((line) => `${line}\n`).join("");

const since = (/** @type {number} */ started) => (performance.now() - started) / 1000;

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* perft(here, { depth }) {
  let output = "";
  for (let plies = 1; plies <= Number(depth); plies++) {
    const started = performance.now();
    output += lines([perftLine(plies, sequences(here, plies), since(started))]);
    yield { output, standing: RUNNING };
  }
}

/** Number of sequences of so many moves. @param {Position} here @param {number} plies @returns {number} */
const sequences = (here, plies) =>
  plies <= 1 && here.outcome === null
    ? here.legalMoves.length
    : here.legalMoves.reduce((sum, move) => sum + sequences(here.after(move), plies - 1), 0);

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* search(here, options) {
  const report = runSearch(here, options);
  const move = here.game.notationText(here.state, report.move);
  const output = lines(searchLines(report.score.text(here.game.names), move, report, report.seconds));
  yield { output, standing: RUNNING };
}

/** @param {Position} here @param {Record<string, string>} options */
function runSearch(here, { algorithm, depth, nodes, textbook }) {
  const random = MCTS.exec(algorithm);
  if (random) {
    const exploration = random[1] === undefined ? undefined : Number(random[1]);
    const report = simulate(here, nodes ? { nodes: Number(nodes) } : undefined, { exploration });
    return { ...report, move: report.variation[0] };
  }
  if (!Object.hasOwn(here.game.facts.textbook, algorithm)) {
    throw new Refused(`This page has no search ${algorithm}.`);
  }
  const started = performance.now();
  const report = searchOnce(here, algorithm, Number(depth), { preferShorter: textbook === undefined });
  return { ...report, seconds: since(started) };
}

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* tree(here, { algorithm, depth, plies, why: node, spy: isSpy }) {
  const asked = { algorithm, depth: Number(depth), preferShorter: true, plies: plies ? Number(plies) : undefined };
  const found = recordSearch(here, asked);
  const output =
    node !== undefined
      ? describeNode(found, found.nodeAt(node.split(" ").filter(Boolean)))
      : isSpy !== undefined
        ? spy(found)
        : lines(textLines(found));
  yield { output, standing: RUNNING };
}

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* compare(here, { algorithms, depth, time }) {
  const [least, most = least] = depth.split("..").map(Number);
  const asked = { algorithms: algorithms.split(" ").filter(Boolean), depth: most, seconds: Number(time) };
  /** @type {RaceView | null} */
  let last = null;
  for (const found of race(here, asked, constants.thinking.table)) {
    last = found;
    yield { output: "", standing: `Searched: ${found.rows.at(-1)?.algorithm ?? "nothing yet"}` };
  }
  const rows = (last?.rows ?? []).filter((row) => row.depth >= least).map(rowCells);
  const late = (last?.unfinished ?? []).map(([name, plies]) => `${lateLine(name, plies)}.`);
  yield { output: figures(rows) + lines([FIRST_EXPLANATION, ...late]), standing: RUNNING };
}

/** A table whose first and last columns are words. @param {string[][]} rows */
function figures(rows) {
  const widths = COMPARED_HEAD.map((word, place) => Math.max(word.length, ...rows.map((row) => row[place].length)));
  const cell = (/** @type {string} */ words, /** @type {number} */ place) =>
    place % (COMPARED_HEAD.length - 1) ? words.padStart(widths[place]) : words.padEnd(widths[place]);
  return lines([COMPARED_HEAD, ...rows].map((row) => row.map(cell).join("  ").trimEnd()));
}

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* analyse(here, { depth, time }) {
  /** @type {Report | null} */
  let last = null;
  for (const report of think(here, { depth: depth ? Number(depth) : null, time: Number(time) }, { everyMove: true })) {
    last = report;
    yield { output: "", standing: `Thinking: depth ${report.depth}` };
  }
  if (!last) return;
  const { game, state } = here;
  const rows = bestFirst(last.moves, here.toMove).map((move) => {
    const [, score] = last.moves.find((each) => each[0] === move) ?? last.moves[0];
    return `${game.notationText(state, move).padEnd(8)} ${score.text(game.names)}`;
  });
  const value = `${last.score.text(game.names)}, depth ${last.depth}`;
  yield { output: lines([value, ...rows, bestPlay(here, last.variation)]), standing: RUNNING };
}

/** @param {Position} here @returns {Iterable<Printed>} */
function* solve(here) {
  const sweep = smallSweep(here, LISTING);
  if (!sweep) throw new Refused("This game has too many positions to be solved in a page.");
  const [report] = think(here, {}, { everyMove: true });
  const told = solvedLines(here, report.score, report.moves, report.variation);
  yield { output: lines([...told, censusLine(sweep.census, here.game.names)]), standing: RUNNING };
}
