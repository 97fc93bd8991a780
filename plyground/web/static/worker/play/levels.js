// A player that errs like a person, by its error rate: the page's port of play/level.py, which says why it is so.

import { Chance } from "./chance.js";
import { constants } from "../constants.js";
import { sortedOut } from "./level.js";
import { replaced } from "../python.js";
import { think } from "../engine/thinking.js";

/** @import { Position } from "../position.js" */
/** @import { Limit } from "../engine/clock.js" */
/** @import { Report } from "../engine/report.js" */

const now = () => performance.now() / 1000;

export class Level {
  /**
   * @param {number} error How often it plays a move that gives value away although another keeps it, 0 to 1.
   * @param {number | null} time Seconds for each move.
   * @param {string} seed
   * @param {number} table Mebibytes, at most.
   */
  constructor(error, time, seed, table) {
    const { level } = constants;
    this.error = error;
    this.time = time ?? (error ? level.quickly : level.carefully);
    this.seed = seed;
    this.table = Math.min(table, level.table);
  }

  /**
   * What it thinks as it thinks; the last report's first move is its choice.
   * @param {Position} position
   */
  *think(position) {
    const until = now() + this.time;
    /** @type {Report | null} */
    let last = null;
    const limit = { time: this.time * constants.level.values };
    for (const report of think(position, limit, { everyMove: true, table: this.table })) {
      yield (last = report);
    }
    if (!last) return;
    const choice = this.#choice(position, last, until);
    const { variation, moves } = last;
    const [, score] = moves.find(([move]) => move === choice) ?? moves[0];
    yield replaced(last, { score, variation: variation[0] === choice ? variation : [choice] });
  }

  /** @param {Position} position @param {Report} report @param {number} until */
  #choice(position, report, until) {
    const chance = new Chance(`${this.seed} ${position.words.join(" ")}`);
    const [good, bad] = sortedOut(position, report);
    const { nearer } = constants.level;
    if (bad.length && chance.random() < this.error)
      return chance.weighed(
        bad,
        bad.map((_, rank) => nearer ** -rank),
      );
    return good.length === 1 ? good[0] : hardest(position, chance.shuffled(good), until);
  }
}

/**
 * Of equal moves the one that is hardest to answer, as far as they can be looked at in turn until the end.
 * @param {Position} position
 * @param {number[]} moves
 * @param {number} until
 */
function hardest(position, moves, until) {
  const { trap, trap_nodes: nodes } = constants.level;
  let [choice, least] = [moves[0], Infinity];
  for (const move of moves) {
    const left = until - now();
    if (left <= 0) break;
    const safety = safetyOf(position.after(move), { time: Math.min(left, trap), nodes });
    if (safety < least) [choice, least] = [move, safety];
  }
  return choice;
}

/**
 * The share of the opponent's replies that are right: the lower, the more easily they go wrong.
 * @param {Position} after
 * @param {Partial<Limit>} limit
 */
function safetyOf(after, limit) {
  if (after.outcome !== null) return 0;
  const report = [...think(after, limit, { everyMove: true, table: 1 })].pop();
  if (!report) return 0;
  return 1 - sortedOut(after, report)[1].length / report.moves.length;
}
