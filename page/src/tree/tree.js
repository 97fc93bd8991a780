// Draws a recorded search. Two levels of detail: one path for each class of edge and dot, whatever their number, and
// real tree items where there is room for them. x and y have scales of their own: a tree is much wider than tall.

import { el, svg } from "../shell/dom.js";
import { gestures } from "./gestures.js";
import { Items, LETTER } from "./items.js";
import { SYMBOL, inView, layout, nearest, outline } from "./layout.js";
import { LEAST } from "./nodeboards.js";
import { onPaper, sheet } from "./paper.js";
import { pointing } from "./pointing.js";
import { cutSign, upright } from "./signs.js";
import { Standing } from "./standing.js";
import { ROW, View } from "./view.js";

/** @import { Place, Stub } from "./layout.js" */
/** @import { NodeBoards } from "./nodeboards.js" */
/** @import { Recorded, Running } from "./recorded.js" */
/** @import { Size } from "./view.js" */

/** Pixels that names of branches cut off, and names written upward, need where every other one is moved; and else. */
const STUB = [9, 15];
const NAME = [4, 9];
/** Pixels of text at its usual size. */
const TEXT = 11;
/** Pixels a unit is wide where dots can be told apart. */
const DOTS = 4;
/** Pixels from a node, across and down, that still point at it. */
const REACH = [14, 24];

