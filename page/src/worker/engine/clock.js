// Limits, and the clock that holds searches to them. While a search runs, nothing else does in its worker, so nobody
// can stop it from outside: it gets as many nodes as it will enter in the time that is left, by its speed so far, and
// more where it is done with them too soon. Begun again it finds in the table what it had found.

import { Stopped } from "../module.js";

/** @import { Counts, Module } from "../module.js" */

/**
 * Limit of a search: a depth in plies, after so many nodes, after so many seconds; null: no such limit.
 * @typedef {{ depth: number | null, nodes: number | null, time: number | null }} Limit
 */

/** @type {Limit} */
export const NO_LIMIT = { depth: null, nodes: null, time: null };

/** Nodes that are entered at least, and by which the speed is known. */
const FEW = 2000;
/** Nodes in a second, before the speed is known: what a slow phone enters of a slow game. */
const SLOWEST = 2 ** 17;

const NO_END = Number.MAX_SAFE_INTEGER;

const now = () => performance.now() / 1000;

export class Clock {
  /**
   * @param {Module} module
   * @param {Limit} limit
   * @param {number} [helpers] Whose nodes are counted as well, and in no limit.
   */
  constructor(module, limit, helpers = 0) {
    this.limit = limit;
    this.counts = module.newCounts();
    /** Of all who search. */
    this.all = [this.counts, ...Array.from({ length: helpers }, () => module.newCounts())];
    this.started = now();
    this.deadline = this.started + (limit.time ?? Infinity);
  }

  /** Entered so far. */
  get nodes() {
    return this.counts.nodes;
  }

  /** Since the thinking began. */
  get seconds() {
    return now() - this.started;
  }

  /** Whether all nodes that are allowed have been entered. */
  get isSpent() {
    return this.nodes >= (this.limit.nodes ?? NO_END);
  }

  /**
   * Result of a search, if it ends in time.
   * @template Answer
   * @param {() => Answer} search Begun again where it was stopped too soon.
   * @returns {Answer} or throws `Stopped`.
   */
  run(search) {
    for (;;) {
      this.counts.allow(this.#allowedNodes());
      try {
        return search();
      } catch (fault) {
        if (!(fault instanceof Stopped) || this.isSpent || now() >= this.deadline) throw fault;
      }
    }
  }

  /** Until how many nodes in all a search may go on now. */
  #allowedNodes() {
    const left = this.deadline - now();
    if (left <= 0) throw new Stopped();
    const most = this.limit.nodes ?? NO_END;
    if (left === Infinity) return most;
    const speed = this.nodes > FEW ? this.nodes / Math.max(this.seconds, 1e-6) : SLOWEST;
    return Math.min(most, this.nodes + Math.max(FEW, Math.floor(speed * left)));
  }
}
