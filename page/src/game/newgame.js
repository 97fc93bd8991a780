// The game of the first page: it is set up there, and begins with its first move, or when that is asked for.

import { answers, theMenu, usualGame } from "../answers/answers.js";
import { keep, readStored } from "../shell/storage.js";
import { SILENT_LISTENER } from "./source.js";

/** @import { PositionView } from "models" */
/** @import { Values, Wanted } from "../shell/link.js" */
/** @import { Listener } from "./source.js" */

/** Choice of a game and its players. @typedef {Record<"game" | "x" | "o", string> & Record<string, string>} Choice */

const LAST = "last game";
/** @type {Choice} */
const USUAL = { game: "", x: "human", o: "" };

export class NewGame {
  /** @type {Listener} */
  #listener = SILENT_LISTENER;
  #version = 0;
  /** The player that sits opposite where none is named. */
  #opponent = "";
  /** That of the last game that could be set up. */
  #position = /** @type {PositionView} */ (/** @type {unknown} */ (null));

  /**
   * @param {Values} values
   * @param {typeof import("./timing.js").clock} [clock] Makes the choice of a clock, where games have one.
   */
  constructor(values, clock) {
    this.values = values;
    this.clock = clock;
    /** @type {Choice} */
    this.chosen = { ...USUAL, ...readStored(LAST, {}), ...present(values, ["game", "x", "o", "clock"]) };
  }

  /** @param {Listener} listener */
  async open(listener) {
    this.#listener = listener;
    const isOurs = !this.values.game; // only a game named by the link deserves a message
    const usual = await usualGame();
    this.#opponent = (await theMenu()).opponent;
    this.chosen.o ||= this.#opponent;
    const asked = this.chosen.game || usual;
    this.chosen.game = asked;
    const position = await answers.ask("position", { game: asked, start: this.values.start }).catch((fault) => {
      if (!isOurs || asked === usual) throw fault;
      this.chosen = { ...USUAL, game: usual, o: this.#opponent };
      return answers.ask("position", { game: usual });
    });
    this.#seat(position.to_move);
    this.#take(position);
  }

  /**
   * The person at the page begins, so that the board can be played on at once, unless the link names the players.
   * @param {string} mover
   */
  #seat(mover) {
    const { x, o } = this.values;
    const isPerson = (/** @type {string} */ side) => this.chosen[side] === USUAL.x;
    if (x || o || isPerson(mover)) return;
    const other = mover === "x" ? "o" : "x";
    this.chosen[other] = isPerson(other) ? this.chosen[mover] : this.#opponent;
    this.chosen[mover] = USUAL.x;
  }

  /**
   * Change a choice. If it names no game, the board stays and a message says why.
   * @param {Record<string, string>} choice
   */
  async choose(choice) {
    const { game } = this.chosen;
    this.chosen = { ...this.chosen, ...choice };
    Object.assign(this.values, this.chosen);
    const wanted = this.chosen.game;
    if (wanted !== game) delete this.values.start;
    const position = wanted === game ? this.#position : await answers.ask("position", { game: wanted });
    if (wanted !== this.chosen.game) return;
    keep(LAST, this.chosen);
    this.#take(position);
  }

  /** @param {PositionView} position */
  #take(position) {
    this.#position = position;
    const { x, o } = this.chosen;
    const [players, seats] = [
      { x, o },
      { x: "", o: "" },
    ];
    this.#version += 1;
    this.#listener.onChange({
      kind: "new",
      version: this.#version,
      position,
      players,
      seats,
      over: false,
      why: null,
      winner: null,
    });
  }

  /** @returns {[path: string[], values: Wanted]} */
  link() {
    const { game, start, x, o } = this.values;
    return [[], { game, start, x, o }];
  }

  /**
   * The game that begins now.
   * @param {string[]} moves
   */
  beginGame(moves = []) {
    keep(LAST, this.chosen);
    return { ...this.chosen, start: this.values.start ?? "", moves };
  }

  close() {
    this.#listener = SILENT_LISTENER;
  }
}

/**
 * Those of some values that are there.
 * @param {Values} values
 * @param {string[]} names
 */
const present = (values, names) =>
  Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
