// A game as text and as links: to copy, to save, to send to somebody.

import { button, el } from "./dom.js";
import * as link from "./link.js";
import { has } from "./pages.js";
import { copyable } from "./panel.js";

/** @import { PositionView } from "models" */
/** @import { Kept } from "./kept.js" */
/** @import { Source } from "./source.js" */

/**
 * The shown position, the game and their link as text.
 * @param {Source} source
 * @param {PositionView} shown
 * @param {string[]} moves
 * @param {() => void} onsave
 */
export function texts(source, shown, moves, onsave) {
  const { game, start } = source;
  const here = link.write(["board"], { game, start, moves: shown.moves.join(" ") });
  return el("details", { id: "texts" },
    el("summary", {}, "Position and game as text, links"),
    copyable("Position", shown.text),
    copyable("Game", [start, moves.join(" ")].filter(Boolean).join(" ")),
    copyable("Link to this position", link.whole(here)),
    has("edit") &&
      el("p", {}, el("a", { href: link.write(["edit"], { game, text: shown.text }) }, "Edit this position")),
    source.kept && el("p", {}, button("Save as a file", onsave)));
}

/**
 * Links to a kept game: to watch it, and to go on with one's own seat elsewhere.
 * @param {Kept} source
 * @param {Record<string, string>} names
 */
export function links({ id, seats, players }, names) {
  const address = (/** @type {link.Wanted} */ values) => link.whole(link.write(["game", id], values));
  const mine = ["x", "o"].filter((side) => players[side] === "human" && seats[side]);
  return el("details", { id: "links" },
    el("summary", {}, "Links to this game"),
    copyable("Whoever has this link watches", address({})),
    mine.length === 1 && copyable(`To play ${names[mine[0]]} on another device: the seat goes there`,
      address({ [mine[0]]: seats[mine[0]] })));
}
