// A game that the server keeps: its link shows it, and the secret of a seat lets its holder play that side.

import { answers } from "../answers/answers.js";
import * as link from "../shell/link.js";
import { PlayedGame } from "./playedgame.js";
import { seatsOf, hold, keepOnly, takeSeat } from "./company/seats.js";

/** @import { CreateInput as Create, GameView, Offer, ReplyView } from "models" */
/** @import { Asked } from "../answers/answers.js" */
/** @import { Listener } from "./source.js" */

export class SavedGame extends PlayedGame {
  /** The stream of its changes. @type {Asked<unknown> | null} */
  #stream = null;

  /**
   * @param {string} id
   * @param {link.Values} values
   * @param {GameView} [begun] The game as it begins, if it has just been made.
   */
  constructor(id, values, begun) {
    super(values);
    this.id = id;
    this.begun = begun;
    this.seats = seatsOf(id);
  }

  /** @param {Listener} listener */
  async open(listener) {
    this.listener = listener;
    const { id, begun } = this;
    if (!/^[\w-]{8,32}$/.test(id)) throw new Error(`There is no game ${id}: the link is incomplete.`);
    const refused = await takeSeat(id, this.values);
    if (this.listener !== listener) return; // closed meanwhile
    this.seats = seatsOf(id);
    if (begun) this.take(begun);
    await new Promise((resolve, reject) => {
      this.#stream = answers.ask("follow", { id, seats: Object.values(this.seats) }, (game) => {
        this.seats = keepOnly(id, game.yours);
        this.take(game);
        if (refused) this.listener.onFail(refused);
        resolve(null);
      });
      this.#stream.then(() => this.listener.onFail("This game has been deleted."), reject);
    });
  }

  /** The game as the server has told it: by the stream, or in an answer. @param {GameView} saved */
  take(saved) {
    const { version, position, players, over, why, winner } = saved;
    if (this.game?.version > version) return;
    this.change({ kind: "saved", version, position, players, over, why, winner, seats: this.seats, saved });
  }

  /** @returns {[path: string[], values: link.Wanted]} */
  link() {
    return [["game", this.id], {}];
  }

  /**
   * A player's answer: the server has made the move, unless it comes from elsewhere.
   * @param {ReplyView} answer
   * @param {string} side
   */
  async takeAnswer(answer, side) {
    if (answer.saved) this.take(answer.saved);
    else await super.takeAnswer(answer, side);
  }

  /** @param {string} move @param {number} ply @param {string} side */
  async play(move, ply, side) {
    this.take(await answers.ask("play", { id: this.id, seat: this.seats[side], ply: ply + 1, move }));
  }

  /** Back to where a person last had to move; the server knows where that was. None after the fall of a flag. */
  get undo() {
    const { id, seats, game } = this;
    if (game.over && Object.values(game.saved?.clock?.left ?? {}).includes(0)) return undefined;
    return () => this.alone(async () => this.take(await answers.ask("undo", { id, seats: Object.values(seats) })));
  }

  /** @param {string} side */
  resign(side) {
    const { id, seats } = this;
    return this.alone(async () => this.take(await answers.ask("resign", { id, seat: seats[side] })));
  }

  /**
   * Make an offer to the other person, or accept theirs by making the same.
   * @param {string} side @param {Offer["what"]} what
   */
  async offer(side, what) {
    this.take(await answers.ask("offer", { id: this.id, seat: this.seats[side], what }));
  }

  /** A draw, offered by one side and accepted by the other: this browser holds both. */
  agreeOnDraw() {
    return this.alone(async () => {
      for (const side of ["x", "o"]) await this.offer(side, "draw");
    });
  }

  /** Be called by a name. @param {string} side @param {string} name */
  async sit(side, name) {
    this.take(await answers.ask("sit", { id: this.id, seat: this.seats[side], name }));
  }

  /** @param {number} ply @param {string} move */
  async study(ply, move) {
    const { studyLink } = await import("../study/variations.js");
    link.go(["board"], studyLink(this.game, ply, move));
  }

  close() {
    super.close();
    this.#stream?.cancel();
  }
}

/**
 * Begin a game that the server keeps.
 * @param {Create} game
 */
export async function beginSavedGame(game) {
  const made = await answers.ask("create", game);
  hold(made.id, made.seats);
  return new SavedGame(made.id, {}, made.game);
}

/**
 * Begin a game that the server keeps, and go to it.
 * @param {Create} game
 */
export async function begin(game) {
  const { id } = await beginSavedGame(game);
  link.go(["game", id]);
}
