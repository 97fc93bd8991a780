// What people do with an analysis: a game reviewed, moves explored.

import { constants } from "../constants.js";
import { reportOf, reviewView, scoreOf } from "../views.js";
import { earlier } from "./grades.js";
import { explored } from "./judging.js";
import { replaced } from "../python.js";
import { FIRST_LOOK, LEAST, Looker, onlyMove } from "./reviewed.js";
import { Score } from "../score.js";
import { tabled } from "./tabled.js"; // with tabled.js
import { think } from "./thinking.js";

/** @import { ReviewView } from "models" */
/** @import { Position } from "../position.js" */
/** @import { Report } from "./report.js" */
/** @import { Solved } from "./solved.js" */

/**
 * Every move of a game graded, from the last one backwards, so that what is known helps; as engine/review.py does.
 * @param {Position} end
 * @param {number} seconds For the whole game.
 * @param {Solved} solved
 * @param {number} table
 * @returns {Generator<ReviewView, void, void>}
 */
export function* review(end, seconds, solved, table) {
  const steps = end.steps();
  const looker = new Looker({ steps });
  /** @param {number} ply @param {number} time */
  const look = (ply, time) => {
    const [before, move] = [steps[ply - 1], end.moves[ply - 1]];
    if (before.legalMoves.length > 1) {
      const view = solved.find(before);
      const report = view ? reportOf(before, view) : last(think(before, { time }, { also: [move], table }));
      return looker.judged(ply, report);
    }
    const known = looker.after(ply);
    if (known) return onlyMove(before, move, known);
    const { score, variation, depth } = last(think(steps[ply], { time }, { table }));
    return onlyMove(before, move, [earlier(score), variation, depth]);
  };
  /** @param {() => readonly number[]} plies @param {number} part */
  function* looked(plies, part) {
    const until = performance.now() + 1000 * seconds * part;
    let ply = steps.length;
    for (let left; (left = plies().filter((each) => each < ply)).length;) {
      [ply] = left;
      const all = left.reduce((sum, each) => sum + looker.shares(each), 0);
      looker.keep(ply, look(ply, (Math.max(LEAST, (until - performance.now()) / 1000) * looker.shares(ply)) / all));
      yield reviewView(steps, looker.review);
    }
  }
  yield* looked(() => looker.firstPlies(), FIRST_LOOK);
  yield* looked(() => looker.doubtfulPlies(), 1 - FIRST_LOOK);
  yield reviewView(steps, replaced(looker.review, { done: true }));
}

/** The last report of a search. @param {Iterable<Report>} reports */
const last = (reports) => /** @type {Report} */ ([...reports].pop());

/**
 * Every move with what is known of it without a search; nobody has played here.
 * @param {Position} here
 * @param {Solved} solved
 */
export function explore(here, solved) {
  const known = solved.find(here);
  let scores = here.legalMoves.flatMap((move, place) => {
    const score = known ? scoreOf(known.moves[here.legalTexts[place]].score) : scoreAfter(here.after(move), solved);
    return score ? [/** @type {const} */ ([move, score])] : [];
  });
  let source = constants.solved_before;
  const listed = here.outcome === null && tabled(here); // with tabled.js
  if (listed) [scores, source] = [[...listed.moves], listed.source]; // with tabled.js
  return explored(here, scores, {}, 0, source);
}

/**
 * The score of a move, by the position after it, where that is over or was solved.
 * @param {Position} child
 * @param {Solved} solved
 */
function scoreAfter(child, solved) {
  if (child.outcome !== null) return earlier(Score.over(child.outcome));
  const known = solved.find(child);
  return known ? earlier(scoreOf(known.score)) : null;
}
