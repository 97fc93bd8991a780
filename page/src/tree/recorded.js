// A recorded search as the page knows it: the arrays of the answer, and what follows from them. No drawing here.

import { countText } from "../shell/words.js";

/** @import { LineView, TreeView } from "models" */

/**
 * Event of a search: it enters a node, is at a leaf, or at one that ends the depth, or at one whose nodes below are
 * not shown; it comes back from a child; it cuts off.
 * @typedef {"enter" | "leaf" | "horizon" | "hidden" | "back" | "cut"} Kind
 */

/**
 * One step: where, the window there by then (null: infinite), and the best value so far.
 * @typedef {object} Step
 * @property {Kind} kind
 * @property {number} node
 * @property {number | null} child The child that it comes back from.
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {number | null} best
 */

/**
 * A node that is being searched: the best value so far, the window, and how both are read aloud.
 * @typedef {{ worth: string, window: string, label: string }} Running
 */

/** All that is answered of a search, under the names of the answer. */
const Sent = /** @type {new (view: TreeView) => TreeView} */ (
  class {
    /** @param {TreeView} view */
    constructor(view) {
      Object.assign(this, view);
    }
  }
);

export class Recorded extends Sent {
  /** @param {TreeView} view */
  constructor(view) {
    super(view);
    this.size = view.parent.length;
    /** @type {number[][]} */
    this.children = view.parent.map(() => []);
    this.level = view.parent.map(() => 0);
    /** The nodes of the principal variation. */
    this.principal = new Set(view.line);
    view.parent.forEach((above, node) => {
      if (above < 0) return;
      this.children[above].push(node);
      this.level[node] = this.level[above] + 1;
    });
  }

  /**
   * The moves from the root to a node.
   * @param {number} node
   * @returns {string[]}
   */
  path(node) {
    return node > 0 ? [...this.path(this.parent[node]), this.move[node]] : [];
  }

  /**
   * The node that moves lead to; null where the search did not go or that is not kept.
   * @param {string[]} moves
   * @returns {number | null}
   */
  find(moves) {
    /** @param {number} node @param {string} move */
    const step = (node, move) => this.children[node].find((child) => this.move[child] === move) ?? null;
    return moves.reduce((/** @type {number | null} */ node, move) => (node === null ? null : step(node, move)), 0);
  }

  /**
   * A value as it is written; "?" for none.
   * @param {number | null} value
   */
  word(value) {
    return value === null ? "?" : this.words[value];
  }

  /**
   * A node's value, with ≤ or ≥ where it is a bound, ≠ where it is wrong, ~ where nothing is known; "?" where it is not
   * told.
   * @param {number} node
   */
  valueText(node) {
    const bound = this.bound[node];
    if (bound === "?") return bound;
    return `${bound === "=" ? "" : `${bound} `}${this.word(this.value[node])}`;
  }

  /**
   * A window; null stands for an edge at infinity.
   * @param {number | null} alpha
   * @param {number | null} beta
   */
  window(alpha, beta) {
    return `[${alpha === null ? "−∞" : this.word(alpha)}, ${beta === null ? "∞" : this.word(beta)}]`;
  }

  /**
   * Number of nodes below a node, kept or not.
   * @param {number} node
   * @returns {number}
   */
  below(node) {
    return this.children[node].reduce((sum, child) => sum + 1 + this.below(child), this.hidden[node]);
  }

  /** @param {number} node */
  isLeaf(node) {
    return this.kind[node] !== "node";
  }

  /**
   * "beta cutoff" at MAX, "alpha cutoff" at MIN, nothing where no move was cut off.
   * @param {number} node
   */
  cutName(node) {
    if (this.cut[node] === null || !(this.skipped[node].length || this.hidden[node])) return "";
    return this.side[node] === 0 ? "beta cutoff" : "alpha cutoff";
  }

  /**
   * A node in a line, as it is read aloud: "b1, max, value 0, window [−∞, 0], beta cutoff".
   * @param {number} node
   */
  label(node) {
    return [
      this.move[node] || "root",
      this.isLeaf(node) ? "leaf" : this.side[node] === 0 ? "max" : "min",
      `value ${this.valueText(node)}`,
      `window ${this.window(this.alpha[node], this.beta[node])}`,
      this.cutName(node),
      this.principal.has(node) && "principal variation",
      this.hidden[node] && `${countText(this.hidden[node])} nodes below not shown`,
    ]
      .filter(Boolean)
      .join(", ");
  }
}

/**
 * Steps of the search.
 * @param {Recorded} tree
 */
