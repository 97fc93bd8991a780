// The microscope: a search of one position as a tree, step by step, with the reason for every cut.

import { answers, theBoard, theMenu, usualGame } from "../answers/answers.js";
import { askingForm } from "../library/asking.js";
import "../board/board.js";
import { button, el, field, refill, select } from "../shell/dom.js";
import { save } from "../shell/files.js";
import { tools } from "./framed.js";
import { isForPage } from "../game/keys.js";
import * as link from "../shell/link.js";
import { NodeBoards } from "./nodeboards.js";
import { beside } from "../shell/pages.js";
import { Player } from "./player.js";
import { Recorded, acting, counts, legend, running, sentence, steps } from "./recorded.js";
import { fullScreenButton, toggleFullScreen } from "../shell/screen.js";
import { PlyTree } from "./tree.js";
import { countText, gameTitle } from "../shell/words.js";

/** @import { AlgorithmView, File, NodeView, PositionView, Recorded as Question } from "models" */
/** @import { Asked } from "../answers/answers.js" */

const FORMS = [
  ["svg", "picture (SVG)"],
  ["html", "page (HTML)"],
  ["text", "text"],
  ["spy", "leaves in order"],
  ["dot", "Graphviz (DOT)"],
  ["json", "JSON"],
  ["pytest", "test for my own search"],
];
const PARTS = ["counts", "line", "code", "node", "more"];
/** A tree of so many nodes at most has a board at each that has room, without being asked. */
const BOARDS_UP_TO = 60;

/**
 * Question to a search, from the link.
 * @param {link.Values} values
 * @returns {Promise<Required<Question>>}
 */
async function readQuestion(values) {
  return {
    game: values.game ?? (await usualGame()),
    start: values.start ?? "",
    moves: values.moves ? values.moves.split(" ") : [],
    algorithm: values.algorithm ?? "alphabeta",
    depth: Number(values.depth ?? 2),
    hurry: values.hurry !== "0",
    below: values.below ? values.below.split(" ") : [],
  };
}

class Microscope {
  /** The search; null until it has been recorded, and nothing that needs it can be asked for before. */
  #tree = /** @type {Recorded} */ (/** @type {unknown} */ (null));
  #node = 0;
  #told = 0;
  /** @type {Asked<unknown> | null} */
  #asked = null;

