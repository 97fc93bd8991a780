// A game that nothing but its link keeps: whoever has the page plays both sides, or lets a player of the page's own.
// Where it was left is remembered, so that one can come back to it.

import { answers, usualGame } from "./answers.js";
import { Played } from "./played.js";
import { opened } from "./source.js";
import { keep, kept } from "./storage.js";

/** @import { CreateInput as Create, PositionView } from "models" */
/** @import * as link from "./link.js" */
/** @import { OnChange, OnThink } from "./source.js" */

const LEFT = "game that was left";

export class Local extends Played {
  kept = /** @type {const} */ (false);

  /** @param {link.Values} values */
  constructor(values) {
    super(values);
    const { game = "", start = "", moves, x = "human", o = "human", resigned = "" } = values;
    Object.assign(this, { game, start, players: { x, o }, seats: { x: "", o: "" } });
    this.moves = moves ? moves.split(" ") : [];
    this.resigned = ["x", "o"].includes(resigned) ? resigned : "";
  }

  /**
   * @param {OnChange} onchange
   * @param {OnThink} onthink
   */
  async open(onchange, onthink) {
    Object.assign(this, { onchange, onthink });
    this.game ||= await usualGame();
    await opened(this);
  }

  /** It stands so from now on. @param {PositionView} position */
  take(position) {
    const { names } = position;
    this.version += 1;
    this.moves = position.moves;
    if (position.over) this.resigned = "";
    this.over = position.over || this.resigned !== "";
    this.why = this.resigned ? `${names[this.resigned]} resigns` : null;
    this.winner = this.resigned ? (this.resigned === "x" ? "o" : "x") : position.winner;
    keep(`${LEFT}: ${this.game}`, this.over || !this.moves.length ? null : this.link(null)[1]);
    this.onchange(position);
    this.drive(position);
  }

  /**
   * @param {number | null} ply
   * @returns {[path: string[], values: link.Wanted]}
   */
  link(ply) {
    const { flip, values, mode, thoughts } = this.values;
    const { game, start, moves, players: { x, o }, resigned } = this;
    return [["play"], { game, start, x, o, moves: moves.join(" "), resigned, ply, flip, mode, values, thoughts }];
  }

  who = () => "you";

  /** @param {string} move @param {number} ply */
  async play(move, ply) {
    const { version } = this;
    const position = await answers.ask("position", { ...this.at(ply), moves: [...this.moves.slice(0, ply), move] });
    if (this.version === version) this.take(position);
  }

  /** Back to where a person last had to move, whoever has moved since; a resignation is taken back with it. */
  async undo() {
    this.stop();
    const isPlayed = Object.values(this.players).includes("human");
    for (let ply = this.moves.length - 1; ply >= 0; ply--) {
      const position = await answers.ask("position", this.at(ply));
      if (isPlayed && !this.isPerson(position.to_move)) continue;
      this.resigned = "";
      this.take(position);
      return;
    }
    this.drive(await answers.ask("position", this.at()));
    throw new Error("There is no move to take back.");
  }

  /** @param {string} side */
  async resign(side) {
    this.stop();
    this.resigned = side;
    this.take(await answers.ask("position", this.at()));
  }
}

/**
 * A new game.
 * @param {Create} game
 */
export async function begun({ moves = [], ...game }) {
  return new Local({ ...game, moves: moves.join(" ") });
}

/**
 * What the link of the game says that was begun and left, if there is one.
 * @param {string} game
 * @returns {(link.Wanted & { moves: string }) | null}
 */
export const left = (game) => kept(`${LEFT}: ${game}`, null);
