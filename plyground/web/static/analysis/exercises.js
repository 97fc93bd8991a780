// Mistakes of a reviewed game: the better move and its line, and each as an exercise that is judged.

import { answers, theBoard } from "../answers/answers.js";
import "../board/board.js";
import { at } from "../game/state.js";
import { button, el, refill } from "../shell/dom.js";
import { steps } from "./lines.js";
import * as link from "../shell/link.js";
import { written } from "../shell/words.js";

/** @import { JudgeView } from "models" */
/** @import { Asked } from "../answers/answers.js" */
/** @import { Ready } from "../game/state.js" */

/** @param {string} words */
const unseen = (words) => el("span", { class: "unseen" }, words);

/**
 * The mistakes that a review has found, with what was better; how far it is, while it works.
 * @param {Ready} state
 */
export function mistakes(state) {
  const { steps: seen, total } = state.analysis;
  if (!seen.length) return null;
  const { game, start, moves } = at(state);
  const { notation } = state.game.position;
  const before = new Map(seen.map((step) => [step.ply, step]));
  const bad = seen.filter(({ ply, gave }) => gave && gave !== "nothing" && before.has(ply - 1));
  const going = seen.length < total;
  return el("section", { class: "mistakes", "aria-label": "Mistakes" },
    el("h2", {}, "Mistakes"),
    going && el("p", {}, el("label", {}, `Looking at position ${total - seen.length} of ${total} `,
      el("progress", { max: total, value: seen.length }))),
    !going && !bad.length && el("p", {}, "None that can be proved."),
    el("ul", {}, bad.map((step) => {
      const was = before.get(step.ply - 1);
      const earlier = moves.slice(0, step.ply - 1);
      const exercise = link.write(["exercise"], { game, start, moves: earlier.join(" "), was: step.move });
      return el("li", {},
        el("strong", {}, `Ply ${step.ply}, ${notation[step.ply - 1]}`), `: ${step.verdict}. Better: `,
        was && steps({ game, start, moves: earlier }, was.line, was.notation),
        el("a", { class: "button", href: exercise }, "Find the better move", unseen(`, ply ${step.ply}`)));
    })));
}

/**
 * The page of an exercise: find a better move than the one that was played; of an arena's blunders one after another.
 * @param {HTMLElement} root
 * @param {link.Values} values
 * @param {(arena: string, game: string, number: number, ply: number) => Promise<string | null>} [following]
 *   The link to the blunder of an arena after one; none where there are no arenas.
 */
export async function exercise(root, values, following) {
  const { game = "", start = "", moves = "", was = "", arena, number, ply } = values;
  const at = { game, start, moves: moves ? moves.split(" ") : [] };
  const [fixed, shown] = await Promise.all([theBoard(game), answers.ask("position", at)]);
  const board = el("ply-board");
  const said = el("p", { class: "standing", role: "status" });
  const answer = el("div", { class: "answer" });
  const show = (/** @type {readonly number[] | null} */ pending = null) =>
    board.show({ board: fixed, position: shown, pending, label: `Exercise: ${shown.text}` });
  const name = (/** @type {string[]} */ words) => words.map((each) => written(shown, each)).join(", ");
  const tell = (/** @type {JudgeView} */ { best, line, notation, certain }) => refill(answer,
    el("p", {}, certain ? "Best: " : "In the engine's opinion best: ", name(best.slice(0, 5))),
    el("p", { class: "variation" }, "Best play: ", steps(at, line, notation)));
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
  board.addEventListener("refused", ({ detail }) => (said.textContent = `${detail} is not a legal move here.`));
  const giveUp = () => judge(was && shown.legal.includes(was) ? was : shown.legal[0], tell);
  const next = async () => {
    try {
      const to = await following?.(arena ?? "", game, Number(number), Number(ply));
      if (to) location.hash = to;
      else said.textContent = "That was the last one.";
    } catch (fault) {
      said.textContent = fault.message;
    }
  };
  const back = link.write(["board"], { game, start, moves });
  root.replaceChildren(el("div", { class: "table" },
    el("section", { class: "place-of-board", "aria-label": "Board" }, board),
    el("section", { class: "side", "aria-label": "Exercise" },
      el("h1", {}, "Find the better move"),
      el("p", {}, `${shown.names[shown.to_move]} is to move`, was && `, and played ${name([was])}. What is better?`),
      said,
      answer,
      el("div", { class: "part-actions" },
        button("Show the answer", giveUp),
        el("a", { class: "button", href: back }, "Analyse this position"),
        arena && following && button("The next one", next)))));
  show();
  return { close: () => asked?.cancel() };
}
