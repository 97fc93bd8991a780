// Answers to the page's questions, by a server or by workers that the page has brought with it. Which of them it is, is
// decided once, by the module with which a page begins; the other parts only ask.

/** @import { BoardView, MenuView, Operations } from "models" */

/**
 * A promise of an answer: to be had as it is by now, or to be done without.
 * @template Answer
 * @typedef {Promise<Answer> & { stop: () => void, cancel: () => void }} Asked
 */

/**
 * One who answers: `ask` promises an answer, and tells better and better ones before it.
 * @typedef {object} Way
 * @property {(op: string, args: any, onpart: ((part: any) => void) | null) => Asked<any>} ask
 * @property {(op: keyof Operations) => boolean} can Whether such a question can be answered at all.
 * @property {string} waits What is said of a search that has found nothing after a while.
 * @property {() => void} [renew] What was known of games is not so any more.
 * @property {string} [standing] How many workers of the page's own think, in words.
 */

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

/** A question, and the promise of its answer. */
export class Request {
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
    /** The last value that was sent. @type {any} */
    this.last = null;
    /** Whether nobody waits for it any more. */
    this.dropped = false;
    /** @type {(answer: any) => void} */
    this.resolve = () => {};
    /** @type {(fault: Error) => void} */
    this.reject = () => {};
    /** @type {Promise<any>} */
    this.answer = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  /**
   * Told of a part, the answer, or why there is none; whether that was the end of it.
   * @param {{ part?: unknown, ok?: unknown, error?: string, status?: number }} message
   */
  hear({ part, ok, error, status = 503 }) {
    if (part !== undefined) this.onpart?.((this.last = part));
    else if (error !== undefined) this.reject(new Refused(error, status));
    else this.resolve(ok);
    return part === undefined;
  }
}

class Answers {
  /** @type {Way} */
  #way = /** @type {Way} */ (/** @type {unknown} */ (null));
  /** Whether the way to a server is lost, so that what came from there may not be so any more. */
  isLost = false;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /** The way is lost, or there again. @param {boolean} isLost */
  lose(isLost) {
    this.isLost = isLost;
    for (const watcher of this.#watchers) watcher();
  }

  /** Be told when the way is lost, or there again; what is returned ends that. @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** From now on they come this way. @param {Way} way */
  come(way) {
    this.#way = way;
  }

  /**
   * Ask; the answer is a promise. `onpart` gets better and better answers before it.
   * @template {keyof Operations} Op
   * @param {Op} op
   * @param {Operations[Op]["args"]} args
   * @param {((part: Operations[Op]["answer"]) => void) | null} [onpart]
   * @returns {Asked<Operations[Op]["answer"]>}
   */
  ask(op, args, onpart = null) {
    return this.#way.ask(op, args, onpart);
  }

  /** @param {keyof Operations} op */
  can(op) {
    return this.#way.can(op);
  }

  get waits() {
    return this.#way.waits;
  }

  renew() {
    this.#way.renew?.();
  }

  get standing() {
    return this.#way.standing;
  }
}

export const answers = new Answers();

/** @type {Promise<MenuView> | null} */
let menu = null;

/** The menu of games and players, asked for once. */
export const theMenu = () => (menu ??= answers.ask("menu", {}));

/** @type {Map<string, Promise<BoardView>>} */
const boards = new Map();

/**
 * The fixed parts of a game's board, asked for once.
 * @param {string} game
 */
export function theBoard(game) {
  const asked = boards.get(game) ?? answers.ask("board", { game });
  boards.set(game, asked);
  asked.catch(() => boards.delete(game)); // a fault is not remembered: the next one asks again
  return asked;
}

/** Ask anew what there is: a file of somebody's own has been saved. */
export function forget() {
  menu = null;
  boards.clear();
  answers.renew();
}

/** The game that is meant where a link names none: the first of the list that can be played. */
export const usualGame = async () => (await theMenu()).games.find(({ fault }) => !fault)?.name ?? "";
