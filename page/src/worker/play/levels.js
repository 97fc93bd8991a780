// A player that errs like a person, by its error rate: how it chooses is made from play/level.py.

import { Chance } from "./chance.js";
import { secondsFor, thinkAsLevel } from "../../made/play/level.js";
import { think } from "../engine/thinking.js";

/** @import { Position } from "../position.js" */

export class Level {
  /**
   * @param {number} error How often it plays a move that gives value away although another keeps it, 0 to 1.
   * @param {number | null} time Seconds for each move.
   * @param {string} seed
   * @param {number} table Mebibytes, at most.
   */
  constructor(error, time, seed, table) {
    this.error = error;
    this.time = time ?? secondsFor(error);
    this.seed = seed;
    this.table = table;
  }

  /**
   * Reports of a level as it thinks; the last report's first move is its choice.
   * @param {Position} position
   */
  think(position) {
    const chance = new Chance(`${this.seed} ${position.words.join(" ")}`);
    return thinkAsLevel(position, this.error, this.time, null, this, chance);
  }

  /**
   * Deeper and deeper looks at every move.
   * @param {Position} position
   * @param {number | null} time
   * @param {number | null} nodes
   * @param {number} table
   */
  looks(position, time, nodes, table) {
    return think(position, { time, nodes }, { everyMove: true, table: Math.min(table, this.table) });
  }
}
