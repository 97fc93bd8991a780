// What a position is worth: a number inside the searches, a score at the edge. The page's port of score.py, which says
// what each thing means; values and scores are from the first player's side.

import { constants, filled } from "./constants.js";

/** @import { ScoreView, StepView } from "models" */
/** @typedef {NonNullable<StepView["grade"]>} Grade */

export const MAX = 0;
export const MIN = 1;
/** What the module says of the outcome of a game that goes on. */
export const ONGOING = -(2 ** 30);
export const FINAL = 2 ** 20;
export const ESTIMATES = FINAL / 2;
export const INFINITY = 2 ** 40;

/**
 * An end, or an estimate of either kind: one of `utility`, `points` and `share` is told. `bound`: the winner is sure of
 * the utility, and may get a larger one. `chance`: what points mean for the result, by a curve.
 * @typedef {{
 *   utility: number | null, plies: number | null, bound: boolean, points: number | null, share: number | null,
 *   chance: { share: number, amount: string } | null,
 * }} Score
 */

/** @typedef {readonly [x: string, o: string]} Names */

/**
 * A score, of what is known of it.
 * @param {Partial<Score>} known
 * @returns {Score}
 */
export const scoreOf = (known) => ({
  utility: null,
  plies: null,
  bound: false,
  points: null,
  share: null,
  chance: null,
  ...known,
});

/**
 * The value of a finished game of this utility, so many plies ahead.
 * @param {number} utility
 * @param {number} plies
 */
export const final = (utility, plies) => utility * FINAL - Math.sign(utility) * plies;

/**
 * The end that a value stands for, or the opinion. Without `preferShorter`, values tell no plies.
 * @param {number} value
 */
export function foreseen(value, preferShorter = true) {
  if (Math.abs(value) < ESTIMATES) return scoreOf({ points: value });
  const utility = Math.floor((Math.abs(value) + ESTIMATES) / FINAL) * Math.sign(value);
  return scoreOf({ utility, plies: preferShorter ? Math.abs(utility) * FINAL - Math.abs(value) : null });
}

/**
 * Of a game that has ended.
 * @param {number} utility
 */
export const ended = (utility) => scoreOf({ utility, plies: utility ? 0 : null });

/**
 * The score of a move, by that of the position after it: its end is a ply farther away.
 * @param {Score} score
 */
export const earlier = (score) => (score.plies === null ? score : { ...score, plies: score.plies + 1 });

/**
 * Whether the game ends with just this utility if both play perfectly.
 * @param {Score} score
 */
export const isExact = (score) => score.utility !== null && !score.bound;

/**
 * Whether nothing more can be found out.
 * @param {Score} score
 */
export const isCertain = (score) => isExact(score) && (score.utility === 0 || score.plies !== null);

/**
 * The player who wins; null for a draw or an estimate.
 * @param {Score} score
 */
export const winnerOf = (score) => (score.utility ? Number(score.utility < 0) : null);

/**
 * Equal for scores that are worth the same to a player; compared place by place, the higher is the better.
 * @param {Score} score
 * @param {number} player
 */
export function worth(score, player) {
  const amount = score.utility ?? score.points ?? 2 * (score.share ?? 0) - 1;
  return [won(score, player), player === MAX ? amount : -amount];
}

/**
 * For sorting and comparing: as `worth`, but for how soon it comes as well.
 * @param {Score} score
 * @param {number} player
 */
export function order(score, player) {
  const side = won(score, player);
  return [...worth(score, player), side * Number(score.bound), side ? -side * (score.plies ?? Infinity) : 0];
}

/**
 * Expected result for a player, 0 to 1; points without a curve approach both ends and reach neither.
 * @param {Score} score
 * @param {number} player
 */
export function expected(score, player) {
  const points = score.points ?? 0;
  const winner = winnerOf(score);
  const x =
    winner !== null
      ? 1 - winner
      : (score.chance?.share ?? score.share ?? 0.5 + (0.5 * points) / (Math.abs(points) + constants.views.even));
  return player === MAX ? x : 1 - x;
}

/** @param {Score} score @param {number} player */
const won = (score, player) => (winnerOf(score) === null ? 0 : winnerOf(score) === player ? 1 : -1);

