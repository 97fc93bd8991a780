// Solving: a best move by a few searches to the end of the game, for a perfect player.

import { parts } from "../parts.js";
import { Refused } from "../refused.js";
import { decideValue, valueBounds } from "../../made/search/exact.js";
import { entriesIn, newSearchContext } from "./thinking.js";
import { findBestMove } from "../../made/exact/null_windows.js";

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
  const { game } = position;
  const known = parts.tabled?.tableOf(position)?.line(position.state);
  if (known?.length) return known[0];
  if (game.repetition) return listedMove(position);
  const mark = game.mark();
  try {
    const context = newSearchContext(game, entriesIn(game, table), []);
    return new Solver(position, context, game.newCounts()).best();
  } finally {
    game.reset(mark);
  }
}

/** @param {Position} position */
function listedMove(position) {
  const best = parts.sweeping?.smallSweep(position, LISTING)?.bestMove(position);
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
    const { game } = position;
    const [low, high] = game.bounds(position.state);
    this.position = position;
    this.game = game;
    this.context = context;
    this.counts = counts;
    this.preferShorter = Number(low >= -1 && high <= 1);
  }

  /** The first of the best moves. */
  best() {
    const { position, preferShorter, game } = this;
    const { state, legalMoves } = position;
    const asked = { searchNullWindow: (/** @type {number} */ ask) => this.searchNullWindow(state, ask) };
    const value = decideValue(asked, ...valueBounds(game, state, preferShorter));
    const move = findBestMove(this, position, value, preferShorter);
    return legalMoves.includes(move) ? move : legalMoves[0];
  }

  /**
   * Above the value that is asked about, or not: a bound of what the state is worth to the player to move.
   * @param {State} state
   * @param {number} ask
   */
  searchNullWindow(state, ask) {
    const { counts, context, preferShorter, game } = this;
    const depth = game.facts.pvs.FOREVER;
    return game.pvs({ counts, context, state, depth, alpha: ask, beta: ask + 1, preferShorter });
  }
}
