// Draws a recorded search. Two levels of detail: one path for each class of edge and dot, whatever their number, and
// real tree items where there is room for them. x and y have scales of their own: a tree is much wider than tall.

import { svg } from "./dom.js";
import { gestures } from "./gestures.js";
import { CUT_AT, inView, layout, outline } from "./layout.js";
import { ROW, TOP, View } from "./view.js";
import { counted } from "./words.js";

/** @import { Place, Stub } from "./layout.js" */
/** @import { Recorded, Running } from "./recorded.js" */

/** Pixels of a letter, and those between branches cut off. */
const LETTER = 7.2;
const STUB = 20;
/** Pixels a unit is wide where dots can be told apart. */
const DOTS = 4;
/** MAX points up, MIN down. */
const SHAPES = ["M0-11L12 9H-12Z", "M0 11L12-9H-12Z"];
const LEAF = "M-11-8H11V8H-11Z";

export class PlyTree extends HTMLElement {
  /** The search; nothing is drawn before it is shown. */
  #tree = /** @type {Recorded} */ (/** @type {unknown} */ (null));
  /** Nodes below which nothing is shown. @type {Set<number>} */
  #closed = new Set();
  #current = 0;
  /** Nodes from this one on are not searched yet: they are numbered in the order in which they were entered. */
  #seen = Infinity;
  /** @type {Map<number, Running>} */
  #running = new Map();
  /** Where all stands; null when it has to be arranged anew. @type {Place | null} */
  #place = null;
  #view = new View();
  /** @type {Map<number, SVGGElement>} */
  #items = new Map();
  /** Whether it will be drawn before the next frame anyhow. */
  #drawn = false;
  far = svg("g", { class: "far", "aria-hidden": "true" });
  near = svg("g", { class: "near", role: "group" });
  stubs = svg("g", { class: "stubs", "aria-hidden": "true" });
  svg = svg("svg", { role: "tree", "aria-label": "Search tree" }, this.far, this.stubs, this.near);
  resize = new ResizeObserver(() => this.#place && this.fit());

  constructor() {
    super();
    gestures(this.svg, (right, down) => this.#move(right, down), (factor, at) => this.#zoom(factor, at));
    this.addEventListener("keydown", (event) => this.#key(event));
  }

  connectedCallback() {
    this.replaceChildren(this.svg);
    this.resize.observe(this);
  }

  disconnectedCallback() {
    this.resize.disconnect();
  }

  /**
   * Draw another tree: all of it if it is small, else the root's moves and the principal variation.
   * @param {Recorded} tree
   */
  show(tree) {
    this.#tree = tree;
    this.#current = 0;
    this.#seen = Infinity;
    this.#running = new Map();
    this.#closed = new Set();
    if (tree.size > 150) this.#close((node) => !tree.principal.has(node));
    this.#arrange();
    this.fit();
  }

  /**
   * Mark a node as the current one and bring it into view. Nodes from `seen` on are not searched yet; those that are
   * `running` are on the way, with the best value so far and the window there as words.
   * @param {number} node
   * @param {number} [seen]
   * @param {Map<number, Running>} [running]
   */
  mark(node, seen = Infinity, running = new Map()) {
    this.#current = node;
    this.#running = running;
    for (let above = this.#tree.parent[node]; above >= 0; above = this.#tree.parent[above]) {
      if (this.#closed.delete(above)) this.#place = null;
    }
    const moved = seen !== this.#seen || seen !== Infinity;
    this.#seen = seen;
    if (!this.#place) this.#arrange();
    else if (moved) this.#far();
    this.#reveal(node);
    this.#near();
  }

  /** All of the tree in the view. */
  fit() {
    this.#view.fit(this.getBoundingClientRect(), this.#placed);
    this.#reveal(this.#current);
    this.#later();
  }

  /**
   * Make it wider or narrower around the middle.
   * @param {number} factor
   */
  zoom(factor) {
    this.#zoom(factor, this.getBoundingClientRect().width / 2);
  }

  /**
   * Open or close every node.
   * @param {boolean} all
   */
  open(all) {
    this.#closed.clear();
    if (!all) this.#close(() => true);
    this.#arrange();
    this.fit();
  }

  /** @param {(node: number) => boolean} isClosed */
  #close(isClosed) {
    this.#tree.children.forEach((below, node) => {
      if (node && below.length && isClosed(node)) this.#closed.add(node);
    });
  }

  // -- moving the view -------------------------------------------------------------------------------------------

  /** @param {number} factor @param {number} at */
  #zoom(factor, at) {
    this.#view.zoom(factor, at);
    this.#later();
  }

  /** @param {number} right @param {number} down */
  #move(right, down) {
    this.#view.move(right, down);
    this.#later();
  }

