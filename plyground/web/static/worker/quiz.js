// The quiz: questions about recorded searches, and what their answers mean. The page's port of microscope/quiz.py; its
// chance is the page's own, so a seed asks other questions here than there.

import { Chance } from "./play/chance.js";
import { constants, filled } from "./constants.js";
import { Stopped } from "./module.js";
import { searched } from "./microscope/racing.js";
import { cutoffName, setterOf, short, why, windowOf } from "./microscope/reasons.js";
import { recorded } from "./microscope/recording.js";
import { Refused } from "./refused.js";
import { MAX, MIN } from "./rules.js";
import { INFINITY } from "./score.js";
import { positionView } from "./views.js";

/** @import { QuestionView } from "models" */
/** @import { Position } from "./position.js" */
/** @import { Tree } from "./microscope/recording.js" */

/**
 * A question, the right answer as `read` reads it, and its reason.
 * @typedef {{
 *   kind: QuestionView["kind"], shown: Tree, moves: string[], words: string, answer: string, solution: string,
 * }} Question
 */

/** Plies of a random game, at most. */
const LONG = 200;

/** @param {Position} root @param {string} algorithm @param {number} depth */
const tree = (root, algorithm, depth) => recorded(root, { algorithm, depth, preferShorter: true });

/**
 * Questions on positions from random play.
 * @param {Position} first
 * @param {{ count: number, seed: number, depth: number }} asked
 */
export function quiz(first, { count, seed, depth }) {
  const {
    wording,
    microscope: { most_questions: most, deepest_question: deepest },
  } = constants;
  if (!(count >= 1 && count <= most && depth >= 1 && depth <= deepest)) {
    throw new Refused(filled(wording.quiz_range, { count, depth, most, deepest }));
  }
  const chance = new Chance(String(seed));
  return Array.from({ length: count }, (_, number) =>
    ASKED[number % ASKED.length](readable(first, chance, depth), chance),
  );
}

/**
 * Minimax's tree of a position where it is small enough; else the smallest that was found.
 * @param {Position} first @param {Chance} chance @param {number} depth
 */
function readable(first, chance, depth) {
  const {
    wording,
    microscope: { readable: few, tries, searched: most },
  } = constants;
  let smallest = null;
  let nodes = most;
  for (let tried = 0; tried < tries;) {
    let here = first;
    for (let ply = 0; ply < LONG && here.outcome === null; ply++) {
      tried++;
      const size = sizeOf(here, depth, nodes);
      if (size > 2 * depth && size < nodes) [smallest, nodes] = [here, size];
      if (smallest && nodes <= few && chance.next() < 0.5) return tree(smallest, "minimax", depth);
      here = here.play(chance.of(here.legal));
    }
  }
  if (!smallest) throw new Refused(filled(wording.no_question, { name: first.game.facts.spec, depth }));
  return tree(smallest, "minimax", depth);
}

/**
 * Nodes that minimax visits; infinite where they are more than `most`.
 * @param {Position} here
 * @param {number} depth
 * @param {number} most
 */
function sizeOf(here, depth, most) {
  try {
    return searched(here, "minimax", depth, { nodes: most }).nodes;
  } catch (fault) {
    if (!(fault instanceof Stopped)) throw fault;
    return Infinity;
  }
}

// -- the kinds of question --------------------------------------------------------------------------------------------

/** @type {((shown: Tree, chance: Chance) => Question)[]} */
const ASKED = [
  (shown, chance) => {
    const node = chance.of(inner(shown, 0));
    const { names } = shown.root.game;
    const { value, side } = shown.columns;
    const words = filled(constants.wording.ask_value, { place: place(shown, node), mover: names[side[node]] });
    return {
      kind: "value",
      shown,
      moves: path(shown, node),
      words,
      answer: short(shown, value[node]),
      solution: why(shown, node),
    };
  },
  (shown, chance) => {
    const { wording } = constants;
    const cut = tree(shown.root, "alphabeta", shown.query.depth);
    const { skipped } = cut.columns;
    const some = inner(cut, 1);
    const node = chance.of([some.filter((each) => skipped[each].length), some, [0]].find(({ length }) => length) ?? []);
    return {
      kind: "cut",
      shown,
      moves: path(cut, node),
      words: filled(wording.ask_cut, { place: place(cut, node) }),
      answer: skipped[node].join(" ") || wording.none,
      solution: why(cut, node) + (cutoffName(cut, node) ? "" : ` ${wording.no_bound}`),
    };
  },
  (shown, chance) => {
    const cut = tree(shown.root, "alphabeta", shown.query.depth);
    const [low, high] = windowOf(cut, 0);
    const below = cut.nodes.map((_, node) => node).slice(1);
    const narrowed = below.filter((node) => {
      const [alpha, beta] = windowOf(cut, node);
      return alpha !== low || beta !== high;
    });
    const node = chance.of(narrowed.length ? narrowed : below);
    return {
      kind: "window",
      shown,
      moves: path(cut, node),
      words: filled(constants.wording.ask_window, { place: place(cut, node) }),
      answer: `[${windowOf(cut, node)
        .map((edge) => short(cut, edge))
        .join(", ")}]`,
      solution: [MAX, MIN].map((side) => edge(cut, node, side)).join(" "),
    };
  },
];

