// All states of a game that may cycle and the moves between them, in the memory of its module, where
// search/retrograde.py lists and values them.

import { constants } from "../constants.js";

/** @import { Counts, Module, State } from "../module.js" */

const WORD = 8;

/** Address of a module's room for its one graph. @type {WeakMap<Module, number>} */
const rooms = new WeakMap();

/** Words that are granted. */
const grantedWords = () => (constants.thinking.listing * 2 ** 20) / WORD;

/** Address of the room for a graph; throws `NoRoom`. @param {Module} rules */
function roomOf(rules) {
  const at = rooms.get(rules) ?? rules.alloc(grantedWords());
  rooms.set(rules, at);
  return at;
}

export class Graph {
  #rules;
  /** Addresses of the blocks of the listing, its head first. @type {readonly number[]} */
  #listed;
  /** Addresses of the blocks of the values. @type {readonly number[]} */
  #valued;

  /**
   * An empty graph, in place of the one before; null where it takes more memory than is granted.
   * @param {Module} rules
   * @param {number} states Room for this many, a power of two.
   * @param {number} edges Room for this many moves.
   */
  static of(rules, states, edges) {
    const listed = [rules.facts.graph.HEAD, states * rules.facts.words, 2 * states, states, states + 1, edges];
    const blocks = [...listed, states, states, states, states + 1, edges];
    const words = blocks.reduce((sum, block) => sum + block);
    if (words > grantedWords()) return null;
    let next = roomOf(rules);
    rules.view(next, words).fill(0n);
    const places = blocks.map((block) => (next += block * WORD) - block * WORD);
    const graph = new Graph(rules, places.slice(0, listed.length), places.slice(listed.length));
    const { INFINITY } = rules.facts.score;
    Object.entries({ STATE_ROOM: states, EDGE_ROOM: edges, WORST: INFINITY, BEST: -INFINITY }).forEach(
      ([name, value]) => rules.write(places[0], rules.facts.graph[name], value),
    );
    return graph;
  }

  /** @param {Module} rules @param {readonly number[]} listed @param {readonly number[]} valued */
  constructor(rules, listed, valued) {
    this.#rules = rules;
    this.#listed = listed;
    this.#valued = valued;
  }

  /** A number in its head. @param {"COUNT" | "WORST" | "BEST"} name */
  head(name) {
    return this.#rules.read(this.#listed[0], this.#rules.facts.graph[name]);
  }

  /** List all states from one on, or go on: `ALL_LISTED`, or the constant that says which room is short.
   * @param {Counts} counts @param {State} first */
  list(counts, first) {
    return this.#rules.ask("list_states", counts.at, this.#rules.put(first), ...this.#listed);
  }

  /**
   * Value all listed states, each taken for the first of a game: how many are won for each player, and the plies of the
   * longest win.
   * @param {readonly State[]} ends states that end the game when they come once more
   */
  value(ends) {
    const rules = this.#rules;
    const mark = rules.mark();
    const counts = rules.newCounts();
    const width = rules.facts.words;
    const at = rules.alloc(ends.length * width);
    ends.forEach((end, place) => rules.view(at + place * width * WORD, width).set(end));
    rules.ask("value_states", counts.at, at, ends.length, ...this.#listed, ...this.#valued, rules.row);
    rules.reset(mark);
    return rules.rowOf(3);
  }

  /** 1: value is known; 0: it depends on the moves before; -1: the state is not listed. @param {State} state */
  #find(state) {
    return this.#rules.ask("found", this.#rules.put(state), this.#rules.row, ...this.#listed, ...this.#valued);
  }

  /** @param {State} state */
  has(state) {
    return this.#find(state) >= 0;
  }

  /** Utility and plies of a listed state; null where they depend on the moves before. @param {State} state */
  valueOf(state) {
    const known = this.#find(state);
    if (known < 0) throw new RangeError(`${state} is not listed`);
    if (!known) return null;
    const [utility, plies] = this.#rules.rowOf(2);
    return { utility, plies: plies < 0 ? null : plies };
  }
}
