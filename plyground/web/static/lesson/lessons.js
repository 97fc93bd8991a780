// Lessons in the playground: their examples run on the server, which is told an example's number only.

import { answers } from "../answers/answers.js";
import { style } from "../shell/dom.js";
import { begin } from "../game/savedgame.js";
import { Lesson } from "./lesson.js";
import * as link from "../shell/link.js";

/** @import { Around } from "./lesson.js" */

/** Its style comes with it; nothing is drawn before. */
const styled = style("lesson/lesson.css");

/** @type {Around} */
const AROUND = {
  lesson: (name) => link.write(["lessons", name]),
  page: ({ path, values }) => link.write([path], values),
  play: begin,
};

/**
 * The page of a lesson; without a name, the list of all.
 * @param {HTMLElement} root
 * @param {string} name
 */
export async function lessons(root, name) {
  const [lesson] = await Promise.all([answers.ask("lesson", name ? { lesson: name } : {}), styled]);
  return new Lesson(root, lesson, AROUND);
}
