// Uses of an analysis: the review of a game, the explorer of moves.

import { constants } from "../constants.js";
import { parts } from "../parts.js";
import { reportFromView, reviewView, scoreOf } from "../../made/web/views/positions.js";
import { explorerView } from "../../made/web/views/analysis.js";
import { itemAt, copyWith } from "../python.js";
import { FIRST_LOOK_SHARE, LEAST_LOOK_SECONDS, Looker } from "../../made/engine/review.js";
import { earlier, Score } from "../../made/score.js";
import { think } from "./thinking.js";

/** @import { ReviewView } from "models" */
/** @import { Position } from "../position.js" */
/** @import { Looks } from "../../made/engine/review.js" */
/** @import { Solved } from "./solved.js" */

/**
 * Every move of a game graded, from the last one backwards, so that what is known helps.
 * @param {Position} end
 * @param {number} seconds For the whole game.
 * @param {Solved} solved
 * @param {number} table
 * @returns {Generator<ReviewView, void, void>}
 */
export function* review(end, seconds, solved, table) {
  const steps = end.steps();
  const looker = new Looker({ steps });
  const over = now() + seconds;
  let until = over - seconds * (1 - FIRST_LOOK_SHARE);
  /** @type {Looks} */
  const looks = {
    report(plies, also, shares, left) {
      const here = steps[plies];
      const known = solved.find(here);
      if (known) return reportFromView(here, known);
      const time = until - now();
      return time < LEAST_LOOK_SECONDS
        ? null
        : itemAt([...think(here, { time: (time * shares) / left }, { also, table })], -1);
    },
  };
  for (const found of looker.lookAtMoves(() => looker.firstPlies(), looks)) yield reviewView(steps, found);
  until = over;
  for (const found of looker.lookAtMoves(() => looker.doubtfulPlies(), looks)) yield reviewView(steps, found);
  yield reviewView(steps, copyWith(looker.review, { done: true }));
}

const now = () => performance.now() / 1000;

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
  const table = here.outcome === null ? parts.tabled?.tableOf(here) : null;
  const listed = table?.moves(here.state);
  if (table && listed) [scores, source] = [[...listed], table.title];
  return explorerView(here, scores, {}, 0, source);
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