/** Nodes with children, from one on. @param {Tree} tree @param {number} from */
const inner = ({ children }, from) => children.flatMap((below, node) => (below.length && node >= from ? [node] : []));

/** @param {Tree} tree @param {number} node */
const path = (tree, node) =>
  tree
    .path(node)
    .slice(1)
    .map((each) => tree.columns.move[each]);

/** @param {Tree} tree @param {number} node */
function place(tree, node) {
  const moves = path(tree, node).join(" ");
  return moves ? filled(constants.wording.node_after, { moves }) : constants.wording.the_root;
}

/** Where one edge of a window comes from, in words. @param {Tree} tree @param {number} node @param {number} side */
function edge(tree, node, side) {
  const { wording } = constants;
  const name = tree.root.game.names[side];
  const word = side === MAX ? "alpha" : "beta";
  const found = setterOf(tree, node, side);
  const value = short(tree, windowOf(tree, node)[side]);
  if (found === null) return filled(wording.has_nothing, { name, word, value });
  const moves = path(tree, tree.columns.parent[found]).join(" ");
  const where = moves ? filled(wording.after, { moves }) : wording.root;
  return filled(wording.has_value, { name, word, value, where, move: tree.columns.move[found] });
}

/** What is asked, and of the tree only what may be known. @param {Question} question @returns {QuestionView} */
export function questionView({ kind, words, moves, shown: { root, columns, children } }) {
  const hides = children.map((below) => below.length > 0);
  return {
    kind,
    words,
    moves,
    position: positionView(root),
    tree: {
      ...columns,
      value: columns.value.map((value, node) => (hides[node] ? 0 : value)),
      bound: hides.map((hidden) => (hidden ? "?" : "=")),
      best: hides.map(() => null),
      line: [],
    },
  };
}

// -- reading answers --------------------------------------------------------------------------------------------------

/** Whether an answer is right, however it is written. @param {Question} question @param {string} text */
export const isRight = (question, text) => read(question, text) === read(question, question.answer);

/** What an answer says, in one way of writing it. @param {Question} question @param {string} text */
function read({ kind, shown: { root }, moves }, text) {
  const { wording } = constants;
  const form = wording[`form_${kind}`];
  if (!text.trim()) throw new Refused(filled(wording.no_answer, { form }));
  if (kind === "cut") {
    const here = moves.reduce((at, move) => at.play(at.meant(move)), root);
    const words = text
      .trim()
      .replaceAll(", ", " ")
      .split(/[\s;]+/)
      .filter((word) => !/^(none|-|)$/i.test(word));
    return [...new Set(words.map((word) => here.meant(word)))].sort().join();
  }
  const { names, marks } = root.game;
  const sides = new Map(
    [["x", "o"], marks, names].flatMap((each) => each.map((word, side) => [word.toLowerCase(), side])),
  );
  const said = [...sides.keys()]
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replace(/[^\w\s]/g, "\\$&"))
    .join("|");
  const words = new RegExp(
    `[+-]?inf(?:inity)?|(?<!\\w)(${said}) ((?:by \\d+ )?(?:wins )?in \\d+|wins)|[+-]?\\d+|none|draw`,
    "g",
  );
  const bare = text.replace(/[−–]/g, "-").replaceAll("∞", "inf").toLowerCase();
  const found = [...bare.matchAll(words)].map(([word, side, how]) =>
    side ? `${sides.get(side)} ${how.replace(/wins /, "")}` : numberIn(word),
  );
  if (found.length !== (kind === "value" ? 1 : 2)) throw new Refused(filled(wording.not_read, { text, form }));
  return found.join();
}

/** @param {string} word */
const numberIn = (word) => {
  if (word.includes("inf")) return word.startsWith("-") ? -INFINITY : INFINITY;
  return word === "draw" ? 0 : word === "none" ? word : Number(word);
};
