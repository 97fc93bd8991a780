// The quiz: positions for questions about recorded searches, and what their answers mean, as microscope/quiz.py does. Its
// chance is the page's own, so a seed asks other questions here than there.

import { Chance } from "./play/chance.js";
import { constants, filled } from "./constants.js";
import { questionsOn } from "./microscope/questions.js";
import { minimaxSize } from "./microscope/searched.js";
import { Refused } from "./refused.js";
import { INFINITY } from "./score.js";

/** @import { Position } from "./position.js" */
/** @import { Question } from "./microscope/questions.js" */

/**
 * Questions on positions from random play.
 * @param {Position} first
 * @param {{ count: number, seed: number, depth: number }} asked
 */
export const quiz = (first, { count, seed, depth }) =>
  questionsOn(first, first.game.facts.spec, new Chance(String(seed)), count, depth, minimaxSize);

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
