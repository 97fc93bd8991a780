// Monte Carlo tree search: what the tree says of its root.

import { Clock, NO_LIMIT } from "./clock.js";
import { constants } from "../constants.js";
import { Stopped } from "../module.js";
import { ONGOING } from "../../made/rules.js";
import { Report } from "../../made/engine/report.js";
import { Score } from "../../made/score.js";
import { simulationAnswer } from "../../made/search/simulation.js";

/** @import { Tree } from "../module.js" */
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
  const { game } = position;
  const { seed = 0, exploration, tree: room = constants.thinking.table } = wish;
  const nothing = { depth: 0, nodes: 0, leaves: 0, cutoffs: 0, seconds: 0 };
  if (position.outcome !== null) {
    return new Report({ ...nothing, score: Score.over(position.outcome), variation: [], moves: [] });
  }
  const mark = game.mark();
  try {
    const clock = new Clock(game, { ...NO_LIMIT, ...limit });
    const nodes = Math.floor((room * 2 ** 20) / (8 * game.facts.mcts.FIELDS));
    const tree = game.newTree(nodes, seed, position.lastTimes());
    const { counts } = clock;
    const asked = { counts, tree, state: position.state, simulations: Number.MAX_SAFE_INTEGER, exploration };
    try {
      clock.run(() => game.mcts(asked));
    } catch (fault) {
      if (!(fault instanceof Stopped)) throw fault;
    }
    const { nodes: simulations, leaves, cutoffs } = counts;
    const { seconds } = clock;
    return new Report({ ...nothing, nodes: simulations, leaves, cutoffs, seconds, ...answerOf(position, tree) });
  } finally {
    game.reset(mark);
  }
}

/**
 * Report of the tree about its root.
 * @param {Position} position
 * @param {Tree} tree
 * @returns {Pick<Report, "score" | "variation" | "moves">}
 */
function answerOf(position, tree) {
  const { game } = position;
  const of = (/** @type {number} */ node, /** @type {string} */ name) => game.field(tree, node, name);
  const first = of(0, "CHILD");
  const found = Array.from({ length: of(0, "CHILDREN") }, (_, place) => {
    const node = first + place;
    return /** @type {const} */ ([of(node, "MOVE"), of(node, "VISITS"), of(node, "SUM"), of(node, "CERTAIN")]);
  });
  if (!found.length) {
    // not one simulation
    const opinion = new Score({ share: 0.5 });
    return { score: opinion, variation: [position.legalMoves[0]], moves: [[position.legalMoves[0], opinion]] };
  }
  const [low, high] = game.bounds(position.state);
  const isOpen = of(0, "CERTAIN") === ONGOING;
  const [move, score, moves] = simulationAnswer(found, position.toMove, isOpen, !(low >= -1 && high <= 1));
  return { score, variation: [move], moves };
}
