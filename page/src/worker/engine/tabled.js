// The tablebase of a game, in a page that has one: exact values, looked up in the bytes that publish/page_table.py writes.

import { Lookup } from "../../made/exact/lookup.js";
import { ONGOING } from "../../made/rules.js";
import { Score } from "../../made/score.js";

/** @import { Game, TableFacts } from "../game.js" */
/** @import { State } from "../module.js" */
/** @import { Position } from "../position.js" */

/** The section of a module that has a table's bytes. */
const SECTION = "table";

/** @type {WeakMap<Game, Table>} */
const tables = new WeakMap();

/**
 * Take a game's table out of its module.
 * @param {Game} game
 * @param {BufferSource | WebAssembly.Module} module
 */
export function openTable(game, module) {
  const { tablebase } = game.facts;
  if (!tablebase || !(module instanceof WebAssembly.Module)) return;
  const [bytes] = WebAssembly.Module.customSections(module, SECTION);
  tables.set(game, new Table(game, tablebase, bytes));
}

/**
 * The table of a game; null in a page without one, and where one more repetition would end the game, since its values
 * leave the moves before out.
 * @param {Position} position Unfinished.
 */
export const tableOf = (position) => (position.lastTimes().length ? null : (tables.get(position.game) ?? null));

class Table extends Lookup {
  /** Bytes of all keys, one array for each byte of a key, the highest of the first word first. */
  #keys;
  /** Bytes of the numbers of their values, likewise. */
  #values;

  /** @param {Game} game @param {TableFacts} facts @param {ArrayBuffer} bytes */
  constructor(game, facts, bytes) {
    super();
    const { states, sizes } = facts;
    const length = bytes.byteLength / states;
    const planes = Array.from({ length }, (_, place) => new Uint8Array(bytes, place * states, states));
    this.game = game;
    this.facts = facts;
    this.title = facts.title;
    this.#values = planes.splice(sizes.reduce((sum, size) => sum + size, 0));
    this.#keys = planes;
  }

  /**
   * The score of a state; null where it is not in the table.
   * @param {State} state
   */
  score(state) {
    const { game } = this;
    const utility = game.outcome(state);
    if (utility !== ONGOING) return Score.over(utility);
    const key = game.repetitionKey(state);
    const place = this.#placeOf(this.facts.canonical ? game.canonical(key) : key);
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
