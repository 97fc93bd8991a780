// Algorithms side by side on one position: nodes, cutoffs, branching and time, depth by depth. The page's port of
// microscope/compare.py.

import { branching } from "./compare.js";
import { constants, filled } from "../constants.js";
import { Stopped } from "../module.js";
import { rounded } from "../python.js";
import { Refused } from "../refused.js";
import { MAX } from "../rules.js";
import { entriesIn, contextFor } from "../engine/thinking.js";
import { seen } from "../search/algorithm.js";

/** @import { RaceView, RowView } from "models" */
/** @import { Position } from "../position.js" */

/** The search that is the engine's: all others of a module are the textbooks'. */
const ENGINE = "pvs";
/** Nodes by which the speed of a search is known. */
const FEW = 2 ** 17;

/**
 * One search to a depth, with its counts; throws `Stopped` where more nodes would be entered than are allowed. `first`
 * is how many cutoffs came with the first move; null where that is not counted.
 * @param {Position} position Of an unfinished game.
 * @param {string} name
 * @param {number} depth
 * @param {{ nodes?: number, table?: number, preferShorter?: boolean }} means Nodes at most; mebibytes for a table;
 *   whether a sooner win is worth more.
 */
export function searched(position, name, depth, means) {
  const { nodes: allowed, table = constants.thinking.table, preferShorter = true } = means;
  const {
    game: { rules },
    state,
    toMove,
  } = position;
  const mark = rules.mark();
  try {
    const asked = { counts: rules.newCounts(allowed), state, depth, preferShorter: Number(preferShorter) };
    const ends = position.lastTimes();
    let [value, move, isKnown] = [0, 0, false];
    if (name === ENGINE) {
      const context = contextFor(rules, entriesIn(rules, table), ends);
      value = (toMove === MAX ? 1 : -1) * rules.pvs({ ...asked, context });
      move = rules.read(context.scratch, rules.facts.scratch.CHOICE);
      isKnown = rules.read(context.scratch, rules.facts.scratch.GUESSES) === 0;
    } else {
      ({ value, move } = rules.textbook(name, { ...asked, ends }));
      isKnown = asked.counts.opinions === 0;
    }
    const { nodes, leaves, cutoffs, first } = asked.counts;
    const score = seen(rules, state, depth, value, isKnown, preferShorter);
    return { nodes, leaves, cutoffs, first: name === ENGINE ? null : first, score, move };
  } finally {
    rules.reset(mark);
  }
}

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
  const { facts, names } = position.game;
  const {
    wording,
    microscope: { deepest },
  } = constants;
  const known = [...Object.keys(facts.textbook), ENGINE];
  const runners = algorithms.length ? algorithms : known;
  const unknown = runners.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Refused(filled(wording.not_compared, { name: unknown, names: known.join(", ") }));
  }
  if (!(depth >= 1 && depth <= deepest)) throw new Refused(filled(wording.depth, { depth, most: deepest }));
  if (position.outcome !== null) throw new Refused(filled(wording.nothing_to_search, { result: position.result }));
  /** @type {RowView[]} */
  const rows = [];
  /** @type {[string, number][]} */
  const unfinished = [];
  for (const algorithm of runners) {
    for (let plies = 1; plies <= depth; plies++) {
      const found = inTime((nodes) => searched(position, algorithm, plies, { nodes, table }), seconds);
      if (!found) {
        unfinished.push([algorithm, plies]);
        break;
      }
      const { nodes, leaves, cutoffs, first, score } = found;
      rows.push({
        algorithm,
        depth: plies,
        nodes,
        leaves,
        cutoffs,
        first: first === null || !cutoffs ? null : rounded(first / cutoffs, 4),
        branching: rounded(branching(nodes, plies), 3),
        seconds: rounded(found.seconds, 6),
        value: score.points === null ? score.text(names) : score.brief(MAX),
      });
    }
    yield { algorithms: runners, rows: [...rows], unfinished: [...unfinished], why_plain: null };
  }
}
