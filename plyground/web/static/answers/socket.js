// Answers of a server, over a socket. Requests are numbered; those without an answer are sent again after a reconnect.

import { Request } from "./answers.js";

/** @import { Asked } from "./answers.js" */

const LONGEST_WAIT = 4000;
/** How a server closes a connection that it has no room for, with the reason in a sentence. */
const REFUSED = 1008;
/** Milliseconds after which a connection that is open stays so: one that is refused is open for a moment. */
const SETTLED = 1000;

/** Tells of itself that it is "down", with the `detail` why where the server says that, and "up" again. */
export class Socket extends EventTarget {
  waits = "Getting the search ready (compiled once, then kept)…";
  /** @type {WebSocket | null} */
  #web = null;
  #numbers = 0;
  /** @type {Map<number, Request>} */
  #waiting = new Map();
  #pause = 250;

  can = () => true;

  /**
   * @param {string} op
   * @param {object} args
   * @param {((part: any) => void) | null} onpart
   * @returns {Asked<any>}
   */
  ask(op, args, onpart) {
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
    const web = (this.#web = new WebSocket(`${scheme}://${location.host}/api/socket`));
    const up = () => {
      if (web.readyState !== WebSocket.OPEN) return;
      this.#pause = 250;
      this.dispatchEvent(new Event("up"));
    };
    web.onopen = () => {
      if (this.#pause === LONGEST_WAIT) setTimeout(up, SETTLED);
      else up();
      for (const request of this.#waiting.values()) this.#send(request);
    };
    web.onmessage = (event) => this.#hear(JSON.parse(event.data));
    web.onclose = ({ code, reason }) => {
      const refused = code === REFUSED;
      if (refused) this.#pause = LONGEST_WAIT;
      this.dispatchEvent(new CustomEvent("down", { detail: refused ? reason : "" }));
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, LONGEST_WAIT);
    };
  }

  /** @param {{ id: number, part?: unknown, ok?: unknown, error?: string, status: number }} message */
  #hear({ id, ...told }) {
    if (this.#waiting.get(id)?.hear(told)) this.#waiting.delete(id); // else it goes on, or is cancelled
  }
}