/**
 * Below 0 where the first is less than the other, above 0 where it is more, 0 where they are the same.
 * @param {number[]} one
 * @param {number[]} other
 */
export function compared(one, other) {
  const place = one.findIndex((each, index) => each !== other[index]);
  return place < 0 ? 0 : one[place] < other[place] ? -1 : 1;
}

/**
 * Things with their scores from the best for a player to the worst; equal ones stay in their order.
 * @template Each
 * @param {readonly (readonly [Each, Score])[]} scores
 * @param {number} player
 * @returns {Each[]}
 */
export function bestFirst(scores, player) {
  const ranked = scores.map(([each, score]) => /** @type {const} */ ([each, order(score, player)]));
  return ranked.sort((one, other) => compared(other[1], one[1])).map(([each]) => each);
}

/**
 * What no other is better than for a player.
 * @template Each
 * @param {readonly (readonly [Each, Score])[]} scores
 * @param {number} player
 * @returns {Each[]}
 */
export function bestOf(scores, player) {
  const ranked = scores.map(([each, score]) => /** @type {const} */ ([each, order(score, player)]));
  return ranked.filter(([, one]) => ranked.every(([, other]) => compared(one, other) >= 0)).map(([each]) => each);
}

// -- in words ---------------------------------------------------------------------------------------------------------

/**
 * A number with so many digits after the point; half way between two, the even one, as Python rounds.
 * @param {number} number
 * @param {number} digits
 */
export function rounded(number, digits) {
  const scaled = number * 10 ** digits;
  const below = Math.floor(scaled);
  const isHalf = scaled - below === 0.5 && Number.isInteger(number * 2 ** (digits + 1));
  return isHalf ? (below + (below % 2 ? 1 : 0)) / 10 ** digits : Number(number.toFixed(digits));
}

/** @param {number} number @param {number} [digits] */
export const signed = (number, digits = 0) => (number < 0 ? "" : "+") + (number || 0).toFixed(digits);

/** @param {number} share */
const percent = (share) => `${rounded(100 * share, 0)} %`;

/**
 * By how much is won: ` by 2`, ` by 2 or more`; nothing where it is by 1.
 * @param {Pick<Score, "utility" | "bound">} score
 */
export function margin({ utility, bound }) {
  const most = Math.abs(utility ?? 0);
  const { margin: by, or_more: orMore } = constants.score_words;
  return most < 2 ? "" : filled(by, { most }) + (bound ? orMore : "");
}

/**
 * In words: `x wins in 5 plies`, `draw`, `+3 (estimate)`, `x scores 56 % of simulations`.
 * @param {Score} score
 * @param {Names} names
 */
export function text(score, names) {
  const { estimate, simulations, draw, has_won: hasWon, wins, distance } = constants.score_words;
  const { share = 0, amount = "" } = score.chance ?? {};
  if (amount) return filled(constants.score_words.chance, { name: names[MAX], share: percent(share), amount });
  if (score.points !== null) return filled(estimate, { points: signed(score.points) });
  if (score.share !== null) return filled(simulations, { name: names[MAX], share: percent(score.share) });
  const winner = winnerOf(score);
  if (winner === null) return draw;
  const far = score.plies ? filled(distance, { plies: countedPlies(score.plies) }) : "";
  return `${names[winner]} ${score.plies === 0 ? hasWon : wins}${margin(score)}${far}`;
}

/**
 * For a player, so short that it fits a cell: `wins in 5`, `loses by 4`, `draw`, `+3`, `56 %`.
 * @param {Score} score
 * @param {number} player
 */
export function brief(score, player) {
  if (score.chance || score.share !== null) return percent(expected(score, player));
  if (score.points !== null) return signed(player === MAX ? score.points : -score.points);
  const { draw, wins, loses, or_more: orMore, distance } = constants.score_words;
  const winner = winnerOf(score);
  if (winner === null) return draw;
  const far = score.plies ? filled(distance, { plies: score.plies }) : "";
  return (winner === player ? wins : loses) + (margin(score).replace(orMore, "+") || far);
}

/** A number of plies in words. @param {number} plies */
export const countedPlies = (plies) => `${plies} ${constants.score_words[plies === 1 ? "ply" : "plies"]}`;

// -- what a move did --------------------------------------------------------------------------------------------------

