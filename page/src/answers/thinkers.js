// Answers of the page's own workers: each has the game's module and thinks of one question at a time. A worker hears
// nothing while it thinks, so whoever stops it ends it, and has what it has told by then.

import { Refused, Request } from "./answers.js";

/** @import { Operations, OperationView } from "models" */
/** @import { Asked } from "./answers.js" */

/**
 * Contents that a page has brought with it: answers that never change (the first position among
 * them, so that its board is there before a worker is), what workers are told first, how one is started, and a module.
 * @typedef {object} Brought
 * @property {Partial<{ [Op in keyof Operations]: Operations[Op]["answer"] }>} known
 * @property {readonly OperationView[]} operations Operations that its workers answer.
 * @property {{ spec: string, elsewhere?: readonly string[] }} facts `elsewhere`: players whose replies are not as those
 *   of the server, which evaluates by learned weights that the module lacks.
 * @property {number} [table] Mebibytes that a search may use.
 * @property {() => Worker} start
 * @property {Promise<WebAssembly.Module>} module
 * @property {number} [helpers] Of each worker, in whose memory they search; its module asks for one (together.js).
 * @property {string} [standing] How many think, in words.
 */

/** Searches that run at once: a player's, and an analysis. Each has a table of its own. */
const SEARCHES = 2;

/**
 * Seconds in which a level's move is there (web/limits.py), how many more than it was given to think, and how many the
 * worker that waits for no search has for a glance in its place.
 */
const [LEVEL_ANSWERS, LEVEL_MARGIN, GLANCE] = [3, 2, 0.5];

const ENDED = { error: "The engine has stopped, perhaps for lack of memory; try again.", status: 503 };

/** The options of a level; null for another player. @param {string | undefined} player */
function optionsOf(player) {
  const [name, ...rest] = (player ?? "").split(":");
  return name.trim() === "level" ? rest.join(":").split(",").filter(Boolean) : null;
}

/** Whether an option is the time that a level has. @param {string} option */
const isTime = (option) => option.trim().startsWith("time=");

/** @param {number} seconds @returns {Promise<never>} */
const late = (seconds) =>
  new Promise((_, reject) => setTimeout(() => reject(new Refused(ENDED.error, ENDED.status)), 1000 * seconds));

/** A worker, its helpers, and what it has been asked and has not answered. */
class Thinker {
  /** @type {Map<number, Request>} */
  asked = new Map();
  /** There from when it has first had work for them. @type {Worker[]} */
  helpers = [];

  /**
   * @param {Worker} worker
   * @param {(memory: WebAssembly.Memory, desks: number[]) => Worker[]} onwork
   * @param {(thinker: Thinker) => void} onidle
   * @param {(thinker: Thinker) => void} ondead
   */
  constructor(worker, onwork, onidle, ondead) {
    this.worker = worker;
    const die = (/** @type {ErrorEvent} */ event) => {
      event.preventDefault(); // it is told to whoever asked
      ondead(this);
    };
    worker.onmessage = ({ data: { id, memory, desks, ...told } }) => {
      if (memory) {
        this.helpers = onwork(memory, desks);
        for (const helper of this.helpers) helper.onerror = die; // it would be waited for without end
      }
      if (!this.asked.get(id)?.hear(told)) return;
      this.asked.delete(id);
      onidle(this);
    };
    worker.onerror = die;
  }

  /** @param {Request} request @param {boolean} stream Whether better and better answers are wanted. */
  ask(request, stream) {
    const { number: id, op, args } = request;
    this.asked.set(id, request);
    this.worker.postMessage({ id, op, args, stream });
  }

  end() {
    for (const worker of [this.worker, ...this.helpers]) worker.terminate();
  }
}

export class Thinkers {
  waits = "Thinking…";
  #numbers = 0;
  /** @type {Thinker | null} */
  #swift = null;
  /** @type {Thinker[]} */
  #searching = [];
  /** Searches that wait for a worker. @type {Request[]} */
  #waiting = [];
  /** @type {WebAssembly.Module | null} */
  #module = null;

  /** @param {Brought} brought */
  constructor(brought) {
    this.brought = brought;
    /** Promise of a worker that answers. */
    this.ready = brought.module.then((module) => {
      this.#module = module;
      this.#swift = this.#hire();
      this.#searching.push(this.#hire());
    });
    this.ready.catch(() => {}); // told to whoever asks
  }

  get standing() {
    return this.brought.standing;
  }

  can = (/** @type {keyof Operations} */ op) => this.#recordOf(op) !== undefined;

