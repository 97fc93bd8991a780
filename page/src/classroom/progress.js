// Solved exercises of a class, for its teacher: a table of names and lessons, and its CSV file.

import { answers } from "../answers/answers.js";
import { button, el, refill } from "../shell/dom.js";
import { save } from "../shell/files.js";
import * as link from "../shell/link.js";
import { column, titledTable } from "../shell/tables.js";

/** @import { ClassView, StudentView } from "models" */

/** A lesson's cell: how many exercises are solved, and the best points. @param {StudentView["lessons"][string] | undefined} work */
function cell(work) {
  const points = Object.values(work?.points ?? {});
  const best = points.length ? `${Math.max(...points)} %` : "";
  return el(
    "td",
    {},
    work ? [String(work.solved?.length ?? 0), best && el("span", { class: "hint" }, ` ${best}`)] : "",
  );
}

export class Progress {
  #table = el("div", { class: "class-work", tabIndex: 0 });
  #problem = el("p", { class: "problem", role: "alert" });
  node = el(
    "section",
    { "aria-label": "Lessons of the class" },
    el("h2", {}, "Lessons"),
    el("p", { class: "hint" }, "Solved exercises of each lesson, and the best points of a graded one."),
    this.#table,
    this.#problem,
  );
  #stream;

  /** @param {string} teacher the teacher's secret */
  constructor(teacher) {
    const fail = (/** @type {Error} */ fault) => (this.#problem.textContent = fault.message);
    const file = () =>
      answers.ask("class_file", { teacher }).then(({ text }) => save({ name: "class.csv", text }), fail);
    this.node.append(button("Save as CSV", file));
    this.#stream = answers.ask("class", { teacher }, (view) => this.#draw(view));
    this.#stream.catch(fail);
  }

  close() {
    this.#stream.cancel();
  }

  /** @param {ClassView} view */
  #draw({ lessons, students }) {
    const begun = lessons.filter(({ name }) => students.some((each) => each.lessons[name]));
    const heads = begun.map(({ name, exercises }) => {
      const number = name.split("-")[0];
      const to = el(
        "a",
        {
          href: link.write(["lessons", name]),
          "aria-label": `Lesson ${number}, ${exercises} exercises`,
        },
        number,
      );
      return el("th", { scope: "col" }, to);
    });
    const rows = students.map(({ name, lessons: done }) => {
      const all = Object.values(done).reduce((sum, { solved = [] }) => sum + solved.length, 0);
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, name),
        el("td", {}, String(all)),
        begun.map((each) => cell(done[each.name])),
      );
    });
    refill(
      this.#table,
      rows.length
        ? titledTable("Solved exercises", {}, el("tr", {}, column("Name"), column("All"), heads), rows)
        : el("p", {}, "No exercise is solved yet."),
    );
  }
}
