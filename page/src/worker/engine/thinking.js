// Thinking: a position and a limit in, better and better answers out. What each depth tells is engine/deepening.py's.

import { Clock, NO_LIMIT } from "./clock.js";
import { constants } from "../constants.js";
import { parts } from "../parts.js";
import { searchToDepth } from "../../made/engine/deepening.js";
import { MoveRequest } from "../../made/exact/source.js";
import { NoRoom } from "../memory.js";
import { RuleFault, Stopped } from "../module.js";
import { copyWith } from "../python.js";
import { MAX } from "../../made/rules.js";
import { Report } from "../../made/engine/report.js";
import { INFINITY, Score } from "../../made/score.js";
import { searchedScore } from "../../made/search/algorithm.js";

/** @import { Position } from "../position.js" */
/** @import { Limit } from "./clock.js" */
/** @import { Helpers } from "./helping.js" */
/** @import { Listing } from "../../made/exact/listing.js" */
/** @import { Counts, SearchContext, Module, State } from "../module.js" */

/**
 * Extent of a search: exact scores of every move, or of some moves beside the best; number of moves with best play;
 * mebibytes for the table; and helpers.
 * Without helpers, the same nodes are visited every time, as they are where nodes are the limit.
 * @typedef {{
 *   everyMove?: boolean, also?: readonly number[], lines?: number, table?: number, helpers?: Helpers | null,
 * }} Wish
 */

/** The whole window, preferring quick wins. */
const WHOLE = { alpha: -INFINITY, beta: INFINITY, preferShorter: 1 };
/** Entries of a table with which there is no point in trying for less memory. */
const FEWEST_ENTRIES = 2 ** 10;

/**
 * Look one ply ahead, then two, and so on, until the limit or until all is known: a report for each depth. However
 * tight the limit, there is at least one, with a legal move unless the game is over.
 * @param {Position} position
 * @param {Partial<Limit>} [limit]
 * @param {Wish} [wish]
 * @returns {Generator<Report, void, void>}
 */
export function* think(position, limit = {}, wish = {}) {
  const { everyMove = false, also = [], lines = 1, table = constants.thinking.table, helpers = null } = wish;
  const { game } = position;
  if (position.outcome !== null) {
    yield report(0, { nodes: 1, leaves: 1, cutoffs: 0, seconds: 0 }, Score.over(position.outcome), [], [], []);
    return;
  }
  const whole = { ...NO_LIMIT, ...limit };
  const request = new MoveRequest({ everyMove, also, lines: everyMove ? lines : 1 });
  const known = whole.depth || whole.nodes ? null : everythingOf(position, whole.time, request);
  if (known) {
    yield known;
    return;
  }
  const mark = game.mark();
  try {
    const thinker = new Thinker(position, whole, table, request, whole.nodes === null ? helpers : null);
    let last = null;
    for (const found of thinker.reports()) yield (last = found);
    if (last) return;
    const opinion = read(position, new Score({ points: game.evaluate(position.state) })); // no ply was searched
    const first = position.legalMoves[0];
    yield report(0, thinker.countsSoFar(), opinion, [[first, opinion]], [], [first]);
  } finally {
    game.reset(mark);
  }
}

/**
 * @param {number} depth
 * @param {Pick<Report, "nodes" | "leaves" | "cutoffs" | "seconds">} counts
 * @param {Score} score
 * @param {Report["moves"]} moves
 * @param {Report["lines"]} lines
 * @param {readonly number[]} variation
 */
const report = (depth, counts, score, moves, lines, variation = lines[0]) =>
  new Report({ depth, ...counts, score, variation, moves, lines });

/**
 * All there is to know, where the tablebase has it, or in a game that may cycle and has few states: no search sees to
 * the end of such a game.
 * @param {Position} position
 * @param {number | null} time Seconds for all of the thinking.
 * @param {MoveRequest} request
 */
function everythingOf(position, time, request) {
  const started = performance.now();
  const table = parts.tabled?.tableOf(position);
  const known = table?.answer(position, request);
  if (known) return copyWith(toldOf(known, started, 0), { source: table?.title });
  if (!position.game.repetition) return null;
  const { in_listing: part, at_least: least, without_limit: unlimited } = constants.thinking;
  const sweep = parts.sweeping?.smallSweep(position, part * Math.max(least, time ?? unlimited));
  const listed = sweep?.answer(position, request);
  return sweep && listed ? toldOf(listed, started, sweep.nodes) : null;
}

/**
 * A report without a search.
 * @param {NonNullable<ReturnType<Listing["answer"]>>} known
 * @param {number} started In milliseconds.
 * @param {number} nodes
 */
function toldOf([depth, score, moves, lines], started, nodes) {
  const seconds = (performance.now() - started) / 1000;
  return report(depth, { nodes, leaves: 0, cutoffs: 0, seconds }, score, moves, lines);
}

/**
 * Number of table entries that fit so many mebibytes.
 * @param {Module} module
 * @param {number} mebibytes
 */
export const entriesIn = ({ facts }, mebibytes) => Math.floor((mebibytes * 2 ** 20) / (8 * facts.table.ENTRY));

/**
 * A context with a table of at most so many entries: with fewer where there is no memory for them.
 * @param {Module} module
 * @param {number} entries
 * @param {State[]} ends
 * @param {boolean} [shared] Whether other contexts will share it.
 * @returns {SearchContext}
 */
