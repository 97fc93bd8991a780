// Helpers: workers that search what another one searches, in the same memory and with the same table, where they meet
// (search/pvs.py). Who searches lays a question on each helper's desk; the first answer of all counts.
//
// A helper's instance of the module has globals of its own. In the memory it has its desk, and behind that a stack, for
// the module's own has room for one.

import { Stopped } from "../module.js";

/** @import { Module, ModuleFacts, Searching } from "../module.js" */

const WORD = 8;
/** Words of a desk: its state, an answer, and what is asked. */
const DESK = 16;
/** Words that a search lays on its stack at a ply, at most: Connect Four's lays 22 at most, Ultimate's 76. */
const AT_A_PLY = 128;

/** Words for a helper. @param {ModuleFacts} facts */
const roomOf = ({ rules }) => DESK + rules.LONGEST * AT_A_PLY;

// States of a desk.
/** Nobody has come to it yet: it is 0, as all memory is at first. */
const EMPTY = 0;
const IDLE = 1;
const ASKED = 2;

class Desk {
  #state;
  #numbers;

  /** @param {WebAssembly.Memory} memory @param {number} at */
  constructor(memory, at) {
    this.at = at;
    this.#state = new Int32Array(memory.buffer, at, 1);
    this.#numbers = new Float64Array(memory.buffer, at + WORD, DESK - 1);
  }

  get isTaken() {
    return Atomics.load(this.#state, 0) !== EMPTY;
  }

  /** Ask the helper. @param {number[]} given */
  ask(given) {
    this.#numbers.set(given);
    this.#turn(ASKED);
  }

  /** Answer of the helper; NaN where it was stopped. */
  answer() {
    this.#waitWhile(ASKED);
    return this.#numbers[0];
  }

  /** Answer all that is asked, until the worker is ended. @param {(...given: number[]) => number} search */
  serve(search) {
    for (;;) {
      this.#turn(IDLE);
      this.#waitWhile(IDLE);
      this.#numbers[0] = search(...this.#numbers);
    }
  }

  /** @param {number} state */
  #turn(state) {
    Atomics.store(this.#state, 0, state);
    Atomics.notify(this.#state, 0);
  }

  /** A notice may come late, after the next wait has begun: the state alone tells. @param {number} state */
  #waitWhile(state) {
    while (Atomics.load(this.#state, 0) === state) Atomics.wait(this.#state, 0, state);
  }
}

/** Helpers of a search, by its module. */
export class Helpers {
  #desks;

  /** @param {Module} module @param {number} count @param {(desks: number[]) => void} hire told where their desks are */
  constructor(module, count, hire) {
    const room = roomOf(module.facts);
    this.module = module;
    this.#desks = Array.from({ length: count }, () => new Desk(module.pages, module.alloc(room)));
    this.hire = () => {
      hire(this.#desks.map(({ at }) => at));
      this.hire = () => {}; // once
    };
  }

  /** Number of helpers, also before they are started, which is at the first search. */
  get count() {
    return this.#desks.length;
  }

  /**
   * The value that a search finds, begun by all who are there: the first answer counts, and the others are stopped
   * then. Each search has counts and a context of its own, on one table.
   * @param {readonly Searching[]} all the first is the module's own, then one for each helper
   * @returns {{ value: number, by: number }} by: which of them has found it
   */
  search([own, ...theirs]) {
    const { module } = this;
    this.hire();
    const budget = own.counts.at + WORD * module.facts.counts.BUDGET;
    const helping = this.#desks
      .map((desk, place) => ({ desk, asked: theirs[place], by: place + 1 }))
      .filter(({ desk }) => desk.isTaken);
    for (const { desk, asked } of helping) {
      asked.counts.allow(Number.MAX_SAFE_INTEGER);
      desk.ask([budget, ...module.searching(asked)]);
    }
    let found = { value: NaN, by: 0 };
    let fault = null;
    try {
      found.value = module.pvs(own);
    } catch (error) {
      fault = error;
    }
    for (const { asked } of helping) asked.counts.allow(0);
    for (const { desk, by } of helping) {
      // all are waited for: what they were given is used for the next question
      const value = desk.answer();
      if (fault instanceof Stopped && !Number.isNaN(value)) [found, fault] = [{ value, by }, null];
    }
    if (fault) throw fault;
    return found;
  }
}

/**
 * Be a helper.
 * @param {{ module: WebAssembly.Module, memory: WebAssembly.Memory, facts: ModuleFacts, desk: number }} given
 */
export async function help({ module, memory, facts, desk }) {
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
  const { pvs, __stack_pointer: stack } = /** @type {any} */ (exports);
  const bottom = (desk + WORD * roomOf(facts)) & -16; // it grows downward
  new Desk(memory, desk).serve((budget, ...asked) => {
    let answer = NaN;
    stack.value = bottom; // wherever a search that was broken off has left it
    try {
      answer = pvs(...asked);
    } catch {
      // whoever asked meets the same, and tells of it
    }
    if (!Number.isNaN(answer)) new BigInt64Array(memory.buffer)[budget / WORD] = 0n;
    return answer;
  });
}
