// The board draws what the server says and reports gestures; it knows no game and judges no move.

import { Below } from "./below.js";
import { choosing, elsewhere, following, moved } from "./choosing.js";
import { el, refill } from "./dom.js";
import { drags } from "./dragging.js";
import { isEdge, laidOut, lookedAt, outline } from "./ground.js";
import { called, drawn } from "./pieces.js";
import { nearest, standing } from "./places.js";

/** @import { BoardView, MoveView, PositionView } from "models" */
/** @import { Piece } from "./pieces.js" */

/**
 * What is to be drawn.
 * @typedef {object} Shown
 * @property {BoardView} board
 * @property {Pick<PositionView, "look" | "names" | "to_move" | "last" | "legal" | "paths">} position
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
/** @type {Pick<PositionView, "legal" | "paths">} */
const NOTHING = { legal: [], paths: [] };
/** So many places at most are named when they can be gone to. */
const NAMED = 6;

export class PlyBoard extends HTMLElement {
  /** By the number of the place. @type {Map<number, HTMLElement>} */
  #nodes = new Map();
  /** The area in which a place lies. @type {Map<number, number>} */
  #areas = new Map();
  #built = "";
  /** What is drawn; nothing can be asked for before. */
  #shown = /** @type {Shown} */ (/** @type {unknown} */ (null));
  #focus = -1;
  /** The places chosen so far, of a move that takes several. @type {number[]} */
  #chosen = [];
  /** Moves of which one is meant, as far as the places tell. @type {string[]} */
  #among = [];
  #below = new Below();
  #text = el("pre", { class: "written" });

