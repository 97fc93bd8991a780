// A lesson as a page of a site: its searches run by modules that the page has brought, each in a worker of its own.

import { answers, Request } from "../answers/answers.js";
import { CAN_THINK, MISSING, starter } from "../answers/brought.js";
import { bytes, text } from "../answers/packed.js";
import { el } from "../shell/dom.js";
import { Lesson } from "./lesson.js";
import * as link from "../shell/link.js";

/** @import { Constants, LessonView, OutputView } from "models" */
/** @import { Facts } from "../worker/game.js" */
/** @import { Search } from "../worker/printed.js" */

/**
 * The lesson; its examples that are searches, by their numbers; facts and module of each game in these; and the
 * addresses of other lessons and of the games' pages.
 * @typedef {{
 *   lesson: LessonView, searches: Record<string, Search>,
 *   games: Record<string, { facts: Omit<Facts, "constants">, module: string }>,
 *   lessons: Record<string, string>, pages: Record<string, string>, constants: Constants,
 * }} Brought
 */

/** @type {Brought} */
const { lesson, searches, games, lessons, pages, constants } = JSON.parse(text("facts"));
const start = starter();
const ENDED = "The example has stopped, perhaps for lack of memory; run it again.";

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const modules = new Map();

/** A game's module, made once. @param {string} id */
function makeModule(id) {
  const known = modules.get(id) ?? bytes(id).then((whole) => WebAssembly.compile(whole));
  modules.set(id, known);
  return known;
}

/** Runs an example, whose number alone is told. @type {import("../answers/answers.js").Way} */
const RUNS = {
  waits: "Running…",
  can: (op) => op === "lesson_run" && CAN_THINK,
  ask: (op, { number }, onpart) => {
    const search = searches[number];
    const { facts, module: id } = games[search.game];
    const request = new Request(number, op, {}, onpart);
    const worker = start();
    const end = (/** @type {object} */ told) => {
      worker.terminate();
      request.hear(told);
    };
    worker.onmessage = ({ data }) => ("part" in data ? request.hear(data) : end(data));
    worker.onerror = (event) => {
      event.preventDefault(); // it is told to whoever asked
      end({ error: ENDED });
    };
    makeModule(id).then(
      (whole) => worker.postMessage({ module: whole, facts: { ...facts, constants }, search }),
      (fault) => end({ error: fault.message }),
    );
    return Object.assign(request.answer, {
      stop: () => end({ ok: { output: "", files: {}, ...request.last, standing: "Stopped." } }),
      cancel: () => worker.terminate(),
    });
  },
};

answers.come(RUNS);
const root = /** @type {HTMLElement} */ (document.getElementById("page"));
new Lesson(root, lesson, {
  lesson: (name) => lessons[name],
  page: ({ path, values }) => pages[values.game] + link.write([path], values),
});
if (!CAN_THINK && Object.keys(searches).length) root.prepend(el("p", { class: "problem", role: "alert" }, MISSING));
