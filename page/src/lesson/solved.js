// Solved exercises of the lessons, in the browser's storage; in a room they are sent to the teacher.

import { keep, readStored } from "../shell/storage.js";

const SOLVED = "lessons solved";
const POINTS = "lessons points";
/** Gets a `change` when there is something new. */
export const changes = new EventTarget();

/** @typedef {Record<string, number[]>} Numbers */
/** @typedef {Record<string, Record<number, number>>} Points */

const allSolved = () => readStored(SOLVED, /** @type {Numbers} */ ({}));
const allPoints = () => readStored(POINTS, /** @type {Points} */ ({}));

/** Numbers of the exercises of a lesson that are solved. @param {string} lesson @returns {number[]} */
export const solvedExercises = (lesson) => allSolved()[lesson] ?? [];

/** Keep that an exercise is solved. @param {string} lesson @param {number} exercise */
export function solve(lesson, exercise) {
  if (solvedExercises(lesson).includes(exercise)) return;
  keep(SOLVED, { ...allSolved(), [lesson]: [...solvedExercises(lesson), exercise] });
  changes.dispatchEvent(new Event("change"));
}

/** Keep the best points, in percent, that a grade in words gives. @param {string} lesson @param {number} exercise @param {string} grade */
export function score(lesson, exercise, grade) {
  const [, points, possible] = /^(\d+) of (\d+) points\./.exec(grade) ?? [];
  if (!points) return;
  const before = allPoints()[lesson] ?? {};
  const percent = Math.min(100, Math.round((100 * Number(points)) / Number(possible)));
  if (percent <= (before[exercise] ?? -1)) return;
  keep(POINTS, { ...allPoints(), [lesson]: { ...before, [exercise]: percent } });
  changes.dispatchEvent(new Event("change"));
}

/** The whole record. @returns {Record<string, { solved: number[], points: Record<number, number> }>} */
export const record = () =>
  Object.fromEntries(
    [...new Set([...Object.keys(allSolved()), ...Object.keys(allPoints())])].map((lesson) => [
      lesson,
      { solved: solvedExercises(lesson), points: allPoints()[lesson] ?? {} },
    ]),
  );
