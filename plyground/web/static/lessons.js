// Lessons: read here, and their examples run on the server, which is told an example's number only.

import { button, el } from "./dom.js";
import { save } from "./files.js";
import * as link from "./link.js";
import { server } from "./socket.js";
import { begin } from "./source.js";

/** @import { CreateInput as Create, ElementView, ExampleView, LessonLink, LessonView, OutputView } from "models" */
/** @import { Asked } from "./socket.js" */

/** One lesson's page, and what runs on it. */
class Lesson {
  /** @type {Set<Asked<unknown>>} */
  #running = new Set();

  /**
   * @param {HTMLElement} root
   * @param {LessonView} lesson
   */
  constructor(root, { name, title, body, before, after }) {
    this.name = name;
    document.title = `plyground – ${title}`;
    root.replaceChildren(el("article", { class: "lesson" },
      body.map((part) => this.#made(part)),
      el("nav", { class: "part-actions", "aria-label": "Lessons before and after" },
        neighbour(before, `← ${before?.title}`),
        neighbour(after, `${after?.title} →`))));
    root.focus();
  }

  close() {
    for (const asked of this.#running) asked.cancel();
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
    const play = (/** @type {Create} */ game) => begin(game).catch((fault) => (problem.textContent = fault.message));
    const [run, ...output] = runs ? this.#runner(number) : [];
    return el("div", { class: "example", role: "group", "aria-label": python ? `Python, example ${number}` : text },
      el("pre", { tabIndex: 0 },
        el("kbd", { class: python ? null : "command" }, text),
        shown && el("samp", {}, `\n${shown}`)),
      el("div", { class: "part-actions" },
        run,
        there && el("a", { class: "button", href: link.write([there.path], there.values) }, "Open in the page"),
        game && button("Play in the page", () => play(game)),
        !runs && !game && !there && el("span", { class: "hint" }, "Type it in a terminal.")),
      output,
      problem);
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
      const running = server.ask("lesson_run", { lesson: this.name, number }, show);
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

/** @param {LessonLink | null} lesson @param {string} words */
const neighbour = (lesson, words) =>
  lesson && el("a", { class: "button", href: link.write(["lessons", lesson.name]) }, words);

/**
 * The page of a lesson; without a name, the list of all.
 * @param {HTMLElement} root
 * @param {string} name
 */
export const lessons = async (root, name) => new Lesson(root, await server.ask("lesson", name ? { lesson: name } : {}));
