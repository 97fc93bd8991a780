// A game between two players: a player that is no person is asked for its moves.

import { answers } from "../answers/answers.js";
import { SILENT_LISTENER } from "./source.js";

/** @import { PositionView, ReplyView } from "models" */
/** @import { Asked } from "../answers/answers.js" */
/** @import { Values } from "../shell/link.js" */
/** @import { Listener } from "./source.js" */
/** @import { Game } from "./state.js" */

/** Milliseconds after which a player is asked again whose worker died, and how often. */
const [PAUSE, RETRIES] = [1000, 3];

/** Subclasses say where the game is kept. */
export class PlayedGame {
  /** @type {Listener} */
  listener = SILENT_LISTENER;
  /** Its number on the server, if it is kept there. @type {string | undefined} */
  id;
  /** The game as it stands; there from the first position on. */
  game = /** @type {Game} */ (/** @type {unknown} */ (null));
  /** The request to a player. @type {Asked<ReplyView> | null} */
  #asked = null;
  /** The version at which it was made. */
  #askedAt = -1;
  #failures = 0;
  /** Changes during which no player is asked. */
  #changing = 0;

  /** @param {Values} values */
  constructor(values) {
    this.values = values;
  }

  /** The game stands so from now on. @param {Game} game */
  change(game) {
    this.game = game;
    this.listener.changed(game);
    this.#drive();
  }

  /** @param {string} move @param {number} ply @param {string} side @returns {Promise<void>} */
  async play(move, ply, side) {
    throw new Error(`${move} at ${ply} by ${side} is kept nowhere.`);
  }

  /** A player has answered. @param {ReplyView} answer @param {string} side @returns {Promise<void>} */
  async answered({ move }, side) {
    if (move) await this.play(move, this.game.position.moves.length, side);
  }

  /** If a program is to move and this browser has its seat, ask it, and make its move. */
  async #drive() {
    const {
      game: { version, position, players, seats, over },
    } = this;
    const side = position.to_move;
    const isIdle = this.#changing || this.#askedAt === version || this.listener === SILENT_LISTENER;
    if (isIdle || over || players[side] === "human" || !(side in seats)) return;
    this.#askedAt = version;
    const { game, start, moves } = position;
    const question = { game, start, moves, player: players[side], id: this.id, seat: seats[side] || undefined };
    const asked = answers.ask("reply", question, ({ report }) => this.listener.thinks(asked, report));
    this.#asked = asked;
    this.listener.thinks(asked);
    try {
      const answer = await asked;
      if (this.game.version === version && this.#asked === asked) await this.answered(answer, side);
      this.#failures = 0;
    } catch (fault) {
      if (fault.status !== 409) this.listener.failed(fault.message);
      if (fault.status === 503 && ++this.#failures <= RETRIES) setTimeout(() => this.#again(version), PAUSE);
    } finally {
      if (this.#asked === asked) this.listener.thinks(null);
    }
  }

  /** Ask once more, if the game has not changed: only the answer was lost. @param {number} version */
  #again(version) {
    if (this.game.version !== version) return;
    this.#askedAt = -1;
    this.#drive();
  }

  /**
   * Change the game while no player thinks.
   * @param {() => Promise<void>} action
   */
  async alone(action) {
    this.#stop();
    this.#changing += 1;
    try {
      await action();
    } finally {
      this.#changing -= 1;
      this.#drive();
    }
  }

  /** @param {string[]} moves */
  replay(moves) {
    return this.alone(async () => {
      for (const move of moves) await this.play(move, this.game.position.moves.length, this.game.position.to_move);
    });
  }

  /** No player thinks any more; it can be asked anew. */
  #stop() {
    this.#asked?.cancel();
    this.#asked = null;
    this.#askedAt = -1;
    this.listener.thinks(null);
  }

  close() {
    this.listener = SILENT_LISTENER; // an answer may still come
    this.#asked?.cancel();
  }
}
