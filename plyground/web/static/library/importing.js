// Games and positions that people have elsewhere, read from a text or a file.

import { answers, theMenu, usualGame } from "../answers/answers.js";
import { el, field, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { counted } from "../shell/words.js";
import { fromRows, isPlain, written } from "../study/variations.js";

/** Characters, which one message to the server holds. */
const LONGEST = 60_000;
const KNOWN = "Moves (44435, f5d6c3, 1. e4 e5), a position (FEN of chess and draughts), a record (PGN, PDN, "
  + "SGF of Hex and Gomoku), a drawing in rows of x, o and dots, or a game saved here as JSON lines.";
const KNOWN_HERE = "Moves, one after the other or numbered, as in PGN and PDN; of a record its main line is opened.";

/**
 * Variations and comments of a text, as a link has them; empty where it has none, or is no record.
 * @param {{ game: string, text: string }} pasted
 */
async function variations(pasted) {
  if (!answers.can("record")) return "";
  const whole = await answers.ask("record", pasted).catch(() => null);
  const root = whole && fromRows(whole.record.moves, whole.record.comment);
  return root && !isPlain(root) ? written(root) : "";
}

/**
 * The page: paste a text or drop a file.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function importing(root, values) {
  const [{ games }, usual] = await Promise.all([theMenu(), usualGame()]);
  const game = el("input", { value: values.game ?? usual, list: "games-known", maxLength: 200, spellcheck: false });
  const text = el("textarea", { rows: 8, maxLength: LONGEST, spellcheck: false, value: values.text ?? "" });
  const problem = el("p", { class: "problem", role: "alert" });
  const file = el("input", { type: "file", accept: ".jsonl,.txt,.pgn,.pdn,.sgf,text/plain" });
  const read = async (/** @type {File | undefined} */ chosen) => {
    const found = await chosen?.text();
    problem.textContent = (found?.length ?? 0) > LONGEST
      ? `${chosen?.name} has more than ${counted(LONGEST)} characters: choose a file with one game.`
      : "";
    if (found && !problem.textContent) text.value = found;
  };
  file.addEventListener("change", () => read(file.files?.[0]));
  text.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  });
  const open = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const pasted = { game: game.value.trim(), text: text.value };
      const found = await answers.ask("edit", pasted);
      const tree = await variations(pasted);
      link.go(["board"], { game: found.game, start: found.start, moves: found.moves.join(" "), tree });
    } catch (fault) {
      problem.textContent = fault.message;
    }
  };
  refill(root, el("form", { class: "setup importing", "aria-label": "Open a game", onsubmit: open },
    el("h1", {}, "Open a game or position"),
    games.length > 1 && [
      field("Game", game),
      el("datalist", { id: "games-known" }, games.map(({ name }) => el("option", { value: name }))),
    ],
    field("Paste it, or drop a file here", text),
    el("p", { class: "hint" }, answers.can("record") ? KNOWN : KNOWN_HERE),
    field("Or choose a file", file),
    problem,
    el("div", { class: "part-actions" }, el("button", { class: "primary" }, "Open"))));
}
