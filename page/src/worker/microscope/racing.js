// Algorithms side by side on one position: nodes, cutoffs, branching and time, depth by depth. As `compare` of
// microscope/compare.py, in one thread: no search can be stopped.

import { requireCompared, rowOf } from "../../made/microscope/compare.js";
import { constants } from "../constants.js";
import { Stopped } from "../module.js";
import { ENGINE, searchOnce } from "./searched.js";
import { requireSearchable } from "../../made/microscope/tree.js";

/** @import { RaceView, RowView } from "models" */
/** @import { Position } from "../position.js" */

/** Nodes by which the speed of a search is known. */
const FEW = 2 ** 17;

/**
 * A search in so many seconds: with few nodes first, and then, where they do not suffice, begun anew with as many as
 * it will enter in the time that is left, by its speed so far; null where they do not suffice either.
 * @template Found
 * @param {(nodes: number) => Found} search
 * @param {number} seconds
 * @returns {(Found & { seconds: number }) | null}
 */
function inTime(search, seconds) {
  const end = performance.now() + 1000 * seconds;
  for (let nodes = FEW; ;) {
    const begun = performance.now();
    try {
      const found = search(nodes);
      return { ...found, seconds: (performance.now() - begun) / 1000 };
    } catch (fault) {
      if (!(fault instanceof Stopped)) throw fault;
    }
    const now = performance.now();
    const more = Math.floor((nodes * (end - now)) / Math.max(1, now - begun));
    if (more <= nodes) return null;
    nodes = more;
  }
}

/**
 * Each algorithm in turn, to each depth up to one; the searches finished so far.
 * @param {Position} position
 * @param {{ algorithms: string[], depth: number, seconds: number }} wanted Seconds for each search, at most.
 * @param {number} table Mebibytes for a search's table.
 * @returns {Generator<RaceView, void, void>}
 */
export function* race(position, { algorithms, depth, seconds }, table) {
  const known = [...Object.keys(position.game.facts.textbook), ENGINE];
  const runners = algorithms.length ? algorithms : known;
  requireCompared(runners, known);
  requireSearchable(position, depth, constants.deepest);
  /** @type {RowView[]} */
  const rows = [];
  /** @type {[string, number][]} */
  const unfinished = [];
  for (const algorithm of runners) {
    for (let plies = 1; plies <= depth; plies++) {
      const found = inTime((nodes) => searchOnce(position, algorithm, plies, { nodes, table }), seconds);
      if (!found) {
        unfinished.push([algorithm, plies]);
        break;
      }
      rows.push(rowOf(position, algorithm, plies, found, found.score, found.seconds));
    }
    yield { algorithms: runners, rows: [...rows], unfinished: [...unfinished], why_plain: null };
  }
}
