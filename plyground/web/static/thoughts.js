// What is known of the shown position and of the game: a player's thoughts, the values of all moves, a review.

import { answers } from "./answers.js";

/** @import { At, MoveView, ReportView, StepView } from "models" */
/** @import { Asked } from "./answers.js" */

const REVIEW_SECONDS = 1;
const HINT_SECONDS = 1;
const READY_AFTER = 400;

export class Thoughts {
  /** What each move is worth. @type {Record<string, MoveView> | null} */
  #heat = null;
  /** Whether it is told for x; else for whoever is to move. */
  forX = false;
  /** How many positions are reviewed in all. */
  total = 0;
  /** What a search knows so far. @type {ReportView | null} */
  found = null;
  /** The ply of the position of which it is known. */
  of = 0;
  /** The one move that was asked for as a hint. @type {Record<string, MoveView> | null} */
  hinted = null;
  /** The positions of the game under review. @type {StepView[]} */
  steps = [];
  /** @type {Asked<unknown> | null} */
  #analysis = null;
  /** @type {Asked<unknown> | null} */
  #reviewing = null;
  /** @type {Asked<unknown> | null} */
  #thinking = null;
  #waiting = false;

  /**
   * @param {{ found: () => void, reviewed: () => void, failed: (sentence: string) => void }} told Told of news.
   */
  constructor(told) {
    this.told = told;
  }

  /** What each move is worth, to the side it is told for. @type {Record<string, MoveView> | null} */
  get heat() {
    if (!this.#heat || !this.forX) return this.#heat;
    const told = Object.entries(this.#heat).map(([move, worth]) => [move, { ...worth, brief: worth.brief_x }]);
    return Object.fromEntries(told);
  }

  /** What is told of moves on the board. */
  get marks() {
    return this.hinted ?? this.heat;
  }

  /** What is being thought, to be stopped. */
  get going() {
    return this.#thinking ?? this.#analysis;
  }

  /** What the engine is at, in words; empty where it is at nothing. */
  get standing() {
    if (this.#waiting) return answers.waits;
    if (this.#thinking) return "Thinking…";
    if (this.#analysis && this.heat) return "Looking deeper, until all is certain…";
    if (this.#analysis) return "Looking…";
    return this.heat && !this.found?.certain ? "Stopped before all was certain." : "";
  }

  /**
   * What a player thinks; it begins with nothing found, and ends with nothing asked.
   * @param {ReportView | null | undefined} found
   * @param {Asked<unknown> | null} asked
   * @param {number} ply Of the position that it thinks about.
   */
  hear(found, asked, ply) {
    this.#thinking = asked;
    this.#waiting = false;
    if (found) this.found = found;
    if (asked && !found) {
      this.found = null;
      this.of = ply;
      setTimeout(() => {
        this.#waiting = this.#thinking === asked && !this.found;
        this.told.found();
      }, READY_AFTER);
    }
    this.told.found();
  }

  /** Another position is shown. */
  leave() {
    this.#analysis?.cancel();
    this.#analysis = null;
    this.#heat = null;
    this.hinted = null;
  }

  /** Another game is played. */
  forget() {
    this.found = null;
    this.diverge();
  }

  /** The game is no longer the one that was reviewed. */
  diverge() {
    this.#reviewing?.cancel();
    this.#reviewing = null;
    this.steps = [];
  }

  /**
   * One good move, to be marked on the board.
   * @param {Required<At>} at
   */
  async hint(at) {
    const asked = answers.ask("analyse", { ...at, seconds: HINT_SECONDS });
    this.#analysis = asked;
    this.told.found();
    try {
      const { moves } = await asked;
      if (this.#analysis !== asked) return;
      const [move, view] = Object.entries(moves).find(([, { better }]) => better === 0) ?? [];
      const score = view && { ...view.score, text: "hint" };
      if (move && view && score) this.hinted = { [move]: { ...view, score, brief: "hint", tone: "good", best: "" } };
    } finally {
      if (this.#analysis === asked) this.#analysis = null;
      this.told.found();
    }
  }

  /**
   * Value every move; goes on until all is certain, until it is stopped, or until another position is shown.
   * @param {Required<At>} at
   */
  async study(at) {
    this.of = at.moves.length;
    const asked = answers.ask("study", at, (found) => {
      if (this.#analysis !== asked) return;
      this.found = found;
      this.#heat = found.moves;
      this.told.found();
    });
    this.#analysis = asked;
    await asked.catch((fault) => this.told.failed(fault.message));
    if (this.#analysis === asked) this.#analysis = null;
    this.told.found();
  }

  /**
   * Value every position of a game.
   * @param {Required<At>} at
   */
  async review(at) {
    this.#reviewing?.cancel();
    const asked = answers.ask("review", { ...at, seconds: REVIEW_SECONDS }, ({ steps, total }) => {
      [this.steps, this.total] = [steps, total];
      this.told.reviewed();
    });
    await (this.#reviewing = asked);
  }
}
