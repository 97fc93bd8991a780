// A game, a state, and how it came about. It never changes: a move gives another position. What is told of it is made
// from position.py.

import { Refused } from "./refused.js";
import { keyOf } from "./game.js";
import { refusalBeforeRules, usualRefusal } from "../made/board/refusing.js";
import * as made from "../made/position.js";

/** @import { State } from "./module.js" */
/** @import { Game } from "./game.js" */

export class Position extends made.Position {
  /**
   * @param {Game} game
   * @param {readonly State[]} states From the start to now.
   * @param {readonly number[]} moves Those between them.
   * @param {readonly State[]} line What can come again of each state; nothing in a game where none can.
   * @param {number} startNumber Fullmove number of the start, as FEN has it.
   */
  constructor(game, states, moves, line, startNumber) {
    super();
    this.game = game;
    this.board = game.facts.board;
    this.start = states[0];
    this.states = states;
    this.moves = moves;
    this.line = line;
    this.startNumber = startNumber;
    this.state = states[states.length - 1];
  }

  /** @param {Game} game @param {State} [state] @param {number} [startNumber] */
  static at(game, state = game.initial(), startNumber = 1) {
    return new Position(game, [state], [], game.facts.repetition ? [game.repetitionKey(state)] : [], startNumber);
  }

  /** The start in text, with its number unless that is 1; empty for the initial state. */
  get startText() {
    const text = this.game.text(this.start);
    if (this.startNumber > 1) return `${text}_${this.startNumber}`;
    return text === this.game.text(this.game.initial()) ? "" : text;
  }

  /**
   * States of the line that end the game when they come once more; also all that came in the last `plies` plies.
   * @param {number} [plies]
   */
  lastTimes(plies = 0) {
    /** @type {Map<string, { state: State, times: number }>} */
    const found = new Map();
    for (const state of this.line) {
      const known = found.get(keyOf(state));
      if (known) known.times++;
      else found.set(keyOf(state), { state, times: 1 });
    }
    const { repetition } = this.game;
    const late = new Set(this.line.slice(this.line.length - plies).map(keyOf));
    const isLast = (/** @type {{ state: State, times: number }} */ { state, times }) =>
      times >= repetition - 1 || late.has(keyOf(state));
    return [...found.values()].filter(isLast).map(({ state }) => state);
  }

  /**
   * Whether a text names a legal move.
   * @param {string} word
   */
  isLegal(word) {
    return this.#moveNamed(word) !== undefined;
  }

  /** @param {string} word */
  #moveNamed(word) {
    const exact = this.legalTexts.indexOf(word);
    if (exact >= 0) return this.legalMoves[exact];
    const like = this.legalMoves.filter((_, place) => this.legalTexts[place].toLowerCase() === word.toLowerCase());
    if (like.length) return like.length === 1 ? like[0] : undefined;
    const bare = word.replace(/[+#!?]+$/, "");
    return this.legalMoves[this.legalNotation.findIndex((each) => each.replace(/[+#]$/, "") === bare)];
  }

  /**
   * The legal move that a text names; a number is one.
   * @param {number | string} word
   */
  legal(word) {
    if (typeof word === "number") return word;
    const wanted = word.trim();
    const found = this.#moveNamed(wanted);
    if (found !== undefined) return found;
    throw new Refused(this._notLegal(wanted, ""));
  }

  /**
   * Reason why no legal move goes along these places; empty where one may. What only a game's own rules know, such as why
   * castling is illegal, a module cannot say.
   * @param {number[]} path
   */
  refusal(path) {
    const { board } = this;
    const paths = [...this.paths.values()];
    const known = refusalBeforeRules(board, paths, path, this.outcome === null ? "" : this.result);
    return known ?? usualRefusal(board, this.look(), this.toMove, paths, path);
  }

  /**
   * The position after a move, in text or as a number.
   * @param {number | string} move
   */
  play(move) {
    return this.after(this.legal(move));
  }

  /**
   * The position after a move of a game that has been played: as `play`, and also where a draw could have been claimed.
   * @param {string} word
   */
  playWithoutClaim(word) {
    if (this.outcome !== 0) return this.play(word);
    const move = this.game.moves(this.state).find((each) => this.game.moveText(this.state, each) === word);
    return move === undefined ? this.play(word) : this.after(move);
  }

  /**
   * The position after a legal move.
   * @param {number} move
   */
  after(move) {
    const { game } = this;
    const state = game.play(this.state, move);
    const line = game.repetition ? [...this.line, game.repetitionKey(state)] : this.line;
    return new Position(this.game, [...this.states, state], [...this.moves, move], line, this.startNumber);
  }

  /**
   * The position after so many of its moves.
   * @param {number} ply
   */
  before(ply) {
    const line = this.line.slice(0, ply + 1);
    return new Position(this.game, this.states.slice(0, ply + 1), this.moves.slice(0, ply), line, this.startNumber);
  }

  /** The positions from the start to this one. */
  steps() {
    return this.states.map((_, ply) => this.before(ply));
  }
}
