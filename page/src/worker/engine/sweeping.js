// A game that may cycle, valued whole: the module lists all its states and values them from their ends backward, as
// exact/sweep.py has it do, for games that are small enough for it.

import { keyOf } from "../game.js";
import { Graph } from "./graph.js";
import { NoRoom } from "../memory.js";
import { Stopped } from "../module.js";
import { Listing } from "../../made/exact/listing.js";
import { countOf, itemAt } from "../python.js";
import { MAX } from "../../made/rules.js";
import { Score } from "../../made/score.js";

/** @import { Game } from "../game.js" */
/** @import { Position } from "../position.js" */
/** @import { Counts, State } from "../module.js" */

/** States that are listed between two looks at the clock. */
const AT_ONCE = 4096;

/** @type {WeakMap<Game, Sweep>} */
const kept = new WeakMap();
/** For how many seconds it was tried in vain to list a game's states. @type {WeakMap<Game, number>} */
const tried = new WeakMap();

/**
 * All states from here, valued, if they are few, or were listed before; else null, and it is not tried again without
 * more time.
 * @param {Position} position
 * @param {number} seconds The time for it.
 */
export function smallSweep(position, seconds) {
  const { game } = position;
  let sweep = kept.get(game);
  if (!sweep || !sweep.graph.has(position.state)) {
    if (seconds <= (tried.get(game) ?? 0)) return null;
    kept.delete(game); // its room is taken for the next
    const graph = listStates(position, performance.now() + 1000 * seconds);
    if (!graph) {
      tried.set(game, seconds);
      return null;
    }
    kept.set(game, (sweep = new Sweep(graph)));
  }
  sweep.value(position.lastTimes());
  return sweep;
}

/**
 * All states from a position on; null where there is no time or room for them.
 * @param {Position} position
 * @param {number} until
 */
function listStates({ game, state }, until) {
  const { ALL_LISTED, NO_STATE_ROOM } = game.facts.graph;
  const counts = game.newCounts();
  let [states, edges] = [AT_ONCE, AT_ONCE * 8];
  try {
    for (;;) {
      const graph = Graph.of(game, states, edges);
      const lacking = graph && inTime(() => graph.list(counts, state), counts, until);
      if (!graph || lacking === null) return null;
      if (lacking === ALL_LISTED) return graph;
      if (lacking === NO_STATE_ROOM) states *= 2;
      else edges *= 2;
    }
  } catch (fault) {
    if (fault instanceof NoRoom) return null;
    throw fault;
  }
}

/**
 * The answer of a listing; null where the time is over first.
 * @param {() => number} list
 * @param {Counts} counts
 * @param {number} until
 */
function inTime(list, counts, until) {
  while (performance.now() < until) {
    counts.allow(counts.nodes + AT_ONCE);
    try {
      return list();
    } catch (fault) {
      if (!(fault instanceof Stopped)) throw fault;
    }
  }
  return null;
}

class Sweep extends Listing {
  /** @type {string | null} */
  #ends = null;
  /** @type {readonly number[]} */
  #census = [];

  /** @param {Graph} graph All of whose states are listed. */
  constructor(graph) {
    super();
    this.graph = graph;
  }

  /** States that are listed. */
  get nodes() {
    return this.graph.head("COUNT");
  }

  /** Number of won states, each taken for the first of a game, and the longest win, in plies. */
  get census() {
    this.value([]);
    const [x, o, longest] = this.#census;
    return { states: this.nodes, x, o, drawn: this.nodes - x - o, longest };
  }

  /**
   * Value all states.
   * @param {readonly State[]} ends States at which the game ends when they come once more.
   */
  value(ends) {
    const name = ends.map(keyOf).join(" ");
    if (this.#ends === name) return;
    this.#ends = name;
    this.#census = this.graph.value(ends);
  }

  /**
   * The first best move; undefined where that depends on what came before.
   * @param {Position} position
   */
  bestMove(position) {
    return this.best(this.moves(position), position.toMove)?.[0];
  }

  /** @param {State} state */
  score(state) {
    const found = this.graph.valueOf(state);
    return found && new Score(found);
  }

  /** The best utility that a repetition may give. @param {number} mover */
  most(mover) {
    return this.graph.head(mover === MAX ? "BEST" : "WORST");
  }

  /** @param {Position} position */
  isAgain(position) {
    return countOf(position.line, itemAt(position.line, -1)) > 1;
  }
}
