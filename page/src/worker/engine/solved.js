// Exact results of analyses in this worker, for later questions.

/** @import { ReportView } from "models" */
/** @import { Position } from "../position.js" */

/** Positions that are kept: those found last. */
const MOST = 1000;

export class Solved {
  /** @type {Map<string, ReportView>} */
  #found = new Map();

  /**
   * Report of a position; null where none is kept. Where states come again, a value may depend on what
   * came before, so none is kept.
   * @param {Position} here
   */
  find(here) {
    return (this.#mayKeep(here) && this.#found.get(here.text)) || null;
  }

  /**
   * Keep what was found of a position, if it is certain.
   * @param {Position} here
   * @param {ReportView} report
   */
  keep(here, report) {
    if (!report.certain || !this.#mayKeep(here)) return;
    this.#found.set(here.text, report);
    const [oldest] = this.#found.keys();
    if (this.#found.size > MOST) this.#found.delete(oldest);
  }

  /** @param {Position} here */
  #mayKeep(here) {
    return !here.game.facts.repetition && here.outcome === null;
  }
}
