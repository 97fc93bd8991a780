// A position set up by hand: click cells, or write the text; the server says whether it can arise.

import "./board.js";
import { button, el, field, select } from "./dom.js";
import * as link from "./link.js";
import { server, usualGame } from "./socket.js";
import { boardText } from "./words.js";

/** @type {Record<string, string>} */
const NEXT = { "": "x", x: "o", o: "" };

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function editor(root, values) {
  const game = values.game ?? (await usualGame());
  const problem = el("p", { class: "problem", role: "alert" });
  const position = await server.ask("edit", { game, text: values.text ?? "" }).catch((fault) => {
    problem.textContent = fault.message;
    return server.ask("position", { game });
  });
  const { names } = position;
  const board = el("ply-board");
  const input = el("input", { value: values.text ?? position.text, maxLength: 8000, spellcheck: false });
  const mover = select([["x", names.x], ["o", names.o]], position.to_move);
  const look = structuredClone(position.look);
  const show = () =>
    board.show({ look, names, toMove: mover.value, last: null, draft: look.kind === "grid", label: "Board to edit" });
  const rewrite = () => {
    if (look.kind === "grid") input.value = boardText(look, names[mover.value]);
    show();
  };
  const clear = () => {
    if (look.kind !== "grid") return;
    for (const cell of look.cells) Object.assign(cell, { mark: "", line: false, move: null });
    for (const block of look.blocks) Object.assign(block, { mark: "", open: true, active: true });
    rewrite();
  };
  const use = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const { start, moves } = await server.ask("edit", { game, text: input.value });
      link.go(["board"], { game, start, moves: moves.join(" ") });
    } catch (fault) {
      problem.textContent = fault.message;
    }
  };
  board.addEventListener("cell", ({ detail }) => {
    if (look.kind !== "grid") return;
    const cell = look.cells[detail];
    const side = Object.keys(names).find((key) => names[key] === cell.mark) ?? "";
    Object.assign(cell, { mark: names[NEXT[side]] ?? "", line: false });
    rewrite();
  });
  mover.addEventListener("change", rewrite);
  root.replaceChildren(el("div", { class: "table" },
    el("section", { class: "place", "aria-label": "Board" }, board),
    el("form", { class: "side", "aria-label": "Edit position", onsubmit: use },
      el("h1", {}, `Set up a position of ${game}`),
      el("p", { class: "hint" },
        "Choose cells to change their marks, or write a position, moves such as b2 a1, or a position and moves."),
      field("To move", mover),
      field("Position or game as text", input),
      problem,
      el("div", { class: "part-actions" },
        el("button", { class: "primary" }, "Use it"),
        look.kind === "grid" && button("Clear", clear)))));
  show();
}
