// A game as text and as links: to copy, to save, to send to somebody.

import { button, el } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { has } from "../shell/pages.js";
import { copyable } from "./panel.js";
import { ownSides } from "./state.js";

/** @import { GameView, PositionView } from "models" */
/** @import { Game } from "./state.js" */

/**
 * The shown position, the game and their link as text.
 * @param {Game} whole
 * @param {PositionView} shown
 * @param {() => void} onsave
 */
export function texts({ saved, position: { game, start, moves } }, shown, onsave) {
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
    saved && el("p", {}, button("Save as a file", onsave)),
  );
}

/**
 * Links to a saved game: to watch it, and to go on with one's own seat elsewhere.
 * @param {Game} game
 * @param {GameView} saved
 */
export function links(game, { id, position: { names } }) {
  const address = (/** @type {link.Wanted} */ values) => link.whole(link.write(["game", id], values));
  const [mine, other] = ownSides(game);
  return el(
    "details",
    { id: "links" },
    el("summary", {}, "Links to this game"),
    copyable("Whoever has this link watches", address({})),
    mine &&
      !other &&
      copyable(`To play ${names[mine]} on another device: the seat goes there`, address({ [mine]: game.seats[mine] })),
  );
}
