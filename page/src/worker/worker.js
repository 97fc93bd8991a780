// The worker of a page: it holds a game's module and answers what the page asks, one question after another. The first
// message is { module, facts } and what the page grants it; then each { id, op, args, stream } is answered in the end
// with { id, ok } or { id, error, status }; a stream with parts before, { id, part }. The page stops a search by ending
// the worker.
//
// Where it is granted helpers, it says { memory, desks } when it first has work for them. A worker whose first message
// has that memory and one of the desks is a helper, and nothing else.

import { constants, know } from "./constants.js";
import { help, Helpers } from "./engine/helping.js";
import { Game } from "./game.js";
import { pagesFor } from "./memory.js";
import { Answering } from "./operations.js";
import { parts } from "./parts.js";
import { Refused } from "./refused.js";
import { answerFault } from "./told.js";

/** @import { Operations } from "models" */
/** @import { Facts } from "./game.js" */

/**
 * @typedef {{ module: BufferSource | WebAssembly.Module, facts: Facts, helpers?: number, table?: number,
 *   seed?: string }} First
 */
/** @typedef {{ id: number, op: keyof Operations, args: any, stream: boolean }} Question */

/** Mebibytes of a memory that is shared, beside the table: what is recorded or simulated, and what helpers have. */
const AROUND = 128;

/** @type {Promise<Answering> | null} */
let answers = null;

/**
 * A memory that workers share: as large as the browser sets aside for one.
 * @param {Facts} facts @param {number} wanted Mebibytes at most.
 * @returns {WebAssembly.Memory}
 */
function shareMemory(facts, wanted) {
  try {
    return pagesFor(facts.memory, wanted);
  } catch (fault) {
    const { table } = constants.thinking;
    if (wanted <= table) throw fault;
    return shareMemory(facts, Math.max(table, wanted / 2));
  }
}

/** @param {First} first */
async function startWorker({ module, facts, helpers = 0, table = facts.constants.thinking.table, seed }) {
  know(facts.constants);
  const memory = helpers ? shareMemory(facts, table + AROUND) : pagesFor(facts.memory);
  const game = await Game.from(module, facts, memory);
  parts.tabled?.openTable(game, module);
  const hire = (/** @type {number[]} */ desks) => self.postMessage({ memory, desks });
  return new Answering(game, { table, seed, helpers: helpers ? new Helpers(game, helpers, hire) : null });
}

/** @param {Question} question @param {(message: object) => void} post */
async function answer({ id, op, args, stream }, post) {
  try {
    if (!answers) throw new Refused("The first message to a worker is { module, facts }.");
    let last = null;
    for (const part of (await answers).ask(op, args ?? {})) {
      last = part;
      if (stream) post({ id, part });
    }
    post({ id, ok: last });
  } catch (fault) {
    post({ id, ...answerFault(fault) });
  }
}

self.onmessage = ({ data }) => {
  if ("desk" in data) void help(data);
  else if ("module" in data) answers = startWorker(data);
  else void answer(data, (message) => self.postMessage(message));
};
