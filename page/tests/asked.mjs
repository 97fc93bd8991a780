// A page's worker in Node, as a browser would have it: what it is asked stands in lines of JSON, and what it says is
// written so: `node asked.mjs worker.mjs`. The first line names the module's file, and may grant helpers.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import process from "node:process";
import { pathToFileURL } from "node:url";

import { hired } from "./hired.mjs";

globalThis.self = globalThis;
/** The worker's script, with all that it imports. */
const script = pathToFileURL(process.argv[2]).href;
const heard = [];
/** What every worker is told first. */
let first = {};
self.postMessage = (message) => ("desks" in message ? hired(first, message, script) : heard.push(message));
await import(script);

/** Until the answer is there. @param {number} id */
async function answered(id) {
  while (!heard.some((each) => each.id === id && !("part" in each))) await new Promise((done) => setImmediate(done));
  return heard.splice(0);
}

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { file, ...given } = JSON.parse(line);
  if (file) {
    const { helpers = 0 } = given; // as a browser with so many processors and one more grants them
    globalThis.crossOriginIsolated = helpers > 0;
    Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 1 + helpers } });
    const { compileShared } = await import("../src/answers/together.js");
    first = { module: await compileShared(readFileSync(file), given.facts), facts: given.facts };
    self.onmessage({ data: { ...first, ...given } });
  } else {
    count += 1;
    self.onmessage({ data: { id: count, ...given } });
    process.stdout.write(`${JSON.stringify(await answered(count))}\n`);
  }
}