  constructor() {
    super();
    this.addEventListener("keydown", (event) => this.#key(event));
    drags(this, { begin: (place) => this.#grab(place), drop: (place) => this.#drop(place) });
  }

  /** The keyboard's place on the board is its current place. */
  enter() {
    (this.#nodes.get(this.#focus) ?? this.querySelector("button"))?.focus();
  }

  /**
   * Draw a position.
   * @param {Shown} shown
   */
  show(shown) {
    if (shown.position !== this.#shown?.position) [this.#chosen, this.#among] = [[], []];
    this.#shown = shown;
    const inert = lookedAt(shown.board, shown.position);
    const built = JSON.stringify([shown.board, shown.flipped, shown.still, inert]);
    if (built !== this.#built) this.#build(inert);
    this.#built = built;
    this.querySelector(".places")?.setAttribute("aria-label", shown.label);
    this.#draw();
  }

  /** @param {number[]} inert */
  #build(inert) {
    const { board, flipped = false, still } = this.#shown;
    this.#areas = new Map(board.areas.flatMap((area, number) => area.places.map((place) => [place, number])));
    this.#nodes = new Map();
    const under = still ? [this.#text] : [this.#text, this.#below.said, this.#below.node];
    if (!standing(board).length) return refill(this, ...under);
    const { frame, nodes } = laidOut(board, flipped, inert, (place) => ({
      onclick: () => this.#choose(place),
      onpointerenter: () => this.#look(place),
      onpointerleave: () => this.#look(null),
      onfocus: () => this.#arrive(place),
      onblur: () => this.#look(null),
    }));
    const held = this.querySelector(".field")?.contains(document.activeElement);
    this.#nodes = nodes;
    refill(this, frame, ...under);
    if (held) this.enter();
    if (!this.#open().includes(this.#focus)) this.#focus = Math.min(...this.#open());
  }

  /** The places that can be gone to. */
  #open() {
    return [...this.#nodes].filter(([, node]) => node instanceof HTMLButtonElement).map(([place]) => place);
  }

  // -- what depends on the position ------------------------------------------------------------------------------

  /** The moves that can be chosen: none where a board is only looked at. */
  get #offered() {
    return this.#shown.still || this.#shown.draft ? NOTHING : this.#shown.position;
  }

  #draw() {
    const { board, position, pending } = this.#shown;
    const { look, names } = position;
    const pieces = moved(board.places, look.pieces, pending ?? this.#chosen, names[position.to_move]);
    const { next } = following(this.#offered, this.#chosen);
    const starts = following(this.#offered, []).next;
    for (const [place, node] of this.#nodes) {
      this.#fill(node, place, pieces[place] ?? null, next.get(place) ?? [], starts.has(place));
    }
    const free = [...this.#nodes.keys()].filter((place) => !pieces[place]).length;
    this.classList.toggle("sparse", !this.#isLong && !look.fates.length && starts.size < free);
    this.#text.textContent = look.text;
    this.#text.hidden = !look.text;
    this.#below.show(this.#sentence(next), this.#choices(next));
  }

  /** The best of some moves, as far as they have been valued. @param {string[]} moves */
  #worth(moves) {
    const valued = moves.flatMap((move) => this.#shown.heat?.[move] ?? []);
    return valued.sort((one, other) => one.better - other.better)[0];
  }

  /** @param {string} name */
  #side(name) {
    const { names } = this.#shown.position;
    return name && ["x", "o"].find((side) => names[side] === name) || "none";
  }

  /** Whether any move touches several places, so that those that can be chosen are marked. */
  get #isLong() {
    return this.#offered.paths.some(({ length }) => length > 1);
  }

  /**
   * @param {HTMLElement} node
   * @param {number} place
   * @param {Piece | null} piece
   * @param {string[]} moves Those that go on here.
   * @param {boolean} isStart Whether any begins here.
   */
  #fill(node, place, piece, moves, isStart) {
    const { board, position: { look, last }, sends, draft } = this.#shown;
    const { name, shape } = board.places[place];
    const area = this.#areas.get(place);
    const fate = area === undefined ? undefined : look.fates[area];
    const worth = this.#worth(moves);
    const isInert = !(node instanceof HTMLButtonElement);
    const isLegal = Boolean(isStart || moves.length || draft);
    const step = this.#step(place, piece, moves.length > 0, isStart);
    const classes = [
      node.dataset.fixed,
      isLegal && "legal",
      step === "selected" && "chosen",
      step === "can go here" && "next",
      step && isStart && "start",
      piece && "taken",
      isEdge(shape) && piece && `side-${this.#side(piece.owner)}`,
      last.includes(place) && "last",
      look.line.includes(place) && "line",
      worth && `heat ${worth.tone}`,
      worth?.best && "best",
      fate && (fate.active ? "active" : "idle"),
      fate?.owner && `won-${this.#side(fate.owner)}`,
      fate && !fate.open && "closed",
      area !== undefined && sends?.includes(area) && "sent",
    ].filter(Boolean).join(" ");
    const words = [
      isInert ? `${name}: ${called(piece)}` : `${name}, ${called(piece)}`,
      step,
      worth?.score.text,
      worth?.best,
      last.includes(place) && "last move",
      look.line.includes(place) && "winning line",
      fate?.owner && `board won by ${fate.owner}`,
    ].filter(Boolean).join(", ");
    if (!isInert) node.tabIndex = place === this.#focus ? 0 : -1;
    const state = JSON.stringify([classes, words, piece, worth?.brief]);
    if (node.dataset.state === state) return;
    node.dataset.state = state;
    node.className = classes;
    node.setAttribute("aria-label", words);
    if (!isInert) node.setAttribute("aria-disabled", String(!isLegal));
    const isCount = piece && (piece.kind === "seeds" || piece.count !== 1);
    refill(node,
      shape !== "square" && outline(shape),
      /^\d+$/.test(name) && el("span", { class: "number", "aria-hidden": "true" }, name),
      piece && !isEdge(shape) && drawn(piece, this.#side(piece.owner)),
      isCount && el("span", { class: piece.kind === "seeds" ? "seeds" : "count" }, String(piece.count)),
      worth && el("span", { class: "value", "aria-hidden": "true" }, worth.brief));
  }

  /**
   * How a place stands to the move that is being chosen; nothing where one place is the whole of every move.
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
   * What is below the board: the pieces that can be chosen, the end of a move that could go on, the moves of which one
   * is meant, and those that no place offers.
   * @param {Map<number, string[]>} next
   */
  #choices(next) {
    const { board, position } = this.#shown;
    const { legal, paths } = this.#offered;
    const { ends } = following(this.#offered, this.#chosen);
    const beside = [...next.keys()].filter((place) => board.places[place].shape === "choice");
    const move = (/** @type {string} */ each, words = each) => ({
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
      ...(ends === null ? [] : [move(ends, `End here: ${ends}`)]),
      ...this.#among.map((each) => move(each)),
      ...(this.#chosen.length ? [] : elsewhere(this.#offered).map((each) => move(each))),
    ];
  }

  /** What is chosen, and what comes next. @param {Map<number, string[]>} next */
  #sentence(next) {
    const { places } = this.#shown.board;
    if (!this.#chosen.length) return "";
    const chosen = this.#chosen.map((place) => places[place].name).join(" ");
    const names = [...next.keys()].map((place) => places[place].name);
    const way = names.length > NAMED ? `on to one of ${names.length} places` : `on to ${names.join(", ")}`;
    const asked = this.#among.length ? "which of the moves below?" : `${way}.`;
    return `${chosen} selected, ${asked} Escape cancels.`;
  }

  // -- gestures --------------------------------------------------------------------------------------------------

  /** @param {number} place */
  #choose(place) {
    const { board: { places }, draft } = this.#shown;
    if (draft) return this.dispatchEvent(new CustomEvent("cell", { detail: place }));
    const result = choosing(this.#offered, this.#chosen, place);
    if (!result) return this.dispatchEvent(new CustomEvent("refused", { detail: places[place].name }));
    if (result.move !== undefined) return this.#make(result.move, result.chosen);
    [this.#chosen, this.#among] = [result.chosen, result.among ?? []];
    this.#draw();
    const { next } = following(this.#offered, this.#chosen);
    const isAsked = [...next.keys()].every((each) => places[each].shape === "choice");
    if (this.#chosen.length && (isAsked || this.#among.length)) this.#below.enter();
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
    if (!following(this.#offered, chosen).next.size) return null;
    [this.#chosen, this.#among] = [chosen, []];
    this.#draw();
    return this.#nodes.get(place)?.querySelector(".piece") ?? null;
  }

  /** @param {number | null} place Where a piece is let go; null beside the board. */
  #drop(place) {
    if (place !== null && place !== this.#chosen[this.#chosen.length - 1]) this.#choose(place);
  }

  /** @param {number | null} place */
  #look(place) {
    const { next } = following(this.#offered, this.#chosen);
    const moves = place === null ? [] : (next.get(place) ?? []);
    this.dispatchEvent(new CustomEvent("preview", { detail: moves.length === 1 ? moves[0] : null }));
  }

  /** @param {number} place */
  #arrive(place) {
    const before = this.#nodes.get(this.#focus);
    if (before) before.tabIndex = -1;
    this.#focus = place;
    const node = this.#nodes.get(place);
    if (node) node.tabIndex = 0;
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
    const { places } = this.#shown.board;
    this.#nodes.get(nearest(places, this.#focus, this.#open(), [arrow[0] * turn, arrow[1] * turn]))?.focus();
  }
}

customElements.define("ply-board", PlyBoard);
