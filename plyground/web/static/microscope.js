// The microscope: a search of one position as a tree, step by step, with the reason for every cut.

import "./board.js";
import { button, el, field, select } from "./dom.js";
import { save } from "./files.js";
import * as link from "./link.js";
import { Recorded, pseudocode, steps } from "./recorded.js";
import { server, usualGame } from "./socket.js";
import { PlyTree, framed } from "./tree.js";

export const ALGORITHMS = [["minimax", "minimax"], ["alphabeta", "alpha-beta"], ["ordered", "alpha-beta with ordering"]];
const FORMS = [["svg", "picture (SVG)"], ["html", "page (HTML)"], ["text", "text"], ["spy", "leaves in order"], ["dot", "Graphviz (DOT)"], ["json", "JSON"], ["pytest", "test for my own search"]];
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
    this.part = Object.fromEntries(["status", "problem", "counts", "player", "code", "node", "more"].map((name) => [name, el("div", { class: `part-${name}` })]));
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
      this.#form(), problem, status, this.cancel, counts,
      framed(this.drawing),
      el("div", { class: "beside" },
        el("section", { class: "side", "aria-label": "Step by step" }, player, code),
        el("section", { class: "side", "aria-label": "Node" }, this.board, node), more)));
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
      link.go(["tree"], { ...this.#place(), algorithm: algorithm.value, depth: depth.value, hurry: hurry.checked ? "" : "0" });
    };
    const { game, start, moves } = question;
    return el("form", { class: "ask", onsubmit: change, "aria-label": "Which search" },
      field("Algorithm", algorithm), field("Plies ahead", depth), field("Prefer the sooner win", hurry),
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
    const { algorithm, below } = this.question;
    const part = below.length ? `The part after ${below.join(" ")}: ` : "";
    this.part.counts.replaceChildren(el("p", {}, `${part}${[[tree.nodes, "nodes"], [tree.leaves, "leaves"], [tree.cutoffs, "cutoffs"]].map(([count, word]) => `${count.toLocaleString("en")} ${word}`).join(", ")}. `,
      below.length > 0 && el("a", { href: link.write(["tree"], { ...this.values, below: "", node: "", step: "" }) }, "The whole search")),
    el("p", { class: "hint" }, `▲ ${tree.names[0]} to move (MAX), ▼ ${tree.names[1]} to move (MIN), □ leaf; red and dashed: cut off${algorithm === "minimax" ? "" : "; under a node: its value, and the window [α, β] it was entered with"}; green: best play by both. Values are from ${tree.names[0]}'s side.`));
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

  // -- step by step ----------------------------------------------------------------------------------------------

  #player() {
    const speed = select(SPEEDS, "4", { "aria-label": "Speed" });
    const step = (words, act, label) => button(words, act, { "aria-label": label });
    this.playing = button("Play", () => (this.#timer ? this.#pause() : this.#play(Number(speed.value))), { pressed: false });
    speed.addEventListener("change", () => this.#timer && this.#play(Number(speed.value)));
    this.part.player.replaceChildren(el("div", { class: "part-actions", role: "group", "aria-label": "Go through the search" },
      step("«", () => this.#to(0), "Before the search"), step("‹", () => this.#to(this.#step - 1), "Previous step"), this.playing,
      step("›", () => this.#to(this.#step + 1), "Next step"), step("Next cut", () => this.#nextCut(), "Jump to the next cut"),
      step("»", () => this.#to(this.#steps.length), "After the search"), speed));
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
    const tree = this.#tree;
    const now = this.#steps[this.#step];
    const running = new Map();
    let node = now && ["enter", "back"].includes(now.kind) ? now.node : (tree.parent[now?.node] ?? -1);
    for (let step = this.#step; now && node >= 0; step--) {
      const { node: there, alpha, beta, best } = this.#steps[step];
      if (there !== node) continue;
      const window = tree.window(alpha, beta);
      const worth = best === null ? "" : tree.word(best);
      running.set(node, { worth, window, label: `${tree.move[node] || "root"}, being searched, ${worth ? `best so far ${worth}` : "nothing found yet"}, window ${window}` });
      node = tree.parent[node];
    }
    return running;
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
    else this.part.status.textContent = tree.skipped[this.#node].includes(move) ? `${move} was cut off here: it was not searched.` : `The search as shown does not go on with ${move} here.`;
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
    this.part.status.textContent = step ? this.#sentence(step) : `The search is over: ${this.#tree.said(0)}${this.#tree.line.length > 1 ? ` by ${this.#tree.move[this.#tree.line[1]]}` : ""}.`;
    this.part.code.replaceChildren(el("ol", { class: "code", "aria-label": "What the algorithm does" },
      lines.map((line, number) => el("li", { "aria-current": number === acting ? "step" : null }, line))));
  }

  #sentence({ kind, node, child, alpha, beta, best }) {
    const tree = this.#tree;
    const where = tree.move[node] ? `after ${tree.path(node).join(" ")}` : "at the root";
    const window = this.question.algorithm === "minimax" ? "" : `, window ${tree.window(alpha, beta)}`;
    const words = {
      enter: () => `Enters the node ${where}${window}.`,
      leaf: () => `The game is over ${where}: ${tree.said(node)}.`,
      horizon: () => `No ply is left ${where}: the opinion is ${tree.said(node)}.`,
      hidden: () => `The search goes on ${where}: ${tree.hidden[node].toLocaleString("en")} nodes that are not shown, value ${tree.said(node)}.`,
      back: () => `Back from ${tree.move[child]} with ${tree.said(child)}; best ${where} so far ${tree.word(best)}${window}.`,
      cut: () => `Cutoff ${where}: α ≥ β in ${tree.window(alpha, beta)}, so ${tree.skipped[node].join(", ")} need no search.`,
    };
    return words[kind]();
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
      const said = await server.ask("saved", { ...this.question, path }).then(({ nodes }) => `Minimax visits ${nodes.toLocaleString("en")} nodes below the moves cut off here.`, (fault) => fault.message);
      count.textContent = said;
    };
    return [
      el("h2", {}, tree.move[node] ? `After ${path.join(" ")}` : "The root"),
      el("p", { class: "hint" }, found.label),
      el("p", { class: "why" }, found.why),
      tree.skipped[node].length > 0 && button("How many nodes did this cut save?", saved), count,
      tree.hidden[node] > 0 && el("p", {}, el("a", { href: link.write(["tree"], { ...this.values, node: "", step: "", below: [...this.question.below, ...path].join(" ") }) }, `Look at the ${tree.hidden[node].toLocaleString("en")} nodes below`)),
    ].filter(Boolean);
  }

  #more() {
    const form = select(FORMS, "svg");
    const said = el("span", { role: "status" });
    const keep = () => server.ask("tree_file", { ...this.question, form: form.value }).then(save, (fault) => (said.textContent = fault.message));
    this.part.more.replaceChildren(el("div", { class: "copyable" }, field("Save this tree as", form), button("Save", keep), said));
  }

  #keys = (event) => {
    if (event.target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.altKey || event.metaKey || !this.#tree) return;
    const acts = { n: () => this.#to(this.#step + 1), p: () => this.#to(this.#step - 1), c: () => this.#nextCut(), t: () => this.drawing.focus() };
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
