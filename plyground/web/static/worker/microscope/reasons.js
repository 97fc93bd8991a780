// A recorded search in words: what a node is, and why its branches were cut off, with the numbers that decided it. The
// page's port of microscope/reasons.py.

import { constants, filled } from "../constants.js";
import { brief } from "./columns.js";
import { MAX } from "../rules.js";
import { INFINITY } from "../score.js";

/** @import { Tree } from "./recording.js" */

/** @param {Tree} tree @param {number} value */
export const short = (tree, value) => brief(value, tree.root.game.names);

/** What MIN (0) or MAX (1) would let a node be worth at most or at least. @param {Tree} tree @param {number} node */
export const windowOf = ({ columns }, node) => [columns.alpha[node] ?? -INFINITY, columns.beta[node] ?? INFINITY];

/** A node's value, with ≤ or ≥ where it is a bound, ≠ where it is wrong. @param {Tree} tree @param {number} node */
export function valueText(tree, node) {
  const { bound, value } = tree.columns;
  return bound[node] === "=" ? short(tree, value[node]) : `${bound[node]} ${short(tree, value[node])}`;
}

/** `beta cutoff` at MAX, `alpha cutoff` at MIN, or nothing. @param {Tree} tree @param {number} node */
export function cutoffName({ columns: { cut, skipped, hidden, side } }, node) {
  if (cut[node] === null || !(skipped[node].length || hidden[node])) return "";
  return constants.wording[side[node] === MAX ? "beta_cutoff" : "alpha_cutoff"];
}

/** A node in a line, as it is read aloud. @param {Tree} tree @param {number} node */
export function label(tree, node) {
  const { kind, side, hidden, move, line } = tree.columns;
  const [low, high] = windowOf(tree, node).map((edge) => short(tree, edge));
  return [
    move[node] || "root",
    kind[node] !== "node" ? "leaf" : side[node] === MAX ? "max" : "min",
    `value ${valueText(tree, node)}`,
    `window [${low}, ${high}]`,
    cutoffName(tree, node),
    line.includes(node) ? constants.wording.line : "",
    hidden[node] ? filled(constants.wording.hidden, { count: hidden[node].toLocaleString("en") }) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Why a node has its value, and if its other moves were cut off, why. @param {Tree} tree @param {number} node */
export function why(tree, node) {
  const { kind, side, value, best, bound, skipped, move } = tree.columns;
  const { wording } = constants;
  const [mover, other] = side[node] === MAX ? tree.root.game.names : [...tree.root.game.names].reverse();
  const worth = short(tree, value[node]);
  const said = { mover, other, value: worth, best: best[node] ?? "" };
  if (kind[node] === "leaf") {
    const here = tree.positionAt(node);
    return here.outcome !== null
      ? filled(wording.over, { result: here.result })
      : filled(wording.repeated, { value: valueText(tree, node) });
  }
  if (kind[node] === "horizon") return filled(wording.horizon, { value: valueText(tree, node) });
  if (!tree.children[node].length && !tree.columns.hidden[node] && !skipped[node].length)
    return filled(wording.known, { value: valueText(tree, node) });
  const extreme = wording[side[node] === MAX ? "largest" : "smallest"];
  if (bound[node] === "≠") {
    const isBetter = (/** @type {number} */ one, /** @type {number} */ than) =>
      side[node] === MAX ? value[one] > value[than] : value[one] < value[than];
    const right = tree.children[node].reduce((most, child) => (isBetter(child, most) ? child : most));
    return filled(wording.wrong, { ...said, extreme, right: short(tree, value[right]), move: move[right] });
  }
  if (!cutoffName(tree, node)) {
    const word = bound[node] === "≤" ? `${wording.at_most} ` : bound[node] === "≥" ? `${wording.at_least} ` : "";
    return filled(wording.takes, { ...said, extreme, word });
  }
  const isMax = side[node] === MAX;
  const edge = short(tree, windowOf(tree, node)[Number(isMax)]);
  const others = skipped[node].join(", ") || wording.others;
  const [how, sign] = isMax ? [wording.at_least, "≥"] : [wording.at_most, "≤"];
  return filled(wording.cut, { ...said, how, sign, edge, elsewhere: elsewhere(tree, node, other), skipped: others });
}

/** @param {Tree} tree @param {number} node @param {string} other */
function elsewhere(tree, node, other) {
  const found = setterOf(tree, node, 1 - tree.columns.side[node]);
  const { wording } = constants;
  if (found === null) return filled(wording.has_elsewhere, { other });
  const words = tree
    .path(tree.columns.parent[found])
    .slice(1)
    .map((each) => tree.columns.move[each]);
  const where = words.length ? filled(wording.after, { moves: words.join(" ") }) : wording.root;
  return filled(wording.has_with, { move: tree.columns.move[found], where, other });
}

/**
 * The node whose value is what a player already has elsewhere when a node is entered; null if there is none.
 * @param {Tree} tree
 * @param {number} node
 * @param {number} side
 */
export function setterOf(tree, node, side) {
  const bound = windowOf(tree, node)[side];
  const path = tree.path(node);
  for (let step = 1; step < path.length; step++) {
    const [above, below] = [path[step - 1], path[step]];
    if (tree.columns.side[above] !== side) continue;
    const found = tree.children[above].find((child) => child < below && tree.columns.value[child] === bound);
    if (found !== undefined) return found;
  }
  return null;
}
