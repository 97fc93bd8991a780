// The position, the moves and links to the game, as text to copy.

import { answers } from "../answers/answers.js";
import { el, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { has } from "../shell/pages.js";
import { copyable } from "./panel.js";

/** @import { PositionView } from "models" */
/** @import { Game } from "./state.js" */

/**
 * The shown position, the game and their link as text.
 * @param {Game} whole
 * @param {PositionView} shown
 */
export function texts({ position: { game, start, moves } }, shown) {
  const here = link.write(["board"], { game, start, moves: shown.moves.join(" ") });
  const text = el("div", {}, copyable("Position", shown.text));
  /** @param {Event} event As players of the game exchange it, which is asked for when this is opened. */
  const ontoggle = async ({ target }) => {
    if (!(/** @type {HTMLDetailsElement} */ (target).open)) return;
    const found = await answers.ask("notations", { game, start, moves: shown.moves }).catch(() => null);
    const fen = found?.forms.find(({ name }) => name === "fen");
    if (fen) refill(text, copyable("Position", fen.text));
  };
  return el(
    "details",
    { id: "texts", ontoggle },
    el("summary", {}, "Position and game as text, links"),
    text,
    copyable("Game", [start, moves.join(" ")].filter(Boolean).join(" ")),
    copyable("Link to this position", link.whole(here)),
    has("edit") &&
      el("p", {}, el("a", { href: link.write(["edit"], { game, text: shown.text }) }, "Edit this position")),
  );
}
