// The quiz: positions for questions about recorded searches, and what their answers mean, as microscope/quiz.py does. Its
// chance is the page's own, so a seed asks other questions here than there.

import { Chance } from "./play/chance.js";
import { constants, filled } from "./constants.js";
import { Stopped } from "./module.js";
import { searched } from "./microscope/racing.js";
import { askCut, askValue, askWindow, readable } from "./microscope/questions.js";
import { record } from "./microscope/recording.js";
import { Refused } from "./refused.js";
import { INFINITY } from "./score.js";
import { view } from "./views.js";

/** @import { QuestionView } from "models" */
/** @import { Position } from "./position.js" */
/** @import { RecordedTree } from "./microscope/recording.js" */
/** @import { Question } from "./microscope/questions.js" */

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
    ASKED[number % ASKED.length](treeOf(first, chance, depth), chance),
  );
}

/**
 * Minimax's tree of a position where it is small enough; else the smallest that was found.
 * @param {Position} first @param {Chance} chance @param {number} depth
 */
function treeOf(first, chance, depth) {
  const found = readable(first, chance, depth, sizeOf, constants.microscope.searched);
  if (!found) throw new Refused(filled(constants.wording.no_question, { name: first.game.facts.spec, depth }));
  return record(found, "minimax", depth);
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

const ASKED = [askValue, askCut, askWindow];

/** What is asked, and of the tree only what may be known. @param {Question} question @returns {QuestionView} */
export function questionView({ kind, words, moves, shown }) {
  const { root } = shown;
  const { columns } = /** @type {RecordedTree} */ (shown);
  const hides = columns.parent.map((_, node) => shown.children(node).length > 0);
  return {
    kind,
    words,
    moves: [...moves],
    position: view(root.game.facts.spec, root),
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
    const here = moves.reduce((at, move) => at.play(move), root);
    const words = text
      .trim()
      .replaceAll(", ", " ")
      .split(/[\s;]+/)
      .filter((word) => !/^(none|-|)$/i.test(word));
    return [...new Set(words.map((word) => here.legal(word)))].sort().join();
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
