// The quiz: questions about searches on real positions, marked and explained.

import { answers, theBoard, theMenu } from "../answers/answers.js";
import { askingForm } from "../library/asking.js";
import "../board/board.js";
import { button, el, field, select } from "../shell/dom.js";
import { save } from "../shell/files.js";
import { frameTree } from "../tree/framed.js";
import * as link from "../shell/link.js";
import { Recorded } from "../tree/recorded.js";
import { PlyTree } from "../tree/tree.js";

/** @import { BoardView, QuestionView, Quiz, Sheet } from "models" */

const FORMS = {
  value: "as in −1, or x in 2, or choose a leaf",
  cut: "the moves, as in a1 b2, or none, or choose them in the tree",
  window: "as in [−∞, 0]",
};

/**
 * One question: the board, the tree with its leaves' values, a field for the answer.
 * @param {Quiz} quiz
 * @param {BoardView} fixed
 * @param {QuestionView} question
 * @param {number} number
 * @param {(number: number, isRight: boolean) => void} onmark
 * @returns {[node: HTMLElement, show: () => void]}
 */
function questionPart(quiz, fixed, question, number, onmark) {
  const tree = new PlyTree();
  const board = el("ply-board");
  const input = el("input", { maxLength: 400, autocomplete: "off", spellcheck: false });
  const said = el("p", { class: "marked", role: "status" });
  const answer = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const marked = await answers.ask("mark", { ...quiz, number, answer: input.value });
      said.className = `marked ${marked.right ? "right" : "not-right"}`;
      said.textContent = `${marked.right ? "Right." : `No: ${marked.answer}.`} ${marked.solution}`;
      onmark(number, marked.right);
    } catch (fault) {
      said.className = "marked";
      said.textContent = fault.message;
    }
  };
  /**
   * Take a choice in the tree as the answer: a branch of the node that is asked about, or a leaf's value.
   * @param {Recorded} tree @param {number} here @param {number} node
   */
  const choose = (tree, here, node) => {
    const isBranch = tree.parent[node] === here;
    if (question.kind === "cut" && isBranch) {
      const words = new Set(input.value.split(" ").filter((word) => word && word !== "none"));
      if (!words.delete(tree.move[node])) words.add(tree.move[node]);
      input.value = [...words].join(" ");
    }
    if (question.kind === "value" && tree.isLeaf(node)) input.value = tree.valueText(node);
  };
  const node = el(
    "section",
    { class: "question", "aria-label": `Question ${number + 1}` },
    el("h2", {}, `${number + 1}. ${question.words}`),
    el("div", { class: "columns" }, el("div", { class: "side small" }, board), frameTree(tree)),
    el(
      "form",
      { class: "ask", onsubmit: answer },
      field(`Answer ${number + 1}, ${FORMS[question.kind]}`, input),
      el("button", { class: "primary" }, "Mark it"),
    ),
    said,
  );
  const show = () => {
    const { position } = question;
    board.show({ board: fixed, position, still: true, label: `Board at the root: ${position.text}` });
    const recorded = new Recorded(question.tree);
    tree.show(recorded);
    const here = recorded.find(question.moves) ?? 0;
    tree.addEventListener("choose", ({ detail }) => {
      tree.mark(detail);
      choose(recorded, here, detail);
    });
    tree.mark(here);
  };
  return [node, show];
}

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function quiz(root, values) {
  const menu = await theMenu();
  const wanted = {
    game: values.game ?? menu.games[0].name,
    count: Number(values.count ?? 3),
    seed: Number(values.seed ?? 0),
    depth: Number(values.depth ?? 2),
  };
  const problem = el("p", { class: "problem", role: "alert" });
  const status = el("p", { class: "standing", role: "status" }, "Looking for positions…");
  const list = el("div");
  const depth = el("input", { type: "number", min: 1, max: 3, value: wanted.depth });
  const count = el("input", { type: "number", min: 1, max: 20, value: wanted.count });
  const form = await askingForm(
    { ...values, game: wanted.game },
    {
      label: "Which quiz",
      act: "Other questions",
      more: [field("Plies ahead", depth), field("Questions", count)],
      hasPosition: false,
    },
    ({ game }) => {
      const seed = Math.floor(Math.random() * 1e6);
      link.go(["quiz"], { game, count: count.value, depth: depth.value, seed });
    },
  );
  const sheet = select(
    [
      ["html", "to print (HTML)"],
      ["json", "as data (JSON)"],
    ],
    "html",
  );
  const fail = (/** @type {Error} */ fault) => (problem.textContent = fault.message);
  const chosenForm = () => /** @type {Sheet["form"]} */ (sheet.value);
  const keep = () => answers.ask("sheet", { ...wanted, form: chosenForm() }).then(save, fail);
  /** @type {Map<number, boolean>} */
  const right = new Map();
  root.replaceChildren(
    el(
      "div",
      { class: "quiz" },
      el("h1", {}, "Quiz"),
      form,
      el(
        "p",
        { class: "hint" },
        "▲ the first player to move (MAX), ▼ the second (MIN), □ leaf. Values are from the first player's side.",
      ),
      problem,
      status,
      list,
      answers.can("sheet") &&
        el("div", { class: "copyable" }, field("Worksheet with answers", sheet), button("Save", keep), el("span")),
    ),
  );
  const request = answers.ask("quiz", wanted);
  const finish = async () => {
    try {
      const [fixed, { questions }] = await Promise.all([theBoard(wanted.game), request]);
      status.textContent = `${questions.length} questions; seed ${wanted.seed} asks them again.`;
      /** @param {number} number @param {boolean} isRight */
      const countMark = (number, isRight) => {
        right.set(number, isRight);
        status.textContent = `${[...right.values()].filter(Boolean).length} of ${questions.length} right.`;
      };
      const made = questions.map((question, number) => questionPart(wanted, fixed, question, number, countMark));
      list.replaceChildren(...made.map(([node]) => node));
      for (const [, show] of made) show();
    } catch (fault) {
      status.textContent = "";
      problem.textContent = fault.message;
    }
  };
  finish();
  return { close: () => request.cancel() };
}
