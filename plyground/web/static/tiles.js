// The games as pictures: each is drawn when it comes into view, so that nothing waits for them.

import "./board.js";
import { el } from "./dom.js";
import * as link from "./link.js";
import { server, theBoard } from "./socket.js";
import { filled, given } from "./words.js";

/** @import { GameChoice, PositionView } from "models" */

/**
 * A small board that is only looked at: the game's example, or its first position where that fails.
 * @param {GameChoice} game
 */
export function picture({ offer, example }) {
  const board = el("ply-board");
  const node = el("div", { class: "picture", inert: true, "aria-hidden": "true" }, board);
  const draw = async () => {
    const at = { game: offer, moves: example ? example.split(" ") : [] };
    const [fixed, position] = await Promise.all([theBoard(offer), server.ask("position", at)]);
    /** @type {PositionView} */
    const looked = { ...position, last: [] };
    board.show({ board: fixed, position: looked, still: true, label: offer });
  };
  whenSeen(node, () => draw().catch(() => {})); // without its picture, a tile still has its name
  return node;
}

/** What is to be done when a node is seen. @type {WeakMap<Element, () => void>} */
const waiting = new WeakMap();
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    setTimeout(waiting.get(target) ?? (() => {}));
  }
}, { rootMargin: "100px" });

/** @param {Element} node @param {() => void} act */
function whenSeen(node, act) {
  waiting.set(node, act);
  seen.observe(node);
}

/**
 * All games in their groups; each a link to the first page with that game.
 * @param {GameChoice[]} games
 * @param {string} chosen The name of the game that is there already.
 */
export function tiles(games, chosen) {
  const groups = [...new Set(games.map(({ group }) => group))];
  const tile = (/** @type {GameChoice} */ game) => {
    const name = filled(game.title, given(game.offer, game.options));
    if (game.fault) return el("li", { class: "tile" }, name, el("p", { class: "problem" }, game.fault));
    const current = game.name === chosen ? "true" : null;
    return el("li", { class: "tile" }, picture(game),
      el("a", { href: link.write([], { game: game.offer }), "aria-current": current }, name));
  };
  return el("nav", { class: "tiles", "aria-label": "Games" }, groups.map((group) => [
    el("h2", {}, group),
    el("ul", {}, games.filter((game) => game.group === group).map(tile)),
  ]));
}
