// A connection for tests: it notes each request, and answers when the test says so.

import { answers } from "../src/answers/answers.js";

/** Lets all that is ready run. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A request: the test answers it, sends parts of a stream, or refuses it. */
class Request {
  isCancelled = false;
  isStopped = false;

  /** @param {string} op @param {any} args @param {((part: any) => void) | null} onpart */
  constructor(op, args, onpart) {
    this.op = op;
    this.args = args;
    this.onpart = onpart;
    /** @type {(answer: any) => void} */
    this.resolve = () => {};
    /** @type {(fault: Error) => void} */
    this.reject = () => {};
    this.promise = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  /** @param {any} answer */
  async answer(answer) {
    if (!this.isCancelled) this.resolve(answer);
    await settled();
  }

  /** @param {any} part */
  async part(part) {
    if (!this.isCancelled) this.onpart?.(part);
    await settled();
  }

  /** @param {string} sentence @param {number} status */
  async refuse(sentence, status) {
    if (!this.isCancelled) this.reject(Object.assign(new Error(sentence), { status }));
    await settled();
  }
}

export class Connection {
  waits = "Getting ready…";
  /** @type {Request[]} */
  asked = [];
  /** Immediate answers, by the name of the operation. @type {Record<string, (args: any) => unknown>} */
  known = {};

  constructor() {
    answers.come(this);
  }

  can = () => true;

  /** @param {string} op @param {any} args @param {((part: any) => void) | null} onpart */
  ask(op, args, onpart) {
    const request = new Request(op, args, onpart);
    if (this.known[op]) request.resolve(this.known[op](args));
    else this.asked.push(request);
    return Object.assign(request.promise, {
      stop: () => (request.isStopped = true),
      cancel: () => (request.isCancelled = true),
    });
  }

  /** The operations that have been asked for, in order. */
  get names() {
    return this.asked.map(({ op }) => op);
  }

  /** The last request of an operation. @param {string} op */
  last(op) {
    const found = this.asked.filter((request) => request.op === op).at(-1);
    if (!found) throw new Error(`${op} has not been asked for.`);
    return found;
  }
}
