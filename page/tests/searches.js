// Searches to try the page's code on, recorded as the server records them, by a search of our own on made-up trees.

import { Recorded } from "../src/tree/recorded.js";

/** @import { TreeView } from "models" */

/**
 * Alpha-beta over a tree in which every node has so many moves, recorded.
 * @param {(path: number[]) => number} worth The value of a leaf by the moves to it, as numbers from 0.
 * @param {number} branching
 * @param {number} depth
 * @param {boolean} [hasCuts]
 */
export function alphabeta(worth, branching, depth, hasCuts = true) {
  /** @type {TreeView} */
  const view = {
    position: "made up",
    algorithm: hasCuts ? "alphabeta" : "minimax",
    has_window: hasCuts,
    depth,
    ply: 0,
    names: ["x", "o"],
    nodes: 0,
    leaves: 0,
    cutoffs: 0,
    line: [],
    words: {},
    parent: [],
    move: [],
    side: [],
    kind: [],
    alpha: [],
    beta: [],
    value: [],
    bound: [],
    best: [],
    cut: [],
    skipped: [],
    hidden: [],
  };
  const letter = (/** @type {number} */ move) => String.fromCharCode(97 + move);
  /** @type {number[][]} */
  const lines = [];
  /** @param {number} parent @param {number[]} path @param {number} alpha @param {number} beta @returns {number} */
  const visit = (parent, path, alpha, beta) => {
    const node = view.nodes++;
    const isMax = path.length % 2 === 0;
    const isLeaf = path.length === depth;
    const finite = (/** @type {number} */ edge) => (Number.isFinite(edge) ? edge : null);
    view.parent.push(parent);
    view.move.push(path.length ? letter(path[path.length - 1]) : "");
    view.side.push(isMax ? 0 : 1);
    view.alpha.push(hasCuts ? finite(alpha) : null);
    view.beta.push(hasCuts ? finite(beta) : null);
    view.kind.push(isLeaf ? "horizon" : "node");
    view.cut.push(null);
    view.skipped.push([]);
    view.hidden.push(0);
    let [low, high] = [alpha, beta];
    let value = isLeaf ? worth(path) : isMax ? -Infinity : Infinity;
    let line = [node];
    for (let move = 0; !isLeaf && move < branching; move++) {
      const child = view.nodes;
      const found = visit(node, [...path, move], low, high);
      if (isMax ? found > value : found < value) {
        value = found;
        line = [node, ...lines[child]];
      }
      if (hasCuts && isMax) low = Math.max(low, value);
      if (hasCuts && !isMax) high = Math.min(high, value);
      if (low >= high && move + 1 < branching) {
        view.cut[node] = letter(move);
        view.skipped[node] = [...Array(branching - move - 1).keys()].map((more) => letter(move + 1 + more));
        break;
      }
    }
    lines[node] = line;
    view.value[node] = value;
    view.bound[node] = value <= alpha && !isLeaf ? "≤" : value >= beta && !isLeaf ? "≥" : "=";
    view.words[value] = String(value);
    return value;
  };
  visit(-1, [], -Infinity, Infinity);
  view.line = lines[0];
  return view;
}

/** Trees of several shapes, the searches with cuts and without. */
export function searches() {
  const scattered = (/** @type {number[]} */ path) =>
    path.reduce((sum, move) => (sum * 31 + move * 17 + 7) % 23, 5) - 11;
  return [
    [2, 3],
    [3, 3],
    [4, 2],
    [1, 3],
    [5, 0],
  ].flatMap(([branching, depth]) =>
    [true, false].map((hasCuts) => ({
      name: `${branching} moves, ${depth} plies, ${hasCuts ? "alpha-beta" : "minimax"}`,
      tree: new Recorded(alphabeta(scattered, branching, depth, hasCuts)),
    })),
  );
}
