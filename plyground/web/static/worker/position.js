// A game, a state, and how it came about. It never changes: a move gives another position.

import { constants, filled } from "./constants.js";
import { Refused } from "./refused.js";
import { keyOf } from "./game.js";
import { ONGOING } from "./rules.js";
import { Score } from "./score.js";
import { refusalBeforeRules, usualRefusal } from "./board/refusing.js";

/** @import { State } from "./module.js" */
/** @import { Game } from "./game.js" */

export class Position {
  /** @type {number | null | undefined} */
  #outcome;
  /** @type {number[] | undefined} */
  #legal;
  /** @type {string[] | undefined} */
  #texts;
  /** @type {string[] | undefined} */
  #words;
  /** @type {string[] | undefined} */
  #notation;

  /**
   * @param {Game} game
   * @param {readonly State[]} states From the start to now.
   * @param {readonly number[]} moves Those between them.
   * @param {readonly State[]} line What can come again of each state; nothing in a game where none can.
   * @param {number} startNumber Fullmove number of the start, as FEN has it.
   */
  constructor(game, states, moves, line, startNumber) {
    this.game = game;
    this.states = states;
    this.moves = moves;
    this.line = line;
    this.startNumber = startNumber;
    this.state = states[states.length - 1];
  }

  /** @param {Game} game @param {State} [state] @param {number} [startNumber] */
  static at(game, state = game.initial, startNumber = 1) {
    return new Position(game, [state], [], game.facts.repetition ? [game.rules.repetitionKey(state)] : [], startNumber);
  }

  /** Plies that the numbers of its moves count before the start; odd, where the second player began. */
  get pliesBefore() {
    const { rules, initial } = this.game;
    return 2 * (this.startNumber - 1) + Number(rules.toMove(this.states[0]) !== rules.toMove(initial));
  }

  /** The start in text, with its number unless that is 1; empty for the initial state. */
  get startText() {
    const text = this.game.text(this.states[0]);
    if (this.startNumber > 1) return `${text}_${this.startNumber}`;
    return text === this.game.text(this.game.initial) ? "" : text;
  }

  /** Whose turn it is. */
  get toMove() {
    return this.game.rules.toMove(this.state);
  }

  /** The utility for the first player if the game is over, also by repetition; null while it goes on. */
  get outcome() {
    if (this.#outcome === undefined) {
      const { rules } = this.game;
      const utility = rules.outcome(this.state);
      const isOver = utility !== ONGOING;
      this.#outcome = isOver ? utility : this.#isRepeated() ? rules.repetitionValue(this.state) : null;
    }
    return this.#outcome;
  }

  #isRepeated() {
    if (!this.line.length) return false;
    return this.coming(this.line[this.line.length - 1]) >= this.game.facts.repetition;
  }

  /**
   * How often something has come on the line.
   * @param {State} state
   */
  coming(state) {
    const key = keyOf(state);
    return this.line.filter((each) => keyOf(each) === key).length;
  }

  /**
   * What of the line ends the game when it comes once more; also all that came in the last `plies` plies.
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
    const { repetition } = this.game.facts;
    const late = new Set(this.line.slice(this.line.length - plies).map(keyOf));
    const isLast = (/** @type {{ state: State, times: number }} */ { state, times }) =>
      times >= repetition - 1 || late.has(keyOf(state));
    return [...found.values()].filter(isLast).map(({ state }) => state);
  }

  /** The legal moves in generation order; none when the game is over. */
  get legalMoves() {
    return (this.#legal ??= this.outcome === null ? this.game.rules.moves(this.state) : []);
  }

  /** The same in text. */
  get legalTexts() {
    return (this.#texts ??= this.legalMoves.map((move) => this.game.moveText(this.state, move)));
  }

  /** The same as players write them. */
  get legalNotation() {
    return this.legalMoves.map((move) => this.game.notationText(this.state, move));
  }

  /** The moves that led here, in text. */
  get words() {
    return (this.#words ??= this.moves.map((move, ply) => this.game.moveText(this.states[ply], move)));
  }

  /** The moves that led here, as players write them. */
  get notation() {
    return (this.#notation ??= this.moves.map((move, ply) => this.game.notationText(this.states[ply], move)));
  }

  /** The state in text. */
  get text() {
    return this.game.text(this.state);
  }

  /**
   * Whether a text names a legal move.
   * @param {string} word
   */
  names(word) {
    return this.#named(word) !== undefined;
  }

  /** @param {string} word */
  #named(word) {
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
    const found = this.#named(wanted);
    if (found !== undefined) return found;
    const { over, not_legal: notLegal, more, named } = constants.position_words;
    if (this.outcome !== null) throw new Refused(filled(over, { result: this.result }));
    const rest = this.legalMoves.length > named ? filled(more, { count: this.legalMoves.length }) : "";
    throw new Refused(filled(notLegal, { move: wanted, moves: this.legalNotation.slice(0, named).join(", ") + rest }));
  }

  /**
   * Why no legal move goes along these places; empty where one may. What only a game's own rules know, such as why
   * castling is illegal, a module cannot say.
   * @param {number[]} path
   */
  refusal(path) {
    const { board } = this.game.facts;
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
   * The position after a legal move.
   * @param {number} move
   */
  after(move) {
    const { rules, facts } = this.game;
    const state = rules.play(this.state, move);
    const line = facts.repetition ? [...this.line, rules.repetitionKey(state)] : this.line;
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

  /** How the game stands, in words. */
  get result() {
    const { names, rules, facts } = this.game;
    const { to_move: toMove, by, repetition, threefold } = constants.position_words;
    if (this.outcome === null) return filled(toMove, { name: names[this.toMove] });
    const repeated = facts.repetition === 3 ? threefold : repetition;
    const how = rules.outcome(this.state) === ONGOING ? repeated : this.game.noticeText(this.state);
    return new Score({ utility: this.outcome }).text(names) + (how && filled(by, { how }));
  }

  /** The legal moves and the places that each touches. */
  get paths() {
    return new Map(this.legalMoves.map((move) => [move, this.game.rules.path(this.state, move)]));
  }

  /** Whether the only legal move is a pass: it touches no place of the board. */
  get mustPass() {
    const { game, legalMoves, state } = this;
    return legalMoves.length === 1 && game.places.length > 0 && !game.rules.path(state, legalMoves[0]).length;
  }

  /** What stands on the board. */
  look() {
    return this.game.look(this.state);
  }

  /** The places that the last move touched. */
  get last() {
    const ply = this.moves.length;
    return ply ? this.game.rules.path(this.states[ply - 1], this.moves[ply - 1]) : [];
  }
}

/**
 * Moves made one after the other from a position, in text.
 * @param {Position} here
 * @param {readonly number[]} moves
 */
export const movesText = (here, moves) => here.game.lineText(here.state, moves);

/**
 * The same as players of the game write them.
 * @param {Position} here
 * @param {readonly number[]} moves
 */
export const notationOf = (here, moves) => here.game.lineText(here.state, moves, here.game.notationText);
