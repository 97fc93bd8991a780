// The microscope: a search of one position as a tree, step by step, with the reason for every cut.

import "./board.js";
import { button, el, field, refill, select } from "./dom.js";
import { save } from "./files.js";
import { framed } from "./framed.js";
import { isForPage } from "./keys.js";
import * as link from "./link.js";
import { beside } from "./pages.js";
import { Recorded, acting, legend, running, sentence, steps } from "./recorded.js";
import { server, theBoard, theMenu, usualGame } from "./socket.js";
import { PlyTree } from "./tree.js";
import { counted } from "./words.js";

/** @import { AlgorithmView, File, NodeView, PositionView, Recorded as Question } from "models" */
/** @import { Step } from "./recorded.js" */
/** @import { Asked } from "./socket.js" */

const FORMS = [
  ["svg", "picture (SVG)"],
  ["html", "page (HTML)"],
  ["text", "text"],
  ["spy", "leaves in order"],
  ["dot", "Graphviz (DOT)"],
  ["json", "JSON"],
  ["pytest", "test for my own search"],
];
const PARTS = ["status", "problem", "counts", "player", "code", "node", "more"];
/** Steps in a second. */
const SPEEDS = [["1", "slowly"], ["4", "steadily"], ["20", "quickly"], ["120", "very quickly"]];

/**
 * What a search was asked, from the link.
 * @param {link.Values} values
 * @returns {Promise<Required<Question>>}
 */
