// Retrograde analysis: the value of every state of a game that may cycle, from its ends backward, in one sweep. The
// page's port of search/retrograde.py, whose text says why it is right; the rules are the module's.

import { keyOf } from "./game.js";
import { final, INFINITY, MAX, MIN, ONGOING } from "./score.js";

/** @import { Module, State } from "./module.js" */

/** In place of a value: not told yet. */
export const OPEN = INFINITY;

/** The states of a game and the moves between them; a state is known by its place in the list. */
export class Graph {
  /** @type {State[]} */
  states = [];
  /** @type {Map<string, number>} */
  #places = new Map();
  /** Of each state its utility or `ONGOING`, and who is to move. @type {number[]} */
  utilities = [];
  /** @type {number[]} */
  movers = [];
  /** Where each state's moves begin among all, and the state that each leads to. */
  firsts = [0];
  /** @type {number[]} */
  edges = [];
  /** The lowest and highest utility of a repetition; the other way round where there is no unfinished state. */
  worst = INFINITY;
  best = -INFINITY;

  /** @param {Module} rules @param {State} first */
  constructor(rules, first) {
    this.rules = rules;
    this.#add(first);
  }

  /** Where a state stands; `undefined` where it is not listed. @param {State} state */
  placeOf(state) {
    return this.#places.get(keyOf(state));
  }

  /** @param {State} state */
  #add(state) {
    const place = this.states.push(state) - 1;
    this.#places.set(keyOf(state), place);
    return place;
  }

  /**
   * List all states that come about, with their moves; whether that was done.
   * @param {() => boolean} mayGoOn
   */
  explore(mayGoOn) {
    const { rules, states, edges } = this;
    for (let here = this.utilities.length; here < states.length; here++) {
      if (here % 64 === 0 && !mayGoOn()) return false;
      const state = states[here];
      const utility = rules.outcome(state);
      if (utility === ONGOING) {
        const worth = rules.again(state);
        this.worst = Math.min(this.worst, worth);
        this.best = Math.max(this.best, worth);
        for (const move of rules.moves(state)) {
          const child = rules.play(state, move);
          edges.push(this.placeOf(child) ?? this.#add(child));
        }
      }
      this.utilities.push(utility);
      this.movers.push(rules.toMove(state));
      this.firsts.push(edges.length);
    }
    return true;
  }

  /**
   * What a player can force rather than a repetition, each player's best first: for MAX utilities above all of these,
   * for MIN below. The highest that a repetition can be worth is told too, where it differs from the lowest.
   * @param {readonly number[]} utilities
   * @returns {[utility: number, player: number][]}
   */
  #goals(utilities) {
    const { worst, best } = this;
    const ends = [...new Set(utilities)].filter((each) => each !== ONGOING).sort((one, other) => one - other);
    const high = ends.filter((end) => end > best || (end === best && best !== worst)).reverse();
    const low = ends.filter((end) => end < worst || (end === worst && worst !== best));
    return [
      ...high.map((end) => /** @type {[number, number]} */ ([end, MAX])),
      ...low.map((end) => /** @type {[number, number]} */ ([end, MIN])),
    ];
  }

  /** The moves by where they lead to: where those to each state begin, and where each comes from. */
  #turnedRound() {
    const { states, edges, firsts } = this;
    const begins = new Int32Array(states.length + 1);
    for (const to of edges) begins[to + 1]++;
    for (let place = 0; place < states.length; place++) begins[place + 1] += begins[place];
    const sources = new Int32Array(edges.length);
    const filled = begins.slice();
    for (let place = 0; place < states.length; place++) {
      for (let edge = firsts[place]; edge < firsts[place + 1]; edge++) sources[filled[edges[edge]]++] = place;
    }
    return { begins, sources };
  }

  /** @type {{ begins: Int32Array, sources: Int32Array } | undefined} */
  #back;

  /**
   * The values of all states from which a player can force a goal; `OPEN` of the others.
   * @param {readonly number[]} utilities Of each state; `ONGOING` where it is unfinished.
   */
  valued(utilities) {
    const { begins, sources } = (this.#back ??= this.#turnedRound());
    const values = new Float64Array(this.states.length).fill(OPEN);
    const left = Int32Array.from(values, (_, place) => this.firsts[place + 1] - this.firsts[place]);
    for (const [utility, player] of this.#goals(utilities)) {
      const queue = utilities.flatMap((each, place) => (each === utility ? [place] : []));
      for (const place of queue) values[place] = final(utility, 0);
      for (const place of queue) { // it grows as it is gone through
        const farther = values[place] - Math.sign(utility);
        for (let edge = begins[place]; edge < begins[place + 1]; edge++) {
          const source = sources[edge];
          if (values[source] !== OPEN || utilities[source] !== ONGOING) continue;
          left[source]--;
          if (this.movers[source] === player || left[source] === 0) {
            values[source] = farther;
            queue.push(source);
          }
        }
      }
    }
    return values;
  }
}
