// Where a game on the page comes from: a kept game that the server holds, or a line of moves in the link.

import { server, usualGame } from "./socket.js";
import * as link from "./link.js";
import { held, hold, keepOnly, seated } from "./seats.js";

/** @import { At, CreateInput as Create, GameView, PositionView, ReportView } from "models" */
/** @import { Fresh } from "./fresh.js" */
/** @import { Asked } from "./socket.js" */

/**
 * Told of every new position; or, without one, of what went wrong.
 * @typedef {(position: PositionView | null, fault?: string) => void} OnChange
 */

/**
 * Told what a player thinks: its request while it is asked, null when it has answered; and what it has found.
 * @typedef {(found: ReportView | null | undefined, asked: Asked<unknown> | null) => void} OnThink
 */

/** @typedef {Fresh | Line | Kept} Source */

/** A line of moves that anyone may change: for analysing, and for trying out. */
export class Line {
  kept = /** @type {const} */ (false);
  fresh = /** @type {const} */ (false);
  why = null;
  winner = null;
  over = false;
  /** @type {Record<string, string>} */
  players = { x: "human", o: "human" };
  /** @type {Record<string, string>} */
  seats = {};
  /** @type {OnChange} */
  onchange = () => {};

  /** @param {link.Values} values */
  constructor(values) {
    this.values = values;
    this.game = values.game ?? "";
    this.start = values.start ?? "";
    this.moves = values.moves ? values.moves.split(" ") : [];
  }

  /** @param {OnChange} onchange */
  async open(onchange) {
    this.onchange = onchange;
    this.game ||= await usualGame();
    const position = await server.ask("position", this.at());
    onchange(position);
  }

  at(ply = this.moves.length) {
    return { game: this.game, start: this.start, moves: this.moves.slice(0, ply) };
  }

  /**
   * @param {number | null} ply
   * @returns {[path: string[], values: link.Wanted]}
   */
  link(ply) {
    const { flip, values, mode, why, x, o } = this.values;
    const { game, start, moves } = this;
    return [["board"], { game, start, moves: moves.join(" "), ply, flip, mode, values, why, x, o }];
  }

  isPerson = () => false;

  mayMove = () => true;

  /**
   * A move at some ply; what came after it there is left.
   * @param {string} move
   * @param {number} ply
   */
  async play(move, ply) {
    const moves = [...this.moves.slice(0, ply), move];
    const position = await server.ask("position", { ...this.at(), moves });
    this.moves = moves;
    this.onchange(position);
  }

  async undo() {
    this.moves = this.moves.slice(0, -1);
    this.onchange(await server.ask("position", this.at()));
  }

  close() {}
}

/** A game that the server keeps: everybody sees it, and who holds a seat plays that side. */
export class Kept {
  kept = /** @type {const} */ (true);
  fresh = /** @type {const} */ (false);
  /** @type {string | null} */
  why = null;
  /** @type {string | null} */
  winner = null;
  over = false;
  game = "";
  start = "";
  /** @type {string[]} */
  moves = [];
  /** @type {Record<string, string>} */
  players = {};
  version = -1;
  /** @type {OnChange} */
  onchange = () => {};
  /** @type {OnThink} */
  onthink = () => {};
  /** @type {Asked<unknown> | null} */
  following = null;
  /** @type {Asked<unknown> | null} */
  #thinking = null;
  #asked = -1;
  #failures = 0;
  /** What `take` has taken last. */
  #told = "";
  /** The game as the server has told it last. @type {GameView | null} */
  view = null;

  /**
   * @param {string} id
   * @param {link.Values} values
   */
  constructor(id, values) {
    this.id = id;
    this.values = values;
    this.seats = held(id);
  }

  /**
   * @param {OnChange} onchange
   * @param {OnThink} onthink
   */
  async open(onchange, onthink) {
    Object.assign(this, { onchange, onthink });
    if (!/^[\w-]{8,32}$/.test(this.id)) throw new Error(`There is no game ${this.id}: the link is not whole.`);
    const refused = await seated(this.id, this.values);
    this.seats = held(this.id);
    await new Promise((resolve, reject) => {
      this.following = server.ask("follow", { id: this.id, seats: Object.values(this.seats) }, (game) => {
        this.seats = keepOnly(this.id, game.yours);
        this.take(game);
        if (refused) this.onchange(null, refused);
        resolve(null);
      });
      this.following.then(() => this.onchange(null, "This game has been deleted."), reject);
    });
  }

