// A position set up by hand: pieces from a palette, the side to move, what the board does not show, and the text of it
// all. The server writes and reads that text, and says why no game comes to a position.

import { answers, theBoard, theMenu, usualGame } from "../answers/answers.js";
import "../board/board.js";
import { drags } from "../board/dragging.js";
import { isEdge } from "../board/ground.js";
import { pieceText, drawPiece, dye } from "../board/pieces.js";
import { button, el, field, refill, select, style } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { gameTitle } from "../shell/words.js";
import { carryPiece, palette, usePiece } from "./arranging.js";

/** @import { Arrange, ArrangedView, BoardView, PositionView } from "models" */
/** @import { Tool } from "./arranging.js" */

const SIDES = /** @type {("x" | "o")[]} */ (["x", "o"]);

class Editor {
  #board = el("ply-board");
  #palette = el("div", { class: "palette", role: "group", "aria-label": "Pieces" });
  #text = el("input", { maxLength: 8000, spellcheck: false, autocomplete: "off", onchange: () => this.#read() });
  #problem = el("p", { class: "problem", role: "alert" });
  #rest = el("div", { class: "fields" });
  #isTurned = false;
  /** The newest question: the answer of an older one comes too late. */
  #asked = 0;
  /** Look of a position that no game comes to. @type {PositionView["look"] | null} */
  #look = null;

  /**
   * @param {BoardView} board
   * @param {PositionView} first The first position of the game.
   * @param {ArrangedView} found
   */
  constructor(board, first, found) {
    this.board = board;
    this.first = first;
    this.found = found;
    this.tools = palette(board);
    /** @type {Tool} */
    this.tool = this.tools[0];
  }

  /** @param {string} title @param {string} fault */
  node(title, fault) {
    this.#board.addEventListener("cell", ({ detail }) =>
      this.#set(usePiece(this.board, this.#here, detail, this.tool)),
    );
    this.#board.addEventListener("keydown", this.#keys);
    const go = (/** @type {string[]} */ path, /** @type {string} */ words, /** @type {string} */ name) =>
      button(words, () => this.#use(path), { class: name });
    const { by_hand: byHand } = this.found;
    const node = el(
      "div",
      { class: "table editing" },
      el("section", { class: "place-of-board", "aria-label": "Board" }, this.#board, byHand && this.#palette),
      el(
        "section",
        { class: "side", "aria-label": "Set up a position" },
        el("h1", {}, title),
        el(
          "p",
          { class: "hint" },
          byHand
            ? "Choose a piece and then places, or drag pieces; what is dragged off the board is gone. A position, a game " +
                "or a drawing can be pasted as text too."
            : "Write a position, moves such as those of a game's list, or a position and moves.",
        ),
        this.#rest,
        field("Position or game as text", this.#text),
        this.#problem,
        el(
          "div",
          { class: "part-actions" },
          go(["board"], "Analyse it", "primary"),
          go([], "Play it", ""),
          byHand && button("Clear", () => this.#clear()),
          byHand && button("First position", () => this.#ask({ text: "" })),
          button(
            "Flip",
            () => {
              this.#isTurned = !this.#isTurned;
              this.#show();
            },
            { class: "quiet" },
          ),
        ),
      ),
    );
    dye(node, this.board);
    if (byHand) drags(node, { begin: (place) => this.#grab(place), drop: (place) => this.#drop(place) });
    this.#take(this.found);
    this.#problem.textContent = fault;
    return node;
  }

  get #here() {
    return this.found.arranged;
  }

  // -- questions and answers -----------------------------------------------------------------------------------------

  /**
   * Pieces stand so from now on: they are shown at once, the text follows.
   * @param {Partial<ArrangedView["arranged"]>} part
   */
  #set(part) {
    this.found = { ...this.found, arranged: { ...this.#here, ...part }, position: null };
    this.#show();
    return this.#ask({ arranged: this.#here });
  }

  #clear() {
    const none = this.#here.pieces.map((piece) => (piece && !this.board.pieces[piece - 1].count ? piece : 0));
    return this.#set({
      pieces: none,
      counts: none.map(() => 0),
      unseen: this.#here.unseen.map(() => 0),
    });
  }

  #read() {
    return this.#ask({ text: this.#text.value });
  }

  /** @param {Pick<Arrange, "text"> | Pick<Arrange, "arranged">} question */
  async #ask(question) {
    const asked = ++this.#asked;
    try {
      const found = await answers.ask("arrange", { game: this.first.game, ...question });
      if (asked === this.#asked) this.#take(found);
    } catch (fault) {
      if (asked === this.#asked) this.#problem.textContent = fault.message;
    }
  }

  /** @param {ArrangedView} found */
  #take(found) {
    this.found = found;
    this.#text.value = found.text;
    this.#problem.textContent = found.fault;
    this.#look = found.position?.look ?? this.#look;
    this.#show();
  }

  /** Go on with what stands here now, whatever is changed until it is read. @param {string[]} path */
  async #use(path) {
    const found = await this.#whole().catch((fault) => ({ position: null, fault: fault.message, text: "" }));
    const { position, fault, text } = found;
    if (!position) {
      this.#problem.textContent = fault;
      return;
    }
    const { game, start, moves } = position;
    const now = moves.length ? text.replaceAll(" ", "_") : start;
    link.go(path, path.length ? { game, start, moves: moves.join(" ") } : { game, start: now });
  }

  /** The answer about the text, if it was changed, or else about the board; asked for unless it is at hand. */
  async #whole() {
    const { game } = this.first;
    if (this.#text.value !== this.found.text) return answers.ask("arrange", { game, text: this.#text.value });
    return this.found.position ? this.found : answers.ask("arrange", { game, arranged: this.#here });
  }

  // -- gestures ------------------------------------------------------------------------------------------------------

  /** A tool or a piece of the board is taken up: the drawing that is dragged. @param {number} place */
  #grab(place) {
    const { places } = this.board;
    const tool = this.tools[place - places.length];
    if (tool) this.tool = tool;
    else if (!this.#here.pieces[place]) return null;
    this.#grabbed = place;
    return this.#board.parentElement?.querySelector(`[data-place="${place}"] .piece`) ?? null;
  }

  #grabbed = -1;

  /** @param {number | null} place */
  #drop(place) {
    const from = this.#grabbed;
    const { length } = this.board.places;
    const to = place !== null && place < length ? place : null;
    if (from === to) return;
    if (from < length) this.#set(carryPiece(this.board, this.#here, from, to));
    else if (to !== null) this.#set(usePiece(this.board, this.#here, to, this.tool, false));
  }

  #keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    const node = event.target instanceof HTMLElement ? event.target.closest("[data-place]") : null;
    if (!(node instanceof HTMLElement)) return;
    event.preventDefault();
    this.#set(carryPiece(this.board, this.#here, Number(node.dataset.place), null));
  };

  // -- drawing -------------------------------------------------------------------------------------------------------

  #show() {
    const {
      board,
      first,
      found: {
        position,
        by_hand: byHand,
        arranged: { pieces, counts },
      },
    } = this;
    const seen = position ?? first;
    const hasEdges = board.places.some(({ shape }) => isEdge(shape));
    const open = [...board.places.keys()].filter((place) => !hasEdges || board.places[place].shape !== "point");
    const standing = pieces.map((piece, place) =>
      piece ? { ...board.pieces[piece - 1], count: board.pieces[piece - 1].count + counts[place] } : null,
    );
    const look = { ...(this.#look ?? first.look), ...(!position && { line: [], attacked: [], through: [] }) };
    this.#board.show({
      board,
      position: {
        ...seen,
        look: { ...look, pieces: byHand ? standing : look.pieces },
        last: [],
        legal: [],
        paths: byHand ? [open] : [],
      },
      draft: byHand,
      still: !byHand,
      flipped: this.#isTurned,
      label: "Board to set up",
    });
    if (byHand) this.#offer();
  }

