// Best play after each of the best moves, what the numbers mean, and whose side they are told from.

import { answers } from "../answers/answers.js";
import { button, el } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { here } from "../game/state.js";
import { PLY } from "../shell/words.js";

/** @import { At, MoveView } from "models" */
/** @import { Ready } from "../game/state.js" */

/**
 * Value of a move, in the colour of the side that is ahead.
 * @param {MoveView} worth
 * @param {boolean} forX Told from x's side; else for whoever is to move.
 */
export const chip = (worth, forX) =>
  el(
    "span",
    { class: `chip ${worth.score.ahead ? `ahead-${worth.score.ahead}` : "level"}`, title: worth.score.text },
    el("span", { "aria-hidden": "true" }, forX ? worth.brief_x : worth.brief),
    el("span", { class: "unseen" }, `${worth.score.text}${worth.best && `, ${worth.best}`}`),
  );

/**
 * Moves in a row, each a link to the position after it.
 * @param {Required<At>} at
 * @param {string[]} line
 * @param {string[]} notation The same as players write it.
 */
export function steps({ game, start, moves }, line, notation) {
  const all = [...moves, ...line].join(" ");
  return el(
    "span",
    { class: "steps-of-line" },
    notation.flatMap((move, place) => [
      el(
        "a",
        {
          href: link.write(["board"], { game, start, moves: all, ply: moves.length + place + 1, values: 1 }),
        },
        move,
      ),
      " ",
    ]),
  );
}

/**
 * Best lines found so far.
 * @param {Ready} state
 * @param {() => void} turn Tell the numbers for the other side.
 */
export function lines(state, turn) {
  const {
    shown,
    values,
    forX,
    analysis: { found, of },
  } = state;
  if (!values || !found || of !== shown.moves.length || shown.over) return null;
  const { names } = shown;
  const told = forX ? names.x : `${names[shown.to_move]}, who is to move`;
  return el(
    "section",
    { class: "best-lines", "aria-label": "Best lines" },
    el("h2", {}, "Best lines"),
    el(
      "ol",
      {},
      found.lines.map(
        (line, number) =>
          found.moves[line[0]] &&
          el("li", {}, chip(found.moves[line[0]], forX), " ", steps(here(state), line, found.notation[number])),
      ),
    ),
    found.source && el("p", { class: "hint" }, `From ${found.source}.`),
    answers.standing && el("p", { class: "hint" }, answers.standing),
    el(
      "details",
      { id: "scale" },
      el("summary", {}, `Numbers are for ${told}`),
      el(
        "p",
        {},
        forX ? `More is better for ${names.x}, less for ${names.o}.` : "More is better for the side to move.",
      ),
      el("p", {}, "The colour is that of who is ahead; a star marks the quickest win, or the longest defence."),
      found.scale && el("p", {}, found.scale),
      el("p", {}, PLY),
      button(`Show them for ${names.x}`, turn, { pressed: forX }),
    ),
  );
}