  /**
   * @param {HTMLElement} root
   * @param {link.Values} values
   * @param {Required<Question>} question
   * @param {AlgorithmView[]} algorithms Those that can be recorded.
   */
  constructor(root, values, question, algorithms) {
    this.root = root;
    this.values = values;
    this.question = question;
    this.algorithms = algorithms;
    this.drawing = new PlyTree();
    this.player = new Player(() => this.#onStep());
    this.board = el("ply-board");
    this.part = Object.fromEntries(PARTS.map((name) => [name, el("div", { class: `part-${name}` })]));
    this.status = el("p", { class: "standing", role: "status" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.cancel = button("Stop recording", () => this.#stop(), { hidden: true });
    this.boards = button("Boards", () => this.#boards(!this.#hasBoards, true), { pressed: false });
  }

  async open() {
    const asked = answers.ask("tree", this.question);
    this.#asked = asked;
    this.status.textContent = "Recording the search…";
    this.cancel.hidden = false;
    try {
      this.#show(new Recorded(await asked));
    } catch (fault) {
      this.status.textContent = "";
      this.problem.textContent = fault.message;
    }
    this.cancel.hidden = true;
    return this;
  }

  close() {
    this.player.pause();
    this.#asked?.cancel();
    removeEventListener("keydown", this.#keys);
  }

  #stop() {
    this.#asked?.cancel();
    this.cancel.hidden = true;
    this.status.textContent = "Stopped.";
  }

  /** The page before the search has been recorded. */
  async frame() {
    const { counts, line, code, node, more } = this.part;
    const title = gameTitle((await theMenu()).games, this.question.game);
    refill(
      this.root,
      el(
        "div",
        { class: "microscope stage" },
        el(
          "div",
          { class: "head" },
          el("h1", {}, `A search of ${title}`),
          counts,
          line,
          el("span", { class: "ways" }, beside("tree", this.#place())),
        ),
        el("div", { class: "form" }, await this.#form(), this.problem),
        this.drawing,
        el("div", { class: "controls" }, this.player.node, tools(this.drawing, this.boards, fullScreenButton())),
        el("section", { class: "told", "aria-label": "What happens here" }, this.status, this.cancel, node),
        el("section", { class: "side", "aria-label": "Board and algorithm" }, this.board, code, more),
      ),
    );
    this.drawing.addEventListener("choose", ({ detail }) => this.#choose(detail));
    this.board.addEventListener("move", ({ detail }) => this.#follow(detail.move));
    addEventListener("keydown", this.#keys);
  }

  #form() {
    const { question } = this;
    const named = this.algorithms.map(({ name, title }) => /** @type {[string, string]} */ ([name, title]));
    const algorithm = select(named, question.algorithm);
    const depth = el("input", { type: "number", min: 1, max: 60, value: question.depth });
    const hurry = el("input", { type: "checkbox", checked: question.hurry });
    return askingForm(
      { ...this.values, ...this.#place() },
      {
        label: "Which search",
        act: "Search",
        more: [field("Algorithm", algorithm), field("Plies ahead", depth), field("Prefer the sooner win", hurry)],
      },
      (place) => {
        const wanted = { algorithm: algorithm.value, depth: depth.value, hurry: hurry.checked ? "" : "0" };
        link.go(["tree"], { ...place, ...wanted });
      },
    );
  }

  #place() {
    const { game, start, moves } = this.question;
    return { game, start, moves: moves.join(" ") };
  }

  /** @param {Recorded} tree */
  #show(tree) {
    this.#tree = tree;
    this.player.load(steps(tree));
    this.drawing.show(tree);
    const { below } = this.question;
    const part = below.length ? `The part after ${below.join(" ")}: ` : "";
    refill(this.part.counts, el("p", {}, `${part}${counts(tree)}. `, below.length > 0 && this.#whole()));
    this.#line();
    this.#more();
    this.#boards(tree.size <= BOARDS_UP_TO);
    const node = tree.find(this.values.node?.split(" ").filter(Boolean) ?? []) ?? 0;
    const step = Number(this.values.step ?? this.player.steps.length);
    if (step < this.player.steps.length) this.player.to(step);
    else this.#choose(node);
  }

  #whole() {
    const whole = { ...this.values, below: "", node: "", step: "" };
    return el("a", { href: link.write(["tree"], whole) }, "The whole search");
  }

  /** The best play of both, each move a way to its node. */
  #line() {
    const tree = this.#tree;
    const crumbs = tree.line.slice(1).map((node) => button(tree.move[node], () => this.#choose(node)));
    refill(
      this.part.line,
      crumbs.length > 0 &&
        el("nav", { class: "best-play", "aria-label": "Best play" }, el("span", {}, "Best play"), crumbs),
    );
  }

  get #hasBoards() {
    return this.boards.getAttribute("aria-pressed") === "true";
  }

  /** @param {boolean} wanted @param {boolean} [always] Also if the tree is then too tall. */
  async #boards(wanted, always = false) {
    this.boards.setAttribute("aria-pressed", String(wanted));
    const board = wanted ? await theBoard(this.question.game).catch(() => null) : null;
    if (this.#hasBoards !== wanted) return;
    const ask = (/** @type {number[]} */ nodes) =>
      answers.ask("boards", { ...this.question, nodes }).then(({ positions }) => positions);
    this.drawing.boards(board && new NodeBoards(board, ask, always));
  }

  // -- one node --------------------------------------------------------------------------------------------------

  #onStep() {
    this.#go(this.player.now?.node ?? 0, this.player.enteredCount);
  }

  /**
   * A node is chosen by hand; if the search has not come there, it is shown finished.
   * @param {number} node
   */
  #choose(node) {
    if (node >= this.player.enteredCount) this.player.step = this.player.steps.length;
    this.#go(node, this.player.enteredCount);
  }

  /** The nodes on the way at the current step, with what is known there by now. */
  #running() {
    return running(this.#tree, this.player.steps, this.player.step);
  }

  /**
   * A move on the board leads to its node, if the search went there.
   * @param {string} move
   */
  #follow(move) {
    const tree = this.#tree;
    const child = tree.children[this.#node].find((each) => tree.move[each] === move);
    if (child !== undefined) this.#choose(child);
    else
      this.status.textContent = tree.skipped[this.#node].includes(move)
        ? `${move} was cut off here: it was not searched.`
        : `The search as shown does not go on with ${move} here.`;
  }

  /** @param {number} node @param {number} seen */
  #go(node, seen) {
    this.#node = node;
    const held = this.drawing.contains(document.activeElement);
    this.drawing.mark(node, seen, this.#running());
    if (held) this.drawing.focus();
    this.part.line
      .querySelectorAll("button")
      .forEach((crumb, place) => crumb.setAttribute("aria-current", String(this.#tree.line[place + 1] === node)));
    this.#code();
    this.#tell();
    this.#note();
  }

  #note() {
    const step = this.player.now ? this.player.step : "";
    link.note(["tree"], { ...this.values, node: this.#tree.path(this.#node).join(" "), step });
  }

  #code() {
    const lines = this.algorithms.find(({ name }) => name === this.question.algorithm)?.pseudocode ?? [];
    const step = this.player.now;
    const acts = step ? acting(lines, step.kind) : [];
    this.status.textContent = sentence(this.#tree, step);
    this.part.code.replaceChildren(
      el(
        "ol",
        { class: "code", "aria-label": "What the algorithm does" },
        lines.map(({ text }, number) => el("li", { "aria-current": acts.includes(number) ? "step" : null }, text)),
      ),
    );
  }

  /** The board of the current node, and why it is worth what it is; late answers about other nodes are dropped. */
  async #tell() {
    const number = ++this.#told;
    const path = this.#tree.path(this.#node);
    const early = this.player.isPlaying || this.#running().has(this.#node); // too early to say why
    try {
      const found = early ? null : await answers.ask("node", { ...this.question, path });
      const position = found ? found.position : await answers.ask("position", this.#at(path));
      if (number !== this.#told) return;
      await this.#board(position);
      refill(this.part.node, found && this.#words(found, path));
    } catch (fault) {
      if (number === this.#told) this.problem.textContent = fault.message;
    }
  }

  /** @param {string[]} path */
  #at(path) {
    const { game, start, moves, below } = this.question;
    return { game, start, moves: [...moves, ...below, ...path] };
  }

  /** @param {PositionView} position */
  async #board(position) {
    const board = await theBoard(position.game);
    this.board.show({ board, position, label: `Board at this node: ${position.text}` });
  }

  /** @param {NodeView} found @param {string[]} path */
  #words(found, path) {
    const tree = this.#tree;
    const node = this.#node;
    const count = el("p", { role: "status" });
    const showSaved = async () => {
      count.textContent = "Counting…";
      count.textContent = await answers.ask("saved", { ...this.question, path }).then(
        ({ nodes }) => `Minimax visits ${countText(nodes)} nodes below the moves cut off here.`,
        (fault) => fault.message,
      );
    };
    return [
      el(
        "div",
        { class: "here" },
        el("h2", {}, tree.move[node] ? `After ${path.join(" ")}` : "The root"),
        el("p", { class: "hint" }, found.label),
        tree.skipped[node].length > 0 && button("How many nodes did this cut save?", showSaved),
        count,
      ),
      el("p", { class: "why" }, found.why),
      tree.hidden[node] > 0 && el("p", {}, this.#part(path, `Look at the ${countText(tree.hidden[node])} nodes below`)),
    ];
  }

  /**
   * A link to the search after some more moves alone.
   * @param {string[]} path
   * @param {string} words
   */
  #part(path, words) {
    const below = [...this.question.below, ...path].join(" ");
    return el("a", { href: link.write(["tree"], { ...this.values, node: "", step: "", below }) }, words);
  }

  #more() {
    const keys = el("p", { class: "hint" }, legend(this.#tree));
    if (!answers.can("tree_file")) {
      this.part.more.replaceChildren(keys);
      return;
    }
    const form = select(FORMS, "svg");
    const said = el("span", { role: "status" });
    const fail = (/** @type {Error} */ fault) => (said.textContent = fault.message);
    const chosenForm = () => /** @type {File["form"]} */ (form.value);
    const keep = () => answers.ask("tree_file", { ...this.question, form: chosenForm() }).then(save, fail);
    this.part.more.replaceChildren(
      keys,
      el("div", { class: "copyable" }, field("Save this tree as", form), button("Save", keep), said),
    );
  }

  #keys = (/** @type {KeyboardEvent} */ event) => {
    if (!isForPage(event) || !this.#tree) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      n: () => this.player.to(this.player.step + 1),
      p: () => this.player.to(this.player.step - 1),
      c: () => this.player.nextCut(),
      f: toggleFullScreen,
      t: () => this.drawing.focus(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  };
}

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function microscope(root, values) {
  const recorded = (await theMenu()).algorithms.filter((algorithm) => algorithm.recorded);
  const page = new Microscope(root, values, await readQuestion(values), recorded);
  await page.frame();
  page.open();
  return page;
}
