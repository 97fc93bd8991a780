// A game between two players: a player that is no person is asked for its moves, a forced pass is made for a person.

import { answers } from "../answers/answers.js";
import { SILENT_LISTENER } from "./source.js";

/** @import { PositionView, ReplyView } from "models" */
/** @import { Asked } from "../answers/answers.js" */
/** @import { Values } from "../shell/link.js" */
/** @import { Listener } from "./source.js" */
/** @import { Game } from "./state.js" */

/** Milliseconds after which a player is asked again whose worker died, and how often. */
const [PAUSE, RETRIES] = [1000, 3];
/** Milliseconds in which a person reads that they must pass; none where a clock runs. */
const PASS_AFTER = 1500;

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
  /** The timer of a forced pass. @type {ReturnType<typeof setTimeout> | undefined} */
  #passing;
  /** Changes during which no player is asked. */
  #changing = 0;

  /** @param {Values} values */
  constructor(values) {
    this.values = values;
  }

  /** The game stands so from now on. A player is asked before the page is drawn, so that it thinks meanwhile. @param {Game} game */
  change(game) {
    this.game = game;
    this.#drive(() => this.listener.onChange(game));
  }

  /** @param {string} move @param {number} ply @param {string} side @returns {Promise<void>} */
  async play(move, ply, side) {
    throw new Error(`${move} at ${ply} by ${side} is kept nowhere.`);
  }

  /** A player has answered. @param {ReplyView} answer @param {string} side @returns {Promise<void>} */
  async takeAnswer({ move }, side) {
    if (move) await this.play(move, this.game.position.moves.length, side);
  }

  /**
   * If this browser has the seat of the side to move: a person's forced pass is made, a program is asked to move.
   * @param {() => void} [show] Shows the game, once the question is on its way.
   */
  #drive(show = () => {}) {
    clearTimeout(this.#passing);
    const {
      game: { position, players, seats, over, saved },
    } = this;
    const side = position.to_move;
    if (this.#changing || this.listener === SILENT_LISTENER || over || !(side in seats)) return show();
    if (players[side] !== "human") return this.#ask(side, show);
    if (position.must_pass) this.#passing = setTimeout(() => this.#pass(side), saved?.clock ? 0 : PASS_AFTER);
    show();
  }

  /** @param {string} side */
  async #pass(side) {
    const { legal, moves } = this.game.position;
    await this.play(legal[0], moves.length, side).catch((fault) => this.listener.onFail(fault.message));
  }

  /**
   * A program is asked for its move, once at each version, and its move is made.
   * @param {string} side
   * @param {() => void} show
   */
  async #ask(side, show) {
    const { version, position, players, seats } = this.game;
    if (this.#askedAt === version) return show(); // a redrawing asks nobody again
    this.#askedAt = version;
    const { game, start, moves } = position;
    const question = { game, start, moves, player: players[side], id: this.id, seat: seats[side] || undefined };
    const asked = answers.ask("reply", question, ({ report }) => this.listener.onThink(asked, report));
    this.#asked = asked;
    show();
    this.listener.onThink(asked);
    try {
      const answer = await asked;
      if (this.game.version === version && this.#asked === asked) await this.takeAnswer(answer, side);
      this.#failures = 0;
    } catch (fault) {
      // 409: the game has gone on elsewhere, as in another tab; its new state comes by itself.
      if (fault.status !== 409) this.listener.onFail(fault.message);
      // 503: the worker has died; another one takes its place.
      if (fault.status === 503 && ++this.#failures <= RETRIES) setTimeout(() => this.#again(version), PAUSE);
    } finally {
      if (this.#asked === asked) this.listener.onThink(null);
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
    this.listener.onThink(null);
  }

  close() {
    this.listener = SILENT_LISTENER; // an answer may still come
    clearTimeout(this.#passing);
    this.#asked?.cancel();
  }
}
