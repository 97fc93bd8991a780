// A lesson, to be read, with its examples: who runs them, and where what belongs to it is, is told by whoever shows it.

import { answers } from "../answers/answers.js";
import { button, el } from "../shell/dom.js";
import { save } from "../shell/files.js";

/** @import { CreateInput as Create, ElementView, ExampleView, LessonLink, LessonView } from "models" */
/** @import { LinkView, OutputView } from "models" */
/** @import { Asked } from "../answers/answers.js" */

/**
 * What is around a lesson: where another one is, and a page that shows what an example does; and, where games are
 * kept, how one is begun.
 * @typedef {object} Around
 * @property {(name: string) => string} lesson
 * @property {(link: LinkView) => string} page
 * @property {(game: Create) => Promise<unknown>} [play]
 */

/** What the links to some pages say. @type {Record<string, string>} */
const OPEN = { play: "Play it", board: "Open on the board", tree: "Open the tree", race: "Open the race" };

/** One lesson's page, and what runs on it. */
export class Lesson {
  /** @type {Set<Asked<unknown>>} */
  #running = new Set();

  /**
   * @param {HTMLElement} root
   * @param {LessonView} lesson
   * @param {Around} around
   */
  constructor(root, { name, title, body, before, after }, around) {
    this.name = name;
    this.around = around;
    document.title = `plyground – ${title}`;
    root.replaceChildren(
      el(
        "article",
        { class: "lesson" },
        body.map((part) => this.#made(part)),
        el(
          "nav",
          { class: "part-actions", "aria-label": "Lessons before and after" },
          this.#neighbour(before, `← ${before?.title}`),
          this.#neighbour(after, `${after?.title} →`),
        ),
      ),
    );
    root.focus({ preventScroll: true }); // the menu above it stays in view
  }

  close() {
    for (const asked of this.#running) asked.cancel();
  }

  /** @param {LessonLink | null} lesson @param {string} words */
  #neighbour(lesson, words) {
    return lesson && el("a", { class: "button", href: this.around.lesson(lesson.name) }, words);
  }

  /**
   * The nodes of a part of the lesson: text, an element, or an example.
   * @param {ElementView | ExampleView | string} part
   * @returns {string | HTMLElement}
   */
  #made(part) {
    if (typeof part === "string") return part;
    if ("number" in part) return this.#example(part);
    const children = part.children.map((child) => this.#made(child));
    return el(part.tag, { ...part.attributes, tabIndex: part.tag === "pre" ? 0 : null }, children);
  }

  /** @param {ExampleView} example */
  #example({ number, text, shown, runs, link: there, game }) {
    const python = text.startsWith(">>>");
    const problem = el("p", { class: "problem", role: "alert" });
    const play = (/** @type {Create} */ game) =>
      this.around.play?.(game).catch((fault) => (problem.textContent = fault.message));
    const [run, ...output] = runs && answers.can("lesson_run") ? this.#runner(number) : [];
    return el(
      "div",
      { class: "example", role: "group", "aria-label": python ? `Python, example ${number}` : text },
      el(
        "pre",
        { tabIndex: 0 },
        el("kbd", { class: python ? null : "command" }, text),
        shown && el("samp", {}, `\n${shown}`),
      ),
      el(
        "div",
        { class: "part-actions" },
        run,
        there && el("a", { class: "button", href: this.around.page(there) }, OPEN[there.path] ?? "Open in the page"),
        game && button("Play in the page", () => play(game)),
        !runs && !game && !there && !python && el("span", { class: "hint" }, "Type it in a terminal."),
      ),
      output,
      problem,
    );
  }

  /**
   * A button that runs an example; what that prints, how it stands, and the files it has written.
   * @param {number} number
   */
  #runner(number) {
    const output = el("pre", { class: "output", role: "log", tabIndex: 0, "aria-label": "Output", hidden: true });
    const standing = el("p", { class: "hint", role: "status" });
    const saved = el("div", { class: "part-actions" });
    /** @type {Asked<unknown> | null} */
    let asked = null;
    const show = (/** @type {OutputView} */ found) => {
      output.append(found.output.slice(output.textContent.length)); // only what is new, so only that is read aloud
      output.hidden = !found.output;
      standing.textContent = found.standing;
      const files = Object.entries(found.files);
      saved.replaceChildren(...files.map(([name, text]) => button(`Save ${name}`, () => save({ name, text }))));
    };
    const run = async () => {
      output.replaceChildren();
      standing.textContent = "Running…";
      const running = answers.ask("lesson_run", { lesson: this.name, number }, show);
      asked = running;
      this.#running.add(running);
      toggle.textContent = "Stop";
      await running.then(show, (fault) => (standing.textContent = fault.message));
      this.#running.delete(running);
      toggle.textContent = "Run";
      asked = null;
    };
    const toggle = button("Run", () => (asked ? asked.stop() : run()));
    return [toggle, output, standing, saved];
  }
}
