// The microscope: a search of one position as a tree, step by step, with the reason for every cut.

import "./board.js";
import { button, el, field, select } from "./dom.js";
import { save } from "./files.js";
import { isForPage } from "./keys.js";
import * as link from "./link.js";
import { Recorded, legend, pseudocode, running, sentence, steps } from "./recorded.js";
import { server, usualGame } from "./socket.js";
import { PlyTree, framed } from "./tree.js";
import { counted } from "./words.js";

export const ALGORITHMS = [
  ["minimax", "minimax"],
  ["alphabeta", "alpha-beta"],
  ["ordered", "alpha-beta with ordering"],
];
const FORMS = [
  ["svg", "picture (SVG)"],
  ["html", "page (HTML)"],
  ["text", "text"],
  ["spy", "leaves in order"],
  ["dot", "Graphviz (DOT)"],
  ["json", "JSON"],
  ["pytest", "test for my own search"],
];
const SPEEDS = [["1", "slowly"], ["4", "steadily"], ["20", "quickly"], ["120", "very quickly"]];

/** What a search was asked, from the link. */
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
  #tree = null;
  #steps = [];
  #step = 0;
  #node = 0;
  #timer = null;
  #told = 0;
  #position = null;

  constructor(root, values, question) {
    Object.assign(this, { root, values, question });
    this.#frame();
  }

  async open() {
    this.asked = server.ask("tree", this.question);
    this.part.status.textContent = "Recording the search…";
    this.cancel.hidden = false;
    try {
      this.#show(new Recorded(await this.asked));
    } catch (fault) {
      this.part.status.textContent = "";
      this.part.problem.textContent = fault.message;
    }
    this.cancel.hidden = true;
    return this;
  }

  close() {
    this.#pause();
    this.asked?.cancel();
    removeEventListener("keydown", this.#keys);
  }

  #frame() {
    this.drawing = new PlyTree();
    this.board = el("ply-board");
    const parts = ["status", "problem", "counts", "player", "code", "node", "more"];
    this.part = Object.fromEntries(parts.map((name) => [name, el("div", { class: `part-${name}` })]));
    this.part.status = el("p", { class: "standing", role: "status" });
    this.part.problem = el("p", { class: "problem", role: "alert" });
    this.cancel = button("Stop recording", () => {
      this.asked.cancel();
      this.cancel.hidden = true;
      this.part.status.textContent = "Stopped.";
    }, { hidden: true });
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
    const algorithm = select(ALGORITHMS, question.algorithm);
    const depth = el("input", { type: "number", min: 1, max: 60, value: question.depth });
    const hurry = el("input", { type: "checkbox", checked: question.hurry });
    const change = (event) => {
      event.preventDefault();
      const wanted = { algorithm: algorithm.value, depth: depth.value, hurry: hurry.checked ? "" : "0" };
      link.go(["tree"], { ...this.#place(), ...wanted });
    };
    const { game, start, moves } = question;
    return el("form", { class: "ask", onsubmit: change, "aria-label": "Which search" },
      field("Algorithm", algorithm),
      field("Plies ahead", depth),
      field("Prefer the sooner win", hurry),
      el("button", { class: "primary" }, "Search"),
      el("a", { href: link.write(["board"], { game, start, moves: moves.join(" ") }) }, "Back to the board"),
      el("a", { href: link.write(["race"], this.#place()) }, "Race the algorithms"));
  }

  #place() {
    const { game, start, moves } = this.question;
    return { game, start, moves: moves.join(" ") };
  }

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
    const speed = select(SPEEDS, "4", { "aria-label": "Speed" });
    const step = (words, act, label) => button(words, act, { "aria-label": label });
    const toggle = () => (this.#timer ? this.#pause() : this.#play(Number(speed.value)));
    this.playing = button("Play", toggle, { pressed: false });
    speed.addEventListener("change", () => this.#timer && this.#play(Number(speed.value)));
    const label = "Go through the search";
    this.part.player.replaceChildren(el("div", { class: "part-actions", role: "group", "aria-label": label },
      step("«", () => this.#to(0), "Before the search"),
      step("‹", () => this.#to(this.#step - 1), "Previous step"),
      this.playing,
      step("›", () => this.#to(this.#step + 1), "Next step"),
      step("Next cut", () => this.#nextCut(), "Jump to the next cut"),
      step("»", () => this.#to(this.#steps.length), "After the search"),
      speed));
  }

  #play(rate) {
    this.#pause();
    if (this.#step >= this.#steps.length) this.#to(0);
    const each = Math.max(1, Math.round(rate / 30)); // no more than thirty drawings a second
    this.#timer = setInterval(() => {
      this.#to(this.#step + each);
      if (this.#step >= this.#steps.length) this.#pause();
    }, (1000 * each) / rate);
    this.playing.setAttribute("aria-pressed", "true");
    this.playing.textContent = "Pause";
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.playing?.setAttribute("aria-pressed", "false");
    if (this.playing) this.playing.textContent = "Play";
  }

  #nextCut() {
    const from = this.#step >= this.#steps.length ? 0 : this.#step + 1;
    const found = this.#steps.findIndex((step, index) => index >= from && step.kind === "cut");
    this.#to(found < 0 ? this.#steps.length : found);
  }

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

  /** A node is chosen by hand; if the search has not come there, it is shown finished. */
  #choose(node) {
    const step = this.#steps[this.#step];
    const seen = step ? this.#entered() : Infinity;
    if (node >= seen) this.#step = this.#steps.length;
    this.#go(node, node >= seen ? Infinity : seen);
  }

  /** A move on the board leads to its node, if the search went there. */
  #follow(move) {
    const tree = this.#tree;
    const child = tree.children[this.#node].find((each) => tree.move[each] === move);
    if (child !== undefined) this.#choose(child);
    else this.part.status.textContent = tree.skipped[this.#node].includes(move)
      ? `${move} was cut off here: it was not searched.`
      : `The search as shown does not go on with ${move} here.`;
  }

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
    const { lines, acts } = pseudocode(this.question.algorithm);
    const step = this.#steps[this.#step];
    const acting = step ? acts[step.kind] : null;
    this.part.status.textContent = sentence(this.#tree, step);
    this.part.code.replaceChildren(el("ol", { class: "code", "aria-label": "What the algorithm does" },
      lines.map((line, number) => el("li", { "aria-current": number === acting ? "step" : null }, line))));
  }

  /** The board of the current node, and why it is worth what it is; late answers about other nodes are dropped. */
  async #tell() {
    const number = ++this.#told;
    const path = this.#tree.path(this.#node);
    const early = this.#timer || this.#running().has(this.#node); // too early to say why
    try {
      const found = await server.ask(early ? "position" : "node", early ? this.#at(path) : { ...this.question, path });
      if (number !== this.#told) return;
      this.#position = found.position ?? found;
      this.#board();
      this.part.node.replaceChildren(...(found.why ? this.#words(found, path) : []));
    } catch (fault) {
      if (number === this.#told) this.part.problem.textContent = fault.message;
    }
  }

  #at(path) {
    const { game, start, moves, below } = this.question;
    return { game, start, moves: [...moves, ...below, ...path] };
  }

  #board() {
    const { look, names, to_move: toMove, last, text } = this.#position;
    this.board.show({ look, names, toMove, last, label: `Board at this node: ${text}` });
  }

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
    ].filter(Boolean);
  }

  /** A link to the search after some more moves alone. */
  #part(path, words) {
    const below = [...this.question.below, ...path].join(" ");
    return el("a", { href: link.write(["tree"], { ...this.values, node: "", step: "", below }) }, words);
  }

  #more() {
    const form = select(FORMS, "svg");
    const said = el("span", { role: "status" });
    const fail = (fault) => (said.textContent = fault.message);
    const keep = () => server.ask("tree_file", { ...this.question, form: form.value }).then(save, fail);
    this.part.more.replaceChildren(el("div", { class: "copyable" },
      field("Save this tree as", form),
      button("Save", keep),
      said));
  }

  #keys = (event) => {
    if (!isForPage(event) || !this.#tree) return;
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

/** The page. */
export async function microscope(root, values) {
  const page = new Microscope(root, values, await asked(values));
  page.open();
  return page;
}
