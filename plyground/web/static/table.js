// A board with all that belongs to it: playing, looking back, analysing.

import { answers, theBoard, theMenu } from "./answers.js";
import "./board.js";
import { el, refill } from "./dom.js";
import { save } from "./files.js";
import { graph } from "./graph.js";
import { isForPage, press } from "./keys.js";
import * as link from "./link.js";
import * as modes from "./modes.js";
import * as panel from "./panel.js";
import { Playing } from "./playing.js";
import { setup } from "./setup.js";
import { links, texts } from "./sharing.js";
import { click } from "./sound.js";
import { sentTo, whyNot } from "./source.js";
import { Thoughts } from "./thoughts.js";
import { titled } from "./words.js";

/** @import { BoardView, MenuView, MoveView, PositionView } from "models" */
/** @import { Mode } from "./modes.js" */
/** @import { Begun, Source } from "./source.js" */

export class Table {
  #message = "";
  playing = new Playing(this);
  thoughts = new Thoughts({
    found: () => this.#drawThoughts(),
    reviewed: () => {
      this.#drawMoves();
      this.#drawBar();
      this.#drawBeyond();
    },
    failed: (sentence) => this.#fail(sentence),
  });
  #sends = /** @type {number[] | null} */ (null);
  asking = false;
  #marks = /** @type {Record<string, MoveView> | null} */ (null);
  #fixed = /** @type {BoardView} */ (/** @type {unknown} */ (null));
  menu = /** @type {MenuView} */ (/** @type {unknown} */ (null));
  #setup = /** @type {ReturnType<typeof setup> | null} */ (null);
  /** What it is for; not known before the first position. @type {Mode} */
  mode = "play";
  /** The position as the game stands; and the one that is shown, null before the first. */
  live = /** @type {PositionView} */ (/** @type {unknown} */ (null));
  shown = this.live;

  /**
   * @param {HTMLElement} root
   * @param {Source} source
   * @param {Begun} begun
   */
  constructor(root, source, begun) {
    this.root = root;
    this.source = source;
    this.begun = begun;
    this.board = el("ply-board");
    this.part = panel.parts();
    const { ply, flip, values } = source.values;
    this.ply = link.plyOf(ply);
    this.flipped = flip === "1";
    this.values = values === "1";
    this.#frame();
  }

  async open() {
    try {
      this.menu = await theMenu();
      await this.#follow();
    } catch (fault) {
      this.#fail(fault.message);
    }
    return this;
  }

