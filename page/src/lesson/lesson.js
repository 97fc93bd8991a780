// A lesson, to be read, with its examples: who runs them, and where what belongs to it is, is told by whoever shows it.

import { answers } from "../answers/answers.js";
import { button, el } from "../shell/dom.js";
import { save } from "../shell/files.js";
import { changedOf, editor, textOf } from "./code.js";
import { exercise } from "./exercise.js";
import { solvedExercises } from "./solved.js";
import { replacePicture } from "./stepped.js";

/** @import { CodeView, CreateInput as Create, ElementView, ExampleView, ExerciseView } from "models" */
/** @import { LessonLink, LessonView } from "models" */
/** @import { LinkView, OutputView } from "models" */
/** @import { Asked } from "../answers/answers.js" */

/**
 * Surroundings of a lesson: links to other lessons, and to a page that shows what an example does; and, where games are
 * kept, how one is begun.
 * @typedef {object} Around
 * @property {(name: string) => string} lesson
 * @property {(link: LinkView) => string} page
 * @property {(game: Create) => Promise<unknown>} [play]
 * @property {string} [keeps] words about who has the record of what is solved
 */

/** Titles of the pictures of a grade. @type {Record<string, string>} */
const NAMES = { "yours.svg": "Your search", "right.svg": "The right search", "tree.svg": "Your search" };

/** Words of the links to some pages. @type {Record<string, string>} */
const OPEN = { play: "Play it", board: "Open on the board", tree: "Open the tree", race: "Open the race" };

/** One lesson's page, and what runs on it. */
export class Lesson {
  /** @type {Set<Asked<unknown>>} */
  #running = new Set();
  /** Files of the lesson that can be changed. @type {CodeView[]} */
  #files = [];

  /**
   * @param {HTMLElement} root
   * @param {LessonView} lesson
   * @param {Around} around
   */
  constructor(root, { name, title, body, before, after, exercises, changes }, around) {
    this.name = name;
    this.changes = changes && answers.can("lesson_code");
    this.around = around;
    document.title = `plyground – ${title}`;
    root.replaceChildren(
      el(
        "article",
        { class: "lesson" },
        body.map((part) => this.#makeNodes(part)),
        this.#progress(exercises),
        el(
          "nav",
          { class: "part-actions", "aria-label": "Lessons before and after" },
          this.#neighbour(before, `← ${before?.title}`),
          this.#neighbour(after, `${after?.title} →`),
        ),
      ),
    );
    root.focus({ preventScroll: true }); // the menu above it stays in view
    for (const image of root.querySelectorAll("img")) replacePicture(image);
  }

  close() {
    for (const asked of this.#running) asked.cancel();
  }

  /** Progress in the lessons, below their list. @param {Record<string, number>} exercises */
  #progress(exercises) {
    const counts = Object.entries(exercises).filter(([, count]) => count);
    if (!counts.length) return null;
    const done = counts.map(([name]) => solvedExercises(name).length);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const all = done.reduce((sum, count) => sum + count, 0);
    return el(
      "section",
      { "aria-labelledby": "progress" },
      el("h2", { id: "progress" }, "Your progress"),
      el("p", {}, `${all} of ${total} exercises are solved; ${this.around.keeps ?? "this browser keeps it."}`),
      el(
        "ul",
        { class: "progress" },
        counts.map(([name, count], place) =>
          el(
            "li",
            {},
            el("a", { href: this.around.lesson(name) }, `Lesson ${name.split("-")[0]}`),
            `: ${done[place]} of ${count}`,
          ),
        ),
      ),
    );
  }

  /** @param {LessonLink | null} lesson @param {string} words */
  #neighbour(lesson, words) {
    return lesson && el("a", { class: "button", href: this.around.lesson(lesson.name) }, words);
  }

  /**
   * The nodes of a part of the lesson: text, an element, an example, a file, or the grading of an exercise.
   * @param {ElementView | ExampleView | CodeView | ExerciseView | string} part
   * @returns {string | HTMLElement}
   */
  #makeNodes(part) {
    if (typeof part === "string") return part;
    if ("number" in part) return this.#example(part);
    if ("exercise" in part) return this.#exercise(part);
    if ("code" in part) return this.#file(part);
    const children = part.children.map((child) => this.#makeNodes(child));
    return el(part.tag, { ...part.attributes, tabIndex: part.tag === "pre" ? 0 : null }, children);
  }

  /** @param {ExerciseView} part */
  #exercise(part) {
    const { code: file, exercise: number } = part;
    const cell = (/** @type {(found: OutputView) => void} */ ended) =>
      file && el("div", {}, this.#editor(file, [["Grade", { exercise: number }, ended]]));
    return exercise(this.name, part, this.changes && file ? /** @type {any} */ (cell) : null);
  }

