// State of a search at one of its steps: what is known of each node by then, in words. No drawing here.

import { countText } from "../shell/words.js";

/** @import { Stub } from "./layout.js" */
/** @import { Recorded, Running } from "./recorded.js" */

/**
 * Text above or below a node: its distance and its class.
 * @typedef {[y: number, text: string, name: string]} Word
 */

/** Position of the words, in pixels from the middle of a node, and the distance of two lines. */
const MOVE = -15;
const WORTH = 25;
const LINE = 13;

export class Standing {
  /** Nodes below which nothing is shown. @type {Set<number>} */
  closed = new Set();
  current = 0;
  /** Nodes from this one on are not searched yet: they are numbered in the order in which they were entered. */
  seen = Infinity;
  /** Those on the way, with the best value so far and the window there as words. @type {Map<number, Running>} */
  running = new Map();

  /** @param {Recorded} tree */
  constructor(tree) {
    this.tree = tree;
  }

  /**
   * Whether the branches cut off at a node are known.
   * @param {Pick<Stub, "node">} stub
   */
  isCut({ node }) {
    return node < this.seen && !this.running.has(node);
  }

  /** @param {number} node */
  isBest(node) {
    return this.tree.principal.has(node) && this.seen === Infinity;
  }

  /**
   * The nodes beside a node, itself among them.
   * @param {number} node
   */
  family(node) {
    const above = this.tree.parent[node];
    return above < 0 ? [node] : this.tree.children[above];
  }

  /**
   * Texts around a node: move, value, window, number of nodes that are not shown.
   * @param {number} node
   * @param {number} step How many lines lower its value stands.
   * @returns {Word[]}
   */
  words(node, step) {
    const { tree } = this;
    /** @type {Word} */
    const move = [MOVE, tree.move[node], "move"];
    if (node >= this.seen) return [move];
    const more = this.closed.has(node) ? tree.below(node) : tree.hidden[node];
    const window = tree.window(tree.alpha[node], tree.beta[node]);
    const { worth, window: now } = this.running.get(node) ?? { worth: tree.valueText(node), window };
    const below = [
      [worth, "worth"],
      [!tree.isLeaf(node) && tree.has_window ? now : "", "window"],
      [more > 0 ? `+${countText(more)}` : "", "more"],
    ].filter(([text], line) => text || line === 0);
    /** @type {Word[]} */
    const words = [
      move,
      ...below.map(([text, name], line) => /** @type {Word} */ ([WORTH + LINE * (line + step), text, name])),
    ];
    return words.filter(([, text]) => text);
  }

  /**
   * A node in a line, as it is read aloud.
   * @param {number} node
   */
  label(node) {
    const { tree } = this;
    if (node >= this.seen) return `${tree.move[node] || "root"}, not searched yet`;
    return this.running.get(node)?.label ?? tree.label(node);
  }

  /**
   * A node in a line for who points at it: the moves to it, its value.
   * @param {number} node
   */
  pathText(node) {
    const { tree } = this;
    const path = tree.path(node).join(" ") || "root";
    if (node >= this.seen) return `${path}: not searched yet`;
    const cut = this.running.has(node) ? "" : tree.cutName(node);
    return `${path}: ${[this.running.get(node)?.worth ?? tree.valueText(node), cut].filter(Boolean).join(", ")}`;
  }
}
