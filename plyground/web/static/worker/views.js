// Positions, scores and reports as the page gets them: the page's port of what web/views/positions.py makes of them.

import { compared, rounded } from "./python.js";
import { MAX } from "./rules.js";
import { Score } from "./score.js";

/** @import { MoveView, PositionView, ReportView, ScoreView } from "models" */
/** @import { Game } from "./game.js" */
/** @import { Position } from "./position.js" */
/** @import { Report } from "./engine/thinking.js" */

/** @type {readonly ["x", "o"]} */
export const SIDES = ["x", "o"];

/**
 * A position to draw.
 * @param {Position} here
 * @returns {PositionView}
 */
export function positionView(here) {
  const { game, outcome } = here;
  const [x, o] = game.names;
  return {
    game: game.facts.spec,
    start: here.startText,
    plies_before: here.pliesBefore,
    moves: here.words,
    notation: here.notation,
    text: here.text,
    names: { x, o },
    to_move: SIDES[here.toMove],
    notice: outcome === null ? game.noticeText(here.state) : "",
    over: outcome !== null,
    result: here.result,
    winner: outcome ? SIDES[Number(outcome < 0)] : null,
    legal: here.texts,
    legal_notation: here.legalNotation,
    paths: here.paths,
    must_pass: here.legal.length === 1 && game.facts.board.places.length > 0 && !here.paths[0].length,
    last: here.last,
    look: game.look(here.state),
  };
}

/**
 * A score as data.
 * @param {Score} score
 * @param {Game} game
 * @returns {ScoreView}
 */
export function scoreView(score, { names }) {
  const { utility, plies, points, share } = score;
  const winner = score.winner;
  const bar = score.expected(MAX);
  return {
    text: score.text(names),
    exact: score.exact,
    winner: winner === null ? null : SIDES[winner],
    utility,
    plies,
    points,
    share,
    chance: score.chance?.share ?? null,
    bar,
    ahead: bar === 0.5 ? null : SIDES[Number(bar < 0.5)],
  };
}

/**
 * The score that data tells.
 * @param {ScoreView} view
 */
export const told = ({ utility, plies, points, share, exact }) =>
  new Score({ utility, plies, bound: utility !== null && !exact, points, share });

/**
 * What a score means for a player.
 * @param {Score} score
 * @param {number} player
 * @returns {MoveView["tone"]}
 */
function toneOf(score, player) {
  const winner = score.winner;
  if (winner !== null) return winner === player ? "good" : "bad";
  if (score.exact) return "even";
  const ahead = score.expected(player) - 0.5;
  return ahead > 0 ? "hopeful" : ahead < 0 ? "doubtful" : "unsure";
}

/**
 * What each move is worth, by its text, and which are the best.
 * @param {Position} here
 * @param {readonly (readonly [number, Score])[]} moves
 * @param {"best" | "best so far"} word What the best ones are called.
 * @returns {Record<string, MoveView>}
 */
export function moveViews(here, moves, word) {
  const mover = here.toMove;
  const worths = moves.map(([, score]) => score.order(mover)).sort((one, other) => compared(other, one));
  return Object.fromEntries(
    moves.map(([move, score]) => {
      const own = score.order(mover);
      const better = worths.findIndex((each) => compared(each, own) === 0);
      return [
        here.game.moveText(here.state, move),
        {
          score: scoreView(score, here.game),
          brief: score.brief(mover),
          brief_x: score.brief(MAX),
          tone: toneOf(score, mover),
          best: better ? "" : word,
          better,
        },
      ];
    }),
  );
}

/**
 * A report as data.
 * @param {Position} here
 * @param {Report} report
 * @returns {ReportView}
 */
export function reportView(here, report) {
  const { game, state } = here;
  const isGuessed = ![report.score, ...report.moves.map(([, score]) => score)].every(({ exact }) => exact);
  const lines = report.lines.length ? report.lines : [report.variation];
  return {
    depth: report.depth,
    nodes: report.nodes,
    seconds: rounded(report.seconds, 4),
    certain: isSettled(report),
    score: scoreView(report.score, game),
    variation: game.lineText(state, report.variation),
    lines: lines.map((line) => game.lineText(state, line)),
    notation: lines.map((line) => game.lineText(state, line, game.notationText)),
    moves: moveViews(here, report.moves, isSettled(report) ? "best" : "best so far"),
    scale: isGuessed ? game.facts.scales[here.toMove] : "",
    source: report.source,
    why_plain: null,
  };
}

/**
 * Whether nothing more can be found: who wins, by how much and how soon, and so of each move asked for.
 * @param {Report} report
 */
const isSettled = (report) => report.score.certain && report.moves.every(([, score]) => score.certain);
