// A search as a tree to look at, which the module writes down, node by node: as `record` of microscope/tree.py.

import { constants } from "../constants.js";
import { Refused } from "../refused.js";
import { MOST_RECORDED_NODES, tooLargeText } from "../../made/microscope/size.js";
import {
  Tree,
  columnsOf,
  firstPlies,
  pliesThatFit,
  requireRecorded,
  requireSearchable,
} from "../../made/microscope/tree.js";

/** @import { Position } from "../position.js" */
/** @import { Entered } from "../../made/search/observer.js" */

/** @type {readonly ["node", "leaf", "horizon"]} */
const KINDS = ["node", "leaf", "horizon"];

/**
 * Question to a recorded search: algorithm and depth; of a part of a search also the window, and the plies made; and how
 * many plies of the tree are kept, by default as many as fit.
 * @typedef {{
 *   algorithm: string, depth: number, preferShorter: boolean,
 *   alpha?: number, beta?: number, ply?: number, plies?: number,
 * }} Query
 */

/**
 * The search of a position, recorded.
 * @param {Position} root
 * @param {Query} query
 */
export function recordSearch(root, query) {
  requireRecorded(query.algorithm, Object.keys(root.game.facts.textbook));
  requireSearchable(root, query.depth, constants.longest);
  return new RecordedTree(root, query, enteredNodes(root, query));
}

/** The usual search, recorded. @param {Position} root @param {string} algorithm @param {number} depth */
export const record = (root, algorithm, depth) => recordSearch(root, { algorithm, depth, preferShorter: true });

/** @param {Position} root @param {Query} query @returns {Entered[]} */
function enteredNodes(root, { algorithm, depth, preferShorter, alpha, beta, ply = 0 }) {
  const { game } = root;
  const ends = root.lastTimes(ply);
  const asked = { state: root.state, depth, alpha, beta, preferShorter: Number(preferShorter), ply, ends };
  const { nodes, fields, whole } = game.writeSearch(algorithm, { ...asked, room: MOST_RECORDED_NODES });
  if (!whole) throw new Refused(tooLargeText(algorithm, depth));
  /** @type {Entered[]} */
  const found = [];
  for (let at = 0; at < nodes.length; at += fields) {
    const [parent, level, move, alpha, beta, value, best, kind, cut] = Array.from(
      nodes.subarray(at, at + fields),
      Number,
    );
    const state = parent < 0 ? root.state : game.play(found[parent].state, move);
    found.push({ parent, level, move, state, alpha, beta, value, best, kind: KINDS[kind], cut });
  }
  return found;
}

/** A recorded search of a page, with its columns as they are sent. */
export class RecordedTree extends Tree {
  /**
   * @param {Position} root
   * @param {Query} query
   * @param {readonly Entered[]} whole
   */
  constructor(root, query, whole) {
    const { game } = root;
    const { algorithm: name, depth, ply = 0, plies = pliesThatFit(whole) } = query;
    const [nodes, hidden] = firstPlies(whole, plies);
    const { has_window: hasWindow } = game.facts.textbook[name];
    const columns = columnsOf(root, { name, hasWindow, isOwn: false }, { depth, ply }, whole, nodes, hidden, game);
    const { preferShorter } = query;
    super({ ...columns, hasWindow, root, preferShorter, state: nodes.map(({ state }) => state) });
    this.columns = columns;
  }

  /** The node that moves in text lead to from the root. @param {readonly string[]} moves */
  nodeAt(moves) {
    return moves.reduce((node, word) => this.childBy(node, word), 0);
  }

  /** The part of the search below a node, as it ran there, with what this tree does not keep. @param {number} node */
  below(node) {
    const { algorithm, preferShorter } = this;
    const [alpha, beta] = this.window(node);
    const query = {
      algorithm,
      depth: this.pliesLeft(node),
      preferShorter,
      alpha,
      beta,
      ply: this.ply + this.level[node],
    };
    const here = this.positionAt(node);
    return new RecordedTree(here, query, enteredNodes(here, query));
  }
}
