// Python in a worker, from the page: it is loaded once, asked one question at a time, and ended when it does not answer.

/** Seconds without any answer after which rules are taken to be endless. */
export const PATIENCE = 20;

/** A part of an answer (`plyground/publish/typed_game.py`). @typedef {Record<string, any>} Part */

/**
 * Callbacks of the page.
 * @typedef {object} Hears
 * @property {(share: number) => void} onShare The share of Python's files that has come.
 * @property {() => void} onReady Python is there.
 * @property {(sentence: string) => void} onLoss It cannot be loaded.
 * @property {(part: Part) => void} part A part of the answer.
 * @property {(sentence: string) => void} onEnd The answer is whole; or it was stopped, and why.
 */

export class PythonHost {
  /** @type {Worker | null} */
  #worker = null;
  #isReady = false;
  #id = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The question under way. @type {object | null} */
  #asked = null;

  /** @param {() => Worker} start @param {object} first The first message. @param {Hears} hears */
  constructor(start, first, hears) {
    this.start = start;
    this.first = first;
    this.hears = hears;
  }

  /** Load Python, unless that was done. */
  load() {
    if (this.#worker) return;
    this.#worker = this.start();
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message || "its worker cannot be started");
    };
    this.#worker.postMessage(this.first);
  }

  get isReady() {
    return this.#isReady;
  }

  /** Ask a question; the one before it gets no further answers. @param {{ text: string, file: string, game: string }} question */
  ask(question) {
    this.#id += 1;
    this.#asked = { id: this.#id, ...question };
    this.load();
    if (this.#isReady) this.#send();
  }

  /** End what runs. @param {string} why A sentence. */
  stop(why) {
    this.#end();
    this.hears.onEnd(why);
    this.load(); // for the next question
  }

  #send() {
    this.#worker?.postMessage(this.#asked);
    this.#wait();
  }

  #wait() {
    clearTimeout(this.#timer);
    const why = `These rules have not answered within ${PATIENCE} seconds and were stopped: does a loop never end?`;
    this.#timer = setTimeout(() => this.stop(why), PATIENCE * 1000);
  }

  #end() {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
    this.#asked = null;
  }

  /** @param {string} what */
  #fail(what) {
    const isAsked = this.#isReady;
    this.#end();
    if (isAsked) this.hears.onEnd(`Python in this page has failed, maybe for lack of memory: ${what}`);
    else this.hears.onLoss(what);
  }

  /** @param {Part} data */
  #hear(data) {
    if ("come" in data) this.hears.onShare(data.come);
    else if ("failed" in data) this.#fail(data.failed);
    else if ("ready" in data) {
      this.#isReady = true;
      this.hears.onReady();
      if (this.#asked) this.#send();
    } else if (data.id === this.#id && "part" in data) {
      this.#wait();
      this.hears.part(data.part);
    } else if (data.id === this.#id) {
      clearTimeout(this.#timer);
      this.#asked = null;
      this.hears.onEnd("");
    }
  }
}
