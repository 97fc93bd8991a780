// A game's rules and searches, as its WebAssembly module answers them: the only file that knows how that is called.
// A state is its words, a BigInt64Array; everything else is a number. What Python writes of the module is in its facts.

/**
 * Facts of a module that never change (`plyground/wasm/facts.py`); the page's facts have more.
 * @typedef {Record<"rules" | "score" | "counts" | "scratch" | "table" | "pvs" | "mcts" | "remembering" | "writing" |
 *   "graph" | "memory", Record<string, number>> & {
 *   initial: readonly string[], words: number, repetition: number, foresight: number,
 *   notation: boolean, notice: boolean, faults: readonly string[],
 *   textbook: Record<string, { room: number, has_window: boolean }>,
 * }} ModuleFacts
 * @typedef {BigInt64Array} State
 * @typedef {{ table: number, scratch: number }} SearchContext  where they lie in the module's memory
 * @typedef {{ at: number, path: number }} Tree  likewise
 * @typedef {{ state: State, depth: number, alpha?: number, beta?: number, preferShorter?: number, ply?: number,
 *   ends?: readonly State[] }} Looking
 * @typedef {Omit<Looking, "ends"> & { counts: Counts, context: SearchContext }} Searching
 */

import { Memory, pagesFor } from "./memory.js";

const WORD = 8;

/** A search was stopped before it knew its answer. */
export class Stopped extends Error {}

/** A rule of the game failed, or breaks a law; the message is a sentence. */
export class RuleFault extends Error {}

/** Counts of a search, in the module's memory. */
export class Counts {
  /** @param {Module} module @param {number} at */
  constructor(module, at) {
    this.module = module;
    this.at = at;
  }

  /** @param {string} name */
  #read(name) {
    return this.module.read(this.at, this.module.facts.counts[name]);
  }

  /** Nodes entered, the first and finished ones included. */
  get nodes() {
    return this.#read("NODES");
  }

  /** Nodes without children: finished games and those at the depth limit. */
  get leaves() {
    return this.#read("LEAVES");
  }

  /** Leaves that were valued by static evaluation. */
  get opinions() {
    return this.#read("HORIZON");
  }

  get cutoffs() {
    return this.#read("CUTOFFS");
  }

  /** Cutoffs by the first move that was searched; only the textbook searches count them. */
  get first() {
    return this.#read("FIRST");
  }

  /** Plies of the longest line; only the textbook searches count them. */
  get plies() {
    return this.#read("DEEPEST") - 1;
  }

  /** Moves at the root that the search has begun. */
  get triedMoves() {
    return this.#read("TRIED");
  }

  /** Let the next search enter nodes up to this total. @param {number} budget */
  allow(budget) {
    this.module.write(this.at, this.module.facts.counts.BUDGET, budget);
  }
}

/** The module, with its memory. */
export class Module extends Memory {
  /**
   * @template {Module} Made
   * @template {ModuleFacts} Known
   * @this {new (instance: WebAssembly.Instance, memory: WebAssembly.Memory, facts: Known) => Made}
   * @param {BufferSource | WebAssembly.Module} code @param {Known} facts @param {WebAssembly.Memory} [memory]
   */
  static async from(code, facts, memory = pagesFor(facts.memory)) {
    const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
    return new this(await WebAssembly.instantiate(module, { env: { memory } }), memory, facts);
  }

  /** @type {Record<string, (...args: number[]) => number>} */
  #asked;
  #fault;
  #stack;
  #here;
  #after;

  /** @param {WebAssembly.Instance} instance @param {WebAssembly.Memory} memory @param {ModuleFacts} facts */
  constructor(instance, memory, facts) {
    const { fault, __heap_base: heap, __stack_pointer: stack, ...asked } = /** @type {any} */ (instance.exports);
    super(memory, heap.value);
    this.facts = facts;
    this.#asked = asked;
    this.#fault = fault;
    this.#stack = stack;
    this.#here = this.alloc(facts.words);
    this.#after = this.alloc(facts.words);
    this.row = this.alloc(facts.rules.MOST_MOVES);
  }

  // -- calls --------------------------------------------------------------------------------------------------------

  /** Ask the module. @param {string} name @param {number[]} given */
  ask(name, ...given) {
    const top = this.#stack.value;
    try {
      return this.#asked[name](...given);
    } catch (error) {
      this.#stack.value = top; // functions that were broken off have not put it back
      if (error instanceof RangeError) throw new RuleFault("A line of this game is too long for this browser.");
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      const number = this.#fault.value;
      if (number < 0) throw new RuleFault(`A rule fails: ${error.message}.`);
      this.#fault.value = -1;
      const sentence = this.facts.faults[number];
      throw sentence ? new RuleFault(sentence) : new Stopped("stopped");
    }
  }

