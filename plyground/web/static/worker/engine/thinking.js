// Thinking: a position and a limit in, better and better answers out. The page's port of engine/think.py.

import { Clock, NO_LIMIT } from "./clock.js";
import { constants } from "../constants.js";
import { NoRoom } from "../memory.js";
import { RuleFault, Stopped } from "../module.js";
import { compared, replaced } from "../python.js";
import { MAX } from "../rules.js";
import { Report } from "./report.js";
import { bestFirst, ESTIMATES, final, INFINITY, Score } from "../score.js";
import { smallSweep } from "./sweeping.js";
import { tabledReport } from "./tabled.js"; // with tabled.js

/** @import { Position } from "../position.js" */
/** @import { Limit } from "./clock.js" */
/** @import { Helpers } from "./helping.js" */
/** @import { Counts, SearchContext, Module, State } from "../module.js" */

/**
 * Extent of a search: exact scores of every move, or of one move beside the best; number of moves with best play;
 * mebibytes for the table; and helpers.
 * Without helpers, the same nodes are visited every time, as they are where nodes are the limit.
 * @typedef {{
 *   everyMove?: boolean, also?: number | null, lines?: number, table?: number, helpers?: Helpers | null,
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
  const { everyMove = false, also = null, lines = 1, table = constants.thinking.table, helpers = null } = wish;
  const { rules } = position.game;
  if (position.outcome !== null) {
    yield report(0, { nodes: 1, leaves: 1, cutoffs: 0, seconds: 0 }, Score.over(position.outcome), [], [], []);
    return;
  }
  const whole = { ...NO_LIMIT, ...limit };
  const known = tabledReport(position, whole, everyMove || also !== null, lines); // with tabled.js
  if (known) yield known; // with tabled.js
  if (known) return; // with tabled.js
  const listed = everythingOf(position, whole, everyMove || also !== null, lines);
  if (listed) {
    yield listed;
    return;
  }
  const mark = rules.mark();
  try {
    const thinker = new Thinker(position, whole, table, everyMove, lines, whole.nodes === null ? helpers : null);
    thinker.also = also;
    let last = null;
    for (const found of thinker.reports()) yield (last = found);
    if (last) return;
    const opinion = read(position, new Score({ points: rules.evaluate(position.state) })); // no ply was searched
    const first = position.legalMoves[0];
    yield report(0, thinker.told(), opinion, [[first, opinion]], [], [first]);
  } finally {
    rules.reset(mark);
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
 * All there is to know, in a game that may cycle and has few states; no search sees to the end of such a game.
 * @param {Position} position
 * @param {Limit} limit
 * @param {boolean} everyMove
 * @param {number} lines
 */
function everythingOf(position, limit, everyMove, lines) {
  if (!position.game.facts.repetition || limit.depth || limit.nodes) return null;
  const started = performance.now();
  const { in_listing: part, at_least: least, without_limit: unlimited } = constants.thinking;
  const sweep = smallSweep(position, part * Math.max(least, limit.time ?? unlimited));
  if (!sweep) return null;
  const moves = sweep.moves(position);
  const scores = moves.flatMap(([move, score]) => (score ? [/** @type {const} */ ([move, score])] : []));
  const best = sweep.best(moves, position.toMove);
  if (!best || scores.length < moves.length) return null;
  const depth = Math.max(...scores.map(([, score]) => score.plies || 1));
  const told = [best[0], ...bestFirst(scores, position.toMove).filter((move) => move !== best[0])];
  const following = told.slice(0, everyMove ? lines : 1).map((move) => [move, ...sweep.line(position.after(move))]);
  const counts = { nodes: sweep.nodes, leaves: 0, cutoffs: 0, seconds: (performance.now() - started) / 1000 };
  return report(depth, counts, best[1], everyMove ? scores : [best], following);
}

