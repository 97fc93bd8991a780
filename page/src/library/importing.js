// Games and positions that people have elsewhere, read from a text or a file.

import { answers, theMenu, usualGame } from "../answers/answers.js";
import { el, field, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { countText } from "../shell/words.js";

/** Characters, which one message to the server holds. */
const LONGEST = 60_000;
const KNOWN = "Moves, the main line of a record (PGN, PDN, SGF), or a position (FEN), as the game has them.";

/**
 * Formats that the server reads, besides the text of one game.
 * @typedef {object} More
 * @property {string} known What can be read, in a sentence.
 * @property {string} endings Of files.
 * @property {(pasted: { game: string, text: string }, usual: string, place: HTMLElement) => Promise<link.Wanted | null>} read
 *   The link of a text, whose game may be empty; null if it has several games, which are listed in the place.
 * @property {(file: File, game: string, place: HTMLElement) => Promise<boolean>} list Lists the games of a file with
 *   several; false if it has one.
 */

/**
 * The page: paste a text or drop a file.
 * @param {HTMLElement} root
 * @param {link.Values} values
 * @param {More} [more]
 */
export async function importing(root, values, more) {
  const [{ games }, usual] = await Promise.all([theMenu(), usualGame()]);
  const given = values.game ?? (more ? "" : usual);
  const game = el("input", { value: given, list: "games-known", maxLength: 200, spellcheck: false });
  const text = el("textarea", { rows: 8, spellcheck: false, value: values.text ?? "" });
  const problem = el("p", { class: "problem", role: "alert" });
  const several = el("div", {});
  const file = el("input", { type: "file", accept: `.jsonl,.txt,.pgn,.pdn,.sgf,text/plain${more?.endings ?? ""}` });
  /** Run an action; a fault becomes the message. @param {() => unknown} action */
  const attempt = async (action) => {
    problem.textContent = "";
    refill(several);
    try {
      await action();
    } catch (fault) {
      refill(several);
      problem.textContent = fault.message;
    }
  };
  const read = (/** @type {File | undefined} */ chosen) =>
    attempt(async () => {
      if (!chosen || (await more?.list(chosen, game.value.trim(), several))) return;
      const found = await textOf(chosen);
      if (found.length > LONGEST) {
        throw new Error(`${chosen.name} has more than ${countText(LONGEST)} characters: choose a file with one game.`);
      }
      text.value = found;
    });
  file.addEventListener("change", () => read(file.files?.[0]));
  text.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  });
  const open = (/** @type {Event} */ event) => {
    event.preventDefault();
    return attempt(async () => {
      const pasted = { game: game.value.trim(), text: text.value };
      const found = more ? await more.read(pasted, usual, several) : await plain(pasted, usual);
      if (found) link.go(["board"], found);
    });
  };
  refill(
    root,
    el(
      "form",
      { class: "setup importing", "aria-label": "Open a game", onsubmit: open },
      el("h1", {}, "Open a game or position"),
      games.length > 1 && [
        field(more ? "Game (if empty, it is found from the text)" : "Game", game),
        el(
          "datalist",
          { id: "games-known" },
          games.map(({ name }) => el("option", { value: name })),
        ),
      ],
      field("Paste it, or drop a file here", text),
      el("p", { class: "hint" }, more?.known ?? KNOWN),
      field("Or choose a file", file),
      problem,
      el("div", { class: "part-actions" }, el("button", { class: "primary" }, "Open")),
      several,
    ),
  );
}

/**
 * The text of a file: UTF-16 by its mark, UTF-8, or else Latin-1, as the standard of PGN has it.
 * @param {File} file
 */
export async function textOf(file) {
  const bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/**
 * The link of a text.
 * @param {{ game: string, text: string }} pasted
 * @param {string} usual The game where none is named.
 */
async function plain({ game, text }, usual) {
  const { game: name, start, moves } = await answers.ask("edit", { game: game || usual, text });
  return { game: name, start, moves: moves.join(" ") };
}
