// Games and positions that people have elsewhere, read from a text or a file.

import { answers, theMenu, usualGame } from "../answers/answers.js";
import { el, field, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { counted } from "../shell/words.js";

/** Characters, which one message to the server holds. */
const LONGEST = 60_000;
const KNOWN = "Moves, the main line of a record (PGN, PDN, SGF), or a position (FEN), as the game has them.";

/**
 * The page: paste a text or drop a file.
 * @param {HTMLElement} root
 * @param {link.Values} values
 * @param {string} known What can be read, in a sentence.
 * @param {(pasted: { game: string, text: string }) => Promise<string>} variations What a text has beside its main line,
 *   as a link has it.
 * @param {(pasted: { game: string, text: string }) => Promise<import("models").PositionView>} [recognised] Reads a text
 *   of which it is not said what game it is of.
 */
export async function importing(root, values, known = KNOWN, variations = async () => "", recognised = undefined) {
  const [{ games }, usual] = await Promise.all([theMenu(), usualGame()]);
  const given = values.game ?? (recognised ? "" : usual);
  const game = el("input", { value: given, list: "games-known", maxLength: 200, spellcheck: false });
  const text = el("textarea", { rows: 8, maxLength: LONGEST, spellcheck: false, value: values.text ?? "" });
  const problem = el("p", { class: "problem", role: "alert" });
  const file = el("input", { type: "file", accept: ".jsonl,.txt,.pgn,.pdn,.sgf,text/plain" });
  const read = async (/** @type {File | undefined} */ chosen) => {
    const found = await chosen?.text();
    problem.textContent =
      (found?.length ?? 0) > LONGEST
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
      const [name, words] = [game.value.trim(), text.value];
      const found = await (name || !recognised
        ? answers.ask("edit", { game: name || usual, text: words })
        : recognised({ game: usual, text: words }));
      const tree = await variations({ game: found.game, text: words });
      link.go(["board"], { game: found.game, start: found.start, moves: found.moves.join(" "), tree });
    } catch (fault) {
      problem.textContent = fault.message;
    }
  };
  refill(
    root,
    el(
      "form",
      { class: "setup importing", "aria-label": "Open a game", onsubmit: open },
      el("h1", {}, "Open a game or position"),
      games.length > 1 && [
        field(recognised ? "Game (if empty, it is found from the text)" : "Game", game),
        el(
          "datalist",
          { id: "games-known" },
          games.map(({ name }) => el("option", { value: name })),
        ),
      ],
      field("Paste it, or drop a file here", text),
      el("p", { class: "hint" }, known),
      field("Or choose a file", file),
      problem,
      el("div", { class: "part-actions" }, el("button", { class: "primary" }, "Open")),
    ),
  );
}
