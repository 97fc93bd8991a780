// A game that only its link keeps: a person at the page plays both sides, or against a player that runs in the page.
// The last position is remembered, so that one can come back to it.

import { answers, usualGame } from "../answers/answers.js";
import { keep, readStored } from "../shell/storage.js";
import { PlayedGame } from "./playedgame.js";
import { positionOf } from "./source.js";

/** @import { CreateInput as Create, PositionView } from "models" */
/** @import { Values, Wanted } from "../shell/link.js" */
/** @import { Listener } from "./source.js" */
/** @import { Side } from "./state.js" */

const LEFT = "game that was left";
const DRAW = "draw";
/** Winner when a side resigns. @type {Record<string, Side>} */
const WINS = { x: "o", o: "x" };

export class LocalGame extends PlayedGame {
  #version = 0;

  /** @param {Values} values */
  constructor(values) {
    super(values);
    const { game = "", start = "", moves, x = "human", o = "human", resigned = "" } = values;
    this.of = game;
    this.start = start;
    this.moves = moves ? moves.split(" ") : [];
    this.players = { x, o };
    /** End agreed by the players: the side that resigned, or `draw`, on which both agreed. */
    this.ended = ["x", "o", DRAW].includes(resigned) ? resigned : "";
  }

  /** @param {Listener} listener */
  async open(listener) {
    this.listener = listener;
    this.of ||= await usualGame();
    const [position, fault] = await positionOf(this.#at());
    this.start = position.start;
    this.#take(position);
    if (fault) listener.onFail(fault);
  }

  #at(moves = this.moves) {
    return { game: this.of, start: this.start, moves };
  }

  /** It stands so from now on. @param {PositionView} position */
  #take(position) {
    const { names, over } = position;
    this.moves = position.moves;
    if (over) this.ended = "";
    const { ended, players } = this;
    this.change({
      kind: "local",
      version: ++this.#version,
      position,
      players,
      seats: { x: "", o: "" },
      over: over || ended !== "",
      why: ended ? (ended === DRAW ? "a draw by agreement" : `${names[ended]} resigns`) : null,
      winner: ended ? (WINS[ended] ?? null) : position.winner,
    });
  }

  /** @returns {[path: string[], values: Wanted]} */
  link() {
    const {
      players: { x, o },
      ended,
    } = this;
    const { game, start, moves } = this.#at();
    return [["play"], { game, start, x, o, moves: moves.join(" "), resigned: ended }];
  }

  /** Remember the link that leads back to it, while it goes on. @param {Wanted} values */
  left(values) {
    keep(`${LEFT}: ${this.of}`, this.game.over || !this.moves.length ? null : values);
  }

  /** @param {string} move @param {number} ply */
  async play(move, ply) {
    const before = this.#version;
    const position = await answers.ask("position", this.#at([...this.moves.slice(0, ply), move]));
    if (this.#version === before) this.#take(position); // else another action came first
  }

  /** Take back all moves since a person last had to move, forced passes aside, and a resignation or an agreed draw with them. */
  undo() {
    const isPlayed = Object.values(this.players).includes("human");
    return this.alone(async () => {
      for (let ply = this.moves.length - 1; ply >= 0; ply--) {
        const position = await answers.ask("position", this.#at(this.moves.slice(0, ply)));
        // A program's move, and a forced pass, are taken back with the person's move before them.
        if (position.must_pass || (isPlayed && this.players[position.to_move] !== "human")) continue;
        this.ended = "";
        return this.#take(position);
      }
      throw new Error("There is no move to take back.");
    });
  }

  /** @param {string} side */
  resign(side) {
    return this.alone(async () => {
      this.ended = side;
      this.#take(await answers.ask("position", this.#at()));
    });
  }

  agreeOnDraw() {
    return this.resign(DRAW);
  }
}

/**
 * A new game.
 * @param {Create} game
 */
export async function beginLocalGame({ moves = [], ...game }) {
  return new LocalGame({ ...game, moves: moves.join(" ") });
}

/**
 * The link of the game that was begun and left, if there is one.
 * @param {string} game
 * @returns {(Wanted & { moves: string }) | null}
 */
export const left = (game) => readStored(`${LEFT}: ${game}`, null);
