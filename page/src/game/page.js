// The game page: a board with all that belongs to it, drawn anew from the state after each change.

import "../board/board.js";
import { answers } from "../answers/answers.js";
import { el, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { click } from "../shell/sound.js";
import { Controller } from "./controller.js";
import { isForPage, press } from "./keys.js";
import { follow } from "./panel.js";
import { setup } from "./setup.js";
import { isReady, isTurned } from "./state.js";
import { dye } from "../board/pieces.js";
import { frame, marks, parts, places } from "./view.js";

/** @import { NewGame } from "./newgame.js" */
/** @import { Begin, Source } from "./source.js" */
/** @import { Ready } from "./state.js" */
/** @import { Part } from "./view.js" */

/**
 * Gives what makes further parts, or other ones in the place of those that each game has.
 * @typedef {(does: Controller) => (state: Ready) => Record<string, Part>} More
 */

export class GamePage {
  #board = el("ply-board");
  #places = places();
  /** The values that each part is made from as it is drawn. @type {Map<string, unknown[]>} */
  #made = new Map();
  /** The page's elements. */
  #drawn = { source: /** @type {Source | null} */ (null), plies: 0, link: "" };
  /** @type {{ source: Source, show: () => void } | null} */
  #setup = null;
  /**
   * Parts that only an analysis and looking back need, once they are fetched.
   * @type {typeof import("../analysis/analysis.js") | null}
   */
  #analysis = null;
  /** @type {() => void} */
  #unwatch;

  /**
   * @param {HTMLElement} root
   * @param {Source} source
   * @param {Begin} begin
   * @param {More} [more]
   */
  constructor(root, source, begin, more) {
    this.does = new Controller(source, begin, { render: () => this.#render(), onBegin: () => this.#board.enter() });
    this.more = more?.(this.does);
    const board = this.#board;
    refill(root, frame(board, this.#places));
    board.addEventListener(
      "click",
      (event) => {
        if (event.detail > 1) event.stopPropagation(); // the second click of a double click is no second move
      },
      { capture: true },
    );
    board.addEventListener("move", ({ detail }) => this.does.move(detail));
    board.addEventListener("refused", ({ detail }) => this.does.refuse(detail));
    board.addEventListener("preview", ({ detail }) => this.does.preview(detail));
    addEventListener("keydown", this.#keys);
    this.#unwatch = answers.watch(() => this.does.change({ ...this.does.state, isLost: answers.isLost }));
  }

  async open() {
    await this.does.open();
    return this;
  }

  close() {
    this.does.close();
    removeEventListener("keydown", this.#keys);
    this.#unwatch();
  }

  #keys = (/** @type {KeyboardEvent} */ event) => {
    if (isForPage(event)) press(this.does, this.#board, event);
  };

  say(/** @type {string} */ sentence) {
    this.does.say(sentence);
  }

  /** Draw the changed parts of the state. */
  #render() {
    const { does } = this;
    const { state, source } = does;
    if (!this.#board.isConnected) return; // the page was closed, possibly while its game was loading
    this.#draw("problem", [[state.message], () => state.message]);
    if (!isReady(state)) return; // a game is being opened
    this.#drawBoard(state); // first: how wide it is decides how wide the parts beside it are
    for (const [name, part] of Object.entries({ ...parts(state, does), ...this.more?.(state) })) this.#draw(name, part);
    document.title = `${this.#places.title.textContent} – plyground`;
    this.#drawSetup(state);
    this.#drawAnalysis(state);
    const [path, values] = does.link;
    const [before, plies, address] = [this.#drawn, state.game.position.moves.length, link.write(path, values)];
    this.#drawn = { source, plies, link: address };
    if (before.source === source && plies > before.plies) click();
    if (address === before.link) return;
    link.note(path, values);
    source.left?.(values ?? {});
  }

  /** Make a part anew, if it is made from other values than before. @param {string} name @param {Part} part */
  #draw(name, [of, make]) {
    if (!this.#differs(name, of)) return;
    refill(this.#places[name], make());
    // Measuring needs the layout. It is computed once for the next frame; measuring now would compute it once more.
    if (name === "moves") requestAnimationFrame(() => follow(this.#places.moves));
  }

  /** @param {string} name @param {unknown[]} of */
  #differs(name, of) {
    const before = this.#made.get(name);
    this.#made.set(name, of);
    return !before || of.some((value, place) => value !== before[place]);
  }

  /** @param {Ready} state */
  #drawBoard(state) {
    const { board, shown: position, forX, analysis, sends, pending, asking } = state;
    const flipped = isTurned(state);
    this.#board.classList.toggle("asking", asking);
    const { hint, worth } = analysis;
    if (!this.#differs("board", [board, position, flipped, forX, hint, worth, sends, pending])) return;
    const label = `Board: ${position.text}`;
    const table = this.#board.parentElement?.parentElement;
    if (table) dye(table, board);
    this.#board.show({ board, position, flipped, heat: marks(analysis, forX), sends, pending, label });
  }

  /** The form stays as it is while it is filled in. @param {Ready} state */
  #drawSetup({ game, menu }) {
    const {
      does,
      does: { source },
    } = this;
    if (game.kind !== "new") return this.#draw("setup", [[null], () => null]);
    if (this.#setup?.source === source) return this.#setup.show();
    const chosen = /** @type {NewGame} */ (source);
    const { node, show } = setup(chosen, game.position, menu, {
      begin: () => does.attempt(() => does.start()),
      choose: (choice) => does.attempt(() => chosen.choose(choice)),
    });
    this.#setup = { source, show };
    this.#draw("setup", [[source], () => node]);
  }

  /** @param {Ready} state */
  #drawAnalysis(state) {
    const {
      mode,
      shown,
      values,
      forX,
      analysis: { found, steps, total, done, explored },
    } = state;
    const isWanted = mode !== "play" && state.game.kind !== "new";
    const is = isWanted ? this.#analysis : null;
    this.#draw("beyond", [
      [is, mode, shown, values, forX, found, steps, total, done, explored],
      () => is?.analysis(state, this.does),
    ]);
    if (isWanted && !is) this.#fetchAnalysis();
  }

  async #fetchAnalysis() {
    const module = await import("../analysis/analysis.js");
    if (this.#analysis) return;
    this.#analysis = module;
    this.#render();
  }
}
