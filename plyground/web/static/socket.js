// Asks the server. Requests are numbered; those without an answer are sent again after a reconnect.

/** @import { BoardView, MenuView, Operations } from "models" */

const LONGEST_WAIT = 4000;

/**
 * A promise of an answer: to be had as it is by now, or to be done without.
 * @template Answer
 * @typedef {Promise<Answer> & { stop: () => void, cancel: () => void }} Asked
 */

class Request {
  /**
   * @param {number} number
   * @param {string} op
   * @param {object} args
   * @param {((part: any) => void) | null} onpart
   */
  constructor(number, op, args, onpart) {
    this.number = number;
    this.op = op;
    this.args = args;
    this.onpart = onpart;
    /** @type {(answer: any) => void} */
    this.resolve = () => {};
    /** @type {(fault: Error) => void} */
    this.reject = () => {};
    /** @type {Promise<any>} */
    this.answer = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }
}

export class Refused extends Error {
  /**
   * @param {string} sentence
   * @param {number} status As of HTTP.
   */
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

class Socket extends EventTarget {
  /** @type {WebSocket | null} */
  #web = null;
  #numbers = 0;
  /** @type {Map<number, Request>} */
  #waiting = new Map();
  #pause = 250;

  /**
   * Ask; the answer is a promise. `onpart` gets better and better answers before it.
   * @template {keyof Operations} Op
   * @param {Op} op
   * @param {Operations[Op]["args"]} args
   * @param {((part: Operations[Op]["answer"]) => void) | null} [onpart]
   * @returns {Asked<Operations[Op]["answer"]>}
   */
  ask(op, args, onpart = null) {
    const request = new Request(++this.#numbers, op, args, onpart);
    this.#waiting.set(request.number, request);
    this.#send(request);
    const tell = (/** @type {"stop" | "cancel"} */ what) => this.#write({ id: 0, op: what, of: request.number });
    const cancel = () => {
      if (this.#waiting.delete(request.number)) tell("cancel");
    };
    return Object.assign(request.answer, { stop: () => tell("stop"), cancel });
  }

  /** @param {Request} request */
  #send({ number, op, args }) {
    if (!this.#web) this.#connect();
    this.#write({ id: number, op, args });
  }

  /** @param {object} message */
  #write(message) {
    if (this.#web?.readyState === WebSocket.OPEN) this.#web.send(JSON.stringify(message));
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#web = new WebSocket(`${scheme}://${location.host}/api/socket`);
    this.#web.onopen = () => {
      this.#pause = 250;
      this.dispatchEvent(new Event("up"));
      for (const request of this.#waiting.values()) this.#send(request);
    };
    this.#web.onmessage = (event) => this.#hear(JSON.parse(event.data));
    this.#web.onclose = () => {
      this.dispatchEvent(new Event("down"));
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, LONGEST_WAIT);
    };
  }

  /** @param {{ id: number, part?: unknown, ok?: unknown, error?: string, status: number }} message */
  #hear({ id, part, ok, error, status }) {
    const request = this.#waiting.get(id);
    if (!request) return; // cancelled, or answered before
    if (part !== undefined) {
      request.onpart?.(part);
      return;
    }
    this.#waiting.delete(id);
    if (error !== undefined) request.reject(new Refused(error, status));
    else request.resolve(ok);
  }
}

export const server = new Socket();

/** @type {Promise<MenuView> | null} */
let menu = null;

/** What there is, asked for once. */
export const theMenu = () => (menu ??= server.ask("menu", {}));

/** @type {Map<string, Promise<BoardView>>} */
const boards = new Map();

/**
 * What is fixed of a game's board, asked for once.
 * @param {string} game
 */
export function theBoard(game) {
  const asked = boards.get(game) ?? server.ask("board", { game });
  boards.set(game, asked);
  asked.catch(() => boards.delete(game));
  return asked;
}

/** Ask anew what there is: a file of somebody's own has been saved. */
export function forget() {
  menu = null;
  boards.clear();
}

/** What people call the players that the first page offers, by spec. */
export const theTitles = async () =>
  Object.fromEntries((await theMenu()).players.map(({ spec, title }) => [spec, title]));

/** The game that is meant where a link names none: the first of the list that can be played. */
export const usualGame = async () => (await theMenu()).games.find(({ fault }) => !fault)?.name ?? "";