/**
 * What a search to a depth has found out, by its value and whether no opinion entered it. A forced win is one, whatever
 * was not seen, but there may be a larger one, or a sooner one: none is larger than the bounds allow; and of the
 * largest ones, one that is no farther away than was looked is the soonest.
 * @param {Position} position
 * @param {number} depth
 * @param {number} value For x.
 * @param {boolean} isKnown
 * @param {boolean} [preferShorter] Whether values tell plies.
 */
export function scored(position, depth, value, isKnown, preferShorter = true) {
  if (Math.abs(value) < ESTIMATES) return new Score(isKnown ? { utility: 0 } : { points: value });
  const score = Score.of(value, preferShorter);
  const { utility, plies } = score;
  const isLargest = utility === position.game.rules.bounds(position.state)[Number((utility ?? 0) > 0)];
  if (isKnown || (isLargest && plies !== null && plies <= depth)) return score;
  return new Score({ utility, bound: !isLargest });
}

/**
 * How many entries of a table fit so many mebibytes.
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
export function contextFor(module, entries, ends, shared = false) {
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
  const {
    game: { rules },
    state,
  } = position;
  const mark = rules.mark();
  try {
    const counts = rules.newCounts();
    return rules.textbook(name, { counts, state, ends: position.lastTimes(), depth, ...WHOLE, ply: 0 }).move;
  } finally {
    rules.reset(mark);
  }
}

/**
 * A score of a search from a position; an estimate gets its chance.
 * @param {Position} position
 * @param {Score} score
 */
const read = ({ game, state }, score) =>
  score.points === null ? score : replaced(score, { chance: game.chance(state, score.points) });

/** A position that is looked at ever more deeply, with all that was learned of it on the way. */
class Thinker {
  /**
   * @param {Position} position
   * @param {Limit} limit
   * @param {number} table
   * @param {boolean} everyMove
   * @param {number} lines
   * @param {Helpers | null} helpers
   */
  constructor(position, limit, table, everyMove, lines, helpers) {
    const { rules } = position.game;
    this.position = position;
    this.rules = rules;
    this.deepest = limit.depth ?? constants.longest;
    this.everyMove = everyMove;
    this.lines = lines;
    /** The move that is scored beside the best one. @type {number | null} */
    this.also = null;
    this.helpers = helpers;
    const helping = helpers?.count ?? 0;
    this.clock = new Clock(rules, limit, helping);
    const { entries_a_second: bySecond, entries_a_node: byNode, fewest_entries: fewest } = constants.thinking;
    const byTime = Math.min(Number.MAX_SAFE_INTEGER, Math.floor((limit.time ?? Infinity) * bySecond));
    const fillable = fewest + Math.min(byTime, byNode * (limit.nodes ?? Infinity));
    const ends = position.lastTimes();
    const own = contextFor(rules, Math.min(entriesIn(rules, table), fillable), ends, helping > 0);
    /** Its own, and one for each helper. */
    this.contexts = [own, ...Array.from({ length: helping }, () => rules.newContext(own.table, ends, true))];
  }

