// A reviewed game: turning points with the better move and its line, and each mistake as an exercise that is judged.

import { answers, theBoard } from "../answers/answers.js";
import { refusal } from "../answers/refusal.js";
import "../board/board.js";
import { at, ownSides, SIDES } from "../game/state.js";
import { button, el, refill } from "../shell/dom.js";
import { isTurningPoint } from "./graph.js";
import { steps } from "./lines.js";
import * as link from "../shell/link.js";
import { PLY, numberedMove, moveNotation } from "../shell/words.js";

/** @import { JudgeView, ScoreView, StepView } from "models" */
/** @import { Asked } from "../answers/answers.js" */
/** @import { Ready } from "../game/state.js" */

/** @param {string} words */
const unseen = (words) => el("span", { class: "unseen" }, words);

/** Mistakes that are listed first, the greatest first; the others follow as they were played. */
const TURNING_POINTS = 3;

/**
 * Findings of a review, turning points first, with the better moves; its progress while it works.
 * @param {Ready} state
 */
export function review(state) {
  const { steps: seen, total, done, accuracy, note } = state.analysis;
  if (!seen.length) return null;
  const { game, start, moves } = at(state);
  const { position } = state.game;
  const before = new Map(seen.map((step) => [step.ply, step]));
  const points = seen.filter(isTurningPoint);
  const bad = points.filter(({ grade }) => grade !== "losing"); // of the others nothing better is known
  const turning = [...points].sort((one, other) => other.loss - one.loss).slice(0, TURNING_POINTS);
  const sentenceOf = (/** @type {StepView} */ step) => {
    const was = before.get(step.ply - 1);
    const earlier = moves.slice(0, step.ply - 1);
    const standingOf = (/** @type {ScoreView} */ score) => standing(score, step.mover, position.names);
    const line = was?.notation.length ? steps({ game, start, moves: earlier }, was.line, was.notation) : "";
    const here = moves.slice(0, step.ply);
    const move = numberedMove(position, step.ply);
    return el(
      "li",
      {},
      el("strong", {}, move),
      `: ${step.verdict}${step.grade === "losing" ? OPEN : "."} `,
      was && step.better && [`Better (${standingOf(step.better)}): `, line],
      step.played &&
        step.line.length > 0 && [
          `Played (${standingOf(step.played)}): `,
          steps({ game, start, moves: here }, step.line, step.notation),
        ],
      bad.includes(step) &&
        el("a", { class: "button", href: retrying(state, [step]) }, "Find the better move", unseen(`, ${move}`)),
    );
  };
  const list = (/** @type {StepView[]} */ some) => some.length > 0 && el("ul", {}, some.map(sentenceOf));
  return el(
    "section",
    { class: "mistakes", "aria-label": "Review" },
    el("h2", {}, "Review"),
    !done &&
      el(
        "p",
        {},
        el(
          "label",
          {},
          seen.length < total
            ? `Looking at position ${total - seen.length} of ${total} `
            : "Looking again at what seems wrong ",
          el("progress", { max: total, value: seen.length }),
        ),
      ),
    el(
      "dl",
      { class: "accuracy" },
      SIDES.map(
        (side) =>
          accuracy[side] !== null &&
          el(
            "div",
            {},
            el("dt", {}, position.names[side]),
            el("dd", {}, `${Math.round(accuracy[side] ?? 0)} % accurate`),
          ),
      ),
    ),
    note && el("p", {}, note),
    done &&
      !points.length &&
      el(
        "p",
        {},
        `No move that was looked at is found to lose ${seen.some(({ loss }) => loss) ? "much" : "anything"}.`,
      ),
    bad.length > 1 && el("a", { class: "button", href: retrying(state, own(state, bad)) }, "Retry your mistakes"),
    seen.some(({ score: { text } }) => /\bpl(?:y|ies)\b/.test(text)) && el("p", { class: "hint" }, PLY),
    list(turning),
    list(points.filter((step) => !turning.includes(step))),
  );
}

/** Remark on a move that lets the other side win by force, where the alternatives are not known. */
const OPEN = "; the search was not deep enough to say whether there was something better.";

/**
 * Words of a score for the side that moved, and whether that is proved.
 * @param {ScoreView} score
 * @param {StepView["mover"]} mover
 * @param {Record<string, string>} names
 */
const standing = ({ text, utility, chance }, mover, names) => {
  if (utility !== null) return `${text}, proved`;
  const share = chance === null || mover === null ? null : mover === "x" ? chance : 1 - chance;
  return `${share === null || mover === null ? text : `${names[mover]} ${percent(share)}`}, an estimate`;
};

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;

