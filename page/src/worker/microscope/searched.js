// One search of a module to a depth, with its counts.

import { constants } from "../constants.js";
import { Stopped } from "../module.js";
import { MAX } from "../../made/rules.js";
import { entriesIn, newSearchContext } from "../engine/thinking.js";
import { searchedScore } from "../../made/search/algorithm.js";

/** @import { Position } from "../position.js" */

/** The search that is the engine's: all others of a module are the textbooks'. */
export const ENGINE = "pvs";

/**
 * One search to a depth, with its counts; throws `Stopped` where more nodes would be entered than are allowed. `first`
 * is how many cutoffs came with the first move, null where that is not counted; `plies` those of the longest line, null
 * where that is not known.
 * @param {Position} position Of an unfinished game.
 * @param {string} name
 * @param {number} depth
 * @param {{ nodes?: number, table?: number, preferShorter?: boolean }} means Nodes at most; mebibytes for a table;
 *   whether a sooner win is worth more.
 */
export function searchOnce(position, name, depth, means) {
  const { nodes: allowed, table = constants.thinking.table, preferShorter = true } = means;
  const { game, state, toMove } = position;
  const mark = game.mark();
  try {
    const asked = { counts: game.newCounts(allowed), state, depth, preferShorter: Number(preferShorter) };
    const ends = position.lastTimes();
    let [value, move, isKnown] = [0, 0, false];
    if (name === ENGINE) {
      const context = newSearchContext(game, entriesIn(game, table), ends);
      value = (toMove === MAX ? 1 : -1) * game.pvs({ ...asked, context });
      move = game.read(context.scratch, game.facts.scratch.CHOICE);
      isKnown = game.read(context.scratch, game.facts.scratch.GUESSES) === 0;
    } else {
      ({ value, move } = game.textbook(name, { ...asked, ends }));
      isKnown = asked.counts.opinions === 0;
    }
    const { nodes, leaves, cutoffs } = asked.counts;
    const score = searchedScore(game, state, depth, value, isKnown, preferShorter);
    // The engine counts neither. It prunes nothing here, so a static evaluation shows that no ply was left.
    const more =
      name === ENGINE
        ? { first: null, plies: asked.counts.opinions ? depth : null }
        : { first: asked.counts.first, plies: asked.counts.plies };
    return { nodes, leaves, cutoffs, ...more, score, move };
  } finally {
    game.reset(mark);
  }
}

/**
 * Nodes that minimax enters; infinite where they are more than `most`.
 * @param {Position} here
 * @param {number} depth
 * @param {number} most
 */
export function minimaxSize(here, depth, most) {
  try {
    return searchOnce(here, "minimax", depth, { nodes: Math.max(1, most) }).nodes;
  } catch (fault) {
    if (!(fault instanceof Stopped)) throw fault;
    return Infinity;
  }
}
