// A game as text and as links: to copy, to send to somebody.

import { el } from "../shell/dom.js";
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
  return el(
    "details",
    { id: "texts" },
    el("summary", {}, "Position and game as text, links"),
    copyable("Position", shown.text),
    copyable("Game", [start, moves.join(" ")].filter(Boolean).join(" ")),
    copyable("Link to this position", link.whole(here)),
    has("edit") &&
      el("p", {}, el("a", { href: link.write(["edit"], { game, text: shown.text }) }, "Edit this position")),
  );
}
