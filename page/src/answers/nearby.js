// The playground's way to its answers: a server, and beside it workers with the module of the game that is played. They
// reply without a round trip; whatever else there is to know, and whatever they cannot tell, the server is asked.

import { theMenu } from "./answers.js";

/** @import { NearView, Operations } from "models" */
/** @import { Asked } from "./answers.js" */
/** @import { Socket } from "./socket.js" */
/** @import { Thinkers } from "./thinkers.js" */

/** More than two options without names: one of them may be one that only the server grants. */
const UNNAMED = /^[^=,]*,[^=,]*,[^=]*$/;
/** Permissions of workers before the server has answered. @type {NearView} */
const NOTHING = { operations: [], players: [], withheld: [], table: 0, seconds: 0 };
const SCRIPT = "worker.js";
/** The player after whose reply workers are there: until then the server replies, so it may take a moment. */
const FIRST = "level:easy";

export class Nearby {
  /** @type {Socket} */
  #server;
  /** The game whose module is wanted: once it cannot be had, it is not asked for again. */
  #game = "";
  /** Address of the module, once it is asked for. @type {Asked<Operations["module"]["answer"]> | null} */
  #coming = null;
  /** Those who have it. @type {Thinkers | null} */
  #thinkers = null;
  /** The operations and players that workers answer, and their limits. */
  #means = NOTHING;
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
   * Ask the page's own workers, if they have the game's module, else the server. The module is fetched after the first
   * reply of the server: a person who only looks needs none, and compiling it would slow that reply down.
   * @param {string} op
   * @param {any} args
   * @param {((part: any) => void) | null} onpart
   * @returns {Asked<any>}
   */
  ask(op, args, onpart) {
    const { game } = args;
    const thinkers = game === this.#game && this.#isTheirs(op, args) ? this.#thinkers : null;
    if (thinkers) return this.#near(thinkers, op, args, onpart);
    const asked = this.#server.ask(op, args, onpart);
    if (op === "reply" && game !== this.#game) {
      asked.then(
        () => this.#want(args),
        () => {}, // a failed reply is reported to its caller
      );
    }
    return asked;
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
  #isTheirs(op, { start = "", player }) {
    const isKnown = this.#means.operations.some(({ name }) => name === op);
    const { elsewhere = [] } = this.#thinkers?.brought.facts ?? {};
    const isElsewhere = elsewhere.includes(player?.split(":")[0] ?? "");
    return isKnown && !start && !isElsewhere && (player === undefined || this.#has(player));
  }

  /** Whether workers have a player. @param {string} player */
  #has(player) {
    const [name, ...rest] = player.split(":");
    const options = rest.join(":");
    if (!this.#means.players.includes(name) || UNNAMED.test(options)) return false;
    return !options.split(/\W+/).some((word) => this.#means.withheld.includes(word));
  }

  /** A game is played: its module comes, if workers have the player. @param {{ game: string, player: string }} args */
  async #want({ game, player }) {
    this.#means = (await theMenu()).near ?? NOTHING;
    if (this.#has(player) && game !== this.#game && !this.#rests) await this.#come(game);
  }

  /** The module of a game comes, and workers that hold it. @param {string} game */
  async #come(game) {
    this.renew();
    this.#game = game;
    const { operations, table } = this.#means;
    const asked = this.#server.ask("module", { game }, null);
    this.#coming = asked;
    let thinkers = null;
    try {
      const { path } = await asked;
      const [{ Thinkers }, module] = await Promise.all([
        import("./thinkers.js"),
        WebAssembly.compileStreaming(fetch(path)),
      ]);
      const [facts] = WebAssembly.Module.customSections(module, "facts");
      thinkers = new Thinkers({
        known: {},
        operations,
        table,
        facts: JSON.parse(new TextDecoder().decode(facts)),
        start: () => new Worker(SCRIPT, { type: "module" }),
        module: Promise.resolve(module),
      });
      await thinkers.warm(FIRST); // they are there when one has answered
      if (this.#coming !== asked) throw new Error("Another game is played by now.");
      this.#thinkers = thinkers;
    } catch {
      // the server goes on answering
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
    const late = setTimeout(() => asked.stop(), 1000 * this.#means.seconds);
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
