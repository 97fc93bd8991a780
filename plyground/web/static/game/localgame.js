// A game that only its link keeps: a person at the page plays both sides, or against a player that runs in the page.
// The last position is remembered, so that one can come back to it.

import { answers, usualGame } from "../answers/answers.js";
import { keep, kept } from "../shell/storage.js";
import { PlayedGame } from "./playedgame.js";
import { positionOf } from "./source.js";

/** @import { CreateInput as Create, PositionView } from "models" */
/** @import { Values, Wanted } from "../shell/link.js" */
/** @import { Listener } from "./source.js" */

const LEFT = "game that was left";

export class LocalGame extends PlayedGame {
  #version = 0;

  /** @param {Values} values */
  constructor(values) {
    super(values);
    const { game = "", start = "", moves, x = "human", o = "human", resigned = "", agreed = "" } = values;
    this.of = game;
    this.start = start;
    this.moves = moves ? moves.split(" ") : [];
    this.players = { x, o };
    this.resigned = ["x", "o"].includes(resigned) ? resigned : "";
    /** Whether the two people have agreed on a draw. */
    this.agreed = agreed === "1";
  }

  /** @param {Listener} listener */
  async open(listener) {
    this.listener = listener;
    this.of ||= await usualGame();
    const [position, fault] = await positionOf(this.#at());
    this.start = position.start;
    this.#take(position);
    if (fault) listener.failed(fault);
  }

  #at(moves = this.moves) {
    return { game: this.of, start: this.start, moves };
  }

  /** It stands so from now on. @param {PositionView} position */
  #take(position) {
    const { names, over } = position;
    this.moves = position.moves;
    if (over) this.#unended();
    const { resigned, agreed, players } = this;
    this.change({
      kind: "local",
      version: ++this.#version,
      position,
      players,
      seats: { x: "", o: "" },
      over: over || resigned !== "" || agreed,
      why: agreed ? "a draw by agreement" : resigned ? `${names[resigned]} resigns` : null,
      winner: resigned ? (resigned === "x" ? "o" : "x") : position.winner,
    });
  }

  /** It has not been ended by those who play. */
  #unended() {
    this.resigned = "";
    this.agreed = false;
  }

  /** @returns {[path: string[], values: Wanted]} */
  link() {
    const {
      players: { x, o },
      resigned,
      agreed,
    } = this;
    const { game, start, moves } = this.#at();
    return [["play"], { game, start, x, o, moves: moves.join(" "), resigned, agreed: agreed ? "1" : "" }];
  }

  /** Remember the link that leads back to it, while it goes on. @param {Wanted} values */
  left(values) {
    keep(`${LEFT}: ${this.of}`, this.game.over || !this.moves.length ? null : values);
  }

  /** @param {string} move @param {number} ply */
  async play(move, ply) {
    const before = this.#version;
    const position = await answers.ask("position", this.#at([...this.moves.slice(0, ply), move]));
    if (this.#version === before) this.#take(position);
  }

  /** Take back all moves since a person last had to move, forced passes aside, and a resignation or an agreed draw with them. */
  undo() {
    const isPlayed = Object.values(this.players).includes("human");
    return this.alone(async () => {
      for (let ply = this.moves.length - 1; ply >= 0; ply--) {
        const position = await answers.ask("position", this.#at(this.moves.slice(0, ply)));
        if (position.must_pass || (isPlayed && this.players[position.to_move] !== "human")) continue;
        this.#unended();
        return this.#take(position);
      }
      throw new Error("There is no move to take back.");
    });
  }

  /** @param {string} side */
  resign(side) {
    return this.alone(async () => {
      this.resigned = side;
      this.#take(await answers.ask("position", this.#at()));
    });
  }

  agreeOnDraw() {
    return this.alone(async () => {
      this.agreed = true;
      this.#take(await answers.ask("position", this.#at()));
    });
  }
}

/**
 * A new game.
 * @param {Create} game
 */
export async function begun({ moves = [], ...game }) {
  return new LocalGame({ ...game, moves: moves.join(" ") });
}

/**
 * The link of the game that was begun and left, if there is one.
 * @param {string} game
 * @returns {(Wanted & { moves: string }) | null}
 */
export const left = (game) => kept(`${LEFT}: ${game}`, null);
