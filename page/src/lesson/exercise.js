// An exercise of a lesson: a field for the answer, or the file that a command grades.

import { el } from "../shell/dom.js";
import { score, solve, solvedExercises } from "./solved.js";

/** @import { ExerciseView, OutputView } from "models" */

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
/** Words that join the parts of an answer and say nothing. */
const JOINING = new Set(["and", "or", "the"]);

/**
 * Words of an answer in a form to compare: 1,440 is 1440, six is 6, and of a list the order is free.
 * @param {string} text
 */
const words = (text) =>
  text
    .toLowerCase()
    .replaceAll("−", "-")
    .replace(/(\d),(?=\d{3}(?!\d))/g, "$1")
    .replace(/^[\s=]+|[\s.!]+$/g, "")
    .split(/[\s,;]+/)
    .filter((word) => word && !JOINING.has(word))
    .map((word) => (NUMBERS.includes(word) ? `${NUMBERS.indexOf(word)}` : word))
    .sort()
    .join(" ");

/**
 * Ways to read an answer: as it is, with 54.720 or 54 720 as thousands, with 0,68 as a decimal; and a number that has
 * its unit, such as 82 nodes, without it.
 * @param {string} text
 */
const readings = (text) =>
  [text, text.replace(/(\d)[.'’\s](?=\d{3}(?!\d))/g, "$1"), text.replace(/(\d),(?=\d)/g, "$1.")]
    .flatMap((each) => [each, each.replace(/^([\s=]*[-−]?[\d.,]+)( [a-z ]+)$/i, "$1")])
    .map(words);

/** Whether an answer is one of those that are right. @param {string[]} accepted @param {string} given */
export const isRight = (accepted, given) =>
  words(given) !== "" && accepted.some((each) => readings(given).includes(words(each)));

/**
 * The part of an exercise below its text: a field for the answer, or the file that a command grades. Where no code can
 * be run, its reader ticks it.
 * @param {string} lesson
 * @param {ExerciseView} exercise
 * @param {((ended: (found: OutputView) => void) => HTMLElement) | null} cell makes the file's editor, which tells of each
 *   run that has ended
 */
export function exercise(lesson, { exercise: number, accepted, why, command }, cell) {
  const isSolved = solvedExercises(lesson).includes(number);
  const status = el("p", { role: "status", class: "hint" }, isSolved && `✓ Solved. ${why}`);
  const showDone = (/** @type {string} */ word) => {
    status.textContent = `✓ ${word} ${why}`;
    solve(lesson, number);
  };
  const around = { class: "exercise", role: "group", "aria-label": `Exercise ${number}` };
  if (!accepted.length) {
    const showOutput = (/** @type {OutputView} */ { output, standing }) => {
      score(lesson, number, output);
      if (standing.startsWith("Done.")) showDone("Right.");
      else if (solvedExercises(lesson).includes(number))
        status.textContent = "✓ Solved before, by another text than this.";
    };
    const tick = el("input", {
      type: "checkbox",
      checked: isSolved,
      onchange: () => tick.checked && showDone("Solved."),
    });
    return el(
      "div",
      around,
      el("p", {}, cell ? "Graded by " : "Graded in a terminal, with Python, by ", el("code", {}, command)),
      cell ? cell(showOutput) : el("label", {}, tick, " It finds no mistake"),
      status,
    );
  }
  const answer = el("input", { type: "text", "aria-label": `Your answer to exercise ${number}`, autocomplete: "off" });
  const check = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isRight(accepted, answer.value)) showDone("Right.");
    else status.textContent = answer.value.trim() ? "Not yet: there is a hint above." : "";
  };
  return el(
    "div",
    around,
    el("form", { class: "part-actions", onsubmit: check }, answer, el("button", { type: "submit" }, "Check")),
    status,
  );
}
