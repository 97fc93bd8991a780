// The tablebase of a game, in a page that has one: exact values, looked up. The page's port of tables/reading.py, for
// what publish/tabled.py has written. A page without a table has neither this file nor the lines that name it.

import { earlier } from "./grades.js";
import { Report } from "./report.js";
import { ONGOING } from "../rules.js";
import { bestFirst, Score } from "../score.js";

/** @import { Facts, Game, TableFacts } from "../game.js" */
/** @import { State } from "../module.js" */
/** @import { Position } from "../position.js" */
/** @import { Limit } from "./clock.js" */

/** The section of a module that has a table's bytes. */
const SECTION = "table";

/** @type {WeakMap<Facts, Table>} */
const tables = new WeakMap();

/**
 * Take a game's table out of its module.
 * @param {Facts} facts
 * @param {BufferSource | WebAssembly.Module} module
 */
export function openTable(facts, module) {
  if (!facts.tablebase || !(module instanceof WebAssembly.Module)) return;
  const [bytes] = WebAssembly.Module.customSections(module, SECTION);
  tables.set(facts, new Table(facts.tablebase, bytes));
}

/**
 * The moves of a position with exact scores; null in a page without a table, and where one more repetition would end
 * the game, since its values leave the moves before out.
 * @param {Position} position Unfinished.
 * @returns {{ moves: readonly (readonly [number, Score])[], source: string } | null}
 */
export function tabled(position) {
  const table = tables.get(position.game.facts);
  const moves = table && !position.lastTimes().length && table.moves(position.game, position.state);
  return moves ? { moves, source: table.facts.title } : null;
}

/**
 * A best move; null where `tabled` has none.
 * @param {Position} position Unfinished.
 */
export function tabledMove(position) {
  const known = tabled(position);
  return known && bestFirst(known.moves, position.toMove)[0];
}

/**
 * All there is to know of a position; null where `tabled` has none, or where plies or nodes are counted.
 * @param {Position} position Unfinished.
 * @param {Limit} limit
 * @param {boolean} everyMove Whether to report all moves, or only the best.
 * @param {number} lines Moves with best play.
 */
export function tabledReport(position, { depth, nodes }, everyMove, lines) {
  const started = performance.now();
  const known = depth || nodes ? null : tabled(position);
  if (!known) return null;
  const scores = new Map(known.moves);
  const best = bestFirst(known.moves, position.toMove);
  const score = /** @type {Score} */ (scores.get(best[0]));
  const first = /** @type {const} */ ([best[0], score]);
  const told = best.slice(0, everyMove ? lines : 1).map((move) => [move, ...lineOf(position.after(move))]);
  return new Report({
    depth: Math.max(...known.moves.map(([, each]) => each.plies || 1)),
    nodes: 0,
    leaves: 0,
    cutoffs: 0,
    seconds: (performance.now() - started) / 1000,
    score,
    variation: told[0],
    moves: everyMove ? known.moves : [first],
    lines: told,
    source: known.source,
  });
}

/**
 * Best play by both sides from a position that is in a table; where states can come again, a few plies of a draw.
 * @param {Position} position
 */
function lineOf({ game, state }) {
  const { rules, facts } = game;
  const table = tables.get(facts);
  /** @type {number[]} */
  const line = [];
  while (rules.outcome(state) === ONGOING) {
    const moves = table?.moves(game, state);
    if (!moves) break;
    const [best] = bestFirst(moves, rules.toMove(state));
    const isDrawn = !new Map(moves).get(best)?.utility;
    if (facts.repetition && isDrawn && line.length >= (facts.tablebase?.drawn_line ?? 0)) break;
    line.push(best);
    state = rules.play(state, best);
  }
  return line;
}

class Table {
  /** Bytes of all keys, one array for each byte of a key, the highest of the first word first. */
  #keys;
  /** Bytes of the numbers of their values, likewise. */
  #values;

  /** @param {TableFacts} facts @param {ArrayBuffer} bytes */
  constructor(facts, bytes) {
    const { states, sizes } = facts;
    const length = bytes.byteLength / states;
    const planes = Array.from({ length }, (_, place) => new Uint8Array(bytes, place * states, states));
    this.facts = facts;
    this.#values = planes.splice(sizes.reduce((sum, size) => sum + size, 0));
    this.#keys = planes;
  }

  /**
   * Every move of an unfinished state with its score; null where one is not in the table.
   * @param {Game} game
   * @param {State} state
   */
  moves({ rules }, state) {
    /** @type {[number, Score][]} */
    const found = [];
    for (const move of rules.moves(state)) {
      const score = this.#score(rules, rules.play(state, move));
      if (!score) return null;
      found.push([move, earlier(score)]);
    }
    return found;
  }

  /**
   * The score of a state; null where it is not in the table.
   * @param {Game["rules"]} rules
   * @param {State} state
   */
  #score(rules, state) {
    const utility = rules.outcome(state);
    if (utility !== ONGOING) return Score.over(utility);
    const key = rules.repetitionKey(state);
    const place = this.#placeOf(this.facts.canonical ? rules.canonical(key) : key);
    if (place === null) return null;
    const [worth, plies] = this.facts.values[this.#values.reduce((number, bytes) => 256 * number + bytes[place], 0)];
    return new Score({ utility: worth, plies });
  }

  /** The place of a key in the table; null where it is not there. @param {State} key */
  #placeOf(key) {
    const { states, lows, sizes } = this.facts;
    const keys = this.#keys.values();
    let [first, end] = [0, states];
    for (const [word, size] of sizes.entries()) {
      const rest = key[word] - BigInt(lows[word]);
      if (rest < 0n || rest >> BigInt(8 * size)) return null;
      for (let byte = size - 1; byte >= 0; byte--) {
        const wanted = Number((rest >> BigInt(8 * byte)) & 255n);
        const bytes = /** @type {Uint8Array} */ (keys.next().value);
        first = placeIn(bytes, first, end, wanted);
        end = placeIn(bytes, first, end, wanted + 1);
      }
    }
    return first < end ? first : null;
  }
}

/**
 * The first place of a byte that is not below the wanted one, or the end.
 * @param {Uint8Array} bytes In order between the places.
 * @param {number} first
 * @param {number} end
 * @param {number} wanted
 */
function placeIn(bytes, first, end, wanted) {
  while (first < end) {
    const middle = (first + end) >> 1;
    if (bytes[middle] < wanted) first = middle + 1;
    else end = middle;
  }
  return first;
}
