// Part below a game that the server keeps: its file to copy and to save, and links to it.

import { notation } from "../analysis/notations.js";
import { answers } from "../answers/answers.js";
import { el, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { copyable } from "./panel.js";
import { texts } from "./sharing.js";
import { ownSides } from "./state.js";

/** @import { GameView } from "models" */
/** @import { Game, Ready } from "./state.js" */
/** @import { Part } from "./view.js" */

/** Maker of a function that draws this on a page. */
export function saving() {
  return (/** @type {Ready} */ { game, shown }) => {
    const { saved } = game;
    /** @type {Record<string, Part>} */
    const made = {};
    if (saved) made.more = [[saved, game, shown], () => [texts(game, shown), file(saved), links(game, saved)]];
    return made;
  };
}

/**
 * The whole game in the format of its players and in plyground's own, asked for when it is opened.
 * @param {GameView} saved
 */
function file({ id }) {
  const place = el("div", {});
  const node = el("details", { id: "file" }, el("summary", {}, "Save or copy the game"), place);
  node.addEventListener("toggle", async () => {
    if (!node.open) return;
    const found = await answers.ask("export", { id }).catch((fault) => refill(place, fault.message));
    if (!found) return;
    const { jsonl, record, title, ending } = found;
    refill(
      place,
      notation({ title, text: record, ending }, id),
      notation({ title: "JSON lines", text: jsonl, ending: "jsonl" }, id),
    );
  });
  return node;
}

/**
 * Links to a saved game: to watch it, and to go on with one's own seat elsewhere.
 * @param {Game} game
 * @param {GameView} saved
 */
function links(game, { id, position: { names } }) {
  const address = (/** @type {link.Wanted} */ values) => link.whole(link.write(["game", id], values));
  const [mine, other] = ownSides(game);
  return el(
    "details",
    { id: "links" },
    el("summary", {}, "Links to this game"),
    copyable("Link to watch the game", address({})),
    mine &&
      !other &&
      copyable(
        `Link to play on as ${names[mine]} on another device, no longer on this one`,
        address({ [mine]: game.seats[mine] }),
      ),
  );
}
