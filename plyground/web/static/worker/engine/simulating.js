// Monte Carlo tree search: what the tree says of its root, as search/mcts.py reads it.

import { Clock, NO_LIMIT } from "./clock.js";
import { constants } from "../constants.js";
import { Stopped } from "../module.js";
import { compared, rounded } from "../python.js";
import { MAX, ONGOING } from "../rules.js";
import { Report } from "./report.js";
import { Score } from "../score.js";

/** @import { Module, Tree } from "../module.js" */
/** @import { Limit } from "./clock.js" */
/** @import { Position } from "../position.js" */

/**
 * Simulations until the limit, whose nodes they are, or until all is certain.
 * @param {Position} position
 * @param {Partial<Limit>} [limit]
 * @param {{ seed?: number, exploration?: number, tree?: number }} [wish] Mebibytes for the tree.
 * @returns {Report}
 */
export function simulate(position, limit = { nodes: constants.thinking.simulations }, wish = {}) {
  const { rules } = position.game;
  const { seed = 0, exploration, tree: room = constants.thinking.table } = wish;
  const nothing = { depth: 0, nodes: 0, leaves: 0, cutoffs: 0, seconds: 0 };
  if (position.outcome !== null) {
    return new Report({ ...nothing, score: Score.over(position.outcome), variation: [], moves: [] });
  }
  const mark = rules.mark();
  try {
    const clock = new Clock(rules, { ...NO_LIMIT, ...limit });
    const nodes = Math.floor((room * 2 ** 20) / (8 * rules.facts.mcts.FIELDS));
    const tree = rules.newTree(nodes, seed, position.lastTimes());
    const { counts } = clock;
    const asked = { counts, tree, state: position.state, simulations: Number.MAX_SAFE_INTEGER, exploration };
    try {
      clock.run(() => rules.mcts(asked));
    } catch (fault) {
      if (!(fault instanceof Stopped)) throw fault;
    }
    const { nodes: simulations, leaves, cutoffs } = counts;
    const { seconds } = clock;
    return new Report({ ...nothing, nodes: simulations, leaves, cutoffs, seconds, ...answerOf(position, tree) });
  } finally {
    rules.reset(mark);
  }
}

/**
 * What the tree says of its root.
 * @param {Position} position
 * @param {Tree} tree
 * @returns {Pick<Report, "score" | "variation" | "moves">}
 */
function answerOf(position, tree) {
  const { rules } = position.game;
  const side = position.toMove === MAX ? 1 : -1;
  const children = childrenOf(rules, tree);
  if (!children.length) {
    // not one simulation
    const opinion = new Score({ share: 0.5 });
    return { score: opinion, variation: [position.legalMoves[0]], moves: [[position.legalMoves[0], opinion]] };
  }
  const [low, high] = rules.bounds(position.state);
  const isBound = !(low >= -1 && high <= 1);
  /** @param {Child} child @returns {Score} */
  const scored = ({ certain, sum, visits }) =>
    certain !== ONGOING
      ? new Score({ utility: certain, bound: certain !== 0 && isBound })
      : new Score({ share: rounded(0.5 + sum / Math.max(visits, 1) / 2, 4) });
  const merits = children.map((node) => {
    const sure = node.certain === ONGOING ? 0 : side * node.certain;
    const share = node.certain !== ONGOING ? 0.5 + node.certain / 2 : (scored(node).share ?? 0);
    return [sure, node.visits, side * share];
  });
  const best = merits.reduce((most, merit, each) => (compared(merit, merits[most]) > 0 ? each : most), 0);
  const moves = children.map((node) => /** @type {const} */ ([node.move, scored(node)]));
  const found = moves[best][1];
  // a draw is sure, and another move may be better
  const isOpen = found.certain && found.utility === 0 && rules.field(tree, 0, "CERTAIN") === ONGOING;
  return { score: isOpen ? new Score({ share: 0.5 }) : found, variation: [moves[best][0]], moves };
}

/** @typedef {{ move: number, visits: number, sum: number, certain: number }} Child */

/**
 * What the tree holds of the moves of its root.
 * @param {Module} rules
 * @param {Tree} tree
 * @returns {Child[]}
 */
function childrenOf(rules, tree) {
  const first = rules.field(tree, 0, "CHILD");
  return Array.from({ length: rules.field(tree, 0, "CHILDREN") }, (_, place) => ({
    move: rules.field(tree, first + place, "MOVE"),
    visits: rules.field(tree, first + place, "VISITS"),
    sum: rules.field(tree, first + place, "SUM"),
    certain: rules.field(tree, first + place, "CERTAIN"),
  }));
}
