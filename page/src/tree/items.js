// The nodes of a drawn tree that there is room for: tree items with their symbol and their words.

import { svg } from "../shell/dom.js";

/** @import { Standing, Word } from "./standing.js" */

/**
 * The pixels that the symbol and the words of each node have, and how many lines lower the words stand: in a crowded
 * row those of every other leaf, so that each has room for two.
 * @typedef {Map<number, [symbol: number, words: number, step: number]>} Wanted
 */

/** Pixels of a letter, and of a symbol with the gap to the next. */
export const LETTER = 7.2;
const SYMBOL = 27;
/** MAX points up, MIN down. */
const SHAPES = ["M0-11L12 9H-12Z", "M0 11L12-9H-12Z"];
const LEAF = "M-11-8H11V8H-11Z";

export class Items {
  node = svg("g", { class: "near", role: "group" });
  /** @type {Map<number, SVGGElement>} */
  #items = new Map();

  /** @param {(node: number) => void} onchoose @param {(node: number) => void} ontoggle */
  constructor(onchoose, ontoggle) {
    this.onchoose = onchoose;
    this.ontoggle = ontoggle;
  }

  /**
   * Draw items for some nodes; those that stay keep their element, and so the focus.
   * @param {Wanted} wanted
   * @param {Standing} now
   * @param {(node: number) => [x: number, y: number]} at
   * @param {number} size Of the text, where 1 is usual.
   * @param {boolean} isUpright Whether the root's moves are written elsewhere.
   */
  show(wanted, now, at, size, isUpright) {
    for (const [node, item] of this.#items) {
      if (wanted.has(node)) continue;
      item.remove();
      this.#items.delete(node);
    }
    const scale = size === 1 ? "" : ` scale(${size})`;
    for (const [node, [symbol, room, step]] of wanted) {
      const item = this.#items.get(node) ?? this.#makeItem(node);
      const [x, y] = at(node);
      item.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})${scale}`);
      const isNamed = isUpright && now.tree.level[node] === 1;
      const fits = (/** @type {Word} */ [, text, name]) =>
        text.length * LETTER <= room && !(isNamed && name === "move");
      const large = Math.min(1, Math.ceil((10 * symbol) / SYMBOL) / 10);
      this.#draw(item, node, now, large, now.words(node, step).filter(fits));
    }
  }

  /** @param {number} node */
  #makeItem(node) {
    const item = svg("g", {
      role: "treeitem",
      onclick: () => this.onchoose(node),
      ondblclick: () => this.ontoggle(node),
    });
    this.#items.set(node, item);
    this.node.append(item);
    return item;
  }

  /**
   * @param {SVGElement} item @param {number} node @param {Standing} now
   * @param {number} large Of the symbol, 1 at most.
   * @param {Word[]} words
   */
  #draw(item, node, now, large, words) {
    const { tree } = now;
    const isCurrent = node === now.current;
    const state = [
      node >= now.seen,
      isCurrent,
      now.closed.has(node),
      now.isBest(node),
      now.running.has(node),
      large,
      ...words.map(([y, text]) => `${y} ${text}`),
    ].join();
    if (item.dataset.state === state) return;
    item.dataset.state = state;
    const family = now.family(node);
    const set = {
      class: [
        "item",
        `side-${tree.side[node] === 0 ? "x" : "o"}`,
        node >= now.seen && "future",
        isCurrent && "current",
        now.isBest(node) && "best",
      ]
        .filter(Boolean)
        .join(" "),
      "aria-label": now.label(node),
      "aria-level": tree.level[node] + 1,
      "aria-posinset": family.indexOf(node) + 1,
      "aria-setsize": family.length,
      "aria-selected": String(isCurrent),
      tabindex: isCurrent ? 0 : -1,
    };
    for (const [name, value] of Object.entries(set)) item.setAttribute(name, String(value));
    if (tree.children[node].length) item.setAttribute("aria-expanded", String(!now.closed.has(node)));
    const d = tree.isLeaf(node) ? LEAF : SHAPES[tree.side[node]];
    item.replaceChildren(
      svg("path", { class: "symbol", d, transform: large < 1 && `scale(${large})` }),
      ...words.map(([y, text, name]) => svg("text", { y, class: name }, text)),
    );
    if (isCurrent && this.node.lastChild !== item) this.#raise(item);
  }

  /**
   * Draw an item above its neighbours; moving an element would cost it the focus.
   * @param {SVGElement} item
   */
  #raise(item) {
    const held = document.activeElement === item;
    this.node.append(item);
    if (held) item.focus({ preventScroll: true });
  }

  /** @param {number} node */
  focus(node) {
    this.#items.get(node)?.focus({ preventScroll: true });
  }
}
