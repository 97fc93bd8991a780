// A search as a tree to look at, which the module writes down, node by node: as `record` of microscope/tree.py.

import { brief } from "./columns.js";
import { constants, filled } from "../constants.js";
import { Stopped } from "../module.js";
import { searched } from "./racing.js";
import { Refused } from "../refused.js";
import { INFINITY } from "../score.js";
import { Tree } from "./tree.js";
import { boundsOf, childrenOf, lineOf } from "./values.js";

/** @import { TreeView } from "models" */
/** @import { State } from "../module.js" */
/** @import { Position } from "../position.js" */
/** @import { Entered } from "../search/observer.js" */

const NO_MOVE = -1;
/** @type {readonly ["node", "leaf", "horizon"]} */
const KINDS = ["node", "leaf", "horizon"];

/**
 * What is searched: by which algorithm, how far; of a part of a search also the window, and the plies made; and how
 * many plies of the tree are kept, by default as many as fit.
 * @typedef {{
 *   algorithm: string, depth: number, preferShorter: boolean,
 *   alpha?: number, beta?: number, ply?: number, plies?: number,
 * }} Query
 */

/** A node of a tree, and how many nodes below it are left out. @typedef {Entered & { hidden: number }} Kept */

/**
 * The search of a position, recorded.
 * @param {Position} root
 * @param {Query} query
 */
export function recorded(root, query) {
  const { textbook } = root.game.facts;
  const { wording, longest } = constants;
  if (!Object.hasOwn(textbook, query.algorithm)) {
    throw new Refused(
      filled(wording.not_recorded, {
        name: query.algorithm,
        names: Object.keys(textbook).join(", "),
      }),
    );
  }
  if (!(query.depth >= 1 && query.depth <= longest)) {
    throw new Refused(filled(wording.depth, { depth: query.depth, most: count(longest) }));
  }
  if (root.outcome !== null) throw new Refused(filled(wording.nothing_to_search, { result: root.result }));
  return new RecordedTree(root, query, entered(root, query));
}

/** The usual search, recorded. @param {Position} root @param {string} algorithm @param {number} depth */
export const record = (root, algorithm, depth) => recorded(root, { algorithm, depth, preferShorter: true });

const count = (/** @type {number} */ number) => number.toLocaleString("en");

/** @param {Position} root @param {Query} query @returns {Entered[]} */
function entered(root, { algorithm, depth, preferShorter, alpha, beta, ply = 0 }) {
  const { rules } = root.game;
  const ends = root.lastTimes(ply);
  const {
    wording,
    microscope: { searched: room },
  } = constants;
  const asked = { state: root.state, depth, alpha, beta, preferShorter: Number(preferShorter), ply, ends, room };
  const { nodes, fields, whole } = rules.written(algorithm, asked);
  if (!whole) {
    throw new Refused(
      filled(wording.too_large, {
        name: algorithm,
        depth,
        most: count(room),
        instead: wording.smaller,
      }),
    );
  }
  /** @type {Entered[]} */
  const found = [];
  for (let at = 0; at < nodes.length; at += fields) {
    const [parent, level, move, alpha, beta, value, best, kind, cut] = Array.from(
      nodes.subarray(at, at + fields),
      Number,
    );
    const state = parent < 0 ? root.state : rules.play(found[parent].state, move);
    found.push({ parent, level, move, state, alpha, beta, value, best, kind: KINDS[kind], cut });
  }
  return found;
}

/** As many plies as are kept of a search: at least one. @param {readonly Entered[]} whole */
function pliesOf(whole) {
  /** @type {number[]} */
  const sums = [];
  for (const { level } of whole) sums[level] = (sums[level] ?? 0) + 1;
  for (let level = 1; level < sums.length; level++) sums[level] += sums[level - 1];
  return Math.max(1, sums.map((total) => total <= constants.microscope.shown).lastIndexOf(true));
}

/** A recorded search of a page, with its columns as they are sent. */
export class RecordedTree extends Tree {
  /**
   * @param {Position} root
   * @param {Query} query
   * @param {readonly Entered[]} whole
   */
  constructor(root, query, whole) {
    const entered = top(whole, query.plies ?? pliesOf(whole));
    const columns = columnsOf(root, query, whole, entered);
    const { has_window: hasWindow, ...more } = columns;
    super({ ...more, hasWindow, root, preferShorter: query.preferShorter, state: entered.map(({ state }) => state) });
    this.columns = columns;
  }

