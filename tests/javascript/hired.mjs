// Helpers of a page's worker, in Node: threads, each with a worker's script, as a page would make them.

import { isMainThread, parentPort, Worker } from "node:worker_threads";

if (!isMainThread) {
  globalThis.self = globalThis;
  await import("../../plyground/web/static/worker/worker.js");
  parentPort.once("message", (data) => self.onmessage({ data }));
}

/** One for each desk. `first` is what every worker is told first. */
export function hired(first, { memory, desks }) {
  for (const desk of desks) {
    const helper = new Worker(new URL(import.meta.url));
    helper.unref();
    helper.postMessage({ ...first, memory, desk });
  }
}
