// A board with all that belongs to it: playing, analysing, going back and forth, sharing.

import "./board.js";
import { button, el, refill } from "./dom.js";
import { save } from "./files.js";
import { graph } from "./graph.js";
import { isForPage } from "./keys.js";
import * as link from "./link.js";
import * as panel from "./panel.js";
import { links, texts } from "./sharing.js";
import { server, theBoard, theTitles } from "./socket.js";
import { begin, sentTo, whyNot } from "./source.js";
import { click } from "./sound.js";
import { Thoughts } from "./thoughts.js";

/** @import { BoardView, PositionView } from "models" */
/** @import { Source } from "./source.js" */

export class Table {
  #message = "";
  #thoughts = new Thoughts({
    found: () => this.#drawThoughts(),
    reviewed: () => {
      this.#drawMoves();
      this.#drawBar();
    },
    failed: (sentence) => this.#fail(sentence),
  });
  #redo = /** @type {string[][]} */ ([]);
  #pending = /** @type {readonly number[] | null} */ (null);
  #sends = /** @type {number[] | null} */ (null);
  #asking = false;
  #fixed = /** @type {BoardView} */ (/** @type {unknown} */ (null));
  #titles = /** @type {Record<string, string>} */ ({});
  /** The position as the game stands; and the one that is shown, null before the first. */
  live = /** @type {PositionView} */ (/** @type {unknown} */ (null));
  shown = this.live;

  /**
   * @param {HTMLElement} root
   * @param {Source} source
   */
  constructor(root, source) {
    this.root = root;
    this.source = source;
    this.board = el("ply-board");
    this.part = panel.parts();
    this.ply = source.values.ply === undefined ? null : Number(source.values.ply);
    this.flipped = source.values.flip === "1";
    this.values = source.values.values === "1";
    this.#frame();
  }

  async open() {
    try {
      if (this.source.kept) this.#titles = await theTitles();
      await this.source.open(
        (position, fault) => this.#changed(position, fault),
        (found, asked) => this.#thoughts.hear(found, asked));
    } catch (fault) {
      this.#fail(fault.message);
    }
    return this;
  }

  close() {
    this.#thoughts.leave();
    this.source.close();
    removeEventListener("keydown", this.#keys);
  }

  #frame() {
    this.root.replaceChildren(panel.frame(this.board, this.part));
    this.board.addEventListener("move", ({ detail }) => this.#move(detail));
    this.board.addEventListener("refused", ({ detail }) => this.#say(`${detail} is not a legal move here.`));
    this.board.addEventListener("preview", ({ detail }) => this.#preview(detail));
    addEventListener("keydown", this.#keys);
  }

  // -- what changes ----------------------------------------------------------------------------------------------

  /** @param {PositionView | null} position @param {string} [fault] */
  async #changed(position, fault) {
    if (fault || !position) return this.#fail(fault ?? "");
    const before = this.live;
    this.live = position;
    if (before && position.moves.length > before.moves.length) click();
    if (before && position.moves.length !== before.moves.length) this.ply = null;
    if (before?.moves.some((move, ply) => move !== position.moves[ply])) this.#thoughts.steps = [];
    this.#pending = null;
    await this.#show();
  }

  get #last() {
    return this.live.moves.length;
  }

  get #at() {
    return this.ply === null || this.ply > this.#last ? this.#last : this.ply;
  }

  /** Draw the position at the shown ply. */
  async #show() {
    const at = this.#at;
    const [fixed, shown] = await Promise.all([
      theBoard(this.live.game),
      at === this.#last ? this.live : server.ask("position", this.source.at(at)),
    ]);
    if (at !== this.#at) return;
    [this.#fixed, this.shown] = [fixed, shown];
    this.#sends = null;
    link.note(...this.source.link(at === this.#last && this.source.kept ? null : at));
    this.#thoughts.leave();
    if (this.values) this.#analyse();
    this.#draw();
  }

  /** @param {number} ply */
  #go(ply) {
    const at = Math.max(0, Math.min(ply, this.#last));
    this.ply = at === this.#last ? null : at;
    this.#message = "";
    this.#show().catch((fault) => this.#fail(fault.message));
  }

  /** @param {() => unknown} action */
  async #do(action) {
    this.#message = "";
    try {
      await action();
    } catch (fault) {
      this.#pending = null;
      this.#fail(fault.message);
    }
  }

  /** @param {string} sentence */
  #fail(sentence) {
    this.#message = sentence;
    if (this.shown) this.#draw();
    else this.part.problem.textContent = sentence;
  }

  /** @param {string} sentence */
  #say(sentence) {
    this.#message = sentence;
    this.part.problem.textContent = sentence;
  }

  // -- playing ---------------------------------------------------------------------------------------------------

  /** @param {{ move: string, path: readonly number[] }} chosen */
  #move({ move, path }) {
    if (this.#asking) return this.#refute(move);
    const position = this.shown;
    if (this.source.kept && this.#at !== this.#last) {
      return this.#say("This is an earlier position: try again from here, or go to the last move.");
    }
    if (!this.source.mayMove(position)) {
      return this.#say(this.source.over ? "The game is over." : "It is not your turn.");
    }
    this.#pending = path;
    this.#redo = [];
    this.#drawBoard(); // the own mark shows before the server has answered
    this.#do(() => this.source.play(move, this.#at, position.to_move));
  }

  async #undo() {
    const before = this.live.moves;
    await this.source.undo();
    this.#redo.push(before.slice(this.live.moves.length));
  }

  async #redoOne() {
    const moves = this.#redo.pop() ?? [];
    for (const move of moves) await this.source.play(move, this.#last, this.live.to_move);
  }

  // -- analysing -------------------------------------------------------------------------------------------------

  #toggleValues() {
    this.values = !this.values;
    this.source.values.values = this.values ? "1" : "";
    link.note(...this.source.link(this.ply));
    this.#thoughts.leave();
    this.#thoughts.found = null;
    if (this.values) this.#analyse();
    this.#draw();
  }

  #analyse() {
    if (!this.shown.over) this.#thoughts.study(this.source.at(this.#at));
  }

  #review() {
    return this.#do(() => this.#thoughts.review(this.source.at()));
  }

  /**
   * "Why not this move?": the move, and the best play after it, as a line to step through.
   * @param {string} move
   */
  async #refute(move) {
    this.#asking = false;
    await this.#do(async () => link.go(["board"], await whyNot(this.source.at(this.#at), move)));
  }

  /** @param {string | null} move */
  async #preview(move) {
    if (!this.shown?.look.fates.length) return;
    this.#hovered = move;
    const sends = move ? await sentTo(this.source.at(this.#at), move) : null;
    if (this.#hovered !== move) return;
    this.#sends = sends;
    this.#drawBoard();
  }

  #hovered = /** @type {string | null} */ (null);

  // -- drawing ---------------------------------------------------------------------------------------------------

  #draw() {
    this.part.title.textContent = this.live.game;
    this.part.problem.textContent = this.#message;
    const shown = this.#at === this.#last
      ? panel.standing(this.source, this.live)
      : `After ply ${this.#at} of ${this.#last}.`;
    this.part.status.textContent = [shown, this.source.values.why].filter(Boolean).join(" ");
    this.part.sides.replaceChildren(this.source.kept ? panel.sides(this.source, this.live, this.#titles) : "");
    this.#drawBoard();
    this.#drawActions();
    this.#drawEngine();
    this.#drawMoves();
    this.#drawMore();
  }

  #drawBoard() {
    this.board.show({
      board: this.#fixed,
      position: this.shown,
      flipped: this.flipped,
      heat: this.#thoughts.heat,
      sends: this.#sends,
      pending: this.#pending,
      label: `Board: ${this.shown.text}`,
    });
    this.board.classList.toggle("asking", this.#asking);
    this.#drawBar();
  }

  #drawBar() {
    const { over, winner, result } = this.shown;
    const ended = over && { text: result, bar: winner === "x" ? 1 : winner === "o" ? 0 : 0.5 };
    const reviewed = this.#thoughts.steps.find((step) => step.ply === this.#at)?.score;
    this.part.bar.replaceChildren(panel.bar(ended || (this.#thoughts.found?.score ?? reviewed)));
  }

  #drawActions() {
    const { source } = this;
    const mine = ["x", "o"].filter((side) => source.isPerson?.(side) && source.seats[side]);
    const holdsAll = !source.kept || ["x", "o"].every((side) => source.seats[side]);
    const going = source.kept && !source.over;
    const early = this.#at < this.#last;
    const resigning = mine.includes(this.live.to_move) ? this.live.to_move : mine[0];
    refill(this.part.actions,
      holdsAll && button("Undo", () => this.#do(() => this.#undo()), { disabled: !this.#last }),
      holdsAll && button("Redo", () => this.#do(() => this.#redoOne()), { disabled: !this.#redo.length }),
      button("Flip", () => this.#flip()),
      going && mine.length > 0 && button("Resign", () => this.#do(() => source.resign(resigning))),
      button("Values", () => this.#toggleValues(), { pressed: this.values }),
      button("Why not…", () => this.#ask(), { pressed: this.#asking, disabled: this.shown.over }),
      button("Review the game", () => this.#review(), { disabled: !this.#last }),
      (early || !source.kept) && button("Try again from here", () => this.#do(() => this.#again())),
      !this.shown.over && el("a", { class: "button", href: this.#search("tree") }, "Watch a search"));
  }

  #flip() {
    this.flipped = !this.flipped;
    this.source.values.flip = this.flipped ? "1" : "";
    link.note(...this.source.link(this.ply));
    this.#drawBoard();
  }

  #ask() {
    this.#asking = !this.#asking;
    this.#message = this.#asking ? "Choose the move: the best play against it is shown." : "";
    this.#draw();
  }

  #again() {
    const { x, o } = this.source.players;
    return begin({ ...this.source.at(this.#at), x, o });
  }

  #drawThoughts() {
    if (!this.shown) return;
    this.#drawBoard();
    this.#drawEngine();
  }

  #drawEngine() {
    const { found, standing, going } = this.#thoughts;
    refill(this.part.engine,
      (found || standing) && panel.report(found, standing),
      going && button("Stop", () => going.stop()));
    this.#drawBar();
  }

  #drawMoves() {
    const at = this.#at;
    const { steps } = this.#thoughts;
    const go = (/** @type {number} */ ply) => this.#go(ply);
    this.part.moves.replaceChildren(
      panel.stepper(at, this.#last, go),
      panel.moveList(this.live.moves, at, steps, go));
    this.part.graph.replaceChildren(steps.length ? graph(steps, this.#last, at, go) : "");
  }

  #drawMore() {
    const { source, shown, live } = this;
    const open = this.part.more.querySelector("details[open]")?.id;
    const keep = () => this.#do(() => source.kept && this.#save(source.id));
    refill(this.part.more,
      texts(source, shown, live.moves, open === "texts", keep),
      source.kept && links(source, live.names, open === "links"));
  }

  /**
   * The link to a page about searches of the shown position.
   * @param {string} page
   */
  #search(page) {
    const { game, start, moves } = this.source.at(this.#at);
    return link.write([page], { game, start, moves: moves.join(" ") });
  }

  /** @param {string} id */
  async #save(id) {
    const { jsonl } = await server.ask("export", { id });
    save({ name: `${id}.jsonl`, text: jsonl });
  }

  #keys = (/** @type {KeyboardEvent} */ event) => {
    if (!isForPage(event) || !this.live) return;
    /** @type {Record<string, () => unknown>} */
    const acts = {
      ArrowLeft: () => this.#go(this.#at - 1),
      ArrowRight: () => this.#go(this.#at + 1),
      Home: () => this.#go(0),
      End: () => this.#go(this.#last),
      f: () => this.#flip(),
      v: () => this.#toggleValues(),
      u: () => this.#do(() => this.#undo()),
      b: () => this.board.enter(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  };
}