  /** A file that the reader saves: its text, or where code can be changed its editor. @param {CodeView} file */
  #file(file) {
    if (!this.changes) return el("pre", { tabIndex: 0 }, el("code", {}, file.code));
    this.#files.push(file);
    return el("div", { class: "example" }, this.#editor(file, file.search ? [["Grade", {}]] : []));
  }

  /**
   * The editor of a file, and what comes of grading or drawing it.
   * @param {CodeView} file
   * @param {[string, object, ((found: OutputView) => void)?][]} grades
   */
  #editor(file, grades) {
    const all = [
      ...grades,
      ...(file.search ? /** @type {typeof grades} */ ([["Draw", { draw: true, ...grades[0]?.[1] }]]) : []),
    ];
    const runs = all.map(([words, more, ended]) =>
      this.#runner(
        words,
        (show) => answers.ask("lesson_code", { lesson: this.name, file: file.file, code: textOf(file), ...more }, show),
        ended,
      ),
    );
    return [
      editor(
        file,
        runs.map(([toggle]) => toggle),
      ),
      ...runs.flatMap(([, ...output]) => output),
    ];
  }

  /** @param {ExampleView} example */
  #example({ number, text, shown, runs, link: there, game }) {
    const python = text.startsWith(">>>");
    const problem = el("p", { class: "problem", role: "alert" });
    const play = (/** @type {Create} */ game) =>
      this.around.play?.(game).catch((fault) => (problem.textContent = fault.message));
    const ask = (/** @type {(found: OutputView) => void} */ show) =>
      answers.ask("lesson_run", { lesson: this.name, number, ...this.#changedFiles() }, show);
    const [run, ...output] = runs && answers.can("lesson_run") ? this.#runner("Run", ask) : [];
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
        !run && !game && !there && el("span", { class: "hint" }, `Type it in ${python ? "Python" : "a terminal"}.`),
      ),
      output,
      problem,
    );
  }

  /** Files of the lesson that were changed, for an example that is run. */
  #changedFiles() {
    const files = changedOf(this.#files);
    return Object.keys(files).length ? { files } : {};
  }

  /**
   * A button that runs something; what that prints, how it stands, its pictures, and the other files it has written.
   * @param {string} words
   * @param {(show: (found: OutputView) => void) => Asked<OutputView>} ask
   * @param {(found: OutputView) => void} [ended] told of what came of it
   * @returns {HTMLElement[]}
   */
  #runner(words, ask, ended) {
    const output = el("pre", { class: "output", role: "log", tabIndex: 0, "aria-label": "Output", hidden: true });
    const standing = el("p", { class: "hint", role: "status" });
    const saved = el("div", { class: "part-actions" });
    const pictures = el("div", { class: "pictures" });
    /** @type {Asked<unknown> | null} */
    let asked = null;
    let shown = "";
    const show = (/** @type {OutputView} */ found) => {
      output.append(found.output.slice(output.textContent.length)); // only what is new, so only that is read aloud
      output.hidden = !found.output;
      standing.textContent = found.standing;
      const files = Object.entries(found.files);
      const told = JSON.stringify(files);
      if (told === shown) return; // what is looked at stays
      shown = told;
      const drawn = files.filter(([name]) => name.endsWith(".svg")).reverse(); // yours, then the right one
      const others = files.filter((file) => !drawn.includes(file));
      saved.replaceChildren(...others.map(([name, text]) => button(`Save ${name}`, () => save({ name, text }))));
      pictures.replaceChildren(...drawn.map(([name, text]) => this.#picture(NAMES[name] ?? name, text)));
    };
    const run = async () => {
      output.replaceChildren();
      pictures.replaceChildren();
      shown = "";
      standing.textContent = "Running…";
      const running = ask(show);
      asked = running;
      this.#running.add(running);
      toggle.textContent = "Stop";
      await running.then(
        (found) => {
          show(found);
          ended?.(found);
        },
        (fault) => (standing.textContent = fault.message),
      );
      this.#running.delete(running);
      toggle.textContent = words;
      asked = null;
    };
    const toggle = button(words, () => (asked ? asked.stop() : run()));
    return [toggle, output, standing, pictures, saved];
  }

  /** A search's tree, drawn step by step. @param {string} name @param {string} text */
  #picture(name, text) {
    const image = el("img", { alt: name, src: `data:image/svg+xml,${encodeURIComponent(text)}` });
    const shown = el("div", {}, el("h3", {}, name), image);
    replacePicture(image, text);
    return shown;
  }
}
