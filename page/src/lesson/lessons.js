// Lessons in the playground: their examples run on the server, which is told an example's number only.

import { answers, theMenu } from "../answers/answers.js";
import { el, style } from "../shell/dom.js";
import { begin } from "../game/savedgame.js";
import { Lesson } from "./lesson.js";
import * as link from "../shell/link.js";
import { myName } from "../game/company/seats.js";

/** @import { Page } from "../shell/pages.js" */
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
 * The page of a lesson; without a name, the list of all, and after it the other pages to learn with.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {Page[]} studies
 */
export async function lessons(root, name, studies) {
  const [lesson, menu] = await Promise.all([answers.ask("lesson", name ? { lesson: name } : {}), theMenu(), styled]);
  const told =
    menu.room && myName() && `this browser keeps it, and the room’s teacher sees it by your name, ${myName()}.`;
  const shown = new Lesson(root, lesson, told ? { ...AROUND, keeps: told } : AROUND);
  if (!name) {
    root.append(
      el(
        "section",
        { class: "lesson", "aria-labelledby": "studies" },
        el("h2", { id: "studies" }, "Look and try for yourself"),
        el(
          "ul",
          {},
          studies.map(({ path, part, shows }) =>
            el("li", {}, el("a", { href: link.write([path]) }, part), `: ${shows}.`),
          ),
        ),
      ),
    );
  }
  return shown;
}