  /** @param {GameView} game */
  take(game) {
    // an own move comes twice: as its answer, and to all who follow
    const told = JSON.stringify({ ...game, yours: [] });
    if (this.version > game.version || this.#told === told) return;
    this.#told = told;
    this.version = game.version;
    this.view = game;
    this.players = game.players;
    this.why = game.why;
    this.winner = game.winner;
    this.game = game.position.game;
    this.start = game.position.start;
    this.moves = game.position.moves;
    this.over = game.over;
    this.onchange(game.position);
    this.#drive(game);
  }

  at(ply = this.moves.length) {
    return { game: this.game, start: this.start, moves: this.moves.slice(0, ply) };
  }

  /**
   * @param {number | null} ply
   * @returns {[path: string[], values: link.Wanted]}
   */
  link(ply) {
    const { flip, values, mode, thoughts } = this.values;
    return [["game", this.id], { ply, flip, mode, values, thoughts }];
  }

  isPerson = (/** @type {string} */ side) => this.players[side] === "human";

  mayMove = (/** @type {PositionView} */ { to_move: side }) =>
    !this.over && this.isPerson(side) && Boolean(this.seats[side]);

  /** @param {string} move @param {number} ply @param {string} side */
  async play(move, ply, side) {
    this.take(await server.ask("play", { id: this.id, seat: this.seats[side], ply: ply + 1, move }));
  }

  /** Back to where a person last had to move; the server knows where that was. */
  async undo() {
    this.stop();
    this.#asked = -1;
    try {
      this.take(await server.ask("undo", { id: this.id, seats: Object.values(this.seats) }));
    } catch (fault) {
      if (this.view) this.#drive(this.view); // one that cannot take back goes on
      throw fault;
    }
  }

  /** @param {string} side */
  async resign(side) {
    this.stop();
    this.take(await server.ask("resign", { id: this.id, seat: this.seats[side] }));
  }

  /**
   * If a program is to move and this browser holds its seat, ask it and make its move.
   * @param {GameView} game
   */
  async #drive(game) {
    const { position, version, over } = game;
    const side = position.to_move;
    if (over || this.isPerson(side) || !this.seats[side] || this.#asked === version) return;
    this.#asked = version;
    const asked = server.ask("reply", { ...this.at(), player: this.players[side], id: this.id }, ({ report }) =>
      this.onthink(report, asked));
    this.#thinking = asked;
    this.onthink(null, asked);
    try {
      const { move } = await asked;
      if (move && this.version === version) await this.play(move, this.moves.length, side);
      this.#failures = 0;
    } catch (fault) {
      if (fault.status !== 409) this.onchange(null, fault.message);
      if (fault.status === 503 && ++this.#failures <= 3) setTimeout(() => this.#again(game), 1000);
    } finally {
      if (this.#thinking === asked) this.onthink(undefined, null);
    }
  }

  /**
   * Ask once more: a worker that died cost nothing but its answer.
   * @param {GameView} game
   */
  #again(game) {
    if (this.version !== game.version) return;
    this.#asked = -1;
    this.#drive(game);
  }

  stop() {
    this.#thinking?.cancel();
    this.#thinking = null;
    this.onthink(undefined, null);
  }

  close() {
    this.onchange = () => {}; // an answer may still be under way
    this.following?.cancel();
    this.#thinking?.cancel();
  }
}

/**
 * "Why not this move?": the link to the best play after it, to be stepped through.
 * @param {Required<At>} at
 * @param {string} move
 * @returns {Promise<link.Wanted>}
 */
export async function whyNot({ game, start, moves }, move) {
  const line = [...moves, move];
  const found = await server.ask("analyse", { game, start, moves: line, seconds: 3 });
  const all = [...line, ...found.variation].join(" ");
  return { game, start, moves: all, ply: line.length, why: `After ${move}: ${found.score.text}. Step on to see it.` };
}

/**
 * The areas of the board that may be played in after a move; null where that cannot be told.
 * @param {Required<At>} at
 * @param {string} move
 */
export async function sentTo({ moves, ...at }, move) {
  const after = await server.ask("position", { ...at, moves: [...moves, move] }).catch(() => null);
  return after && after.look.fates.flatMap(({ active }, area) => (active ? [area] : []));
}

/**
 * Keep a new game on the server.
 * @param {Create} game
 */
export async function begun(game) {
  const made = await server.ask("create", game);
  hold(made.id, made.seats);
  return new Kept(made.id, {});
}

/**
 * Keep a new game on the server and go to it.
 * @param {Create} game
 */
export async function begin(game) {
  const { id } = await begun(game);
  link.go(["game", id]);
}
