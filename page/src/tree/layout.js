// Layout of the nodes of a recorded search, and the nodes in view. No drawing here.

/** @import { Recorded } from "./recorded.js" */

/**
 * A branch that was cut off: below which node, its move, and where its end stands, in units and levels.
 * @typedef {{ node: number, move: string, x: number, level: number }} Stub
 */

/**
 * Layout of a tree: the nodes in units from the left, and by level; the branches cut off; how many units and levels.
 * @typedef {{ x: Float64Array, rows: number[][], stubs: Stub[], width: number, height: number }} Place
 */

/** Units that a branch cut off takes beside a node's 1. */
const STUB = 0.5;
/** Units between families: the last child of one node and the first of the next, so that nobody counts them as one. */
export const APART = 0.75;
/** Units of the tree's width that are painted together. */
const SLICE = 100;
/** Pixels to the next node of the row that a symbol needs; pixels beside the view where items are still made. */
export const SYMBOL = 15;
const BESIDE = 60;

/**
 * Columns of the nodes, in units: each leaf takes one, families are apart, a parent is over the middle of its children.
 * @param {Recorded} tree
 * @param {Set<number>} closed The nodes below which nothing is shown.
 * @returns {Place}
 */
export function layout(tree, closed) {
  const x = new Float64Array(tree.size).fill(NaN);
  /** @type {number[][]} */
  const rows = [];
  /** @type {Stub[]} */
  const stubs = [];
  let next = 0;
  let apart = 0; // what a family that has ended keeps free
  /** Take the room for something so wide, and return its left edge. @param {number} units */
  const room = (units) => {
    const from = next + apart; // the gap counts only if another family follows
    apart = 0;
    next = from + units;
    return from;
  };
  const place = (/** @type {number} */ node) => {
    const level = tree.level[node];
    (rows[level] ??= []).push(node);
    const below = closed.has(node) ? [] : tree.children[node];
    below.forEach(place);
    const cut = closed.has(node) ? [] : tree.skipped[node];
    for (const move of cut) stubs.push({ node, move, x: room(STUB) + STUB / 2, level: level + 1 });
    if (below.length) {
      x[node] = (x[below[0]] + x[below[below.length - 1]]) / 2;
      apart = APART;
    } else x[node] = room(1) + 0.5;
  };
  place(0);
  const deepest = stubs.reduce((most, stub) => Math.max(most, stub.level), rows.length - 1);
  return { x, rows, stubs, width: next, height: deepest + 1 };
}

/**
 * The edges and dots of a tree as paths, one for each class. They are cut into slices, because a browser paints a path
 * whole or not at all, and most of a wide tree is out of view.
 * @param {Recorded} tree
 * @param {Place} place
 * @param {{ seen: number, isBest: (node: number) => boolean, isCut: (stub: Stub) => boolean, cutAt: number }} state
 *   `cutAt`: how far above the next row, in levels, a branch cut off ends.
 */
export function outline(tree, { x, rows, stubs }, { seen, isBest, isCut, cutAt }) {
  const { parent, side, level } = tree;
  /** @typedef {Map<string, { name: string, parts: string[] }>} Slices */
  /** @type {[Slices, Slices]} */
  const [edges, dots] = [new Map(), new Map()];
  /** @param {Slices} slices @param {number} at @param {string} name @param {string} part */
  const add = (slices, at, name, part) => {
    const key = `${Math.floor(at / SLICE)} ${name}`;
    const slice = slices.get(key) ?? { name, parts: [] };
    slice.parts.push(part);
    slices.set(key, slice);
  };
  /** @param {number} from @param {number} to @param {number} across @param {number} down */
  const line = (from, to, across, down) => `M${x[from].toFixed(2)} ${to}L${across.toFixed(2)} ${down}`;
  for (const node of rows.flat()) {
    const isFuture = node >= seen;
    const player = side[node] === 0 ? "max" : "min";
    add(dots, x[node], `dot ${isFuture ? "future" : player}`, `M${x[node].toFixed(2)} ${level[node]}h0`);
    if (parent[node] < 0) continue;
    const known = isBest(node) ? "best-line" : "plain";
    const edge = line(parent[node], level[node] - 1, x[node], level[node]);
    add(edges, x[node], `edge ${isFuture ? "future" : known}`, edge);
  }
  for (const stub of stubs.filter(isCut)) {
    add(edges, stub.x, "edge cut", line(stub.node, stub.level - 1, stub.x, stub.level - cutAt));
  }
  const joinSlices = (/** @type {Slices} */ slices) =>
    [...slices.values()].map(({ name, parts }) => ({ name, d: parts.join("") }));
  return { edges: joinSlices(edges), dots: joinSlices(dots) };
}

/**
 * The first place in a row that stands at `left` or right of it; a row is in that order.
 * @param {number[]} row
 * @param {(node: number) => number} at
 * @param {number} left
 */
function firstFrom(row, at, left) {
  let [low, high] = [0, row.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(row[middle]) < left) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The node of a row that stands nearest to `x`.
 * @param {number[]} row
 * @param {(node: number) => number} at
 * @param {number} x
 */
export function nearest(row, at, x) {
  const after = Math.min(firstFrom(row, at, x), row.length - 1);
  const before = Math.max(after - 1, 0);
  return row[x - at(row[before]) < at(row[after]) - x ? before : after];
}

/**
 * The nodes of a row in view that have room for a symbol, with their room in pixels and their place in the row. `at`
 * tells where a node stands, in pixels from the left; a row is in that order.
 * @param {number[]} row
 * @param {(node: number) => number} at
 * @param {number} width
 * @param {number} current
 * @param {number} [least] Pixels to the next node that are room enough.
 * @returns {Generator<[node: number, room: number, place: number]>}
 */
export function* inView(row, at, width, current, least = SYMBOL) {
  const place = (/** @type {number} */ index) => at(row[index]);
  for (let index = firstFrom(row, at, -BESIDE); index < row.length && place(index) < width + BESIDE; index++) {
    const before = index ? place(index) - place(index - 1) : Infinity;
    const after = index + 1 < row.length ? place(index + 1) - place(index) : Infinity;
    const room = Math.min(before, after);
    const isCurrent = row[index] === current; // its words stand over its neighbours'
    if (room >= least || isCurrent) yield [row[index], isCurrent ? Infinity : room, index];
  }
}