  #follow() {
    return this.source.open(
      (position, fault) => this.#changed(position, fault),
      (found, asked) => this.thoughts.hear(found, asked, this.last));
  }

  close() {
    this.thoughts.leave();
    this.thoughts.forget();
    this.source.close();
    removeEventListener("keydown", this.#keys);
  }

  #frame() {
    refill(this.root, panel.frame(this.board, this.part));
    this.board.addEventListener("click", (event) => {
      if (event.detail > 1) event.stopPropagation(); // the second click of a double click is no second move
    }, { capture: true });
    this.board.addEventListener("move", ({ detail }) => this.playing.move(detail));
    this.board.addEventListener("refused", ({ detail }) => this.say(`${detail} is not a legal move here.`));
    this.board.addEventListener("preview", ({ detail }) => this.#preview(detail));
    addEventListener("keydown", this.#keys);
  }

  /** Another game takes the place of this one: the board stays where it is. @param {Source} source */
  async become(source) {
    this.source.close();
    this.thoughts.leave();
    this.thoughts.forget();
    [this.source, this.ply, this.#setup] = [source, null, null];
    this.playing = new Playing(this);
    this.live = this.shown = /** @type {PositionView} */ (/** @type {unknown} */ (null));
    source.values.flip = this.flipped ? "1" : "";
    link.become(...source.link(null));
    await this.#follow();
  }

  // -- what changes ----------------------------------------------------------------------------------------------

  /** @param {PositionView | null} position @param {string} [fault] */
  async #changed(position, fault) {
    if (fault || !position) return this.#fail(fault ?? "");
    const before = this.live;
    this.live = position;
    if (!before) this.#setMode();
    if (before && position.moves.length > before.moves.length) click();
    if (before && position.moves.length !== before.moves.length) [this.ply, this.#message] = [null, ""];
    if (before?.moves.some((move, ply) => move !== position.moves[ply])) this.thoughts.diverge();
    this.playing.pending = null;
    await this.#show();
  }

  #setMode() {
    const { mode } = this.source.values;
    this.mode = modes.modeOf(mode) ?? (this.values ? "analyse" : modes.usualMode(this.source));
  }

  get last() {
    return this.live?.moves.length ?? 0;
  }

  get at() {
    return this.ply === null || this.ply > this.last ? this.last : this.ply;
  }

  /** Draw the position at the shown ply. */
  async #show() {
    const at = this.at;
    const [fixed, shown] = await Promise.all([
      theBoard(this.live.game),
      at === this.last ? this.live : answers.ask("position", this.source.at(at)),
    ]);
    if (at !== this.at) return;
    [this.#fixed, this.shown] = [fixed, shown];
    this.#sends = null;
    this.note();
    this.thoughts.leave();
    if (this.values && this.mode === "analyse") this.#analyse();
    this.draw();
  }

  note() {
    const at = this.at;
    link.note(...this.source.link(at === this.last && this.source.played ? null : at));
  }

  /** @param {number} ply */
  go(ply) {
    const at = Math.max(0, Math.min(ply, this.last));
    this.ply = at === this.last ? null : at;
    this.#message = "";
    this.#show().catch((fault) => this.#fail(fault.message));
  }

  /** @param {() => unknown} action */
  async attempt(action) {
    this.#message = "";
    try {
      await action();
    } catch (fault) {
      this.playing.pending = null;
      this.#fail(fault.message);
    }
  }

  /** @param {string} sentence */
  #fail(sentence) {
    this.say(sentence);
    this.draw();
  }

  /** @param {string} sentence */
  say(sentence) {
    this.#message = sentence;
    this.part.problem.textContent = sentence;
  }

  // -- looking back and analysing --------------------------------------------------------------------------------

  /** @param {Mode} mode */
  to(mode) {
    this.mode = mode;
    this.source.values.mode = mode === modes.usualMode(this.source) ? "" : mode;
    this.asking = this.playing.resigning = false;
    this.thoughts.found = null;
    this.#show().catch((fault) => this.#fail(fault.message));
  }

  toggleThoughts() {
    this.source.values.thoughts = this.source.values.thoughts ? "" : "1";
    this.note();
    this.draw();
  }

  toggleValues() {
    this.values = !this.values;
    this.source.values.values = this.values ? "1" : "";
    this.to("analyse");
  }

  #analyse() {
    if (!this.shown.over) this.thoughts.study(this.source.at(this.at));
  }

  review() {
    return this.attempt(() => this.thoughts.review(this.source.at()));
  }

  /**
   * "Why not this move?": the move, and the best play after it, as a line to step through.
   * @param {string} move
   */
  async refute(move) {
    this.asking = false;
    await this.attempt(async () => link.go(["board"], await whyNot(this.source.at(this.at), move)));
  }

  /** @param {string | null} move */
  async #preview(move) {
    if (!this.shown?.look.fates.length) return;
    this.#hovered = move;
    const sends = move ? await sentTo(this.source.at(this.at), move) : null;
    if (this.#hovered !== move) return;
    this.#sends = sends;
    this.drawBoard();
  }

  #hovered = /** @type {string | null} */ (null);

  // -- drawing ---------------------------------------------------------------------------------------------------

  draw() {
    if (!this.shown) return; // a game is being opened
    const { source, part } = this;
    const title = titled(this.menu.games, this.live.game);
    document.title = `${title} – plyground`;
    part.title.textContent = title;
    part.problem.textContent = this.#message;
    part.status.textContent = this.#status();
    this.root.dataset.mode = source.fresh ? "fresh" : this.mode;
    refill(part.sides, panel.sides(source, this.live, this.menu.players));
    refill(part.company, source.kept && source.company(this));
    refill(part.modes, !source.fresh && modes.switcher(this.mode, (mode) => this.to(mode)));
    this.#drawSetup();
    this.drawBoard();
    this.drawActions();
    this.#drawEngine();
    this.#drawMoves();
    this.#drawBeyond();
    this.#drawMore();
  }

  #status() {
    const shown = this.at === this.last
      ? panel.standing(this.source, this.live, this.#fixed, this.flipped)
      : `After ply ${this.at} of ${this.last}.`;
    const hint = Object.keys(this.thoughts.hinted ?? {})[0];
    return [shown, this.source.values.why, hint && `Try ${hint}.`].filter(Boolean).join(" ");
  }

  #drawSetup() {
    const { source } = this;
    if (!source.fresh) return refill(this.part.setup);
    if (this.#setup) return this.#setup.show();
    this.#setup = setup(source, this.live, this.menu, {
      begin: () => this.attempt(() => this.playing.begin(source)),
      choose: (choice) => this.attempt(() => source.choose(choice)),
    });
    refill(this.part.setup, this.#setup.node);
  }

  drawBoard() {
    this.board.show({
      board: this.#fixed,
      position: this.shown,
      flipped: this.flipped,
      heat: this.#marks = this.thoughts.marks,
      sends: this.#sends,
      pending: this.playing.pending,
      label: `Board: ${this.shown.text}`,
    });
    this.board.classList.toggle("asking", this.asking);
    this.#drawBar();
  }

  /** Whether what an engine thinks is shown: not to whoever plays, unless it is asked for. */
  get #tells() {
    return this.mode !== "play" || this.source.values.thoughts === "1";
  }

  #drawBar() {
    const { over, winner, result } = this.shown;
    const ended = over && { text: result, bar: winner === "x" ? 1 : winner === "o" ? 0 : 0.5 };
    const { steps, found, of } = this.thoughts;
    const reviewed = steps.find((step) => step.ply === this.at)?.score;
    const known = found && of === this.at ? found.score : reviewed;
    refill(this.part.bar, this.#tells && panel.bar(ended || known));
  }

  drawActions() {
    refill(this.part.actions, this.playing.buttons());
  }

  flip() {
    this.flipped = !this.flipped;
    this.source.values.flip = this.flipped ? "1" : "";
    this.note();
    if (!this.shown) return;
    this.part.status.textContent = this.#status();
    this.drawBoard();
  }

  ask() {
    this.asking = !this.asking;
    this.#message = this.asking ? "Choose the move: the best play against it is shown." : "";
    this.draw();
  }

  #drawThoughts() {
    if (!this.shown) return;
    this.part.status.textContent = this.#status();
    if (this.#marks !== this.thoughts.marks) this.drawBoard(); // most of what is thought changes nothing there
    this.#drawEngine();
    this.#drawBeyond();
  }

  /** What belongs to analysing and looking back is fetched when it is wanted. */
  async #drawBeyond() {
    const is = this.mode === "play" ? null : await import("./analysis.js");
    if (!is) refill(this.part.beyond);
    else if (this.shown) is.draw(this);
  }

  #drawEngine() {
    const { found, standing, going, of } = this.thoughts;
    const known = this.#tells ? found : null;
    const before = of === this.at ? "" : this.live.moves[of];
    refill(this.part.engine,
      (known || standing) && panel.report(known, standing, this.live.names.x, before),
      going && panel.stop(going));
    this.#drawBar();
  }

  #drawMoves() {
    const at = this.at;
    const { steps } = this.thoughts;
    const go = (/** @type {number} */ ply) => this.go(ply);
    const reviewed = this.mode === "play" ? [] : steps;
    refill(this.part.moves, !this.source.fresh && [
      panel.stepper(at, this.last, go),
      panel.moveList(this.live.moves, at, reviewed, go),
    ]);
    refill(this.part.graph, reviewed.length > 0 && graph(reviewed, this.last, at, go));
    panel.follow(this.part.moves, this.part.graph);
  }

  #drawMore() {
    const { source, shown, live } = this;
    const keep = () => this.attempt(async () => source.kept && save(await source.file()));
    refill(this.part.more, !source.fresh && [
      texts(source, shown, live.moves, keep),
      source.kept && links(source, live.names),
    ]);
  }

  /**
   * The link to a page about searches of the shown position.
   * @param {string} page
   */
  search(page) {
    const { game, start, moves } = this.source.at(this.at);
    return link.write([page], { game, start, moves: moves.join(" ") });
  }

  #keys = (/** @type {KeyboardEvent} */ event) => {
    if (isForPage(event) && this.live) press(this, event);
  };
}