  /** The palette, and the fields beside it. */
  #offer() {
    const {
      board: { marks, places },
      first: { names },
      tool,
      found: { unseen, arranged },
    } = this;
    const sideOf = (/** @type {string} */ owner) => SIDES[marks.indexOf(owner)] ?? "none";
    const choose = (/** @type {Tool} */ chosen) => () => {
      this.tool = chosen;
      this.#offer();
    };
    refill(
      this.#palette,
      this.tools.map((each, number) => {
        const { piece, words } = each;
        const name = words || pieceText(piece && { ...piece, count: 1 }, (owner) => names[sideOf(owner)] ?? owner);
        const shown = piece && !words ? drawPiece({ ...piece, count: 1 }, sideOf(piece.owner)) : null;
        const node = button("", choose(each), { pressed: each === tool, "aria-label": name, title: name });
        node.append(shown ?? el("span", {}, name));
        if (shown) node.dataset.place = String(places.length + number);
        return node;
      }),
    );
    const mover = select(
      SIDES.map((side) => [side, names[side]]),
      arranged.to_move,
      {
        onchange: () => this.#set({ to_move: SIDES[mover.selectedIndex] }),
      },
    );
    const fields = unseen.map((_, number) => this.#unseen(number));
    const [rights, numbers] = [true, false].map((isRight) =>
      fields.filter((_, at) => (unseen[at].most === 1) === isRight),
    );
    refill(this.#rest, field("To move", mover), numbers, rights.length ? el("div", { class: "rights" }, rights) : null);
  }

  /** The field of what the board does not show: a number, or a right that is there or not. @param {number} number */
  #unseen(number) {
    const { unseen, arranged } = this.found;
    const { words, most, brief } = unseen[number];
    const value = arranged.unseen[number];
    const control =
      most === 1
        ? el("input", { type: "checkbox", checked: value === 1 })
        : el("input", { type: "number", min: 0, max: most, value });
    control.addEventListener("change", () => {
      const written = Math.max(0, Math.min(most, Math.trunc(Number(control.value))));
      const chosen = most === 1 ? Number(control.checked) : written;
      this.#set({ unseen: arranged.unseen.map((before, each) => (each === number ? chosen : before)) });
    });
    const made = field(brief || words, control);
    if (brief) {
      control.setAttribute("aria-label", `${brief}: ${words}`);
      made.title = words;
    }
    return made;
  }
}

const styled = style("library/editor.css");

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function editor(root, values) {
  const game = values.game ?? (await usualGame());
  let problem = "";
  const [board, first, { games }] = await Promise.all([
    theBoard(game),
    answers.ask("position", { game }),
    theMenu(),
    styled,
  ]);
  const found = await answers.ask("arrange", { game, text: values.text ?? "" }).catch((fault) => {
    problem = fault.message;
    return answers.ask("arrange", { game });
  });
  root.replaceChildren(new Editor(board, first, found).node(`Set up a position of ${gameTitle(games, game)}`, problem));
}