  /** What is counted so far. */
  told() {
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
        const found = this.#look(depth);
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
   * So many plies deep; throws `Stopped` where the limit was reached first.
   * @param {number} depth
   */
  #look(depth) {
    const { position } = this;
    const mover = position.toMove;
    const [choice, value, score, moves] = this.everyMove ? this.#everyMove(depth) : this.#bestMove(depth);
    const ahead = Math.max(depth, Score.of(value).plies ?? 0); // foresight may see an end beyond the depth
    const ranked = [choice, ...bestFirst(moves, mover).filter((move) => move !== choice)];
    const told = ranked.filter((move, rank) => rank < this.lines || move === this.also);
    const lines = told.map((move) => [move, ...this.#variation(position.after(move), ahead - 1)]);
    return report(depth, this.told(), score, moves, lines);
  }

  /** @param {number} depth @returns {[number, number, Score, Report["moves"]]} */
  #everyMove(depth) {
    const { position } = this;
    const mover = position.toMove;
    const side = mover === MAX ? 1 : -1;
    const found = this.children.map(([move, child]) => ({ move, ...this.#moveValue(child, depth) }));
    const scores = found.map(({ value, isKnown }) => this.#scored(depth, value, isKnown));
    const ranks = scores.map((score, place) => [...score.order(mover), side * found[place].value]);
    const best = found.filter((_, each) => ranks.every((rank) => compared(rank, ranks[each]) <= 0));
    // of equal moves the one that a search from here finds: the first by its order of moves
    const [tried] = best.length > 1 ? this.#variation(position, depth, 1) : [];
    const { move, value } = best.find(({ move }) => move === tried) ?? best[0];
    const score = this.#scored(
      depth,
      value,
      found.every(({ isKnown }) => isKnown),
    );
    return [move, value, score, found.map((each, index) => [each.move, scores[index]])];
  }

  /** @param {number} depth @returns {[number, number, Score, Report["moves"]]} */
  #bestMove(depth) {
    const { value, choice, isKnown } = this.#ask(this.position.state, depth, 0);
    const score = this.#scored(depth, value, isKnown);
    /** @type {[number, Score][]} */
    const also = this.children
      .filter(([move]) => move === this.also && move !== choice)
      .map(([move, child]) => {
        const found = this.#moveValue(child, depth);
        return [move, this.#scored(depth, found.value, found.isKnown)];
      });
    return [choice, value, score, [[choice, score], ...also]];
  }

  /** @param {number} depth @param {number} value @param {boolean} isKnown */
  #scored(depth, value, isKnown) {
    return read(this.position, scored(this.position, depth, value, isKnown));
  }

  /** Every move and the position after it. */
  get children() {
    return (this.#children ??= this.position.legalMoves.map((move) => [move, this.position.after(move)]));
  }

  /** @type {[number, Position][] | undefined} */
  #children;

  /**
   * The value of a move, by the position after it, and whether no opinion entered it.
   * @param {Position} child
   * @param {number} depth
   */
  #moveValue(child, depth) {
    if (child.outcome !== null) return { value: final(child.outcome, 1), isKnown: true };
    return this.#ask(child.state, depth - 1, 1);
  }

  /**
   * The value for x, at ply 0 the best move, and whether no opinion entered the value.
   * @param {State} state
   * @param {number} depth
   * @param {number} ply
   */
  #ask(state, depth, ply) {
    const { contexts, rules, clock } = this;
    const helpers = depth < rules.facts.pvs.WORTHWHILE ? null : this.helpers;
    const asked = contexts.map((context, of) => ({ counts: clock.all[of], context, state, depth, ...WHOLE, ply }));
    return clock.run(() => {
      const guesses = contexts.map((context) => this.#noted(context, "GUESSES"));
      const { value, by } = helpers ? helpers.search(asked) : { value: rules.pvs(asked[0]), by: 0 };
      const side = rules.toMove(state) === MAX ? 1 : -1;
      const isKnown = this.#noted(contexts[by], "GUESSES") === guesses[by];
      return { value: side * value, choice: this.#noted(contexts[by], "CHOICE"), isKnown };
    });
  }

  /** @param {SearchContext} context @param {string} name */
  #noted(context, name) {
    return this.rules.read(context.scratch, this.rules.facts.scratch[name]);
  }

  /**
   * Best play from here, by searching again what the table still knows to be best; cut short by the limit.
   * @param {Position} position
   * @param {number} depth
   * @param {number} [most] Moves at most.
   */
  #variation(position, depth, most = depth) {
    /** @type {number[]} */
    const moves = [];
    try {
      for (; moves.length < most && position.outcome === null; depth--) {
        const { choice } = this.#ask(position.state, depth, 0);
        moves.push(choice);
        position = position.after(choice);
      }
    } catch (fault) {
      if (!(fault instanceof Stopped)) throw fault;
    }
    return moves;
  }
}
