// Playing at a table: moves there and back, a game begun, given up, and begun again; and what can be done when.

import { buttons } from "./modes.js";
import { has } from "./pages.js";

/** @import { Fresh } from "./fresh.js" */
/** @import { Acts } from "./modes.js" */
/** @import { Table } from "./table.js" */

/**
 * The players of a game like this one whose opponent is one level stronger; null where none is.
 * @param {{ spec: string }[]} players Those that are offered, the levels from the weakest.
 * @param {Record<string, string>} seats
 */
export function harder(players, seats) {
  const levels = players.map(({ spec }) => spec).filter((spec) => spec.startsWith("level:"));
  const side = ["x", "o"].find((each) => levels.includes(seats[each]));
  const next = side && levels[levels.indexOf(seats[side]) + 1];
  return side && next ? { ...seats, [side]: next } : null;
}

export class Playing {
  /** The path of a move that the server has not answered yet. @type {readonly number[] | null} */
  pending = null;
  /** Whether it is asked if a game is to be given up. */
  resigning = false;
  /** The moves that were taken back. @type {string[][]} */
  #redo = [];

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /** @param {{ move: string, path: readonly number[] }} chosen */
  move({ move, path }) {
    const { table } = this;
    const { source, shown, at } = table;
    if (this.pending || !shown) return;
    if (table.asking) return table.refute(move);
    if (source.played && at !== table.last) {
      return table.say("This is an earlier position: play on from here, or go to the last move.");
    }
    if (!source.mayMove(shown)) return table.say(source.over ? "The game is over." : "It is not your turn.");
    this.pending = path;
    this.#redo = [];
    table.drawBoard(); // the own mark shows before the server has answered
    table.attempt(() => (source.fresh ? this.begin(source, [move]) : source.play(move, at, shown.to_move)));
  }

  /**
   * The chosen game begins: with a move, or with whoever has it.
   * @param {Fresh} source
   * @param {string[]} [moves]
   */
  async begin(source, moves = []) {
    const { table } = this;
    await table.become(await table.begun(source.begun(moves)));
    table.board.enter();
  }

  /** Once more, by the same rules; x and o are as said. @param {Record<string, string>} players */
  async #again({ x, o }) {
    const { table } = this;
    const { game, start } = table.source;
    await table.become(await table.begun({ game, start, x, o }));
    table.board.enter();
  }

  async #goOn() {
    const { table } = this;
    const { x, o } = table.source.players;
    await table.become(await table.begun({ ...table.source.at(table.at), x, o }));
  }

  async undo() {
    const { source, live: { moves } } = this.table;
    if (source.fresh) return;
    await source.undo();
    this.#redo.push(moves.slice(this.table.live.moves.length));
    this.table.drawActions(); // what is shown came before it could be done again
  }

  async #redoOne() {
    const { table } = this;
    const moves = this.#redo.pop() ?? [];
    for (const move of moves) if (!table.source.fresh) await table.source.play(move, table.last, table.live.to_move);
  }

  /** Sides that are people here. */
  get #mine() {
    const { source } = this.table;
    return ["x", "o"].filter((side) => source.isPerson(side) && side in source.seats);
  }

  get #holdsAll() {
    const { source } = this.table;
    return !source.played || ["x", "o"].every((side) => side in source.seats);
  }

  async #resign() {
    const { source, live: { to_move: mover } } = this.table;
    this.resigning = false;
    if (source.played) await source.resign(this.#mine.includes(mover) ? mover : this.#mine[0]);
  }

  /** What can be done now. */
  buttons() {
    const { source, shown, mode, values, asking } = this.table;
    const over = source.played ? source.over : shown.over;
    const { resigning } = this;
    const thoughts = source.values.thoughts === "1";
    const state = { over, mayUndo: this.#holdsAll, resigning, values, asking, thoughts };
    return source.fresh ? [] : buttons(mode, this.#acts(), state);
  }

  /** @returns {Acts} */
  #acts() {
    const { table } = this;
    const { source, shown, at, last, thoughts } = table;
    const { x, o } = source.players;
    const isEnded = source.played && source.over && this.#holdsAll;
    const stronger = harder(table.menu.players, source.players);
    const isAlone = source.played && !(source.isPerson("x") && source.isPerson("o"));
    /** @param {unknown} allowed @param {() => unknown} action */
    const act = (allowed, action) => (allowed ? () => table.attempt(action) : null);
    const asked = (/** @type {boolean} */ resigning) => () => {
      this.resigning = resigning;
      table.drawActions();
    };
    return {
      undo: act(last, () => this.undo()),
      redo: act(this.#redo.length, () => this.#redoOne()),
      flip: () => table.flip(),
      hint: act(!shown.over && source.mayMove(shown), () => thoughts.hint(source.at(at))),
      thoughts: act(isAlone, () => table.toggleThoughts()),
      resign: source.played && !source.over && this.#mine.length ? asked(true) : null,
      stay: asked(false),
      giveUp: () => table.attempt(() => this.#resign()),
      again: act(isEnded, () => this.#again({ x, o })),
      otherSide: act(isEnded && this.#mine.length === 1, () => this.#again({ x: o, o: x })),
      harder: stronger && act(isEnded, () => this.#again(stronger)),
      whatWentWrong: () => {
        table.to("back");
        table.review();
      },
      review: last ? () => table.review() : null,
      values: () => table.toggleValues(),
      ask: shown.over ? null : () => table.ask(),
      goOn: act(at < last || !source.played, () => this.#goOn()),
      search: shown.over || !has("tree") ? null : table.search("tree"),
    };
  }
}
