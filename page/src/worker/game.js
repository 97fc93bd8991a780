// A game: the rules, which a WebAssembly module answers for, and what is fixed of it. Its texts and looks are made
// of the ints that the rules tell, as in board/signs.py and board/look.py.

import { makeLook } from "../made/board/look.js";
import { spell } from "../made/board/signs.js";
import { chanceOf, occupiedShareOfBoard } from "../made/engine/chances.js";
import { Module } from "./module.js";

/** @import { BoardView, Constants } from "models" */
/** @import { ModuleFacts, State } from "./module.js" */

/**
 * Layout of the bytes of a tablebase in a page (`publish/page_table.py`), and its values.
 * @typedef {{
 *   states: number, lows: readonly string[], sizes: readonly number[], canonical: boolean,
 *   values: readonly (readonly [utility: number, plies: number | null])[], title: string,
 * }} TableFacts
 */

/**
 * Constant facts of a game: those of its module, and those that `web/views/module_facts.py` adds. `fen`, `pdn` and
 * `sgf` say whether it has texts of that form, `quiet` how many quiet plies its states count at most, `scales` what an
 * estimate counts, by the player to move.
 * @typedef {ModuleFacts & {
 *   spec: string, fen: boolean, pdn: boolean, sgf: boolean, quiet?: number, board: BoardView,
 *   scales: readonly [x: string, o: string], constants: Constants, unit: readonly [name: string, points: number],
 *   curve: readonly (readonly [most: number, lean: number, slope: number])[], tablebase?: TableFacts,
 * }} Facts
 */

export class Game extends Module {
  /** @param {WebAssembly.Instance} instance @param {WebAssembly.Memory} memory @param {Facts} facts */
  constructor(instance, memory, facts) {
    super(instance, memory, facts);
    /** @type {Facts} */
    this.facts = facts;
    this.names = facts.board.names;
    this.marks = facts.board.marks;
    this.places = facts.board.places.map(({ name }) => name);
    this.repetition = facts.repetition;
  }

  /**
   * The state as one short word.
   * @param {State} state
   */
  text(state) {
    return spell(this.signs("state_signs", state), this.places, this.marks);
  }

  /**
   * The move as one short word.
   * @param {State} state
   * @param {number} move
   */
  moveText(state, move) {
    return spell(this.signs("move_signs", state, move), this.places, this.marks);
  }

  /**
   * The move as players write it.
   * @param {State} state
   * @param {number} move
   */
  notationText(state, move) {
    const question = this.facts.notation ? "notation_signs" : "move_signs";
    return spell(this.signs(question, state, move), this.places, this.marks);
  }

  /**
   * The notice of the state, in words.
   * @param {State} state
   */
  noticeText(state) {
    return this.facts.notice ? spell(this.signs("notice", state), this.places, this.names) : "";
  }

  /**
   * Expected result of an estimate in points, by the game's curve; null without one.
   * @param {State} state
   * @param {number} points
   */
  chance(state, points) {
    const { curve, unit } = this.facts;
    return chanceOf(curve, occupiedShareOfBoard(this.stands(state), this.places.length), unit, points);
  }

  /**
   * Pieces on the board.
   * @param {State} state
   */
  look(state) {
    const caption = spell(this.signs("caption", state), this.places, this.names);
    const text = this.places.length || caption ? caption : this.text(state);
    return makeLook(this.facts.board, this.stands(state), this.strokes(state), text);
  }
}

/**
 * A state as a key: the same for the same state alone.
 * @param {State} state
 */
export const keyOf = (state) => state.join();
