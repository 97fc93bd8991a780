// The board draws what the server says and reports gestures; it knows no game and judges no move.

import { Above } from "./above.js";
import { Below, chosenWords, sentWords } from "./below.js";
import { changes, way } from "./changes.js";
import { choosing, elsewhere, following, targetOf, previewMove } from "./choosing.js";
import { el, refill } from "../shell/dom.js";
import { dress } from "./dressing.js";
import { drags } from "./dragging.js";
import { isWide, laidOut, lookedAt } from "./ground.js";
import { Motion } from "./motion.js";
import { isTurn, nearest, standing, stores, turnBoard } from "./places.js";
import { dye } from "./pieces.js";
import { moveNotation } from "../shell/words.js";

/** @import { BoardView, MoveView, PositionView } from "models" */
/** @import { Pieces } from "./choosing.js" */
/** @import { Known } from "./dressing.js" */
/** @import { Piece } from "./pieces.js" */

/**
 * @typedef {Pick<PositionView, "look" | "names" | "to_move" | "last" | "legal" | "legal_notation" | "paths">} Position
 */
/** @typedef {Position & { moves?: string[] }} Seen A position, and the moves that led to it where they are known. */

/**
 * Input of a drawing.
 * @typedef {object} Shown
 * @property {BoardView} board
 * @property {Seen} position
 * @property {string} label
 * @property {boolean} [still] Whether it is only to be looked at.
 * @property {boolean} [flipped] Whether it is turned round.
 * @property {Record<string, MoveView> | null} [heat] What the moves are worth.
 * @property {number[] | null} [sends] The areas of the board to which the move that is looked at sends.
 * @property {readonly number[] | null} [pending] The path of a move that the server has not answered yet.
 * @property {boolean} [draft] Whether it is set up by hand.
 */

/** @type {Record<string, [right: number, down: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Screens on which a wide board is turned upright. */
const narrow = matchMedia("(max-width: 46rem)");
/** @type {Pick<PositionView, "legal" | "paths">} */
const NOTHING = { legal: [], paths: [] };
const INPUTS = ["keydown", "pointerdown"];

export class PlyBoard extends HTMLElement {
  /** By the number of the place. @type {Map<number, HTMLElement>} */
  #nodes = new Map();
  /** The area in which a place lies. @type {Map<number, number>} */
  #areas = new Map();
  #built = "";
  /** Positions of the places as the board was built. @type {BoardView["places"]} */
  #places = [];
  /** The input that is drawn; nothing can be asked for before. */
  #shown = /** @type {Shown} */ (/** @type {unknown} */ (null));
  #focus = -1;
  /** The places chosen so far, of a move that takes several. @type {number[]} */
  #chosen = [];
  /** Moves of which one is meant, as far as the places tell. @type {string[]} */
  #among = [];
  /** The piece that was pointed at and cannot move: the next place is where it was to go; -1 for none. */
  #stuck = -1;
  #below = new Below();
  #above = new Above();
  #motion = new Motion();
  /** Whether any move touches several places, so that those that can be chosen are marked. */
  #isLong = false;
  /** Pieces on the board as it is drawn. @type {Pieces} */
  #standing = [];
  /** Inputs that are shown when the pieces have come to rest. @type {Shown[]} */
  #waiting = [];
  /** Drawings above the places that were not there before. @type {SVGElement[]} */
  #fresh = [];
  /** The place that is meant by the one that is looked at; -1 where none is. */
  #looked = -1;
  /** Whether a piece was carried to where it goes, and so need not go there by itself. */
  #carried = false;
  #text = el("pre", { class: "written" });

