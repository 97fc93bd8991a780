// Asks a game's module, for tests/test_wasm.py: `node modules.mjs game.wasm worker.mjs` reads questions as JSON and
// writes answers.

import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";

import { hired } from "./hired.mjs";
import { Helpers } from "../src/worker/engine/helping.js";
import { pagesFor } from "../src/worker/memory.js";
import { Module } from "../src/worker/module.js";

const given = JSON.parse(readFileSync(0, "utf8"));
const module = await Module.from(readFileSync(process.argv[2]), given.facts);

const read = (words) => BigInt64Array.from(words, BigInt);
const written = (row) => Array.from(row, String);

/** All that the module says of a state. */
function answers(state) {
  const told = {
    toMove: module.toMove(state),
    outcome: module.outcome(state),
    stands: module.stands(state),
    strokes: module.strokes(state),
    caption: module.signs("caption", state),
    stateSigns: written(module.signs("state_signs", state)),
    bounds: module.bounds(state),
    repetition_key: written(module.repetitionKey(state)),
    canonical: written(module.canonical(state)),
  };
  if (told.outcome !== given.facts.rules.ONGOING) return told;
  const moves = module.moves(state);
  const [smaller, worth] = module.split_settled(state);
  return {
    ...told,
    moves,
    evaluate: module.evaluate(state),
    repetition_value: module.repetitionValue(state),
    split_settled: [written(smaller), worth],
    play: moves.map((move) => written(module.play(state, move))),
    path: moves.map((move) => module.path(state, move)),
    moveSigns: moves.map((move) => written(module.signs("move_signs", state, move))),
    notationSigns: moves.map((move) =>
      written(module.signs(module.facts.notation ? "notation_signs" : "move_signs", state, move)),
    ),
  };
}

/** The engine's search of each state, depth by depth. */
function searched({ positions, entries, depths }) {
  const found = [];
  for (const { state: words, ends } of positions) {
    const state = read(words);
    const mark = module.mark();
    const counts = module.newCounts();
    const context = module.newContext(module.newTable(entries), ends.map(read));
    for (let depth = 1; depth <= depths; depth += 1) {
      const value = module.pvs({ counts, context, state, depth });
      const move = module.read(context.scratch, given.facts.scratch.CHOICE);
      found.push([value, move, counts.nodes, counts.leaves, counts.opinions, counts.cutoffs, counts.triedMoves]);
    }
    module.reset(mark);
  }
  return found;
}

/** Each state's value, found by several workers, and the nodes of each. */
async function together({ positions, entries, depth, helpers }) {
  const { facts } = given;
  const code = readFileSync(process.argv[2]);
  code[facts.memory.FLAGS] |= 2;
  const first = { module: await WebAssembly.compile(code), facts };
  const memory = pagesFor(facts.memory, 128);
  const shared = await Module.from(first.module, facts, memory);
  let seats = [];
  const crew = new Helpers(shared, helpers, (desks) => {
    hired(first, { memory, desks }, pathToFileURL(process.argv[3]).href);
    seats = desks.map((desk) => new Int32Array(memory.buffer, desk, 1));
  });
  crew.hire();
  while (!seats.every((seat) => Atomics.load(seat, 0))) await new Promise((done) => setImmediate(done));
  return positions.map(({ state: words, ends }) => {
    const mark = shared.mark();
    const table = shared.newTable(entries);
    const searches = Array.from({ length: 1 + helpers }, () => {
      const context = shared.newContext(table, ends.map(read), true);
      return { counts: shared.newCounts(), context, state: read(words), depth };
    });
    const { value, by } = crew.search(searches);
    shared.reset(mark);
    const move = shared.read(searches[by].context.scratch, facts.scratch.CHOICE);
    return [value, move, searches.map(({ counts }) => counts.nodes)];
  });
}

/** The tree of each state, as all its words, after so many simulations. */
function grown({ positions, nodes, simulations }) {
  return positions.map(({ state, ends }) => {
    const mark = module.mark();
    const counts = module.newCounts();
    const tree = module.newTree(nodes, 1, ends.map(read));
    const done = module.mcts({ counts, tree, state: read(state), simulations });
    const { HEAD, FIELDS } = given.facts.mcts;
    const words = written(module.view(tree.at, HEAD + FIELDS * nodes));
    module.reset(mark);
    return [done, counts.nodes, words];
  });
}

/** Each textbook search of each state, counted, and written down. */
function textbook({ positions, depth }) {
  const found = [];
  for (const { state, ends } of positions) {
    const looking = { state: read(state), depth, ends: ends.map(read) };
    for (const name of Object.keys(given.facts.textbook)) {
      const mark = module.mark();
      const counts = module.newCounts();
      const { value, move } = module.textbook(name, { ...looking, counts });
      const { nodes, fields, whole } = module.writeSearch(name, { ...looking, room: counts.nodes });
      found.push([value, move, counts.nodes, counts.leaves, counts.opinions, counts.cutoffs, counts.triedMoves]);
      found.push([whole, fields, written(nodes)]);
      module.reset(mark);
    }
  }
  return found;
}

/** What is said of searches that are stopped, and how many nodes they entered. */
function stopped(budgets) {
  return budgets.map((budget) => {
    const counts = module.newCounts(budget);
    try {
      return module.textbook("alphabeta", { counts, state: module.initial(), depth: 9 }).value;
    } catch (error) {
      return [error.constructor.name, counts.nodes];
    }
  });
}

const told = { initial: written(module.initial()) };
if (given.states) told.answers = given.states.map(read).map(answers);
if (given.pvs) told.pvs = searched(given.pvs);
if (given.together) told.together = await together(given.together);
if (given.grown) told.grown = grown(given.grown);
if (given.textbook) told.textbook = textbook(given.textbook);
if (given.stopped) told.stopped = stopped(given.stopped);
console.log(JSON.stringify(told));