export class PlyTree extends HTMLElement {
  /** State of the search; nothing is drawn before it is shown. */
  #now = /** @type {Standing} */ (/** @type {unknown} */ (null));
  /** Layout; null when it has to be made anew. @type {Place | null} */
  #place = null;
  #view = new View();
  /** The view on the screen, while the tree is drawn for paper. @type {View | null} */
  #screen = null;
  /** @type {NodeBoards | null} */
  #boards = null;
  #unlisten = () => {};
  /** Whether it will be drawn before the next frame anyhow. */
  #drawn = false;
  far = svg("g", { class: "far", "aria-hidden": "true" });
  items = new Items(
    (node) => this.#choose(node),
    (node) => this.toggle(node),
  );
  stubs = svg("g", { class: "stubs", "aria-hidden": "true" });
  names = svg("g", { class: "names", "aria-hidden": "true" });
  svg = svg("svg", { role: "tree", "aria-label": "Search tree" }, this.far, this.stubs, this.names, this.items.node);
  tip = el("div", { class: "tip", "aria-hidden": "true", hidden: true });
  resize = new ResizeObserver(() => this.#place && !this.#screen && this.fit());

  constructor() {
    super();
    gestures(
      this.svg,
      (right, down) => this.#move(right, down),
      (factor, at) => this.#zoom(factor, at),
    );
    pointing(this.svg, this.tip, {
      under: (x, y) => this.#under(x, y),
      pathText: (node) => this.#now.pathText(node),
      at: (node) => this.#at(node),
      choose: (node) => this.#choose(node),
    });
    this.addEventListener("keydown", (event) => this.#key(event));
  }

  connectedCallback() {
    this.replaceChildren(this.svg, this.tip, ...(this.#boards ? [this.#boards.node] : []));
    this.resize.observe(this);
    this.#unlisten = onPaper((isPaper) => this.#print(isPaper));
  }

  disconnectedCallback() {
    this.resize.disconnect();
    this.#unlisten();
  }

  /**
   * Draw another tree: all of it if it is small, else the root's moves and the principal variation.
   * @param {Recorded} tree
   */
  show(tree) {
    this.#now = new Standing(tree);
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
    const { tree, closed, seen: before } = this.#now;
    Object.assign(this.#now, { current: node, running, seen });
    for (let above = tree.parent[node]; above >= 0; above = tree.parent[above]) {
      if (closed.delete(above)) this.#place = null;
    }
    const isAnew = !this.#place;
    if (isAnew) this.#arrange();
    if (isAnew || seen !== before || seen !== Infinity) this.#far();
    this.#reveal(node);
    this.#near();
  }

  /**
   * Draw a board at each node that has room for one, or at none.
   * @param {NodeBoards | null} boards
   */
  boards(boards) {
    this.#boards?.node.remove();
    this.#boards = boards;
    if (boards) {
      boards.onnews = () => this.#later();
      this.append(boards.node);
    }
    if (!this.#place) return;
    this.#arrange();
    this.fit();
  }

  /** All of the tree in the view. */
  fit() {
    this.#view.size = parseFloat(getComputedStyle(this.svg).fontSize) / TEXT;
    this.#view.board = this.#boards?.height ?? 0;
    if (!this.#boards?.always && !this.#view.holds(this.#size(), this.#places)) this.#view.board = 0;
    this.#view.fit(this.#size(), this.#places);
    this.#far();
    this.#reveal(this.#now.current);
    this.#later();
  }

  /**
   * Make it wider or narrower around the middle.
   * @param {number} factor
   */
  zoom(factor) {
    this.#zoom(factor, this.#size().width / 2);
  }

  /**
   * Open or close every node.
   * @param {boolean} all
   */
  open(all) {
    this.#now.closed.clear();
    if (!all) this.#close(() => true);
    this.#arrange();
    this.fit();
  }

  /** @param {(node: number) => boolean} isClosed */
  #close(isClosed) {
    const { tree, closed } = this.#now;
    tree.children.forEach((below, node) => {
      if (node && below.length && isClosed(node)) closed.add(node);
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
    this.#view.reveal(this.#size(), this.#at(node));
    this.#later();
  }

  get #places() {
    return /** @type {Place} */ (this.#place);
  }

  /** The pixels there are: of the screen, or of a sheet that has room for all. @returns {Size} */
  #size() {
    return this.#screen ? sheet(this.#places) : this.getBoundingClientRect();
  }

  /** @param {number} node @returns {[x: number, y: number]} */
  #at(node) {
    return this.#view.at(this.#places.x[node], this.#now.tree.level[node]);
  }

  #later() {
    if (this.#drawn) return;
    this.#drawn = true;
    requestAnimationFrame(() => {
      this.#drawn = false;
      if (this.isConnected) this.#draw();
    });
  }

  /**
   * For paper all of the tree is drawn, on a sheet that the browser makes as wide as its own.
   * @param {boolean} isPaper
   */
  #print(isPaper) {
    if (!this.#place) return;
    const screen = this.#screen ?? this.#view;
    this.#screen = isPaper ? screen : null;
    this.#view = isPaper ? new View() : screen;
    const { width, height } = this.#size();
    if (isPaper) {
      this.#view.fit({ width, height }, this.#place);
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    } else this.svg.removeAttribute("viewBox");
    this.#draw();
  }

  // -- drawing ---------------------------------------------------------------------------------------------------

  #arrange() {
    this.#place = layout(this.#now.tree, this.#now.closed);
    const row = ROW[1] + (this.#boards?.height ?? 0);
    this.style.setProperty("--height", `${26 + (this.#place.height - 1) * row + 60 + (this.#boards?.height ?? 0)}px`);
  }

  #draw() {
    const { kx, ky, x, y } = this.#view;
    this.far.setAttribute("transform", `matrix(${kx} 0 0 ${ky} ${x} ${y})`);
    this.far.classList.toggle("dense", kx < DOTS);
    this.#near();
  }

  /** Height of the sign of a cutoff above the next row, in levels: below the boards, if there are any. */
  get #cutAt() {
    return this.#view.board ? 0.14 : 0.35;
  }

  /** One path for each class of edge and dot, in units: the transform scales them, the stroke stays. */
  #far() {
    const paths = outline(this.#now.tree, this.#places, {
      seen: this.#now.seen,
      isBest: (node) => this.#now.isBest(node),
      isCut: (stub) => this.#now.isCut(stub),
      cutAt: this.#cutAt,
    });
    /** @param {{ name: string, d: string }[]} paths */
    const drawPaths = (paths) => paths.map(({ name, d }) => svg("path", { class: name, d }));
    this.far.replaceChildren(...drawPaths(paths.edges), svg("g", { class: "dots" }, drawPaths(paths.dots)));
  }

  /** Real items for the nodes in view that have room; those that stay keep their element, and so the focus. */
  #near() {
    const { width, height } = this.#size();
    const { current } = this.#now;
    /** @type {import("./items.js").Wanted} */
    const wanted = new Map();
    const isUpright = this.#name(width);
    for (const row of this.#places.rows) {
      const y = this.#at(row[0])[1];
      if (y < -40 || y > height + 40) continue;
      for (const [node, ...room] of this.#shownNodes(row, width)) wanted.set(node, room);
    }
    if (!wanted.has(current)) wanted.set(current, [Infinity, Infinity, 0]);
    this.items.show(wanted, this.#now, (node) => this.#at(node), this.#view.size, isUpright);
    this.#drawStubs(width);
    this.#drawBoards(wanted);
  }

  /** Horizontal position of a node, in pixels of text of the usual size. */
  #across = (/** @type {number} */ node) => this.#at(node)[0] / this.#view.size;

  /**
   * The nodes of a row that get an item: the room for its symbol and for its words, and how much lower they stand.
   * @param {number[]} row
   * @param {number} width
   * @returns {[node: number, room: number, words: number, step: number][]}
   */
  #shownNodes(row, width) {
    const { tree, current } = this.#now;
    const shown = [...inView(row, this.#across, width / this.#view.size, current)];
    const crowded = shown.some(([node, room]) => tree.isLeaf(node) && tree.valueText(node).length * LETTER > room);
    return shown.map(([node, room, place]) =>
      crowded && tree.isLeaf(node) ? [node, room, 2 * room, place % 2] : [node, room, room, 0],
    );
  }

  /**
   * The root's moves are all named: upward where they have no room side by side, which is told.
   * @param {number} width
   */
  #name(width) {
    const [{ tree }, { size }] = [this.#now, this.#view];
    const shown = [...inView(this.#places.rows[1] ?? [], this.#across, width / size, -1, NAME[0])];
    const isUpright = shown.some(([node, room]) => tree.move[node].length * LETTER > room);
    const isTight = shown.some(([, room]) => room < NAME[1]);
    this.names.replaceChildren(
      ...(isUpright ? shown : []).map(([node, room, place]) => {
        const [x, y] = this.#at(node);
        const up = (room < SYMBOL ? 5 : 14) + (isTight && place % 2 ? 16 : 0);
        return upright(tree.move[node], [x, y - up * size], size);
      }),
    );
    return isUpright;
  }

  /** @param {number} width */
  #drawStubs(width) {
    const { kx, ky, x, y, size } = this.#view;
    const across = (/** @type {Stub} */ stub) => x + stub.x * kx;
    const down = (/** @type {Stub} */ stub) => y + (stub.level - this.#cutAt) * ky;
    const isShown = (/** @type {Stub} */ stub) => this.#now.isCut(stub) && across(stub) > 0 && across(stub) < width;
    const shown = kx * 0.5 < STUB[0] * size ? [] : this.#places.stubs.filter(isShown);
    const isTight = kx * 0.5 < STUB[1] * size;
    this.stubs.replaceChildren(
      ...shown.map((stub, place) =>
        cutSign(stub, [across(stub), down(stub)], size, Boolean(isTight && place % 2), (node) => this.#choose(node)),
      ),
    );
  }

  /** @param {import("./items.js").Wanted} items */
  #drawBoards(items) {
    if (!this.#boards || this.#screen) return;
    const { size, board } = this.#view;
    const { tree, seen } = this.#now;
    /** @type {Map<number, [x: number, y: number, room: number, isLeaf: boolean]>} */
    const wanted = new Map();
    for (const row of board ? this.#places.rows : []) {
      for (const [node, room] of inView(row, this.#across, this.#size().width / size, -1, LEAST)) {
        if (!items.has(node) || node >= seen) continue;
        wanted.set(node, [...this.#at(node), room * size, tree.isLeaf(node)]);
      }
    }
    this.#boards.show(wanted, size);
  }

  // -- pointing and choosing -------------------------------------------------------------------------------------

  /**
   * The node that is at a place in the drawing, whether it is drawn as an item or as a dot.
   * @param {number} x
   * @param {number} y
   */
  #under(x, y) {
    const row = this.#place?.rows[Math.round((y - this.#view.y) / this.#view.ky)];
    if (!row) return null;
    const node = nearest(row, (each) => this.#at(each)[0], x);
    const [across, down] = this.#at(node);
    return Math.abs(across - x) <= REACH[0] && Math.abs(down - y) <= REACH[1] ? node : null;
  }

  /** @param {number} node */
  #choose(node) {
    this.dispatchEvent(new CustomEvent("choose", { detail: node }));
  }

  /**
   * Open or close a node; it stays where it is.
   * @param {number} node
   */
  toggle(node) {
    const { tree, closed } = this.#now;
    if (!tree.children[node].length) return;
    const [x, y] = this.#at(node);
    if (!closed.delete(node)) closed.add(node);
    this.#arrange();
    this.#far();
    const [after, below] = this.#at(node);
    this.#move(x - after, y - below);
  }

  /**
   * Arrows walk to siblings, parent and child; Enter opens and closes; Home is the root.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const {
      tree: { parent, children },
      current: here,
    } = this.#now;
    const family = this.#now.family(here);
    const beside = (/** @type {number} */ step) => family[family.indexOf(here) + step];
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
    this.items.focus(this.#now.current);
  }
}

customElements.define("ply-tree", PlyTree);