async function asked(values) {
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
  /** @type {Step[]} */
  #steps = [];
  #step = 0;
  #node = 0;
  #timer = 0;
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
    this.board = el("ply-board");
    this.part = Object.fromEntries(PARTS.map((name) => [name, el("div", { class: `part-${name}` })]));
    this.part.status = el("p", { class: "standing", role: "status" });
    this.part.problem = el("p", { class: "problem", role: "alert" });
    this.cancel = button("Stop recording", () => this.#stop(), { hidden: true });
    this.playing = button("Play", () => this.#toggle(), { pressed: false });
    this.speed = select(SPEEDS, "4", { "aria-label": "Speed" });
    this.speed.addEventListener("change", () => this.#timer && this.#play());
    this.#frame();
  }

  async open() {
    const asked = server.ask("tree", this.question);
    this.#asked = asked;
    this.part.status.textContent = "Recording the search…";
    this.cancel.hidden = false;
    try {
      this.#show(new Recorded(await asked));
    } catch (fault) {
      this.part.status.textContent = "";
      this.part.problem.textContent = fault.message;
    }
    this.cancel.hidden = true;
    return this;
  }

  close() {
    this.#pause();
    this.#asked?.cancel();
    removeEventListener("keydown", this.#keys);
  }

  #stop() {
    this.#asked?.cancel();
    this.cancel.hidden = true;
    this.part.status.textContent = "Stopped.";
  }

  #frame() {
    const { status, problem, counts, player, code, node, more } = this.part;
    this.root.replaceChildren(el("div", { class: "microscope" },
      el("h1", {}, `A search of ${this.question.game}`),
      this.#form(),
      problem,
      status,
      this.cancel,
      counts,
      framed(this.drawing),
      el("div", { class: "beside" },
        el("section", { class: "side", "aria-label": "Step by step" }, player, code),
        el("section", { class: "side", "aria-label": "Node" }, this.board, node),
        more)));
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
    const change = (/** @type {Event} */ event) => {
      event.preventDefault();
      const wanted = { algorithm: algorithm.value, depth: depth.value, hurry: hurry.checked ? "" : "0" };
      link.go(["tree"], { ...this.#place(), ...wanted });
    };
    return el("form", { class: "ask", onsubmit: change, "aria-label": "Which search" },
      field("Algorithm", algorithm),
      field("Plies ahead", depth),
      field("Prefer the sooner win", hurry),
      el("button", { class: "primary" }, "Search"),
      beside("tree", this.#place()));
  }

  #place() {
    const { game, start, moves } = this.question;
    return { game, start, moves: moves.join(" ") };
  }

  /** @param {Recorded} tree */
  #show(tree) {
    this.#tree = tree;
    this.#steps = steps(tree);
    this.drawing.show(tree);
    this.part.counts.replaceChildren(
      el("p", {}, `${this.#counts()}. `, this.question.below.length > 0 && this.#whole()),
      el("p", { class: "hint" }, legend(tree)));
    this.#player();
    this.#more();
    const node = tree.find(this.values.node?.split(" ").filter(Boolean) ?? []) ?? 0;
    const step = Number(this.values.step ?? this.#steps.length);
    if (step < this.#steps.length) this.#to(step);
    else {
      this.#step = this.#steps.length;
      this.#choose(node);
    }
  }

  #counts() {
    const { nodes, leaves, cutoffs } = this.#tree;
    const { below } = this.question;
    const part = below.length ? `The part after ${below.join(" ")}: ` : "";
    return `${part}${counted(nodes)} nodes, ${counted(leaves)} leaves, ${counted(cutoffs)} cutoffs`;
  }

  #whole() {
    const whole = { ...this.values, below: "", node: "", step: "" };
    return el("a", { href: link.write(["tree"], whole) }, "The whole search");
  }

  // -- step by step ----------------------------------------------------------------------------------------------

  #player() {
    /** @param {string} words @param {() => void} act @param {string} label */
    const step = (words, act, label) => button(words, act, { "aria-label": label });
    const label = "Go through the search";
    this.part.player.replaceChildren(el("div", { class: "part-actions", role: "group", "aria-label": label },
      step("«", () => this.#to(0), "Before the search"),
      step("‹", () => this.#to(this.#step - 1), "Previous step"),
      this.playing,
      step("›", () => this.#to(this.#step + 1), "Next step"),
      step("Next cut", () => this.#nextCut(), "Jump to the next cut"),
      step("»", () => this.#to(this.#steps.length), "After the search"),
      this.speed));
  }

  #toggle() {
    if (this.#timer) this.#pause();
    else this.#play();
  }

  #play() {
    const rate = Number(this.speed.value);
    this.#pause();
    if (this.#step >= this.#steps.length) this.#to(0);
    const each = Math.max(1, Math.round(rate / 30)); // no more than thirty drawings a second
    this.#timer = window.setInterval(() => {
      this.#to(this.#step + each);
      if (this.#step >= this.#steps.length) this.#pause();
    }, (1000 * each) / rate);
    this.playing.setAttribute("aria-pressed", "true");
    this.playing.textContent = "Pause";
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.playing.setAttribute("aria-pressed", "false");
    this.playing.textContent = "Play";
  }

  #nextCut() {
    const from = this.#step >= this.#steps.length ? 0 : this.#step + 1;
    const found = this.#steps.findIndex((step, index) => index >= from && step.kind === "cut");
    this.#to(found < 0 ? this.#steps.length : found);
  }

  /** @param {number} step */
  #to(step) {
    if (!this.#tree) return;
    this.#step = Math.max(0, Math.min(step, this.#steps.length));
    const now = this.#steps[this.#step];
    this.#go(now ? now.node : 0, now ? this.#entered() : Infinity);
  }

  /** The nodes on the way at the current step, with what is known there by now. */
  #running() {
    return running(this.#tree, this.#steps, this.#step);
  }

  /** How many nodes have been entered by the current step: nodes are numbered in that order. */
  #entered() {
    for (let step = this.#step; ; step--) if (this.#steps[step].kind === "enter") return this.#steps[step].node + 1;
  }

  // -- one node --------------------------------------------------------------------------------------------------

  /**
   * A node is chosen by hand; if the search has not come there, it is shown finished.
   * @param {number} node
   */
  #choose(node) {
    const step = this.#steps[this.#step];
    const seen = step ? this.#entered() : Infinity;
    if (node >= seen) this.#step = this.#steps.length;
    this.#go(node, node >= seen ? Infinity : seen);
  }

  /**
   * A move on the board leads to its node, if the search went there.
   * @param {string} move
   */
  #follow(move) {
    const tree = this.#tree;
    const child = tree.children[this.#node].find((each) => tree.move[each] === move);
    if (child !== undefined) this.#choose(child);
    else this.part.status.textContent = tree.skipped[this.#node].includes(move)
      ? `${move} was cut off here: it was not searched.`
      : `The search as shown does not go on with ${move} here.`;
  }

  /** @param {number} node @param {number} seen */
  #go(node, seen) {
    this.#node = node;
    const held = this.drawing.contains(document.activeElement);
    this.drawing.mark(node, seen, this.#running());
    if (held) this.drawing.focus();
    this.#code();
    this.#tell();
    this.#note();
  }

  #note() {
    const step = this.#step < this.#steps.length ? this.#step : "";
    link.note(["tree"], { ...this.values, node: this.#tree.path(this.#node).join(" "), step });
  }

  #code() {
    const lines = this.algorithms.find(({ name }) => name === this.question.algorithm)?.pseudocode ?? [];
    const step = this.#steps[this.#step];
    const acts = step ? acting(lines, step.kind) : [];
    this.part.status.textContent = sentence(this.#tree, step);
    this.part.code.replaceChildren(el("ol", { class: "code", "aria-label": "What the algorithm does" },
      lines.map(({ text }, number) => el("li", { "aria-current": acts.includes(number) ? "step" : null }, text))));
  }

  /** The board of the current node, and why it is worth what it is; late answers about other nodes are dropped. */
  async #tell() {
    const number = ++this.#told;
    const path = this.#tree.path(this.#node);
    const early = this.#timer || this.#running().has(this.#node); // too early to say why
    try {
      const found = early ? null : await server.ask("node", { ...this.question, path });
      const position = found ? found.position : await server.ask("position", this.#at(path));
      if (number !== this.#told) return;
      await this.#board(position);
      refill(this.part.node, found && this.#words(found, path));
    } catch (fault) {
      if (number === this.#told) this.part.problem.textContent = fault.message;
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
    const saved = async () => {
      count.textContent = "Counting…";
      count.textContent = await server.ask("saved", { ...this.question, path }).then(
        ({ nodes }) => `Minimax visits ${counted(nodes)} nodes below the moves cut off here.`,
        (fault) => fault.message);
    };
    return [
      el("h2", {}, tree.move[node] ? `After ${path.join(" ")}` : "The root"),
      el("p", { class: "hint" }, found.label),
      el("p", { class: "why" }, found.why),
      tree.skipped[node].length > 0 && button("How many nodes did this cut save?", saved),
      count,
      tree.hidden[node] > 0 && el("p", {}, this.#part(path, `Look at the ${counted(tree.hidden[node])} nodes below`)),
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
    const form = select(FORMS, "svg");
    const said = el("span", { role: "status" });
    const fail = (/** @type {Error} */ fault) => (said.textContent = fault.message);
    const chosen = () => /** @type {File["form"]} */ (form.value);
    const keep = () => server.ask("tree_file", { ...this.question, form: chosen() }).then(save, fail);
    this.part.more.replaceChildren(el("div", { class: "copyable" },
      field("Save this tree as", form),
      button("Save", keep),
      said));
  }

  #keys = (/** @type {KeyboardEvent} */ event) => {
    if (!isForPage(event) || !this.#tree) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      n: () => this.#to(this.#step + 1),
      p: () => this.#to(this.#step - 1),
      c: () => this.#nextCut(),
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
  const page = new Microscope(root, values, await asked(values), recorded);
  page.open();
  return page;
}
