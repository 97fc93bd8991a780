// A game that may cycle, valued whole: all its states are listed and valued from their ends backward. The page's port
// of engine/sweep.py, for games that are small enough for it.

import { keyOf } from "./game.js";
import { Graph, OPEN } from "./retrograde.js";
import { bestOf, earlier, ended, foreseen, MAX, ONGOING, scoreOf } from "./score.js";

/** @import { Game } from "./game.js" */
/** @import { Position } from "./position.js" */
/** @import { Score } from "./score.js" */
/** @import { State } from "./module.js" */

/** Moves with their scores; null where that depends on what came before. */
/** @typedef {readonly (readonly [move: number, score: Score | null])[]} Worths */

/** States that are listed at most: what a phone has memory for. */
const MOST = 200_000;
/** Plies of best play, at most. */
const LONGEST_LINE = 500;

/** @type {WeakMap<Game, Sweep>} */
const kept = new WeakMap();
/** For how many seconds it was tried in vain to list a game's states. @type {WeakMap<Game, number>} */
const tried = new WeakMap();

/**
 * All states from here, valued, if they are few, or were listed before; else null, and it is not tried again without
 * more time.
 * @param {Position} position
 * @param {number} seconds The time for it.
 */
export function smallSweep(position, seconds) {
  const { game } = position;
  let sweep = kept.get(game);
  if (sweep?.graph.placeOf(position.state) === undefined) {
    if (seconds <= (tried.get(game) ?? 0)) return null;
    const until = performance.now() + 1000 * seconds;
    const graph = new Graph(game.rules, position.state);
    if (!graph.explore(() => graph.states.length < MOST && performance.now() < until)) {
      tried.set(game, seconds);
      return null;
    }
    kept.set(game, (sweep = new Sweep(graph)));
  }
  sweep.value(position.lastTimes());
  return sweep;
}

class Sweep {
  /** Of each state, as the last ends have it. */
  #values = new Float64Array();
  /** @type {readonly number[]} */
  #utilities = [];
  /** @type {string | null} */
  #ends = null;

  /** @param {Graph} graph All of whose states are listed. */
  constructor(graph) {
    this.graph = graph;
  }

  /** States that are listed. */
  get nodes() {
    return this.graph.states.length;
  }

  /** How many states are won, each taken for the first of a game, and the longest win, in plies. */
  get census() {
    const { worst, best } = this.graph;
    this.value([]);
    const rest = worst === best ? worst : 0;
    const winners = this.#values.map((value) => Math.sign(value === OPEN ? rest : value));
    const x = winners.filter((winner) => winner > 0).length;
    const o = winners.filter((winner) => winner < 0).length;
    const plies = (/** @type {number} */ value) => (value === OPEN ? 0 : foreseen(value).plies ?? 0);
    const longest = this.#values.reduce((most, value) => Math.max(most, plies(value)), 0);
    return { states: this.nodes, x, o, drawn: this.nodes - x - o, longest };
  }

  /**
   * Value all states.
   * @param {readonly State[]} ends States at which the game ends when they come once more.
   */
  value(ends) {
    const { rules, states, utilities } = this.graph;
    const wanted = new Map(ends.map((end) => [keyOf(end), end]));
    const name = [...wanted.keys()].join(" ");
    if (this.#ends === name) return;
    this.#ends = name;
    this.#utilities = !ends.length ? utilities : utilities.map((utility, place) => {
      const end = utility === ONGOING && wanted.get(keyOf(rules.recurring(states[place])));
      return end ? rules.again(end) : utility;
    });
    this.#values = this.graph.valued(this.#utilities);
  }

  /**
   * What a state is worth; null where that depends on how it came about.
   * @param {State} state
   * @returns {Score | null}
   */
  #score(state) {
    const { worst, best } = this.graph;
    const place = this.graph.placeOf(state);
    if (place === undefined) throw new Error(`${keyOf(state)} is not listed`);
    const value = this.#values[place];
    if (value === OPEN) {
      if (this.#utilities[place] !== ONGOING) return ended(this.#utilities[place]);
      return worst === best ? scoreOf({ utility: worst }) : null;
    }
    const score = value ? foreseen(value) : scoreOf({ utility: 0 });
    const isOpen = worst !== best && (score.utility === worst || score.utility === best); // a repetition may be sooner
    return isOpen ? scoreOf({ utility: score.utility }) : score;
  }

  /**
   * What each move is worth.
   * @param {Position} position
   * @returns {Worths}
   */
  moves(position) {
    return position.legal.map((move) => {
      const child = position.play(move);
      const score = child.outcome === null ? this.#score(child.state) : ended(child.outcome);
      return [move, score && earlier(score)];
    });
  }

  /**
   * The first best move and what it is worth; null where that depends on what came before.
   * @param {Worths} moves
   * @param {number} mover
   * @returns {[move: number, score: Score] | null}
   */
  best(moves, mover) {
    const known = moves.flatMap(([move, score]) => (score ? [/** @type {[number, Score]} */ ([move, score])] : []));
    const [move] = bestOf(known, mover);
    const found = known.find((each) => each[0] === move);
    if (!found) return null;
    const utility = found[1].utility ?? 0;
    const isBest = mover === MAX ? utility >= this.graph.best : utility <= this.graph.worst;
    return isBest || known.length === moves.length ? found : null;
  }

  /**
   * Best play by both sides, until it would repeat itself, or nobody knows what is best.
   * @param {Position} position
   */
  line(position) {
    /** @type {number[]} */
    const line = [];
    while (position.outcome === null && line.length < LONGEST_LINE) {
      if (position.coming(position.line[position.line.length - 1]) >= 2) break;
      const found = this.best(this.moves(position), position.toMove);
      if (!found) break;
      line.push(found[0]);
      position = position.play(found[0]);
    }
    return line;
  }
}
