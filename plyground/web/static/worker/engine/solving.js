// Solving: the exact value of a position by a few searches to the end of the game, and a best move. The page's port of
// search/exact.py and of what engine/solver.py asks for a perfect player.

import { constants } from "../constants.js";
import { Refused } from "../refused.js";
import { MAX } from "../rules.js";
import { final } from "../score.js";
import { smallSweep } from "./sweeping.js";
import { tabledMove } from "./tabled.js"; // with tabled.js
import { entriesIn, contextFor } from "./thinking.js";

/** @import { Position } from "../position.js" */
/** @import { Counts, SearchContext, State } from "../module.js" */

/** Seconds for listing all states of a game that may cycle. */
const LISTING = 60;

/**
 * A best move, however long it takes to find: a win as soon as can be where no margins count.
 * @param {Position} position
 * @param {number} table Mebibytes.
 */
export function perfectMove(position, table) {
  const { rules, facts } = position.game;
  const known = tabledMove(position); // with tabled.js
  if (known !== null) return known; // with tabled.js
  if (facts.repetition) return listedMove(position);
  const mark = rules.mark();
  try {
    const context = contextFor(rules, entriesIn(rules, table), []);
    return new Solver(position, context, rules.newCounts()).best();
  } finally {
    rules.reset(mark);
  }
}

/** @param {Position} position */
function listedMove(position) {
  const best = smallSweep(position, LISTING)?.best(position);
  if (best === undefined)
    throw new Refused("This game has too many positions to be solved in a page: choose another player.");
  return best;
}

class Solver {
  /**
   * @param {Position} position Unfinished.
   * @param {SearchContext} context
   * @param {Counts} counts
   */
  constructor(position, context, counts) {
    const { rules } = position.game;
    const [low, high] = rules.bounds(position.state);
    this.position = position;
    this.rules = rules;
    this.context = context;
    this.counts = counts;
    this.preferShorter = Number(low >= -1 && high <= 1);
  }

  /** The first of the best moves. */
  best() {
    const value = this.#decide(this.position.state);
    return this.position.legalMoves.find((move) => this.#isWorth(move, value)) ?? this.position.legalMoves[0];
  }

  /**
   * What a value can be by the bounds of a state alone, from the side of the player to move.
   * @param {State} state
   */
  #reach(state) {
    const [least, most] = this.rules.bounds(state);
    const [low, high] = this.rules.toMove(state) === MAX ? [least, most] : [-most, -least];
    const far = this.preferShorter * constants.longest;
    return [final(low, low > 0 ? far : 0), final(high, high < 0 ? far : 0)];
  }

  /**
   * The exact value of a state, from the side of the player to move: windows that hold nothing ask first whether it is
   * won, then whether it is lost, and from then on just beyond the last answer (MTD(f)).
   * @param {State} state
   */
  #decide(state) {
    let [low, high] = this.#reach(state);
    let ask = Math.max(Math.min(0, high - 1), low);
    while (low < high) {
      const value = this.#search(state, ask);
      if (value > ask) low = Math.max(low, value);
      else high = Math.min(high, value);
      ask = value === low ? low : high - 1;
      if (low <= 0 && high >= 0) ask = high > 0 && low === 0 ? 0 : -1;
    }
    return low;
  }

  /**
   * Above the value that is asked about, or not: a bound of what the state is worth to the player to move.
   * @param {State} state
   * @param {number} ask
   */
  #search(state, ask) {
    const { counts, context, preferShorter, rules } = this;
    const depth = rules.facts.pvs.FOREVER;
    return rules.pvs({ counts, context, state, depth, alpha: ask, beta: ask + 1, preferShorter });
  }

  /**
   * Whether a move is worth as much as the position, both seen by the player to move.
   * @param {number} move
   * @param {number} value
   */
  #isWorth(move, value) {
    const { position, preferShorter } = this;
    const child = position.after(move);
    const side = position.toMove === MAX ? 1 : -1;
    if (child.outcome !== null) return side * final(child.outcome, preferShorter) >= value;
    const wanted = value + preferShorter * Math.sign(value);
    return child.toMove === position.toMove
      ? this.#search(child.state, wanted - 1) >= wanted
      : -this.#search(child.state, -wanted) >= wanted;
  }
}
