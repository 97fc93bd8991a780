// What people do with an analysis: a game reviewed, an exercise answered, moves explored.

import { constants, filled } from "./constants.js";
import { moveViews, scoreView } from "./views.js";
import { countedPlies, earlier, ended, judged, told } from "./score.js";
import { think } from "./thinking.js";

/** @import { ExplorerView, JudgeView, ReportView, ReviewView, StepView } from "models" */
/** @import { Position } from "./position.js" */
/** @import { Score } from "./score.js" */
/** @import { Solved } from "./solved.js" */

/** A position's score, and best play from it in text and as players write it. */
/** @typedef {{ score: Score, line: string[], notation: string[] }} Found */

/**
 * The value of every position of a game, from the last one backwards, so that what is known helps.
 * @param {Position} end
 * @param {number} seconds For each position, at most.
 * @param {Solved} solved
 * @param {number} table
 * @returns {Generator<ReviewView, void, void>}
 */
export function* review(end, seconds, solved, table) {
  const { steps } = end;
  /** @type {Found[]} */
  const found = [];
  for (let ply = steps.length - 1; ply >= 0; ply--) {
    const known = solved.find(steps[ply]);
    if (known) found[ply] = { score: told(known.score), line: known.variation, notation: known.notation[0] };
    else {
      const report = [...think(steps[ply], { time: seconds }, { table })].pop();
      if (!report) return;
      const { game, state } = steps[ply];
      const [line, notation] = [game.moveText, game.notationText].map((text) =>
        game.lineText(state, report.variation, text));
      found[ply] = { score: report.score, line, notation };
    }
    yield { total: steps.length, steps: steps.slice(ply).map((_, place) => stepView(steps, found, ply + place)) };
  }
}

/**
 * A position under review, and the verdict on the move that led to it once the position before it is known too.
 * @param {readonly Position[]} steps
 * @param {readonly Found[]} found
 * @param {number} ply
 * @returns {StepView}
 */
function stepView(steps, found, ply) {
  const { score, line, notation } = found[ply];
  const before = steps[ply - 1];
  const verdict = found[ply - 1] ? judged(found[ply - 1].score, score, before.toMove) : null;
  return {
    ply,
    move: before ? steps[ply].words[ply - 1] : null,
    score: scoreView(score, steps[ply].game),
    best: line[0] ?? null,
    line,
    notation,
    gave: before ? (verdict?.gave ?? null) : "nothing",
    verdict: before ? (verdict?.text ?? constants.score_words.unclear) : "start",
  };
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
  const views = here.texts.map((text, place) => ({ text, written: written[place], ...report.moves[text] }))
    .filter(({ score }) => score);
  const chosen = report.moves[here.game.moveText(here.state, move)];
  const bests = views.filter(({ better }) => !better);
  const verdict = judged(told(bests[0].score), told(chosen.score), here.toMove);
  const isCertainly = verdict.gave !== null;
  const right = isCertainly ? verdict.gave === "nothing" : !chosen.better;
  const words = constants.judge_words;
  const said = right ? words.none_better : words.one_better;
  const text = !isCertainly ? filled(words.opinion, { said, plies: countedPlies(report.depth) })
    : !right ? filled(words.wrong, { verdict: verdict.text })
      : !chosen.better ? words.right
        : filled(words.keeps, { best: bests.slice(0, words.named).map((each) => each.written).join(words.either) });
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
  const scores = here.legal.flatMap((move, place) => {
    const score = known ? told(known.moves[here.texts[place]].score) : after(here.play(move), solved);
    return score ? [/** @type {const} */ ([move, score])] : [];
  });
  const views = moveViews(here, scores, scores.length === here.legal.length ? "best" : "best so far");
  const moves = here.texts.map((move) => ({ move, worth: views[move] ?? null, played: 0, x: 0, draws: 0, o: 0 }));
  const place = (/** @type {typeof moves[number]} */ { worth }) => worth?.better ?? moves.length;
  moves.sort((one, other) => place(one) - place(other));
  return { moves, games: 0, source: scores.length ? constants.judge_words.solved_before : "" };
}

/**
 * The score of a move, by the position after it, where that is over or was solved.
 * @param {Position} child
 * @param {Solved} solved
 */
function after(child, solved) {
  if (child.outcome !== null) return earlier(ended(child.outcome));
  const known = solved.find(child);
  return known ? earlier(told(known.score)) : null;
}