  /** The node that moves in text lead to from the root. @param {readonly string[]} moves */
  nodeAt(moves) {
    return moves.reduce((node, word) => this.childBy(node, word), 0);
  }

  /** What the cut at a node saved: how many nodes minimax visits below the moves cut off. @param {number} node */
  savedAt(node) {
    const here = this.positionAt(node);
    const depth = this.left(node) - 1;
    const {
      wording,
      microscope: { counted },
    } = constants;
    let total = 0;
    for (const word of this.skipped[node]) {
      const after = here.play(word);
      const isLeaf = depth === 0 || after.outcome !== null;
      try {
        total += isLeaf ? 1 : searched(after, "minimax", depth, { nodes: Math.max(1, counted - total) }).nodes;
      } catch (fault) {
        if (!(fault instanceof Stopped)) throw fault;
        throw new Refused(filled(wording.saved_more, { most: count(counted) }));
      }
    }
    return total;
  }

  /** The part of the search below a node, as it ran there, with what this tree does not keep. @param {number} node */
  below(node) {
    const { algorithm, preferShorter } = this;
    const [alpha, beta] = this.window(node);
    const query = { algorithm, depth: this.left(node), preferShorter, alpha, beta, ply: this.ply + this.level[node] };
    const here = this.positionAt(node);
    return new RecordedTree(here, query, entered(here, query));
  }
}

/**
 * @param {Position} root
 * @param {Query} query
 * @param {readonly Entered[]} whole
 * @param {readonly Kept[]} nodes
 * @returns {TreeView}
 */
function columnsOf({ game, text }, query, whole, nodes) {
  const { facts, rules, names } = game;
  const children = childrenOf(nodes.map(({ parent }) => parent));
  const side = nodes.map(({ state }) => rules.toMove(state));
  const perhaps = (/** @type {Entered} */ { state }, /** @type {number} */ move) =>
    move === NO_MOVE ? null : game.moveText(state, move);
  const skipped = nodes.map((node, place) => {
    const tried = new Set(children[place].map((child) => nodes[child].move));
    if (node.cut === NO_MOVE || !tried.size) return [];
    const left = rules.moves(node.state).filter((move) => !tried.has(move));
    return left.map((move) => game.moveText(node.state, move));
  });
  const hidden = nodes.map((node) => node.hidden);
  const values = new Set(nodes.flatMap(({ value, alpha, beta }) => [value, alpha, beta]));
  const isOpen = skipped.map((moves) => moves.length > 0);
  return {
    position: text,
    algorithm: query.algorithm,
    has_window: facts.textbook[query.algorithm].has_window,
    depth: query.depth,
    ply: query.ply ?? 0,
    nodes: whole.length,
    leaves: whole.filter(({ kind }) => kind !== "node").length,
    cutoffs: whole.filter(({ cut }) => cut !== NO_MOVE).length,
    names: [...names],
    words: Object.fromEntries([...values].map((value) => [value, brief(value, names)])),
    line: lineOf(nodes),
    parent: nodes.map(({ parent }) => parent),
    move: nodes.map(({ parent, move }) => (parent < 0 ? "" : game.moveText(nodes[parent].state, move))),
    side,
    alpha: nodes.map(({ alpha }) => (alpha <= -INFINITY ? null : alpha)),
    beta: nodes.map(({ beta }) => (beta >= INFINITY ? null : beta)),
    value: nodes.map(({ value }) => value),
    bound: boundsOf(nodes, hidden, side, isOpen),
    kind: nodes.map(({ kind }) => kind),
    best: nodes.map((node) => perhaps(node, node.best)),
    cut: nodes.map((node) => perhaps(node, node.cut)),
    skipped,
    hidden,
  };
}

/**
 * The first plies of a recording, and for each of their nodes how many below it are left out.
 * @param {readonly Entered[]} whole
 * @param {number} plies
 * @returns {Kept[]}
 */
function top(whole, plies) {
  const kept = whole.flatMap(({ level }, place) => (level <= plies ? [place] : []));
  const places = new Map(kept.map((place, index) => [place, index]));
  return kept.map((place, index) => ({
    ...whole[place],
    parent: places.get(whole[place].parent) ?? -1,
    hidden: (kept[index + 1] ?? whole.length) - place - 1, // the search goes depth first
  }));
}