/**
 * The mistakes of the side that a person played here; all where that is both, or none.
 * @param {Ready} state
 * @param {StepView[]} bad
 */
function own({ game }, bad) {
  const sides = ownSides(game);
  const mine = bad.filter(({ mover }) => sides.length === 1 && mover === sides[0]);
  return mine.length ? mine : bad;
}

/**
 * The link to exercises of mistakes, one after another.
 * @param {Ready} state
 * @param {StepView[]} bad
 */
function retrying(state, bad) {
  const { game, start, moves } = at(state);
  return link.write(["exercise"], { game, start, moves: moves.join(" "), retry: bad.map(({ ply }) => ply).join(",") });
}

/**
 * The page of an exercise: find a better move than the one that was played; of an arena's blunders one after another.
 * @param {HTMLElement} root
 * @param {link.Values} values
 * @param {(arena: string, game: string, number: number, ply: number) => Promise<string | null>} [following]
 *   The link to the blunder of an arena after one; none where there are no arenas.
 */
export async function exercise(root, values, following) {
  const { game = "", start = "", moves = "", arena, number, ply } = values;
  const all = moves ? moves.split(" ") : [];
  const [of, ...rest] = (values.retry ?? "").split(",").map(link.plyOf).filter(Boolean);
  const was = of ? all[of - 1] : (values.was ?? "");
  const at = { game, start, moves: of ? all.slice(0, of - 1) : all };
  const [fixed, shown] = await Promise.all([theBoard(game), answers.ask("position", at)]);
  const board = el("ply-board");
  const said = el("p", { class: "standing", role: "status" });
  const answer = el("div", { class: "answer" });
  const show = (/** @type {readonly number[] | null} */ pending = null) =>
    board.show({ board: fixed, position: shown, pending, label: `Exercise: ${shown.text}` });
  const name = (/** @type {string[]} */ words) => words.map((each) => moveNotation(shown, each)).join(", ");
  const tell = (/** @type {JudgeView} */ { best, line, notation, certain }) =>
    refill(
      answer,
      el("p", {}, certain ? "Best: " : "Best in the engine's opinion: ", name(best.slice(0, 5))),
      el("p", { class: "variation" }, "Best play: ", steps(at, line, notation)),
    );
  /** The judgement that is waited for. @type {Asked<JudgeView> | null} */
  let asked = null;
  /** Judge a move: an opinion comes first where there is no proof at once. */
  const judge = (/** @type {string} */ move, /** @type {(found: JudgeView) => void} */ then) => {
    asked?.cancel();
    said.textContent = "Looking…";
    const hear = (/** @type {JudgeView} */ judged) => {
      said.textContent = `${name([move])}: ${judged.text}`;
      said.dataset.right = String(judged.right);
      then(judged);
    };
    asked = answers.ask("judge", { ...at, move }, hear);
    asked.then(hear, (fault) => {
      said.textContent = fault.message;
      show();
    });
  };
  board.addEventListener("move", ({ detail: { move, path } }) => {
    show(path);
    judge(move, (found) => {
      show();
      if (found.right) tell(found);
      else refill(answer);
    });
  });
  board.addEventListener("refused", async ({ detail }) => {
    said.textContent = await refusal(at, detail);
  });
  const giveUp = () => judge(was && shown.legal.includes(was) ? was : shown.legal[0], tell);
  const next = async () => {
    if (of) {
      location.hash = link.write(["exercise"], { game, start, moves, retry: rest.join(",") });
      return;
    }
    try {
      const to = await following?.(arena ?? "", game, Number(number), Number(ply));
      if (to) location.hash = to;
      else said.textContent = "That was the last one.";
    } catch (fault) {
      said.textContent = fault.message;
    }
  };
  const back = link.write(["board"], { game, start, moves: at.moves.join(" ") });
  root.replaceChildren(
    el(
      "div",
      { class: "table" },
      el("section", { class: "place-of-board", "aria-label": "Board" }, board),
      el(
        "section",
        { class: "side", "aria-label": "Exercise" },
        el("h1", {}, "Find the better move"),
        el("p", {}, `${shown.names[shown.to_move]} is to move`, was && `, and played ${name([was])}. What is better?`),
        said,
        answer,
        el(
          "div",
          { class: "part-actions" },
          button("Show the answer", giveUp),
          el("a", { class: "button", href: back }, "Analyse this position"),
          ((arena && following) || rest.length > 0) && button("The next one", next),
        ),
      ),
    ),
  );
  show();
  return { close: () => asked?.cancel() };
}
