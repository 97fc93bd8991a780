// The boards at the nodes of a drawn tree: small ones, to look at, over the drawing.

import "../board/board.js";
import { el } from "../shell/dom.js";

/** @import { BoardView, PositionView } from "models" */
/** @import { PlyBoard } from "../board/board.js" */

/** Pixels that a board is wide at least and at most, and below the middle of its node or
 *  leaf, in text of the usual size. */
export const LEAST = 56;
const MOST = 78;
const BELOW = [46, 33];
/** Pixels between a board and the row below it. */
const FREE = 12;
/** So many nodes' boards are asked for at once. */
const AT_ONCE = 60;

/** Asks for the positions of some nodes. @typedef {(nodes: number[]) => Promise<PositionView[]>} Ask */

export class NodeBoards {
  /** They repeat what can be read and heard elsewhere. */
  node = el("div", { class: "node-boards", "aria-hidden": "true", inert: true });
  /** @type {Map<number, PlyBoard>} */
  #boards = new Map();
  /** @type {Map<number, PositionView>} */
  #known = new Map();
  /** @type {Set<number>} */
  #asked = new Set();
  /** Told that more are known. */
  onnews = () => {};

  /**
   * @param {BoardView} board
   * @param {Ask} ask
   * @param {boolean} always Whether they are drawn although the tree is then too tall to be seen whole.
   */
  constructor(board, ask, always) {
    this.board = board;
    this.ask = ask;
    this.always = always;
    const [rows, columns] = board.grid ?? [1, 1];
    this.ratio = rows / columns;
  }

  /** Height of the widest board, in pixels. */
  get height() {
    return MOST * Math.min(this.ratio, 1) + FREE;
  }

  /**
   * Draw those of some nodes, each where it stands and as wide as there is room; the others are gone.
   * @param {Map<number, [x: number, y: number, room: number, isLeaf: boolean]>} wanted In pixels.
   * @param {number} size Of the text, where 1 is usual.
   */
  show(wanted, size) {
    for (const [node, board] of this.#boards) {
      if (wanted.has(node)) continue;
      board.remove();
      this.#boards.delete(node);
    }
    for (const [node, [x, y, room, isLeaf]] of wanted) {
      const board = this.#at(node);
      if (!board) continue;
      const width = Math.min(room - 8, (MOST * size) / Math.max(this.ratio, 1));
      board.style.width = `${width.toFixed(1)}px`;
      board.style.translate = `${(x - width / 2).toFixed(1)}px ${(y + BELOW[Number(isLeaf)] * size).toFixed(1)}px`;
    }
    this.#fetch([...wanted.keys()].filter((node) => !this.#known.has(node) && !this.#asked.has(node)));
  }

  /** @param {number} node */
  #at(node) {
    const position = this.#known.get(node);
    const made = this.#boards.get(node);
    if (made || !position) return made;
    const board = /** @type {PlyBoard} */ (el("ply-board"));
    board.show({ board: this.board, position, still: true, label: position.text });
    this.#boards.set(node, board);
    this.node.append(board);
    return board;
  }

  /** @param {number[]} nodes */
  async #fetch(nodes) {
    const some = nodes.slice(0, AT_ONCE);
    if (!some.length) return;
    for (const node of some) this.#asked.add(node);
    try {
      const found = await this.ask(some);
      some.forEach((node, place) => this.#known.set(node, found[place]));
      this.onnews();
    } catch {
      // What is wrong has been said where the search itself is shown.
    }
  }
}
