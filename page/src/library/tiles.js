// The games as pictures; nothing waits for them.

import { answers, theBoard } from "../answers/answers.js";
import "../board/board.js";
import { el, svg } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { fillOptions, optionValues } from "../shell/words.js";

/** @import { GameChoice } from "models" */

/**
 * A small picture: the game's example; of a game of somebody's own its first position, on a board to look at.
 * @param {GameChoice} game
 */
export function picture({ name, offer, example }) {
  const drawing = example && svg("svg", {}, svg("use", { href: `/pictures.svg#${name}` }));
  const board = el("ply-board");
  const node = el("div", { class: "picture", inert: true, "aria-hidden": "true" }, drawing || board);
  const draw = async () => {
    const [fixed, position] = await Promise.all([theBoard(offer), answers.ask("position", { game: offer })]);
    board.show({ board: fixed, position, still: true, label: offer });
  };
  if (!drawing) whenSeen(node, () => draw().catch(() => {})); // without its picture, a tile still has its name
  return node;
}

/** Actions for when a node comes into view. @type {WeakMap<Element, () => void>} */
const waiting = new WeakMap();
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      setTimeout(waiting.get(target) ?? (() => {}));
    }
  },
  { rootMargin: "100px" },
);

/** @param {Element} node @param {() => void} act */
function whenSeen(node, act) {
  waiting.set(node, act);
  seen.observe(node);
}

/**
 * All games in their groups, each a link to the first page with that game; and a link to the page for one's own rules.
 * @param {GameChoice[]} games
 * @param {string} chosen The name of the game that is there already.
 */
export function tiles(games, chosen) {
  const groups = [...new Set(games.map(({ group }) => group))];
  const tile = (/** @type {GameChoice} */ game) => {
    const name = fillOptions(game.title, optionValues(game.offer, game.options));
    if (game.fault) return el("li", { class: "tile" }, name, el("p", { class: "problem" }, game.fault));
    const current = game.name === chosen ? "true" : null;
    return el(
      "li",
      { class: "tile" },
      picture(game),
      el("a", { href: link.write([], { game: game.offer }), "aria-current": current }, name),
    );
  };
  const rows = groups.map((group) => [
    el("h2", {}, group),
    el("ul", {}, games.filter((game) => game.group === group).map(tile)),
  ]);
  return [
    el("nav", { class: "tiles", "aria-label": "Games" }, rows),
    el(
      "p",
      { class: "hint" },
      el("a", { href: "/write" }, "Write a game"),
      " of your own: your browser runs its rules.",
    ),
  ];
}