  /** Put a state where the module reads it. @param {State} state */
  put(state) {
    this.words.set(state, this.#here / WORD);
    return this.#here;
  }

  /** The state that was written. @returns {State} */
  #readState() {
    return this.words.slice(this.#after / WORD, this.#after / WORD + this.facts.words);
  }

  /** The first ints of the row that was written. @param {number} count */
  rowOf(count) {
    return Array.from(this.words.subarray(this.row / WORD, this.row / WORD + count), Number);
  }

  // -- the rules ----------------------------------------------------------------------------------------------------

  /** @returns {State} */
  initial() {
    return BigInt64Array.from(this.facts.initial, BigInt);
  }

  /** @param {State} state */
  toMove(state) {
    return this.ask("to_move", this.put(state));
  }

  /** @param {State} state */
  outcome(state) {
    return this.ask("outcome", this.put(state));
  }

  /** The legal moves of an unfinished state. @param {State} state */
  moves(state) {
    return this.rowOf(this.ask("moves", this.put(state), this.row));
  }

  /** @param {State} state @param {number} move */
  play(state, move) {
    this.ask("play", this.put(state), move, this.#after);
    return this.#readState();
  }

  /** @param {State} state @returns {[number, number]} */
  bounds(state) {
    const [low, high] = this.rowOf(this.ask("bounds", this.put(state), this.row));
    return [low, high];
  }

  /** @param {State} state */
  evaluate(state) {
    return this.ask("evaluate", this.put(state));
  }

  /** @param {State} state */
  repetitionValue(state) {
    return this.ask("repetition_value", this.put(state));
  }

  /** @param {State} state */
  repetitionKey(state) {
    this.ask("repetition_key", this.put(state), this.#after);
    return this.#readState();
  }

  /** @param {State} state */
  canonical(state) {
    this.ask("canonical", this.put(state), this.#after);
    return this.#readState();
  }

  /** The state without what is settled, and what that is worth. @param {State} state @returns {[State, number]} */
  split_settled(state) {
    const worth = this.ask("split_settled", this.put(state), this.#after);
    return [this.#readState(), worth];
  }

  // -- for people, in ints ------------------------------------------------------------------------------------------

  /** @param {State} state */
  stands(state) {
    return this.rowOf(this.ask("stands", this.put(state), this.row));
  }

  /** @param {State} state */
  strokes(state) {
    return this.rowOf(this.ask("strokes", this.put(state), this.row));
  }

  /** @param {State} state @param {number} move */
  path(state, move) {
    return this.rowOf(this.ask("path", this.put(state), move, this.row));
  }

  /**
   * The signs of a text: of a state by `caption`, `notice` and `state_signs`, of a move by `move_signs` and
   * `notation_signs`. What is too large for a number of JavaScript stays a bigint, which is written out all the same.
   * @param {string} question
   * @param {State} state
   * @param {number[]} move
   * @returns {number[]}
   */
  signs(question, state, ...move) {
    const count = this.ask(question, this.put(state), ...move, this.row);
    const row = this.words.subarray(this.row / WORD, this.row / WORD + count);
    return Array.from(row, (sign) => /** @type {number} */ (BigInt.asIntN(53, sign) === sign ? Number(sign) : sign));
  }

  // -- searches -----------------------------------------------------------------------------------------------------

  /** All counts at 0. @param {number} [budget] nodes that may be entered */
  newCounts(budget = Number.MAX_SAFE_INTEGER) {
    const counts = new Counts(this, this.alloc(this.facts.counts.ROOM));
    counts.allow(budget);
    return counts;
  }

  /** An empty table with room for at most this many entries, which are made a power of two. @param {number} entries */
  newTable(entries) {
    const { MASK, HEAD, ENTRY } = this.facts.table;
    const size = 2 ** Math.floor(Math.log2(Math.max(entries, 1)));
    const table = this.alloc(HEAD + size * ENTRY);
    this.write(table, MASK, size - 1);
    return table;
  }

  /**
   * A table and scratch memory for a search.
   * @param {number} table @param {readonly State[]} [ends] what ends the game when it comes once more
   * @param {boolean} [shared] whether other contexts share the table
   * @returns {SearchContext}
   */
  newContext(table, ends = [], shared = false) {
    const scratch = this.alloc(this.facts.scratch.ROOM);
    this.write(scratch, this.facts.scratch.SHARED, Number(shared));
    this.#setEnds(scratch, this.facts.scratch.LINE, ends);
    return { table, scratch };
  }

  /** Note what ends the game when it comes. @param {number} at @param {number} line @param {readonly State[]} ends */
  #setEnds(at, line, ends) {
    if (!ends.length) return;
    this.write(at, line, 2 ** (3 * ends.length).toString(2).length - 1);
    for (const end of ends) this.ask("add_end", at, line, this.put(end));
  }

  /** Principal variation search: the value for the player to move (`search/pvs.py`). @param {Searching} asked */
  pvs(asked) {
    return this.ask("pvs", ...this.searching(asked));
  }

  /** The arguments of a search, in numbers. @param {Searching} asked */
  searching({ counts, context, state, depth, alpha, beta, preferShorter = 1, ply = 0 }) {
    const memory = [counts.at, context.table, context.scratch, this.put(state)];
    return [...memory, depth, ...this.#window(alpha, beta), preferShorter, ply, this.facts.scratch.STACK];
  }

  /** @param {number | undefined} alpha @param {number | undefined} beta */
  #window(alpha, beta) {
    const { INFINITY } = this.facts.score;
    return [alpha ?? -INFINITY, beta ?? INFINITY];
  }

  /**
   * A tree of the root alone (`search/mcts.py`), and the path of a simulation.
   * @param {number} nodes @param {number} seed @param {readonly State[]} [ends] @returns {Tree}
   */
  newTree(nodes, seed, ends = []) {
    const { HEAD, FIELDS, SIZE, CHANCE, SPACE, MOVE, CERTAIN, ROOM, LINE } = this.facts.mcts;
    const at = this.alloc(HEAD + FIELDS * nodes);
    this.write(at, SPACE, HEAD + FIELDS * nodes);
    this.write(at, SIZE, 1);
    this.write(at, CHANCE, seed + 1);
    this.write(at, HEAD + MOVE, this.facts.rules.NO_MOVE);
    this.write(at, HEAD + CERTAIN, this.facts.rules.ONGOING);
    const path = this.alloc(ROOM);
    this.#setEnds(path, LINE, ends);
    return { at, path };
  }

  /**
   * A field of a tree's node, by the name of the field in the facts.
   * @param {Tree} tree @param {number} node @param {string} field
   */
  field(tree, node, field) {
    const { HEAD, FIELDS, [field]: place } = this.facts.mcts;
    return this.read(tree.at, HEAD + FIELDS * node + place);
  }

  /**
   * Run simulations from a tree's state; how many were run.
   * @param {{ counts: Counts, tree: Tree, state: State, simulations: number, exploration?: number }} asked
   */
  mcts({ counts, tree, state, simulations, exploration = this.facts.mcts.EXPLORATION }) {
    return this.ask("mcts", counts.at, tree.at, tree.path, this.put(state), simulations, exploration);
  }

  // -- positions in text --------------------------------------------------------------------------------------------

  /** The state that a text tells in numbers (`board/fen.py`). @param {number[]} numbers */
  stateOf(numbers) {
    this.words.set(numbers.map(BigInt), this.row / WORD);
    this.ask("state_of", this.row, this.#after);
    return this.#readState();
  }

  // -- the textbook searches ----------------------------------------------------------------------------------------

  /**
   * A textbook search: its value for x, and its move.
   * @param {string} name one of `facts.textbook`
   * @param {Looking & { counts: Counts }} asked
   * @returns {{ value: number, move: number }}
   */
  textbook(name, { counts, ...looking }) {
    const mark = this.mark();
    const out = this.alloc(1);
    const value = this.ask(name, counts.at, ...this.#looking(name, looking), out);
    const move = this.read(out, 0);
    this.reset(mark);
    return { value, move };
  }

  /**
   * A textbook search written down node by node, in the order in which they are entered (`wasm/recorder.py`); where it
   * was stopped for want of room, `whole` is false.
   * @param {string} name @param {Looking & { room: number }} asked room: nodes at most
   * @returns {{ nodes: BigInt64Array, fields: number, whole: boolean }}
   */
  writeSearch(name, { room, ...looking }) {
    const { IS_WRITTEN, HERE, BRANCH, HEAD, FIELDS } = this.facts.writing;
    const mark = this.mark();
    const counts = this.newCounts(room);
    this.alloc(room * FIELDS); // right behind the counts
    this.write(counts.at, IS_WRITTEN, 1);
    this.write(counts.at, HERE, -1);
    this.write(counts.at, BRANCH, this.facts.rules.NO_MOVE);
    let whole = true;
    try {
      this.textbook(name, { counts, ...looking });
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      whole = false;
    }
    const from = counts.at / WORD + HEAD;
    const nodes = this.words.slice(from, from + FIELDS * counts.nodes);
    this.reset(mark);
    return { nodes, fields: FIELDS, whole };
  }

  /** The arguments of all textbook searches. @param {string} name @param {Looking} looking */
  #looking(name, { state, depth, alpha, beta, preferShorter = 1, ply = 0, ends = [] }) {
    const scratch = this.alloc(this.facts.textbook[name].room);
    return [scratch, 0, this.#putRemembered(state, ends), depth, ...this.#window(alpha, beta), preferShorter, ply];
  }

  /**
   * Address of a state as a textbook search takes it: where states can come again, it remembers those before
   * (`search/history.py`).
   * @param {State} state @param {readonly State[]} ends
   */
  #putRemembered(state, ends) {
    if (!this.facts.repetition) return this.put(state);
    const { LAST } = this.facts.remembering;
    const last = ends.slice(-LAST).map((end) => this.hash(end) | 1n);
    const at = this.alloc(state.length + 2 + LAST);
    this.words.set([...state, 0n, BigInt(last.length % LAST), ...last], at / WORD);
    return at;
  }

  /** The hash of a state. @param {State} state */
  hash(state) {
    this.ask("mark_of", this.put(state), this.row);
    return this.words[this.row / WORD];
  }
}