export function steps(tree) {
  /** @type {Step[]} */
  const found = [];
  const hasWindow = tree.has_window;
  const walk = (/** @type {number} */ node) => {
    let alpha = tree.alpha[node];
    let beta = tree.beta[node];
    /** @type {number | null} */
    let best = null;
    /** @param {Kind} kind @param {number | null} [child] */
    const note = (kind, child = null) => found.push({ kind, node, child, alpha, beta, best });
    note("enter");
    if (!tree.children[node].length) {
      best = tree.value[node];
      note(tree.isLeaf(node) ? /** @type {Kind} */ (tree.kind[node]) : "hidden");
      return;
    }
    for (const child of tree.children[node]) {
      walk(child);
      const value = /** @type {number} */ (tree.value[child]);
      const isMax = tree.side[node] === 0;
      if (best === null || (isMax ? value > best : value < best)) {
        best = value;
        if (hasWindow && isMax) alpha = Math.max(alpha ?? -Infinity, value);
        if (hasWindow && !isMax) beta = Math.min(beta ?? Infinity, value);
      }
      note("back", child);
    }
    if (tree.cutName(node)) note("cut", tree.children[node].at(-1) ?? null);
  };
  walk(0);
  return found;
}

/**
 * The nodes on the way at a step, each with the best value so far and the window there, and how it is read aloud.
 * @param {Recorded} tree
 * @param {Step[]} taken
 * @param {number} step
 */
export function running(tree, taken, step) {
  const now = taken[step];
  /** @type {Map<number, Running>} */
  const found = new Map();
  if (!now) return found;
  let node = ["enter", "back"].includes(now.kind) ? now.node : tree.parent[now.node];
  for (let before = step; node >= 0; before--) {
    const { node: there, alpha, beta, best } = taken[before];
    if (there !== node) continue;
    const window = tree.window(alpha, beta);
    const worth = best === null ? "" : tree.word(best);
    const sofar = worth ? `best so far ${worth}` : "nothing found yet";
    const label = `${tree.move[node] || "root"}, being searched, ${sofar}, window ${window}`;
    found.set(node, { worth, window, label });
    node = tree.parent[node];
  }
  return found;
}

/**
 * Sentence about a step; without one, about the end of the search.
 * @param {Recorded} tree
 * @param {Step | undefined} step
 */
export function sentence(tree, step) {
  if (!step) {
    const by = tree.line.length > 1 ? ` by ${tree.move[tree.line[1]]}` : "";
    return `The search is over: ${tree.valueText(0)}${by}.`;
  }
  const { kind, node, child, alpha, beta, best } = step;
  const where = tree.move[node] ? `after ${tree.path(node).join(" ")}` : "at the root";
  const shown = tree.window(alpha, beta);
  const isOwn = tree.algorithm.includes(":"); // a user's: its windows within a node are not known
  const window = tree.has_window && !(isOwn && kind === "back") ? `, window ${shown}` : "";
  const left = tree.skipped[node].join(", ");
  const value = tree.valueText(node);
  const more = countText(tree.hidden[node]);
  const words = {
    enter: () => `Enters the node ${where}${window}.`,
    leaf: () => `The game is over ${where}: ${value}.`,
    horizon: () => `No ply is left ${where}: the static evaluation is ${value}.`,
    hidden: () =>
      tree.hidden[node]
        ? `The search goes on ${where}: ${more} nodes that are not shown, value ${value}.`
        : `No move is searched ${where}: the search has ${value} from elsewhere, such as a table.`,
    back: () => {
      const from = /** @type {number} */ (child);
      return `Back from ${tree.move[from]} with ${tree.valueText(from)}; best ${where} so far ${tree.word(best)}${window}.`;
    },
    cut: () =>
      isOwn
        ? `Cuts ${where}: leaves out ${left}.`
        : `Cutoff ${where}: α ≥ β in ${shown}, so no need to search ${left}.`,
  };
  return words[kind]();
}

/**
 * Size of a search in nodes, leaves and cutoffs, in words.
 * @param {Recorded} tree
 */
export function counts({ nodes, leaves, cutoffs }) {
  return `${countText(nodes)} nodes, ${countText(leaves)} leaves, ${countText(cutoffs)} cutoffs`;
}

/**
 * Legend of a drawn tree.
 * @param {Recorded} tree
 */
export function legend(tree) {
  const [max, min] = tree.names;
  const window = "; under a node: its value, and the window [α, β] it was entered with";
  return [
    `▲ ${max} to move (MAX), ▼ ${min} to move (MIN), □ leaf; red and dashed: cut off`,
    tree.has_window ? window : "",
    `; green: best play by both. Values are from ${max}'s side.`,
  ].join("");
}

/**
 * Lines of pseudocode that act in a kind of step; a value that is not shown comes back as one that is.
 * @param {LineView[]} lines
 * @param {Kind} kind
 */
export function acting(lines, kind) {
  const by = (/** @type {Kind} */ act) => [...lines.keys()].filter((number) => lines[number].act === act);
  const found = by(kind);
  return kind === "hidden" && !found.length ? by("back") : found;
}