export function newSearchContext(module, entries, ends, shared = false) {
  const mark = module.mark();
  for (;;) {
    try {
      return module.newContext(module.newTable(entries), ends, shared);
    } catch (fault) {
      if (!(fault instanceof NoRoom) || entries <= FEWEST_ENTRIES) throw fault;
      module.reset(mark);
      entries = Math.floor(entries / 2);
    }
  }
}

/**
 * The move that a search of the textbooks finds best, so many plies deep.
 * @param {Position} position
 * @param {string} name
 * @param {number} depth
 */
export function bestMove(position, name, depth) {
  const { game, state } = position;
  const mark = game.mark();
  try {
    const counts = game.newCounts();
    return game.textbook(name, { counts, state, ends: position.lastTimes(), depth, ...WHOLE, ply: 0 }).move;
  } finally {
    game.reset(mark);
  }
}

/**
 * A score of a search from a position; an estimate gets its chance.
 * @param {Position} position
 * @param {Score} score
 */
const read = ({ game, state }, score) =>
  score.points === null ? score : copyWith(score, { chance: game.chance(state, score.points) });

/** A position that is looked at ever more deeply, with all that was learned of it on the way. */
class Thinker {
  /**
   * @param {Position} position
   * @param {Limit} limit
   * @param {number} table
   * @param {MoveRequest} request
   * @param {Helpers | null} helpers
   */
  constructor(position, limit, table, request, helpers) {
    const { game } = position;
    this.position = position;
    this.game = game;
    this.deepest = limit.depth ?? constants.longest;
    this.request = request;
    this.helpers = helpers;
    const helping = helpers?.count ?? 0;
    this.clock = new Clock(game, limit, helping);
    const { entries_a_second: bySecond, entries_a_node: byNode, fewest_entries: fewest } = constants.thinking;
    const byTime = Math.min(Number.MAX_SAFE_INTEGER, Math.floor((limit.time ?? Infinity) * bySecond));
    const fillable = fewest + Math.min(byTime, byNode * (limit.nodes ?? Infinity));
    const ends = position.lastTimes();
    const own = newSearchContext(game, Math.min(entriesIn(game, table), fillable), ends, helping > 0);
    /** Its own, and one for each helper. */
    this.contexts = [own, ...Array.from({ length: helping }, () => game.newContext(own.table, ends, true))];
  }

  /** Counts so far. */
  countsSoFar() {
    const { all, seconds } = this.clock;
    /** @param {(counts: Counts) => number} count */
    const sum = (count) => all.reduce((told, each) => told + count(each), 0);
    return { nodes: sum((of) => of.nodes), leaves: sum((of) => of.leaves), cutoffs: sum((of) => of.cutoffs), seconds };
  }

  /** Of one ply, of two, and so on, until it is stopped or done. */
  *reports() {
    let isFirst = true;
    try {
      for (let depth = 1; depth <= this.deepest; depth++) {
        const [, score, moves, lines] = searchToDepth(this, depth, this.request);
        const found = report(depth, this.countsSoFar(), score, moves, lines);
        isFirst = false;
        yield found;
        if (found.certain) return;
      }
    } catch (fault) {
      const isDone = fault instanceof Stopped || (fault instanceof RuleFault && !isFirst); // a line that is too long
      if (!isDone) throw fault;
    }
  }

  /**
   * Score of a value that a search to a depth has found.
   * @param {number} depth
   * @param {number} value
   * @param {boolean} known
   */
  scoreValue(depth, value, known) {
    return read(this.position, searchedScore(this.game, this.position.state, depth, value, known));
  }

  /** Every move and the position after it. */
  get children() {
    return (this.#children ??= this.position.legalMoves.map((move) => [move, this.position.after(move)]));
  }

  /** @type {[number, Position][] | undefined} */
  #children;

  /**
   * The value for x, at ply 0 the best move, and whether no opinion entered the value.
   * @param {State} state
   * @param {number} depth
   * @param {number} ply
   */
  run(state, depth, ply) {
    const { contexts, game, clock } = this;
    const helpers = depth < game.facts.pvs.WORTHWHILE ? null : this.helpers;
    const asked = contexts.map((context, of) => ({ counts: clock.all[of], context, state, depth, ...WHOLE, ply }));
    return clock.run(() => {
      const guesses = contexts.map((context) => this.#readScratch(context, "GUESSES"));
      const { value, by } = helpers ? helpers.search(asked) : { value: game.pvs(asked[0]), by: 0 };
      const side = game.toMove(state) === MAX ? 1 : -1;
      const isKnown = this.#readScratch(contexts[by], "GUESSES") === guesses[by];
      return /** @type {const} */ ([side * value, this.#readScratch(contexts[by], "CHOICE"), isKnown]);
    });
  }

  /** @param {SearchContext} context @param {string} name */
  #readScratch(context, name) {
    return this.game.read(context.scratch, this.game.facts.scratch[name]);
  }

  /**
   * The best move of a position; null where the limit was reached first.
   * @param {Position} position
   * @param {number} depth
   */
  findMove(position, depth) {
    try {
      return this.run(position.state, depth, 0)[1];
    } catch (fault) {
      if (fault instanceof Stopped) return null;
      throw fault;
    }
  }
}
