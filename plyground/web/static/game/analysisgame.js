// Moves to analyse: any of them may be changed, and only the link keeps them.

import { answers, usualGame } from "../answers/answers.js";
import { SILENT_LISTENER, positionOf } from "./source.js";

/** @import { PositionView } from "models" */
/** @import { Values, Wanted } from "../shell/link.js" */
/** @import { Listener } from "./source.js" */

export class AnalysisGame {
  /** @type {Listener} */
  #listener = SILENT_LISTENER;
  #version = 0;

  /** @param {Values} values */
  constructor(values) {
    this.values = values;
    this.game = values.game ?? "";
    this.start = values.start ?? "";
    this.moves = values.moves ? values.moves.split(" ") : [];
  }

  /** @param {Listener} listener */
  async open(listener) {
    this.#listener = listener;
    this.game ||= await usualGame();
    const [position, fault] = await positionOf(this);
    [this.start, this.moves] = [position.start, position.moves];
    this.#tell(position, 0);
    if (fault) listener.failed(fault);
  }

  /** @returns {[path: string[], values: Wanted]} */
  link() {
    const {
      game,
      start,
      moves,
      values: { why, x, o },
    } = this;
    return [["board"], { game, start, moves: moves.join(" "), why, x, o }];
  }

  /** @param {PositionView} position @param {number} version */
  #tell(position, version) {
    const { x = "", o = "", why: note } = this.values;
    const fixed = { over: false, why: null, winner: null, seats: {} };
    this.#listener.changed({ kind: "analysis", version, position, players: { x, o }, note, ...fixed });
  }

  /** A move at some ply; what came after it there is left. @param {string} move @param {number} ply */
  play(move, ply) {
    return this.#to([...this.moves.slice(0, ply), move]);
  }

  undo() {
    return this.#to(this.moves.slice(0, -1));
  }

  /** @param {string[]} moves */
  replay(moves) {
    return this.#to([...this.moves, ...moves]);
  }

  /** @param {string[]} moves */
  async #to(moves) {
    const { game, start, moves: before } = this;
    const version = ++this.#version;
    this.moves = moves;
    try {
      this.#tell(await answers.ask("position", { game, start, moves }), version);
    } catch (fault) {
      this.moves = before;
      throw fault;
    }
  }

  close() {
    this.#listener = SILENT_LISTENER;
  }
}