  constructor() {
    super();
    this.addEventListener("keydown", (event) => this.#key(event));
    drags(this, { begin: (place) => this.#grab(place), drop: (place) => this.#drop(place) });
  }

  /** Listen to every input of the page: each of them ends the motion of pieces at once. */
  connectedCallback() {
    for (const input of INPUTS) document.addEventListener(input, this.#settle, true);
    narrow.addEventListener("change", this.#again);
  }

  disconnectedCallback() {
    for (const input of INPUTS) document.removeEventListener(input, this.#settle, true);
    narrow.removeEventListener("change", this.#again);
    this.#settle();
  }

  /** The keyboard's place on the board is its current place. */
  enter() {
    (this.#nodes.get(this.#focus) ?? this.querySelector("button"))?.focus();
  }

  /**
   * Draw a position: at once, or when the pieces that are under way have arrived, which any input brings about.
   * @param {Shown} shown
   */
  show(shown) {
    const queued = this.#waiting.findIndex(({ position }) => position === shown.position);
    if (queued >= 0) this.#waiting[queued] = shown;
    else if (this.#motion.isOn && this.#differs(shown)) this.#waiting.push(shown);
    else this.#take(shown);
  }

  #again = () => this.#shown && this.#take(this.#shown);

  /** Whether other pieces stand in what is to be shown. @param {Shown} shown */
  #differs(shown) {
    return shown.board === this.#shown.board && changes(this.#standing, this.#pieces(shown), []).length > 0;
  }

  #settle = () => {
    const last = this.#waiting.pop();
    this.#waiting = [];
    if (last) this.#take(last);
    this.#motion.end();
  };

  /** @param {Shown} shown */
  #take(shown) {
    const before = this.#shown;
    const stood = this.#standing;
    if (shown.position !== this.#shown?.position) [this.#chosen, this.#among, this.#stuck] = [[], [], -1];
    this.#shown = shown;
    const inert = lookedAt(shown.board, shown.position);
    const isUpright = narrow.matches && stores(shown.board).length > 0 && isWide(shown.board);
    const built = JSON.stringify([shown.board, shown.flipped, shown.still, inert, isUpright]);
    if (built !== this.#built) this.#build(inert, isUpright ? turnBoard(shown.board) : shown.board);
    this.#built = built;
    this.querySelector(".places")?.setAttribute("aria-label", shown.label);
    this.#draw();
    const isSameBoard = before?.board === shown.board && before.flipped === shown.flipped;
    if (isSameBoard) this.#move(stood, way(before.position, shown.position, shown.pending));
    this.#carried = false;
  }

  /** Show how what stood came to what stands. @param {Pieces} stood @param {readonly number[] | null} path */
  #move(stood, path) {
    if (!path || this.#shown.draft) return;
    const found = this.#carried ? [] : changes(stood, this.#standing, path);
    const { falls } = this.#shown.board;
    const side = (/** @type {string} */ owner) => this.#side(owner);
    this.#motion.run(found, this.#fresh, { nodes: this.#nodes, falls, side }, () => {
      const next = this.#waiting.shift();
      if (next) this.#take(next);
    });
  }

  /** @param {number[]} inert @param {BoardView} board As it is turned. */
  #build(inert, board) {
    const { flipped = false, still } = this.#shown;
    this.#places = board.places;
    this.#areas = new Map(board.areas.flatMap((area, number) => area.places.map((place) => [place, number])));
    this.#nodes = new Map();
    const under = still ? [this.#text] : [this.#text, this.#below.said, this.#below.node];
    if (!standing(board).length) return refill(this, ...under);
    const { frame, nodes } = laidOut(
      board,
      flipped,
      inert,
      (place) => ({
        onclick: () => this.#choose(place),
        onpointerenter: () => this.#look(place),
        onpointerleave: () => this.#look(null),
        onfocus: () => this.#arrive(place),
        onblur: () => this.#look(null),
      }),
      this.#above.node,
    );
    const held = this.querySelector(".board-field")?.contains(document.activeElement);
    this.#nodes = nodes;
    refill(this, frame, ...under);
    if (!this.#open().includes(this.#focus)) this.#focus = Math.min(...this.#open());
    const stop = nodes.get(this.#focus);
    if (stop) stop.tabIndex = 0;
    if (held) this.enter();
  }

  /** The places that can be gone to. */
  #open() {
    return [...this.#nodes].filter(([, node]) => node instanceof HTMLButtonElement).map(([place]) => place);
  }

  // -- what depends on the position ------------------------------------------------------------------------------

  /** The moves that can be chosen: none where a board is only looked at. */
  get #offeredMoves() {
    return this.#shown.still || this.#shown.draft ? NOTHING : this.#shown.position;
  }

  /** Pieces on a board while a move is pointed at. @param {Shown} shown */
  #pieces({ board, position: { look, to_move: mover }, pending }) {
    return previewMove(board, look.pieces, pending ?? this.#chosen, board.marks[mover === "x" ? 0 : 1]);
  }

  #draw() {
    const {
      board,
      position,
      position: { look },
      flipped = false,
      sends = null,
    } = this.#shown;
    const pieces = (this.#standing = this.#pieces(this.#shown));
    this.dataset.mover = position.to_move;
    dye(this, board);
    const { next } = following(this.#offeredMoves, this.#chosen);
    const starts = following(this.#offeredMoves, []).next;
    this.#isLong = this.#offeredMoves.paths.some(({ length }) => length > 1);
    for (const [place, node] of this.#nodes) {
      dress(node, this.#describePlace(place, pieces[place] ?? null, next, starts.has(place)));
    }
    const free = [...this.#nodes.keys()].filter((place) => !pieces[place]).length;
    const isSparse = !this.#isLong && !look.fates.length && !board.falls.length && starts.size < free;
    this.classList.toggle("sparse", isSparse);
    this.classList.toggle("parted", look.fates.length > 0);
    this.#text.textContent = look.text;
    this.#text.hidden = !look.text;
    this.#fresh = this.#above.show(board, flipped, look, sends, (owner) => this.#side(owner));
    const said = chosenWords(board, this.#chosen, [...next.keys()], this.#among.length > 0);
    this.#below.show(said || sentWords(board, position, this.#looked, sends), this.#choices(next));
  }

  /** The best of some moves, as far as they have been valued. @param {string[]} moves */
  #worth(moves) {
    const valued = moves.flatMap((move) => this.#shown.heat?.[move] ?? []);
    return valued.sort((one, other) => one.better - other.better)[0];
  }

  /** The value of a hinted move for each place that the move touches; none once a place is chosen. @param {number} place */
  #only(place) {
    const [only, ...others] = Object.entries(this.#shown.heat ?? {});
    if (!only || others.length || this.#chosen.length) return undefined;
    const { legal, paths } = this.#offeredMoves;
    return paths[legal.indexOf(only[0])]?.includes(place) ? only[1] : undefined;
  }

  /** The side to which a mark belongs. @param {string} mark */
  #side(mark) {
    return ["x", "o"][this.#shown.board.marks.indexOf(mark)] ?? "none";
  }

  /**
   * @param {number} place
   * @param {Piece | null} piece
   * @param {Map<number, string[]>} next The moves that go on at each place.
   * @param {boolean} isStart Whether any begins here.
   * @returns {Known}
   */
  #describePlace(place, piece, next, isStart) {
    const {
      board: { places, falls },
      position: { look, last, names },
      draft,
    } = this.#shown;
    const moves = next.get(place) ?? [];
    const area = this.#areas.get(place);
    const landing = targetOf(falls, next, place);
    return {
      place: places[place],
      piece,
      side: (owner) => this.#side(owner),
      nameOf: (owner) => names[this.#side(owner)] ?? owner,
      isLegal: Boolean(isStart || next.has(landing) || draft),
      step: this.#step(place, piece, moves.length > 0, isStart),
      isStart,
      landing: piece || landing === place ? "" : places[landing].name,
      worth: this.#worth(moves) ?? this.#only(place),
      isLast: last.includes(place),
      isLine: look.line.includes(place),
      isAttacked: look.attacked.includes(place),
      fate: area === undefined ? undefined : look.fates[area],
    };
  }

  /**
   * Words on a place's part in the move that is being chosen; empty where one place is the whole of every move.
   * @param {number} place
   * @param {Piece | null} piece
   * @param {boolean} isNext
   * @param {boolean} isStart
   */
  #step(place, piece, isNext, isStart) {
    if (!this.#isLong) return "";
    if (this.#chosen.length && isNext) return "can go here";
    if (this.#chosen.includes(place)) return "selected";
    if (!isStart) return "";
    return piece ? "can move" : "can be chosen";
  }

  /**
   * Part below the board: the pieces that can be chosen, the end of a move that could go on, the moves of which one
   * is meant, and those that no place offers.
   * @param {Map<number, string[]>} next
   */
  #choices(next) {
    const { board, position } = this.#shown;
    const { legal, paths } = this.#offeredMoves;
    const { ends } = following(this.#offeredMoves, this.#chosen);
    const beside = [...next.keys()].filter((place) => board.places[place].shape === "choice");
    const move = (/** @type {string} */ each, words = moveNotation(position, each)) => ({
      words,
      act: () => this.#make(each, paths[legal.indexOf(each)]),
      worth: this.#worth([each]),
    });
    return [
      ...beside.map((place) => {
        const piece = position.look.pieces[place];
        const worth = this.#worth(next.get(place) ?? []);
        const act = () => this.#choose(place);
        return { words: board.places[place].name, act, worth, piece, side: this.#side(piece?.owner ?? "") };
      }),
      ...(ends === null ? [] : [move(ends, `End here: ${moveNotation(position, ends)}`)]),
      ...this.#among.map((each) => move(each)),
      ...(this.#chosen.length ? [] : elsewhere(this.#offeredMoves).map((each) => move(each))),
    ];
  }

  // -- gestures --------------------------------------------------------------------------------------------------

  /** @param {number} place */
  #choose(place) {
    const {
      board: { places, falls },
      draft,
    } = this.#shown;
    if (draft) return this.dispatchEvent(new CustomEvent("cell", { detail: place }));
    const { next: open } = following(this.#offeredMoves, this.#chosen);
    const result = choosing(this.#offeredMoves, this.#chosen, targetOf(falls, open, place));
    if (!result) {
      const { pieces } = this.#shown.position.look;
      const stuck = pieces[this.#stuck];
      const isWay = stuck && !this.#chosen.length && pieces[place]?.owner !== stuck.owner;
      const pointed = { name: places[place].name, path: [...(isWay ? [this.#stuck] : this.#chosen), place] };
      const moves = this.#offeredMoves.paths.some((path) => path.length > 1 && pieces[path[0]]);
      this.#stuck = moves && !isWay && !this.#chosen.length ? place : -1;
      return this.dispatchEvent(new CustomEvent("refused", { detail: pointed }));
    }
    if (result.move !== undefined) return this.#make(result.move, result.chosen);
    [this.#chosen, this.#among] = [result.chosen, result.among ?? []];
    this.#draw();
    const { next } = following(this.#offeredMoves, this.#chosen);
    const isAsked = [...next.keys()].every((each) => places[each].shape === "choice");
    if (this.#chosen.length && (isAsked || this.#among.length)) this.#below.enter();
    const turn = [...next.keys()].find((each) => this.#chosen.length && isTurn(places[each]));
    if (turn !== undefined) this.#nodes.get(turn)?.focus({ preventScroll: true });
  }

  /** @param {string} move @param {readonly number[]} path */
  #make(move, path) {
    this.#leave(path[path.length - 1]);
    this.dispatchEvent(new CustomEvent("move", { detail: { move, path } }));
  }

  /**
   * Nothing is chosen any more; the focus, if it is below the board, goes to a place.
   * @param {number} place
   */
  #leave(place) {
    if (this.#below.holdsFocus) this.#nodes.get(place)?.focus();
    [this.#chosen, this.#among] = [[], []];
    this.#draw();
  }

  /**
   * A piece is taken up, if a move of several places begins or goes on here: the drawing that is dragged.
   * @param {number} place
   */
  #grab(place) {
    const isLast = place === this.#chosen[this.#chosen.length - 1];
    const chosen = isLast ? this.#chosen : [place];
    if (!following(this.#offeredMoves, chosen).next.size) {
      this.#chosen = [];
      if (this.#isLong && this.#standing[place]) this.#choose(place); // it is said why it cannot move
      return null;
    }
    [this.#chosen, this.#among] = [chosen, []];
    this.#draw();
    return this.#nodes.get(place)?.querySelector(".piece") ?? null;
  }

  /** @param {number | null} place Where a piece is let go; null beside the board. */
  #drop(place) {
    if (place === null || place === this.#chosen[this.#chosen.length - 1]) return;
    this.#carried = true;
    this.#choose(place);
  }

  /** @param {number | null} place */
  #look(place) {
    const { next } = following(this.#offeredMoves, this.#chosen);
    const to = place === null ? -1 : targetOf(this.#shown.board.falls, next, place);
    const moves = next.get(to) ?? [];
    this.#nodes.get(this.#looked)?.classList.remove("aimed");
    this.#looked = moves.length ? to : -1;
    this.#nodes.get(this.#looked)?.classList.add("aimed");
    this.dispatchEvent(new CustomEvent("preview", { detail: moves.length === 1 ? moves[0] : null }));
  }

  /** @param {number} place */
  #arrive(place) {
    this.#nodes.get(this.#focus)?.setAttribute("tabindex", "-1");
    this.#focus = place;
    this.#nodes.get(place)?.setAttribute("tabindex", "0");
    this.#look(place);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape" && this.#chosen.length) {
      event.preventDefault();
      this.#leave(this.#chosen[0]);
      return;
    }
    const arrow = ARROWS[event.key];
    const isPlace = event.target instanceof HTMLElement && event.target.dataset.place !== undefined;
    if (!arrow || !isPlace) return;
    const turn = this.#shown.flipped ? -1 : 1;
    event.preventDefault();
    event.stopPropagation();
    this.#nodes.get(nearest(this.#places, this.#focus, this.#open(), [arrow[0] * turn, arrow[1] * turn]))?.focus();
  }
}

customElements.define("ply-board", PlyBoard);
