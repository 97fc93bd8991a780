// What commands of the lessons print, as the terminal's verbs word it (`terminal/verbs`), by a game's module.

import { constants, filled } from "./constants.js";
import { notationOf } from "./lines.js";
import { Position } from "./position.js";
import { race } from "./microscope/racing.js";
import { searched } from "./microscope/searched.js";
import { described, spy, textLines } from "./microscope/forms.js";
import { recorded } from "./microscope/recording.js";
import { Refused } from "./refused.js";
import { bestFirst, countedPlies } from "./score.js";
import { simulate } from "./engine/simulating.js";
import { smallSweep } from "./engine/sweeping.js";
import { think } from "./engine/thinking.js";

/** @import { RaceView } from "models" */
/** @import { Game } from "./game.js" */
/** @import { Report } from "./engine/report.js" */

/**
 * A command that is a search (`Search` in `web/lessons/examples.py`): its verb, the moves to its position, and the
 * options that it names, each with the word that follows.
 * @typedef {{ verb: string, game: string, moves: readonly string[], options: Record<string, string> }} Search
 */

/** All that is printed by now, and what is being done. @typedef {{ output: string, standing: string }} Printed */

const RUNNING = "Running…";
/** Monte Carlo search has a tree of its own, and other options. */
const MCTS = /^mcts(?::exploration=([\d.]+))?$/;
/** Seconds for listing all states of a game that may cycle. */
const LISTING = 60;
/** Unless a command says otherwise: seconds, and plies. */
const SECONDS = { analyse: "5", compare: "10" };
const PLIES = { search: "4", tree: "2", compare: "1..6" };

/** @type {Record<string, (here: Position, options: Record<string, string>) => Iterable<Printed>>} */
const VERBS = { perft, search, tree, compare, analyse, solve };

/**
 * What a command prints, more and more of it.
 * @param {Game} game
 * @param {Search} asked
 */
export function printed(game, { verb, moves, options }) {
  const here = moves.reduce((position, word) => position.play(word), Position.at(game));
  return VERBS[verb](here, options);
}

const count = (/** @type {number} */ number) => number.toLocaleString("en");

/** What the lines say, each begun by a word. @param {[string, string][]} lines */
const inLines = (lines) => lines.map(([word, said]) => `${word.padEnd(8)} ${said}\n`).join("");

const since = (/** @type {number} */ started) => (performance.now() - started) / 1000;

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* perft(here, { depth }) {
  let output = "";
  for (let plies = 1; plies <= Number(depth); plies++) {
    const started = performance.now();
    const found = sequences(here, plies);
    output += `${String(plies).padStart(3)} ${count(found).padStart(20)}  ${since(started).toFixed(3)} s\n`;
    yield { output, standing: RUNNING };
  }
}

/** How many sequences of so many moves there are. @param {Position} here @param {number} plies @returns {number} */
const sequences = (here, plies) =>
  plies <= 1 && here.outcome === null
    ? here.legalMoves.length
    : here.legalMoves.reduce((sum, move) => sum + sequences(here.after(move), plies - 1), 0);

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* search(here, options) {
  const { nodes, leaves, cutoffs, seconds, score, move } = found(here, options);
  const rate = seconds ? nodes / seconds / 1e6 : 0;
  const output = inLines([
    ["value", score.text(here.game.names)],
    ["move", here.game.notationText(here.state, move)],
    ["nodes", count(nodes)],
    ["leaves", count(leaves)],
    ["cutoffs", count(cutoffs)],
    ["time", filled(constants.wording.rate, { seconds: seconds.toFixed(3), rate: rate.toFixed(1) })],
  ]);
  yield { output, standing: RUNNING };
}