  /** The record of an operation that workers answer. @param {string} op */
  #recordOf(op) {
    return this.brought.operations.find(({ name }) => name === op);
  }

  /**
   * @param {string} op
   * @param {object} args
   * @param {((part: any) => void) | null} onpart
   * @param {boolean} [isAwaited] Whether somebody waits for it.
   * @returns {Asked<any>}
   */
  ask(op, args, onpart, isAwaited = true) {
    const request = new Request(++this.#numbers, op, args, onpart);
    const { start = "", moves = [] } = /** @type {{ start?: string, moves?: string[] }} */ (args);
    const isFixed = !start && !moves.length;
    const known = isFixed && this.brought.known[/** @type {keyof Operations} */ (op)];
    if (known) request.resolve(known);
    else
      this.ready.then(
        () => this.#give(request, isAwaited),
        (fault) => request.reject(fault),
      );
    return Object.assign(request.answer, { stop: () => this.#stop(request), cancel: () => this.#drop(request) });
  }

  /**
   * A reply for which nobody waits: most of a module is compiled when it first runs, and then it has run.
   * @param {string} player The longer it thinks, the more of it.
   */
  warm(player) {
    return this.ask("reply", { game: this.brought.facts.spec, player }, null, false);
  }

  #hire() {
    const { table, helpers } = this.brought;
    const worker = this.#worker({ table, helpers, seed: String(Math.random()) });
    return new Thinker(
      worker,
      (memory, desks) => desks.map((desk) => this.#worker({ memory, desk })),
      () => this.#next(),
      (thinker) => this.#bury(thinker),
    );
  }

  /** @param {object} first What it is told first, beside the module. */
  #worker(first) {
    const worker = this.brought.start();
    worker.postMessage({ module: this.#module, facts: this.brought.facts, ...first });
    return worker;
  }

  /** @param {Request} request @param {boolean} isAwaited */
  #give(request, isAwaited) {
    if (request.dropped) return;
    if (this.#recordOf(request.op)?.swift) this.#put((this.#swift ??= this.#hire()), request);
    else {
      this.#waiting.push(request);
      this.#next();
      if (isAwaited && request.op === "reply") this.#limit(request);
    }
  }

  /** A level's move is there in time, whatever the workers do. @param {Request} request */
  #limit(request) {
    const options = optionsOf(/** @type {any} */ (request.args).player);
    if (!options) return;
    const own = Number(options.find(isTime)?.split("=")[1] ?? 0);
    const timer = setTimeout(() => this.#stop(request), 1000 * Math.max(LEVEL_ANSWERS, own + LEVEL_MARGIN));
    const inTime = () => clearTimeout(timer);
    request.answer.then(inTime, inTime);
  }

  /**
   * An answer of the worker that waits for no search. If that is held up, another one takes its place.
   * @param {string} op @param {object} args
   */
  async #swiftly(op, args) {
    const request = new Request(++this.#numbers, op, args, null);
    const swift = (this.#swift ??= this.#hire());
    this.#put(swift, request);
    try {
      return await Promise.race([request.answer, late(GLANCE)]);
    } catch (fault) {
      if (this.#swift === swift) this.#bury(swift);
      throw fault;
    }
  }

  /** Send waiting questions to free workers. */
  #next() {
    while (this.#waiting.length) {
      let free = this.#searching.find(({ asked }) => !asked.size);
      if (!free && this.#searching.length < SEARCHES) this.#searching.push((free = this.#hire()));
      if (!free) return;
      this.#put(free, /** @type {Request} */ (this.#waiting.shift()));
    }
  }

  /** @param {Thinker} thinker @param {Request} request */
  #put(thinker, request) {
    thinker.ask(request, this.#recordOf(request.op)?.stream ?? false);
  }

  /** A worker has died by itself: its questions can be asked again, of another one. @param {Thinker} thinker */
  #bury(thinker) {
    this.#end(thinker);
    for (const request of thinker.asked.values()) request.hear(ENDED);
    this.#next();
  }

  /** All of them end: whoever has asked is told so. */
  close() {
    const waiting = this.#waiting.splice(0);
    for (const thinker of [this.#swift, ...this.#searching]) if (thinker) this.#bury(thinker);
    for (const request of waiting) request.hear(ENDED);
  }

  /** @param {Thinker} thinker */
  #end(thinker) {
    thinker.end();
    if (this.#swift === thinker) this.#swift = null;
    this.#searching = this.#searching.filter((each) => each !== thinker);
  }

  /** Nobody waits for it any more. @param {Request} request */
  #drop(request) {
    request.dropped = true;
    this.#waiting = this.#waiting.filter((each) => each !== request);
    const thinker = this.#searching.find(({ asked }) => asked.has(request.number));
    if (!thinker) return;
    this.#end(thinker);
    this.#searching.push(this.#hire()); // there at once when it is needed
    this.#next();
  }

  /** It is answered with what has been told by now; a level moves by a glance, another player makes its first move. */
  async #stop(/** @type {Request} */ request) {
    if (request.dropped) return;
    const { op, last } = request;
    this.#drop(request);
    if (op === "reply") {
      const { game, start, moves, player } = /** @type {any} */ (request.args);
      const options = optionsOf(player);
      try {
        if (options) {
          const glancing = `level:${[...options.filter((option) => !isTime(option)), "time=0.001"].join(",")}`;
          request.hear({ ok: await this.#swiftly("reply", { game, start, moves, player: glancing }) });
          return;
        }
        const first = last?.report?.variation[0] ?? (await this.#swiftly("position", { game, start, moves })).legal[0];
        request.hear({ ok: { move: last?.move ?? first, report: last?.report ?? null } });
      } catch (fault) {
        request.reject(fault);
      }
    } else if (last) request.hear({ ok: last });
    else request.hear({ error: "Stopped before anything was found.", status: 503 });
  }
}
