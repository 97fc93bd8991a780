// Games of an arena that are played just now, on small boards.

import { theBoard } from "../answers/answers.js";
import "../board/board.js";
import { el, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { movesOfBoth } from "../shell/words.js";

/** @import { ArenaView, LiveView } from "models" */
/** @import { PlyBoard } from "../board/board.js" */

/** A game's card, and what of it changes. @typedef {{ node: HTMLElement, board: PlyBoard, words: HTMLElement }} Card */

export class LiveBoards {
  node = el("ul", { class: "live" });
  /** By the game's number: one that stays keeps its board, so that its pieces move. @type {Map<number, Card>} */
  #cards = new Map();

  /** @param {string} game */
  constructor(game) {
    this.game = game;
  }

  /** @param {ArenaView["live"]} live */
  async show(live) {
    const fixed = live.some(({ position }) => position) ? await theBoard(this.game) : null;
    const going = new Set(live.map(({ number }) => number));
    for (const [number, { node }] of this.#cards) {
      if (going.has(number)) continue;
      node.remove();
      this.#cards.delete(number);
    }
    for (const game of live) {
      const { x, o, plies, position } = game;
      const card = this.#cards.get(game.number) ?? this.#makeCard(game);
      refill(card.words, who(game), el("span", { class: "hint" }, ` ${movesOfBoth(plies)}`));
      if (fixed && position) card.board.show({ board: fixed, position, still: true, label: `${x} – ${o}` });
    }
  }

  /** @param {LiveView} game */
  #makeCard({ number }) {
    const board = el("ply-board");
    const words = el("p");
    const node = el("li", {}, el("div", { class: "picture", inert: true, "aria-hidden": "true" }, board), words);
    const card = { node, board, words };
    this.#cards.set(number, card);
    this.node.append(node);
    return card;
  }
}

/** Names of the players, as a link to the game as far as it has come. @param {LiveView} game */
function who({ x, o, position }) {
  if (!position) return `${x} – ${o}`;
  const { game, start, moves, names } = position;
  const to = link.write(["board"], { game, start, moves: moves.join(" "), mode: "back", x, o });
  return el("a", { href: to }, `${x} (${names.x}) – ${o} (${names.o})`);
}
