// Helpers of a page's worker, in Node: threads, each with a worker's script, as a page would make them.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

if (!isMainThread) {
  globalThis.self = globalThis;
  await import(workerData);
  parentPort.once("message", (data) => self.onmessage({ data }));
}

/** One for each desk. `first` is what every worker is told first, `script` the address of its script. */
export function hired(first, { memory, desks }, script) {
  for (const desk of desks) {
    const helper = new Worker(new URL(import.meta.url), { workerData: script });
    helper.unref();
    helper.postMessage({ ...first, memory, desk });
  }
}