/**
 * What a move gave away, null where the scores do not tell, and the same in words.
 * @typedef {{ gave: "nothing" | "margin" | "draw" | "win" | null, text: string }} Verdict
 */

/**
 * A player's move, by the score of the position before it and that after it. Only what is certain is said.
 * @param {Score} before
 * @param {Score} after
 * @param {number} player
 * @returns {Verdict}
 */
export function judged(before, after, player) {
  const [had, mostHad] = between(before, player);
  const [leastHas, has] = between(after, player);
  const words = constants.score_words;
  if (has >= had && leastHas >= mostHad) return { gave: "nothing", text: words.kept };
  if (has >= had) return { gave: null, text: words.unclear };
  const gaveAway = filled(words.gave_away, { end: end(had, isExact(before)) });
  const instead = filled(words.instead, { end: end(has, isExact(after)) });
  if (had > 0 && has <= 0) return { gave: "win", text: gaveAway + instead };
  if (had === 0) return { gave: "draw", text: gaveAway + (has < -1 ? instead : "") };
  if (!isExact(before) || !isExact(after)) return { gave: "margin", text: words.part };
  const numbers = { less: had - has, end: had > 0 ? words.win : words.loss, has: Math.abs(has), had: Math.abs(had) };
  return { gave: "margin", text: filled(words.less, numbers) };
}

/**
 * The grade of a player's move beside the best one, what it lost, and both in words; as engine/move_grades.py says.
 * @param {Score} best
 * @param {Score} played
 * @param {number} player
 * @param {Names} names
 * @returns {{ grade: Grade, loss: number, exact: boolean, verdict: string }}
 */
export function graded(best, played, player, names) {
  const words = constants.grade_words;
  const { gave, text: lost } = judged(best, played, player);
  const exact = gave !== null;
  const loss = Math.max(0, expected(best, player) - expected(played, player));
  /** @param {Grade} grade @param {string} [what] @param {number | null} [plies] */
  const told = (grade, what, plies) => {
    const far = plies ? filled(constants.score_words.distance, { plies: countedPlies(plies) }) : "";
    return { grade, loss, exact, verdict: what ? `${grade}: ${what}${far}` : grade };
  };
  if (compared(order(played, player), order(best, player)) >= 0) return { ...told("best"), loss: 0 };
  const grade = /** @type {Grade} */ (words.losses.find(([least]) => loss >= least)?.[1] ?? "good");
  const least = grade === "good" ? "inaccuracy" : grade;
  if (exact) return told(gave === "margin" ? "inaccuracy" : grade, gave === "nothing" ? "" : lost);
  if (winnerOf(best) === player) return told(least, words.missed, best.plies);
  if (grade === "good") return told(grade);
  if (winnerOf(played) === 1 - player) return told(grade, words.allowed, later(played).plies);
  return told(grade, filled(words.falls, { name: names[player], loss: percent(loss) }));
}

/** What a loss of a move leaves of its player's accuracy, in percent. @param {number} loss */
export const accuracyOf = (loss) => Math.min(100, Math.max(0, 103.1668 * Math.exp(-4.354 * loss) - 3.1669));

/** The score of the position after a move, by that of the move. @param {Score} score */
export const later = (score) => (score.plies ? { ...score, plies: score.plies - 1 } : score);

/**
 * What the utility for a player is known to lie between.
 * @param {Score} score
 * @param {number} player
 * @returns {[low: number, high: number]}
 */
function between({ utility, bound }, player) {
  if (utility === null) return [-Infinity, Infinity];
  const own = player === MAX ? utility : -utility;
  return bound ? (own > 0 ? [own, Infinity] : [-Infinity, own]) : [own, own];
}

/**
 * An end as the player sees it: `win by 4`, `draw`, `loss`.
 * @param {number} own
 * @param {boolean} isSure
 */
function end(own, isSure) {
  const { win, loss, draw } = constants.score_words;
  const word = own > 0 ? win : own < 0 ? loss : draw;
  return isSure ? word + margin({ utility: own, bound: false }) : word;
}

/**
 * The score that data tells.
 * @param {ScoreView} view
 * @returns {Score}
 */
export const told = ({ utility, plies, points, share, exact }) =>
  scoreOf({ utility, plies, bound: utility !== null && !exact, points, share });
