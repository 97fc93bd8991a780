// A game between two players: whoever is no person is asked for its move, and what it thinks is told.

import { answers } from "./answers.js";

/** @import { PositionView } from "models" */
/** @import { Asked } from "./answers.js" */
/** @import { OnChange, OnThink } from "./source.js" */
/** @import * as link from "./link.js" */

/** Where a game is kept is the affair of those that extend this. */
export class Played {
  fresh = /** @type {const} */ (false);
  played = /** @type {const} */ (true);
  /** @type {string | null} */
  why = null;
  /** @type {string | null} */
  winner = null;
  over = false;
  game = "";
  start = "";
  /** @type {string[]} */
  moves = [];
  /** @type {Record<string, string>} */
  players = {};
  /** The sides that this browser plays, or whose player it asks, with their secrets. @type {Record<string, string>} */
  seats = {};
  /** Counts what happened. @type {number} */
  version = -1;
  /** @type {OnChange} */
  onchange = () => {};
  /** @type {OnThink} */
  onthink = () => {};
  /** @type {Asked<unknown> | null} */
  #thinking = null;
  #asked = -1;
  #failures = 0;

  /** @param {link.Values} values */
  constructor(values) {
    this.values = values;
  }

  at(ply = this.moves.length) {
    return { game: this.game, start: this.start, moves: this.moves.slice(0, ply) };
  }

  isPerson = (/** @type {string} */ side) => this.players[side] === "human";

  mayMove = (/** @type {PositionView} */ { to_move: side }) =>
    !this.over && this.isPerson(side) && side in this.seats;

  /**
   * A move that is the next one.
   * @param {string} move
   * @param {number} ply The plies before it.
   * @param {string} side
   * @returns {Promise<void>}
   */
  async play(move, ply, side) {
    throw new Error(`${move} at ${ply} by ${side} is kept nowhere.`);
  }

  /** What is asked of a player, beside the position. @returns {{ id?: string }} */
  get asking() {
    return {};
  }

  /**
   * If a program is to move and this browser holds its seat, ask it and make its move.
   * @param {PositionView} position
   */
  async drive(position) {
    const { version } = this;
    const side = position.to_move;
    if (this.over || this.isPerson(side) || !(side in this.seats) || this.#asked === version) return;
    this.#asked = version;
    const question = { ...this.at(), player: this.players[side], ...this.asking };
    const asked = answers.ask("reply", question, ({ report }) => this.onthink(report, asked));
    this.#thinking = asked;
    this.onthink(null, asked);
    try {
      const { move } = await asked;
      if (move && this.version === version) await this.play(move, this.moves.length, side);
      this.#failures = 0;
    } catch (fault) {
      if (fault.status !== 409) this.onchange(null, fault.message);
      if (fault.status === 503 && ++this.#failures <= 3) setTimeout(() => this.#again(position, version), 1000);
    } finally {
      if (this.#thinking === asked) this.onthink(undefined, null);
    }
  }

  /**
   * Ask once more: a worker that died cost nothing but its answer.
   * @param {PositionView} position
   * @param {number} version
   */
  #again(position, version) {
    if (this.version !== version) return;
    this.#asked = -1;
    this.drive(position);
  }

  /** No player thinks any more; it can be asked anew. */
  stop() {
    this.#thinking?.cancel();
    this.#thinking = null;
    this.#asked = -1;
    this.onthink(undefined, null);
  }

  close() {
    this.onchange = () => {}; // an answer may still be under way
    this.#thinking?.cancel();
  }
}
