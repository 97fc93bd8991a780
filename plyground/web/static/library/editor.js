// A position set up by hand: click cells, or write the text; the server says whether it can arise.

import { answers, theBoard, theMenu, usualGame } from "../answers/answers.js";
import "../board/board.js";
import { button, el, field, select } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { boardText, titled } from "../shell/words.js";

/** @import { BoardView, PositionView } from "models" */

const SIDES = ["x", "o"];

/**
 * Whether cells can be set up by hand: each side has one piece on a grid, and the page writes the position as the
 * server does.
 * @param {BoardView} board
 * @param {PositionView} position
 */
function isDrawn({ grid, marks, pieces: kinds }, { look: { pieces }, to_move: mover, text }) {
  const areMarks = kinds.length === 2 && kinds.every(({ owner }, side) => owner === marks[side]);
  return grid !== null && areMarks && text.startsWith(boardText(grid, pieces, marks[SIDES.indexOf(mover)]));
}

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function editor(root, values) {
  const game = values.game ?? (await usualGame());
  const problem = el("p", { class: "problem", role: "alert" });
  const given = await answers.ask("edit", { game, text: values.text ?? "" }).catch((fault) => {
    problem.textContent = fault.message;
    return answers.ask("position", { game });
  });
  const fixed = await theBoard(game);
  const { names } = given;
  const draft = isDrawn(fixed, given);
  const board = el("ply-board");
  const input = el("input", { value: values.text ?? given.text, maxLength: 8000, spellcheck: false });
  const mover = select([["x", names.x], ["o", names.o]], given.to_move);
  const pieces = [...given.look.pieces];
  /** What has become of the areas is not known before the server is asked. */
  let look = given.look;
  const show = () => board.show({
    board: fixed,
    position: { ...given, look, last: [] },
    draft,
    still: !draft,
    label: "Board to edit",
  });
  const rewrite = () => {
    if (!fixed.grid || !draft) return;
    input.value = boardText(fixed.grid, pieces, fixed.marks[SIDES.indexOf(mover.value)]);
    look = { ...look, pieces: [...pieces], line: [] };
    show();
  };
  const clear = () => {
    pieces.fill(null);
    look = { ...look, fates: [] };
    rewrite();
  };
  const use = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const { start, moves } = await answers.ask("edit", { game, text: input.value });
      link.go(["board"], { game, start, moves: moves.join(" ") });
    } catch (fault) {
      problem.textContent = fault.message;
    }
  };
  board.addEventListener("cell", ({ detail: place }) => {
    const side = fixed.marks.indexOf(pieces[place]?.owner ?? "");
    pieces[place] = fixed.pieces[side + 1] ?? null;
    rewrite();
  });
  mover.addEventListener("change", rewrite);
  const hint = "Write a position, moves such as those of a game's list, or a position and moves.";
  root.replaceChildren(el("div", { class: "table" },
    el("section", { class: "place-of-board", "aria-label": "Board" }, board),
    el("form", { class: "side", "aria-label": "Edit position", onsubmit: use },
      el("h1", {}, `Set up a position of ${titled((await theMenu()).games, game)}`),
      el("p", { class: "hint" }, draft
        ? "Choose cells to change their marks, or write a position, moves such as b2 a1, or a position and moves."
        : hint),
      draft && field("To move", mover),
      field("Position or game as text", input),
      problem,
      el("div", { class: "part-actions" },
        el("button", { class: "primary" }, "Use it"),
        draft && button("Clear", clear)))));
  show();
}
