// The quiz: positions for questions about recorded searches, as microscope/quiz.py does. Its
// chance is the page's own, so a seed asks other questions here than there.

import { Chance } from "./play/chance.js";
import { questionsOn } from "./microscope/questions.js";
import { minimaxSize } from "./microscope/searched.js";

/** @import { Position } from "./position.js" */

/**
 * Questions on positions from random play.
 * @param {Position} first
 * @param {{ count: number, seed: number, depth: number }} asked
 */
export const quiz = (first, { count, seed, depth }) =>
  questionsOn(first, first.game.facts.spec, new Chance(String(seed)), count, depth, minimaxSize);
