// A game that the server keeps: everybody sees it, and who holds a seat plays that side.

import { answers } from "./answers.js";
import { companyOf } from "./company.js";
import * as link from "./link.js";
import { Played } from "./played.js";
import { held, hold, keepOnly, seated } from "./seats.js";

/** @import { CreateInput as Create, GameView } from "models" */
/** @import { Asked } from "./answers.js" */
/** @import { OnChange, OnThink } from "./source.js" */
/** @import { Table } from "./table.js" */

export class Kept extends Played {
  kept = /** @type {const} */ (true);
  /** @type {Asked<unknown> | null} */
  following = null;
  /** What `take` has taken last. */
  #told = "";
  /** The game as the server has told it last. @type {GameView | null} */
  view = null;

  /**
   * @param {string} id
   * @param {link.Values} values
   */
  constructor(id, values) {
    super(values);
    this.id = id;
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
      this.following = answers.ask("follow", { id: this.id, seats: Object.values(this.seats) }, (game) => {
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
    if ((this.view?.version ?? -1) > game.version || this.#told === told) return;
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
    this.drive(game.position);
  }

  /**
   * @param {number | null} ply
   * @returns {[path: string[], values: link.Wanted]}
   */
  link(ply) {
    const { flip, values, mode, thoughts } = this.values;
    return [["game", this.id], { ply, flip, mode, values, thoughts }];
  }

  get asking() {
    return { id: this.id };
  }

  /**
   * Who sits on a person's side, and whether they are here.
   * @param {string} side
   */
  who(side) {
    const { name = "", here = false } = this.view?.people[/** @type {"x" | "o"} */ (side)] ?? {};
    if (this.seats[side]) return name ? `${name} (you)` : "you";
    return [name || "another person", here ? "here" : "not here"].join(", ");
  }

  /** What belongs to two people at it. @param {Table} table */
  company(table) {
    return companyOf(table).draw();
  }

  /** @param {string} move @param {number} ply @param {string} side */
  async play(move, ply, side) {
    this.take(await answers.ask("play", { id: this.id, seat: this.seats[side], ply: ply + 1, move }));
  }

  /** Back to where a person last had to move; the server knows where that was. */
  async undo() {
    this.stop();
    try {
      this.take(await answers.ask("undo", { id: this.id, seats: Object.values(this.seats) }));
    } catch (fault) {
      if (this.view) this.drive(this.view.position); // one that cannot take back goes on
      throw fault;
    }
  }

  /** @param {string} side */
  async resign(side) {
    this.stop();
    this.take(await answers.ask("resign", { id: this.id, seat: this.seats[side] }));
  }

  /** The game as a file. */
  async file() {
    const { jsonl } = await answers.ask("export", { id: this.id });
    return { name: `${this.id}.jsonl`, text: jsonl };
  }

  /** Another game that the server keeps. @param {string} id */
  other(id) {
    return new Kept(id, {});
  }

  close() {
    super.close();
    this.following?.cancel();
  }
}

/**
 * Keep a new game on the server.
 * @param {Create} game
 */
export async function begun(game) {
  const made = await answers.ask("create", game);
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
