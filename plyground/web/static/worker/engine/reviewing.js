// What people do with an analysis: a game reviewed, an exercise answered, moves explored.

import { constants, filled } from "../constants.js";
import { moveViews, scoreView, SIDES, told } from "../views.js";
import { accuracyOf, earlier, graded, later, lostText } from "./grades.js";
import { compared } from "../python.js";
import { countedPlies, judged, Score } from "../score.js";
import { tabled } from "./tabled.js"; // with tabled.js
import { think } from "./thinking.js";

/** @import { ExplorerView, JudgeView, ReportView, ReviewView } from "models" */
/** @import { Position } from "../position.js" */
/** @import { Solved } from "./solved.js" */
/** @import { Report } from "./thinking.js" */

/**
 * A move under review: the scores of the best move and of this one, seen from the position before it, best play from
 * there and from the position after it, and how deep it was looked.
 * @typedef {{ best: Score, played: Score, line: readonly number[], reply: readonly number[], depth: number }} Reviewed
 */

/** Parts of the time of the first look; what is left is for moves that seem bad and are not proved so. */
const FIRST_LOOK = 0.6;

/**
 * Every move of a game graded, from the last one backwards, so that what is known helps; as engine/review.py does.
 * @param {Position} end
 * @param {number} seconds For the whole game.
 * @param {Solved} solved
 * @param {number} table
 * @returns {Generator<ReviewView, void, void>}
 */
export function* review(end, seconds, solved, table) {
  const { steps } = end;
  const moves = end.moves;
  /** By the ply of the move, from 1. @type {Reviewed[]} */
  const found = [];
  /** @param {readonly number[]} plies @param {number} part */
  function* looked(plies, part) {
    const until = performance.now() + 1000 * seconds * part;
    for (const [place, ply] of plies.entries()) {
      const time = Math.max(0.02, (until - performance.now()) / 1000) / (plies.length - place);
      found[ply] = look(ply, time);
      yield reviewView(end, found, false);
    }
  }
  /** The score of a move, by the position after it, if that is known. @param {number} ply @returns {Score | null} */
  const afterOf = (ply) => {
    const { outcome } = steps[ply];
    return outcome !== null ? earlier(Score.over(outcome)) : found[ply + 1] ? earlier(found[ply + 1].best) : null;
  };
  /** @param {number} ply @param {number} time @returns {Reviewed} */
  const look = (ply, time) => {
    const [before, move, after] = [steps[ply - 1], moves[ply - 1], afterOf(ply)];
    const side = before.toMove;
    const known = knownOf(before, solved);
    const report = known ?? [...think(before, { time }, { also: move, table })].pop();
    if (!report) throw new RangeError("no report");
    const { depth } = report;
    let { score: best, variation: line } = report;
    let played = report.moves.find(([each]) => each === move)?.[1] ?? best;
    let reply = (report.lines.find((each) => each[0] === move) ?? []).slice(1);
    if (after && after.utility !== null && !played.certain) {
      const isSeen = best.utility !== null || depth >= (after.plies ?? depth + 1);
      if (isSeen || after.winner === side) [played, reply] = [after, [...(found[ply + 1]?.line ?? [])]];
    }
    if (compared(played.order(side), best.order(side)) > 0) [best, line] = [played, [move, ...reply]];
    return { best, played, line, reply, depth };
  };
  const plies = moves.map((_, place) => moves.length - place);
  yield* looked(plies, FIRST_LOOK);
  const doubtful = plies.filter((ply) => {
    const { isBad, exact } = verdictOf(found[ply], moves[ply - 1], steps[ply - 1]);
    const after = afterOf(ply);
    return !exact && (isBad || (after !== null && after.utility !== null));
  });
  yield* looked(doubtful, 1 - FIRST_LOOK);
  yield reviewView(end, found, true);
}

/**
 * The grade of a move; it is a best one where the search would play it.
 * @param {Reviewed} found
 * @param {number} move
 * @param {Position} before
 */
function verdictOf({ best, played, line }, move, before) {
  const { toMove: side, game } = before;
  const had = line[0] === move ? best : played;
  const found = graded(best, had, side);
  const { grade, loss, exact } = found;
  const verdict = found.isBad ? `${grade}: ${lostText(found, best, had, side, game.names)}` : grade;
  return { grade, isBad: found.isBad, loss, exact, verdict };
}

/**
 * A review, as far as it has been seen.
 * @param {Position} end
 * @param {readonly Reviewed[]} found
 * @param {boolean} done
 * @returns {ReviewView}
 */
