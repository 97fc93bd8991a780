// Where a game on the page comes from: one that is played, or a line of moves in the link.

import { answers, usualGame } from "./answers.js";

/** @import { At, CreateInput as Create, PositionView, ReportView } from "models" */
/** @import { Asked } from "./answers.js" */
/** @import { Fresh } from "./fresh.js" */
/** @import { Kept } from "./kept.js" */
/** @import * as link from "./link.js" */
/** @import { Local } from "./local.js" */

/**
 * Told of every new position; or, without one, of what went wrong.
 * @typedef {(position: PositionView | null, fault?: string) => void} OnChange
 */

/**
 * Told what a player thinks: its request while it is asked, null when it has answered; and what it has found.
 * @typedef {(found: ReportView | null | undefined, asked: Asked<unknown> | null) => void} OnThink
 */

/** @typedef {Fresh | Line | Kept | Local} Source */

/** Begins a game, and keeps it from then on. @typedef {(game: Create) => Promise<Kept | Local>} Begun */

/** A line of moves that anyone may change: for analysing, and for trying out. */
export class Line {
  kept = /** @type {const} */ (false);
  played = /** @type {const} */ (false);
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
    await opened(this);
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

  /** @param {PositionView} position */
  take(position) {
    this.onchange(position);
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
    const position = await answers.ask("position", { ...this.at(), moves });
    this.moves = moves;
    this.onchange(position);
  }

  async undo() {
    this.moves = this.moves.slice(0, -1);
    this.onchange(await answers.ask("position", this.at()));
  }

  close() {}
}

/**
 * A source whose moves come from a link is told its position. Where not all of the link makes sense, what is wrong is
 * said, and there is a board to go on from: as far as it makes sense.
 * @param {Line | Local} source
 */
export async function opened(source) {
  /** @param {string} start @param {string[]} moves */
  const asked = (start, moves) => answers.ask("position", { game: source.game, start, moves });
  try {
    source.take(await asked(source.start, source.moves));
  } catch (fault) {
    if (!(fault.status < 500)) throw fault;
    let start = source.start;
    let position = await asked(start, []).catch(() => asked(start = "", []));
    // how many moves make sense, and how many do not
    let [sound, unsound] = [0, start === source.start ? source.moves.length : 0];
    while (unsound - sound > 1) {
      const middle = (sound + unsound) >> 1;
      const found = await asked(start, source.moves.slice(0, middle)).catch(() => null);
      if (found) [position, sound] = [found, middle];
      else unsound = middle;
    }
    [source.start, source.moves] = [start, source.moves.slice(0, sound)];
    source.take(position);
    source.onchange(null, fault.message);
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
  const found = await answers.ask("analyse", { game, start, moves: line, seconds: 3 });
  const all = [...line, ...found.variation].join(" ");
  return { game, start, moves: all, ply: line.length, why: `After ${move}: ${found.score.text}. Step on to see it.` };
}

/**
 * The areas of the board that may be played in after a move; null where that cannot be told.
 * @param {Required<At>} at
 * @param {string} move
 */
export async function sentTo({ moves, ...at }, move) {
  const after = await answers.ask("position", { ...at, moves: [...moves, move] }).catch(() => null);
  return after && after.look.fates.flatMap(({ active }, area) => (active ? [area] : []));
}
