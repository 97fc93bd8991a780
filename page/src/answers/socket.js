// Answers of a server, over a socket. Requests are numbered; those without an answer are sent again after a reconnect.

import { Request } from "./answers.js";

/** @import { Asked } from "./answers.js" */

const LONGEST_WAIT = 4000;
/** Code with which a server closes a connection that it has no room for, with the reason in a sentence. */
const REFUSED = 1008;
/**
 * The server gives a sign each second. Milliseconds between two looks whether something has been heard; and the looks in
 * vain after which the connection counts as lost, and after which another one is opened in its place. They are counted,
 * so a page that is held up itself does not take that for a loss.
 */
const [LOOK, LOST, GIVEN_UP] = [250, 10, 20];

/** Tells of itself that it is "down", with the `detail` why where the server says that, and "up" again. */
export class Socket extends EventTarget {
  waits = "Waiting for the server…";
  /** @type {WebSocket | null} */
  #web = null;
  #numbers = 0;
  /** @type {Map<number, Request>} */
  #waiting = new Map();
  #pause = 250;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** Looks since something was heard; none count before that. */
  #silence = -Infinity;
  #isDown = false;

  constructor() {
    super();
    addEventListener("online", () => this.#isDown && this.#connect());
  }

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

  /** Open a connection, in place of the one before. */
  #connect() {
    clearTimeout(this.#retry);
    if (this.#web) {
      Object.assign(this.#web, { onopen: null, onmessage: null, onclose: null });
      this.#web.close();
    }
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const isFirst = !this.#web;
    const web = (this.#web = new WebSocket(`${scheme}://${location.host}/api/socket`));
    web.onopen = () => {
      for (const request of this.#waiting.values()) this.#send(request);
    };
    web.onmessage = (event) => {
      this.#up();
      this.#hear(JSON.parse(event.data));
    };
    web.onclose = ({ code, reason }) => {
      const refused = code === REFUSED;
      if (refused) this.#pause = LONGEST_WAIT;
      this.#down(refused ? reason : "");
      this.#retry = setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, LONGEST_WAIT);
    };
    if (isFirst) {
      const looks = setInterval(() => this.#look(), LOOK);
      this.ask("alive", {}, () => {}).catch(() => clearInterval(looks)); // a server of an older version
    }
  }

  /** Whether the server has been heard lately; where a connection is closed, another one is on its way. */
  #look() {
    if (this.#web?.readyState === WebSocket.CLOSED) return;
    this.#silence += 1;
    if (this.#silence === LOST) this.#down("");
    if (this.#silence < GIVEN_UP) return;
    this.#silence = LOST;
    this.#connect();
  }

  /** @param {string} why */
  #down(why) {
    this.#isDown = true;
    this.dispatchEvent(new CustomEvent("down", { detail: why }));
  }

  #up() {
    [this.#silence, this.#pause] = [0, 250];
    if (!this.#isDown) return;
    this.#isDown = false;
    this.dispatchEvent(new Event("up"));
  }

  /** @param {{ id: number, part?: unknown, ok?: unknown, error?: string, status: number }} message */
  #hear({ id, ...told }) {
    if (this.#waiting.get(id)?.hear(told)) this.#waiting.delete(id); // else it goes on, or is cancelled
  }
}