function reviewView(end, found, done) {
  const { steps, moves, game } = end;
  const verdicts = found.map((each, ply) => verdictOf(each, moves[ply - 1], steps[ply - 1]));
  /** @param {number} side */
  const accuracy = (side) => {
    const each = verdicts.flatMap(({ loss }, ply) =>
      steps[ply - 1].toMove === side && steps[ply - 1].legal.length > 1 ? [accuracyOf(loss)] : [],
    );
    return each.length ? each.reduce((sum, one) => sum + one) / each.length : null;
  };
  const views = steps.flatMap((here, ply) => {
    const [led, leads] = [found[ply], found[ply + 1]];
    if (!led && !leads) return [];
    let { best: score, line } = leads ?? { best: Score.over(here.outcome ?? 0), line: [] };
    if (led && (!leads || (score.utility === null && led.played.utility !== null)))
      [score, line] = [later(led.played), led.reply];
    const [words, notation] = [game.moveText, game.notationText].map((text) => game.lineText(here.state, line, text));
    const { grade = null, loss = 0, exact = false, verdict = "" } = verdicts[ply] ?? {};
    const move = ply ? end.words[ply - 1] : null;
    const mover = ply ? SIDES[steps[ply - 1].toMove] : null;
    const view = { ply, move, mover, score: scoreView(score, game), best: words[0] ?? null, line: words, notation };
    return [{ ...view, grade, loss, exact, verdict }];
  });
  return { total: steps.length, done, accuracy: { x: accuracy(0), o: accuracy(1) }, steps: views };
}

/**
 * Exact result of a solved position, as a report.
 * @param {Position} here
 * @param {Solved} solved
 * @returns {Pick<Report, "score" | "variation" | "depth" | "moves" | "lines"> | null}
 */
function knownOf(here, solved) {
  const known = solved.find(here);
  if (!known) return null;
  const lines = known.lines.map((line) => {
    let at = here;
    return line.map((text) => {
      const move = at.meant(text);
      at = at.play(move);
      return move;
    });
  });
  const scores = here.texts.map((text) => told(known.moves[text].score));
  const moves = here.legal.map((move, place) => /** @type {const} */ ([move, scores[place]]));
  return { score: told(known.score), variation: lines[0], depth: known.depth, moves, lines };
}
/**
 * Whether a move is right, by what was found of all moves.
 * @param {Position} here
 * @param {ReportView} report
 * @param {number} move
 * @returns {JudgeView}
 */
export function judge(here, report, move) {
  const written = here.legalNotation;
  const views = here.texts
    .map((text, place) => ({ text, written: written[place], ...report.moves[text] }))
    .filter(({ score }) => score);
  const chosen = report.moves[here.game.moveText(here.state, move)];
  const bests = views.filter(({ better }) => !better);
  const verdict = judged(told(bests[0].score), told(chosen.score), here.toMove);
  const isCertainly = verdict.gave !== null;
  const right = isCertainly ? verdict.gave === "nothing" : !chosen.better;
  const words = constants.judge_words;
  const said = right ? words.none_better : words.one_better;
  const text = !isCertainly
    ? filled(words.opinion, { said, plies: countedPlies(report.depth) })
    : !right
      ? filled(words.wrong, { verdict: verdict.text })
      : !chosen.better
        ? words.right
        : filled(words.keeps, {
            best: bests
              .slice(0, words.named)
              .map((each) => each.written)
              .join(words.either),
          });
  const best = bests.map((each) => each.text);
  return { right, certain: isCertainly, text, best, line: report.variation, notation: report.notation[0] };
}

/**
 * Every move with what is known of it without a search; nobody has played here.
 * @param {Position} here
 * @param {Solved} solved
 * @returns {ExplorerView}
 */
export function explore(here, solved) {
  const known = solved.find(here);
  let scores = here.legal.flatMap((move, place) => {
    const score = known ? told(known.moves[here.texts[place]].score) : after(here.play(move), solved);
    return score ? [/** @type {const} */ ([move, score])] : [];
  });
  let source = scores.length ? constants.judge_words.solved_before : "";
  const listed = here.outcome === null && tabled(here); // with tabled.js
  if (listed) [scores, source] = [[...listed.moves], listed.source]; // with tabled.js
  const views = moveViews(here, scores, scores.length === here.legal.length ? "best" : "best so far");
  const moves = here.texts.map((move) => ({ move, worth: views[move] ?? null, played: 0, x: 0, draws: 0, o: 0 }));
  const place = (/** @type {typeof moves[number]} */ { worth }) => worth?.better ?? moves.length;
  moves.sort((one, other) => place(one) - place(other));
  return { moves, games: 0, source };
}

/**
 * The score of a move, by the position after it, where that is over or was solved.
 * @param {Position} child
 * @param {Solved} solved
 */
function after(child, solved) {
  if (child.outcome !== null) return earlier(Score.over(child.outcome));
  const known = solved.find(child);
  return known ? earlier(told(known.score)) : null;
}