  /** @param {number} node */
  #reveal(node) {
    this.#view.reveal(this.getBoundingClientRect(), this.#at(node));
    this.#later();
  }

  get #placed() {
    return /** @type {Place} */ (this.#place);
  }

  /** @param {number} node @returns {[x: number, y: number]} */
  #at(node) {
    return this.#view.at(this.#placed.x[node], this.#tree.level[node]);
  }

  #later() {
    if (this.#drawn) return;
    this.#drawn = true;
    requestAnimationFrame(() => {
      this.#drawn = false;
      if (!this.isConnected) return;
      const { kx, ky, x, y } = this.#view;
      this.far.setAttribute("transform", `matrix(${kx} 0 0 ${ky} ${x} ${y})`);
      this.far.classList.toggle("dense", kx < DOTS);
      this.#near();
    });
  }

  // -- drawing ---------------------------------------------------------------------------------------------------

  #arrange() {
    this.#place = layout(this.#tree, this.#closed);
    this.style.setProperty("--height", `${TOP + (this.#placed.height - 1) * ROW[1] + 60}px`);
    this.#far();
  }

  /** One path for each class of edge and dot, in units: the transform scales them, the stroke stays. */
  #far() {
    const paths = outline(this.#tree, this.#placed, {
      seen: this.#seen,
      isBest: (node) => this.#isBest(node),
      isCut: (stub) => this.#isCut(stub),
    });
    /** @param {{ name: string, d: string }[]} paths */
    const drawn = (paths) => paths.map(({ name, d }) => svg("path", { class: name, d }));
    this.far.replaceChildren(...drawn(paths.edges), svg("g", { class: "dots" }, drawn(paths.dots)));
  }

  /** Real items for the nodes in view that have room; those that stay keep their element, and so the focus. */
  #near() {
    const { width, height } = this.getBoundingClientRect();
    /** @type {Map<number, [room: number, step: number]>} */
    const wanted = new Map();
    for (const row of this.#placed.rows) {
      const y = this.#at(row[0])[1];
      if (y < -40 || y > height + 40) continue;
      this.#shown(row, width).forEach(([node, room, step]) => wanted.set(node, [room, step]));
    }
    if (!wanted.has(this.#current)) wanted.set(this.#current, [Infinity, 0]);
    for (const [node, item] of this.#items) {
      if (wanted.has(node)) continue;
      item.remove();
      this.#items.delete(node);
    }
    for (const [node, [room, step]] of wanted) this.#item(node, room, step);
    this.#drawStubs(width);
  }

  /**
   * The nodes of a row that get an item: the room of each, and how much lower its value stands.
   * @param {number[]} row
   * @param {number} width
   * @returns {[node: number, room: number, step: number][]}
   */
  #shown(row, width) {
    const tree = this.#tree;
    const shown = [...inView(row, (node) => this.#at(node)[0], width, this.#current)];
    const crowded = shown.some(([node, room]) => tree.isLeaf(node) && tree.said(node).length * LETTER > room);
    return shown.map(([node, room, place]) =>
      crowded && tree.isLeaf(node) ? [node, 2 * room, place % 2] : [node, room, 0]);
  }

  /**
   * A node's item. In a crowded row every other leaf has its value a `step` lower, so that each has room for two.
   * @param {number} node
   * @param {number} room
   * @param {number} step
   */
  #item(node, room, step) {
    let item = this.#items.get(node);
    if (!item) {
      item = svg("g", { role: "treeitem", onclick: () => this.#choose(node), ondblclick: () => this.toggle(node) });
      this.#items.set(node, item);
      this.near.append(item);
    }
    const [x, y] = this.#at(node);
    item.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    const words = this.#words(node, step).filter(([, text]) => text.length * LETTER <= room);
    const state = [
      node >= this.#seen,
      node === this.#current,
      this.#closed.has(node),
      this.#isBest(node),
      this.#running.has(node),
      step,
      ...words.map(([, text]) => text),
    ].join();
    if (item.dataset.state === state) return;
    item.dataset.state = state;
    this.#fill(item, node, words);
  }

  /**
   * What stands around a node, each with its place and its class: move, value, window, nodes that are not shown.
   * @param {number} node
   * @param {number} step
   */
  #words(node, step) {
    const tree = this.#tree;
    /** @type {[y: number, text: string, name: string]} */
    const move = [-15, tree.move[node], "move"];
    if (node >= this.#seen) return [move];
    const hasWindow = !tree.isLeaf(node) && tree.has_window;
    const more = this.#closed.has(node) ? tree.below(node) : tree.hidden[node];
    const done = () => ({ worth: tree.said(node), window: tree.window(tree.alpha[node], tree.beta[node]) });
    const { worth, window } = this.#running.get(node) ?? done();
    /** @type {[y: number, text: string, name: string][]} */
    const words = [
      move,
      [25 + 12 * step, worth, "worth"],
      [39, hasWindow ? window : "", "window"],
      [hasWindow ? 52 : 39, more > 0 ? `+${counted(more)}` : "", "more"],
    ];
    return words.filter(([, text]) => text);
  }

  /** @param {Stub} stub */
  #isCut({ node }) {
    return node < this.#seen && !this.#running.has(node);
  }

  /** @param {number} node */
  #isBest(node) {
    return this.#tree.principal.has(node) && this.#seen === Infinity;
  }

  /** @param {SVGGElement} item @param {number} node @param {[y: number, text: string, name: string][]} words */
  #fill(item, node, words) {
    const tree = this.#tree;
    const future = node >= this.#seen;
    const isCurrent = node === this.#current;
    const siblings = tree.parent[node] < 0 ? [0] : tree.children[tree.parent[node]];
    const set = {
      class: [
        "item",
        `side-${tree.side[node] === 0 ? "x" : "o"}`,
        future && "future",
        isCurrent && "current",
        this.#isBest(node) && "best",
      ].filter(Boolean).join(" "),
      "aria-label": future
        ? `${tree.move[node] || "root"}, not searched yet`
        : (this.#running.get(node)?.label ?? tree.label(node)),
      "aria-level": tree.level[node] + 1,
      "aria-posinset": siblings.indexOf(node) + 1,
      "aria-setsize": siblings.length,
      "aria-selected": String(isCurrent),
      tabindex: isCurrent ? 0 : -1,
    };
    for (const [name, value] of Object.entries(set)) item.setAttribute(name, String(value));
    if (tree.children[node].length) item.setAttribute("aria-expanded", String(!this.#closed.has(node)));
    item.replaceChildren(svg("path", { class: "symbol", d: tree.isLeaf(node) ? LEAF : SHAPES[tree.side[node]] }),
      ...words.map(([y, text, name]) => svg("text", { y, class: name }, text)));
    if (isCurrent && this.near.lastChild !== item) this.#raise(item);
  }

  /**
   * Draw an item above its neighbours; moving an element would cost it the focus.
   * @param {SVGElement} item
   */
  #raise(item) {
    const held = document.activeElement === item;
    this.near.append(item);
    if (held) item.focus({ preventScroll: true });
  }

  /** @param {number} width */
  #drawStubs(width) {
    const { kx, ky, x, y } = this.#view;
    const across = (/** @type {Stub} */ stub) => x + stub.x * kx;
    const down = (/** @type {Stub} */ stub) => y + (stub.level - CUT_AT) * ky;
    const isShown = (/** @type {Stub} */ stub) => this.#isCut(stub) && across(stub) > 0 && across(stub) < width;
    const shown = kx * 0.5 < STUB ? [] : this.#placed.stubs.filter(isShown);
    this.stubs.replaceChildren(...shown.map((stub) =>
      svg("g", { class: "stub", transform: `translate(${across(stub).toFixed(1)} ${down(stub).toFixed(1)})` },
        svg("path", { d: "M-7 2L3-5M-4 6L6-1" }),
        svg("text", { y: 18 }, stub.move))));
  }

  // -- choosing --------------------------------------------------------------------------------------------------

  /** @param {number} node */
  #choose(node) {
    this.dispatchEvent(new CustomEvent("choose", { detail: node }));
  }

  /**
   * Open or close a node; it stays where it is.
   * @param {number} node
   */
  toggle(node) {
    if (!this.#tree.children[node].length) return;
    const [x, y] = this.#at(node);
    if (!this.#closed.delete(node)) this.#closed.add(node);
    this.#arrange();
    const [after, below] = this.#at(node);
    this.#view.x += x - after;
    this.#view.y += y - below;
    this.#later();
  }

  /**
   * Arrows walk to siblings, parent and child; Enter opens and closes; Home is the root.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const { parent, children } = this.#tree;
    const here = this.#current;
    const siblings = parent[here] < 0 ? [here] : children[parent[here]];
    const beside = (/** @type {number} */ step) => siblings[siblings.indexOf(here) + step];
    /** @type {Record<string, () => number | undefined>} */
    const ways = {
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
      ArrowUp: () => parent[here],
      ArrowDown: () => children[here][0],
      Home: () => 0,
    };
    if (event.key === "Enter" || event.key === " ") this.toggle(here);
    else if (!ways[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    const node = ways[event.key]?.();
    if (node === undefined || node < 0) return;
    this.#choose(node);
    this.focus();
  }

  /** The keyboard's place in a tree is its current node. */
  focus() {
    this.#items.get(this.#current)?.focus({ preventScroll: true });
  }
}

customElements.define("ply-tree", PlyTree);