/** @param {Position} here @param {Record<string, string>} options */
function found(here, { algorithm = "alphabeta", depth = PLIES.search, nodes, "no-hurry": isSlow }) {
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
  const report = searched(here, algorithm, Number(depth), { preferShorter: isSlow === undefined });
  return { ...report, seconds: since(started) };
}

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* tree(here, { algorithm = "alphabeta", depth = PLIES.tree, plies, why: node, spy: isSpy }) {
  const asked = { algorithm, depth: Number(depth), preferShorter: true, plies: plies ? Number(plies) : undefined };
  const found = recorded(here, asked);
  const output =
    node !== undefined
      ? described(found, found.nodeAt(node.split(" ").filter(Boolean)))
      : isSpy !== undefined
        ? spy(found)
        : `${textLines(found).join("\n")}\n`;
  yield { output, standing: RUNNING };
}

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* compare(here, { algorithms = "", depth = PLIES.compare, time = SECONDS.compare }) {
  const [least, most = least] = depth.split("..").map(Number);
  const asked = { algorithms: algorithms.split(" ").filter(Boolean), depth: most, seconds: Number(time) };
  /** @type {RaceView | null} */
  let last = null;
  for (const found of race(here, asked, constants.thinking.table)) {
    last = found;
    yield { output: "", standing: `Searched: ${found.rows.at(-1)?.algorithm ?? "nothing yet"}` };
  }
  const rows = (last?.rows ?? [])
    .filter((row) => row.depth >= least)
    .map((row) => [
      row.algorithm,
      ...[row.depth, row.nodes, row.leaves, row.cutoffs].map(count),
      row.first === null ? "" : `${Math.round(100 * row.first)}%`,
      row.branching.toFixed(2),
      row.seconds.toFixed(4),
      row.value,
    ]);
  const { unfinished } = constants.wording;
  const late = (last?.unfinished ?? []).map(([name, plies]) => `${filled(unfinished, { name, depth: plies })}.\n`);
  const said = "first: the share of cutoffs by the first move\n";
  yield { output: figures(rows) + said + late.join(""), standing: RUNNING };
}

/** A table whose first and last columns are words. @param {string[][]} rows */
function figures(rows) {
  const head = ["algorithm", "depth", "nodes", "leaves", "cutoffs", "first", "branching", "seconds", "value"];
  const widths = head.map((word, place) => Math.max(word.length, ...rows.map((row) => row[place].length)));
  const cell = (/** @type {string} */ words, /** @type {number} */ place) =>
    place % (head.length - 1) ? words.padStart(widths[place]) : words.padEnd(widths[place]);
  return [head, ...rows].map((row) => `${row.map(cell).join("  ").trimEnd()}\n`).join("");
}

/** @param {Position} here @param {Record<string, string>} options @returns {Iterable<Printed>} */
function* analyse(here, { depth, time = SECONDS.analyse }) {
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
    return /** @type {[string, string]} */ ([game.notationText(state, move), score.text(game.names)]);
  });
  const best = notationOf(here, last.variation).join(" ");
  const value = `${last.score.text(game.names)}, depth ${last.depth}\n`;
  yield { output: `${value}${inLines(rows)}${constants.wording.best_play}${best}\n`, standing: RUNNING };
}

/** @param {Position} here @returns {Iterable<Printed>} */
function* solve(here) {
  const { game, state } = here;
  const sweep = smallSweep(here, LISTING);
  if (!sweep) throw new Refused("This game has too many positions to be solved in a page.");
  const { states, x, o, drawn: even, longest } = sweep.census;
  const [report] = think(here, {}, { everyMove: true });
  const moves = report.moves.map(([move, score]) => `${game.notationText(state, move)}: ${score.text(game.names)}`);
  const [nameX, nameO] = game.names;
  const { won, longest_win: most } = constants.wording;
  const numbers = { x: nameX, o: nameO, for_x: count(x), for_o: count(o), drawn: count(even) };
  const output = inLines([
    ["value", report.score.text(game.names)],
    ["moves", moves.join("; ")],
    ["line", notationOf(here, report.variation).join(" ")],
    ["states", `${count(states)}: ${filled(won, numbers)}${filled(most, { plies: countedPlies(longest) })}`],
  ]);
  yield { output, standing: RUNNING };
}
