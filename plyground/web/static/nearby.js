// The playground's way to its answers: a server, and beside it workers with the module of the game that is played. They
// reply without a round trip; whatever else there is to know, and whatever they cannot tell, the server is asked.

import { theMenu } from "./answers.js";

/** @import { Operations } from "models" */
/** @import { Asked } from "./answers.js" */
/** @import { Socket } from "./socket.js" */
/** @import { Thinkers } from "./thinkers.js" */

/** Players that a worker has, beside the textbook searches: not the perfect one, which may have to prove for long. */
const PLAYERS = ["level", "engine", "mcts", "random", "first"];
/** What only the server has: processors, and memory for more than a page may take; or the third of unnamed options. */
const LARGE = /\b(threads|table|tree)\b|^[^=,]*,[^=,]*,[^=]*$/;
/** Mebibytes for a table: as many as a player has on the server. */
const TABLE = 64;
/** Milliseconds after which a player makes the best move that it has found: as many as it has on the server. */
const LONGEST = 60_000;
const SCRIPT = "worker/worker.js";
/** Whose reply it is after which workers are there: until then the server replies, so it may take a moment. */
const FIRST = "level:easy";

export class Nearby {
  /** @type {Socket} */
  #server;
  /** The game whose module is wanted: once it cannot be had, it is not asked for again. */
  #game = "";
  /** Where that is. @type {Asked<Operations["module"]["answer"]> | null} */
  #coming = null;
  /** Those who have it. @type {Thinkers | null} */
  #thinkers = null;
  /** The names of players that workers have. @type {string[]} */
  #players = [];
  #rests = false;

  /** @param {Socket} server */
  constructor(server) {
    this.#server = server;
  }

  can = () => true;

  get waits() {
    return (this.#thinkers ?? this.#server).waits;
  }

  /**
   * The first reply of a game is the server's, and with it the module is asked for: whoever only looks fetches none.
   * @param {string} op
   * @param {any} args
   * @param {((part: any) => void) | null} onpart
   * @returns {Asked<any>}
   */
  ask(op, args, onpart) {
    const { game } = args;
    if (op === "reply" && game !== this.#game) this.#want(args);
    const thinkers = game === this.#game && this.#isTheirs(op, args) ? this.#thinkers : null;
    return thinkers ? this.#near(thinkers, op, args, onpart) : this.#server.ask(op, args, onpart);
  }

  /** No thinking beside the server, for it keeps to itself what moves are worth: an exam. @param {boolean} rests */
  rest(rests) {
    if (rests === this.#rests) return;
    this.#rests = rests;
    this.renew();
  }

  /** The workers end, and their module is asked for again when it is wanted. */
  renew() {
    this.#coming?.cancel();
    this.#coming = null;
    this.#game = "";
    this.#leave();
  }

  /** @param {string} op @param {{ start?: string, player?: string }} args */
  #isTheirs(op, { start = "", player = "" }) {
    return !start && (op === "position" || (op === "reply" && this.#has(player)));
  }

  /** Whether workers have a player. @param {string} player */
  #has(player) {
    const [name, ...options] = player.split(":");
    return this.#players.includes(name) && !LARGE.test(options.join(":"));
  }

  /** A game is played: its module comes, if workers have the player. @param {{ game: string, player: string }} args */
  async #want({ game, player }) {
    const { algorithms, programs } = await theMenu();
    const textbook = algorithms.flatMap(({ name, recorded }) => (recorded ? [name] : []));
    this.#players = [...PLAYERS, ...textbook].filter((name) => !programs.includes(name));
    if (this.#has(player) && game !== this.#game && !this.#rests) await this.#come(game);
  }

  /** The module of a game comes, and workers that hold it. @param {string} game */
  async #come(game) {
    this.renew();
    this.#game = game;
    const asked = this.#server.ask("module", { game }, null);
    this.#coming = asked;
    let thinkers = null;
    try {
      const { path } = await asked;
      const [{ Thinkers }, module] = await Promise.all([
        import("./thinkers.js"), WebAssembly.compileStreaming(fetch(path)),
      ]);
      const [facts] = WebAssembly.Module.customSections(module, "facts");
      thinkers = new Thinkers({
        known: {},
        operations: ["position", "reply"],
        table: TABLE,
        facts: JSON.parse(new TextDecoder().decode(facts)),
        start: () => new Worker(SCRIPT, { type: "module" }),
        module: Promise.resolve(module),
      });
      await thinkers.warm(FIRST); // they are there when one has answered
      if (this.#coming !== asked) throw new Error("Another game is played by now.");
      this.#thinkers = thinkers;
    } catch { // the server goes on answering
      thinkers?.close();
    }
  }

  /**
   * Of a worker; what it cannot tell the server tells, or says why not. Where a worker has died, none is asked again.
   * @param {Thinkers} thinkers
   * @param {string} op
   * @param {any} args
   * @param {((part: any) => void) | null} onpart
   * @returns {Asked<any>}
   */
  #near(thinkers, op, args, onpart) {
    let asked = thinkers.ask(op, args, onpart);
    const late = setTimeout(() => asked.stop(), LONGEST);
    const answer = asked.catch(({ status }) => {
      if (status !== 400 && this.#thinkers === thinkers) this.#leave();
      return (asked = this.#server.ask(op, args, onpart));
    });
    const inTime = () => clearTimeout(late);
    answer.then(inTime, inTime);
    return Object.assign(answer, {
      stop: () => asked.stop(),
      cancel: () => {
        inTime();
        asked.cancel();
      },
    });
  }

  #leave() {
    this.#thinkers?.close();
    this.#thinkers = null;
  }
}
