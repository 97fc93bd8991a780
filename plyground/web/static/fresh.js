// The game of the first page: it can be played at once, and is kept from its first move on.

import { answers, usualGame } from "./answers.js";
import { keep, kept } from "./storage.js";

/** @import { PositionView } from "models" */
/** @import * as link from "./link.js" */
/** @import { OnChange } from "./source.js" */

/** Which game is played, and by whom. @typedef {Record<"game" | "x" | "o", string> & Record<string, string>} Choice */

const LAST = "last game";
/** @type {Choice} */
const USUAL = { game: "", x: "human", o: "level:easy" };

/** A game that begins with the first move, or when it is asked for: nothing is kept before. */
export class Fresh {
  kept = /** @type {const} */ (false);
  played = /** @type {const} */ (false);
  fresh = /** @type {const} */ (true);
  why = null;
  winner = null;
  over = false;
  start = "";
  /** @type {string[]} */
  moves = [];
  /** Those that this browser will hold: both. @type {Record<string, string>} */
  seats = { x: "", o: "" };
  /** @type {OnChange} */
  onchange = () => {};

  /** @type {PositionView | null} */
  #position = null;

  /** @param {link.Values} values */
  constructor(values) {
    this.values = values;
    /** @type {Choice} */
    this.chosen = { ...USUAL, ...kept(LAST, {}), ...present(values, ["game", "x", "o"]) };
  }

  get game() {
    return this.chosen.game;
  }

  /** @returns {Record<string, string>} */
  get players() {
    return { x: this.chosen.x, o: this.chosen.o };
  }

  /** @param {OnChange} onchange */
  async open(onchange) {
    this.onchange = (position, fault) => {
      this.#position = position ?? this.#position;
      onchange(position, fault);
    };
    const isOurs = !this.values.game; // what was played last may be gone; what a link names is said to be wrong
    const usual = await usualGame();
    const asked = this.chosen.game || usual;
    this.chosen.game = asked;
    const position = await answers.ask("position", this.at()).catch((fault) => {
      if (!isOurs || asked === usual) throw fault;
      this.chosen = { ...USUAL, game: usual };
      return answers.ask("position", this.at());
    });
    this.#seat(position.to_move);
    this.onchange(position);
  }

  /**
   * Whoever plays here begins, so that the board can be played on at once, unless the link says who plays.
   * @param {string} mover
   */
  #seat(mover) {
    const { x, o } = this.values;
    if (x || o || this.isPerson(mover)) return;
    const other = mover === "x" ? "o" : "x";
    this.chosen[other] = this.isPerson(other) ? this.chosen[mover] : USUAL.o;
    this.chosen[mover] = USUAL.x;
  }

  /**
   * Another choice. Of a game that is none, the board stays as it was, and what is wrong with it is said.
   * @param {Record<string, string>} choice
   */
  async choose(choice) {
    const { game } = this.chosen;
    this.chosen = { ...this.chosen, ...choice };
    Object.assign(this.values, this.chosen);
    const wanted = this.chosen.game;
    const position = wanted === game ? null : await answers.ask("position", { game: wanted });
    if (wanted !== this.chosen.game) return;
    keep(LAST, this.chosen);
    this.onchange(position ?? this.#position);
  }

  at() {
    return { game: this.game, start: "", moves: this.moves };
  }

  /** @returns {[path: string[], values: link.Wanted]} */
  link() {
    const { game, x, o, flip } = this.values;
    return [[], { game, x, o, flip }];
  }

  isPerson = (/** @type {string} */ side) => this.players[side] === "human";

  mayMove = (/** @type {PositionView} */ { to_move: side }) => this.isPerson(side);

  /**
   * The game that is begun now.
   * @param {string[]} moves
   */
  begun(moves = []) {
    keep(LAST, this.chosen);
    return { ...this.chosen, moves };
  }

  close() {}
}

/**
 * Those of some values that are there.
 * @param {link.Values} values
 * @param {string[]} names
 */
const present = (values, names) =>
  Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
