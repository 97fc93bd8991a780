// The worker of a lesson's page, in which games have no tablebases and no notation is read: it runs one example by a game's module. The message { module, facts, search } is
// answered with parts and in the end with { ok } or { error, status }; then, or to stop it, the page ends the worker.

import { know } from "./constants.js";
import * as sweeping from "./engine/sweeping.js";
import { Game } from "./game.js";
import { parts } from "./parts.js";
import { runCommand } from "./printed.js";
import { answerFault } from "./told.js";

/** @import { OutputView } from "models" */
/** @import { Facts } from "./game.js" */
/** @import { Search } from "./printed.js" */

/** @param {{ module: WebAssembly.Module, facts: Facts, search: Search }} asked */
async function run({ module, facts, search }) {
  try {
    know(facts.constants);
    const game = await Game.from(module, facts);
    /** @type {OutputView} */
    let last = { output: "", standing: "", files: {} };
    for (const part of runCommand(game, search)) {
      last = { ...last, ...part };
      self.postMessage({ part: last });
    }
    self.postMessage({ ok: { ...last, standing: "Done, in this page." } });
  } catch (fault) {
    self.postMessage(answerFault(fault));
  }
}

Object.assign(parts, { sweeping });
self.onmessage = ({ data }) => void run(data);
