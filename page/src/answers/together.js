// Number of workers that search together: as many as may share memory, which a browser allows a page whose host sends
// two headers (docs/publish.md), and none that was opened from a disk.

/** @import { ModuleFacts } from "../worker/module.js" */

/** Workers of one search, at most: more come in each other's way. */
const MOST = 4;
/** The bit by which a module's memory is one that is shared. */
const SHARED = 2;

const cores = navigator.hardwareConcurrency;

/** Workers that help another one. */
export const helpers = globalThis.crossOriginIsolated ? Math.min(cores, MOST) - 1 : 0;

/** Number of threads of the engine, in a sentence, and the reason where there is only one. */
export function standing() {
  if (helpers) return `The engine uses ${helpers + 1} threads.`;
  if (globalThis.crossOriginIsolated) return "The engine uses one thread: there is one processor.";
  const why =
    location.protocol === "file:" ? "a page opened from a disk has no more" : "the host of this page allows no more";
  return `The engine uses one thread: ${why}.`;
}

/**
 * A module from its bytes, with a memory that its workers share, where they can.
 * @param {Uint8Array<ArrayBuffer>} code
 * @param {ModuleFacts} facts
 */
export function compileShared(code, { memory }) {
  if (helpers) code[memory.FLAGS] |= SHARED;
  return WebAssembly.compile(code);
}
