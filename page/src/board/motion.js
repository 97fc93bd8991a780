// Animation of a board's changes: brief, ended by the next input, and left out where it is unwanted.

import { el } from "../shell/dom.js";
import { drawPiece } from "./pieces.js";
import { isMoving } from "../shell/theme.js";

/** @import { Change } from "./changes.js" */
/** @import { Piece } from "./pieces.js" */

/** Milliseconds: of one change; of all changes of a position; and of all seeds of a sowing. */
const [SHORT, LONG, SOWING] = [200, 350, 600];
/** Milliseconds from a seed to the next, at most. */
const SEED = 90;
/** A change of so many places is no move: it is another position. */
const MANY = 64;

/**
 * The board that moves: its places, the places along which pieces fall, and whose a piece is.
 * @typedef {object} Moving
 * @property {Map<number, HTMLElement>} nodes
 * @property {readonly (readonly number[])[]} falls
 * @property {(owner: string) => string} side
 */

/** @param {Element} node */
const middle = (node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, width, height };
};

export class Motion {
  /** @type {Animation[]} */
  #running = [];
  /** @type {Element[]} */
  #extra = [];
  /** @type {Set<Element>} */
  #raised = new Set();
  #turn = 0;

  get isOn() {
    return this.#running.length > 0;
  }

  /**
   * Show what has changed on a board that is drawn already, and the drawings above it that are new; `then` is called
   * when it is over.
   * @param {Change[]} changes
   * @param {SVGElement[]} drawings
   * @param {Moving} board
   * @param {() => void} then
   */
  run(changes, drawings, board, then) {
    if (!changes.length && !drawings.length) return;
    if (changes.length) this.end();
    // A reader who wants no motion, or who sees another position, is shown the end at once.
    if (!isMoving() || changes.length > MANY) return then();
    const sown = changes.filter(({ kind }) => kind === "sown").length;
    changes.forEach((change, number) => this.#start(change, board, { number, sown, all: changes.length }));
    drawings.forEach((line) => this.#stroke(line, SHORT, LONG - SHORT));
    const turn = ++this.#turn;
    // Settled, not all: an animation that is cut short rejects.
    Promise.allSettled(this.#running.map((each) => each.finished)).then(() => {
      if (turn !== this.#turn) return; // a later change has begun since
      this.end();
      then();
    });
  }

  /** All is where it belongs, at once. */
  end() {
    this.#turn += 1;
    for (const each of this.#running) each.finish();
    for (const node of this.#extra) node.remove();
    for (const node of this.#raised) node.classList.remove("moving");
    this.#running = [];
    this.#extra = [];
    this.#raised.clear();
  }

  /**
   * @param {Element | null | undefined} node
   * @param {Keyframe[]} frames
   * @param {KeyframeAnimationOptions} timing
   */
  #animate(node, frames, timing) {
    // Backwards: during its delay it stands as in its first frame.
    if (node) this.#running.push(node.animate(frames, { fill: "backwards", easing: "ease-in-out", ...timing }));
  }

  /** @param {Change} change @param {Moving} board @param {{ number: number, sown: number, all: number }} order */
  #start(change, board, order) {
    const node = board.nodes.get(change.place);
    if (!node) return;
    if (change.kind === "came") return this.#comes(node, change.place, board);
    if (change.kind === "gone") return this.#leaves(node, change.piece, board);
    if (change.kind === "turned") return this.#turns(node, change.piece, board, order);
    if (change.kind === "moved") return this.#goes(node, change.way, board);
    this.#sows(node, change, board, order);
  }

  /** @param {Element} node */
  #raise(node) {
    node.classList.add("moving");
    this.#raised.add(node);
  }

  /**
   * A mark is drawn, a disc falls, anything else grows.
   * @param {HTMLElement} node
   * @param {number} place
   * @param {Moving} board
   */
  #comes(node, place, board) {
    const piece = node.querySelector(".piece");
    const fall = board.falls.find((each) => each.includes(place));
    if (fall && piece) {
      const [start, end, far] = [fall[0], place, fall[fall.length - 1]].map((each) =>
        middle(/** @type {HTMLElement} */ (board.nodes.get(each))),
      );
      const steps = fall.indexOf(place) + 1;
      const up = Math.sign(start.y - far.y) || -1; // down where the board is flipped; up where all is one place
      const high = Math.abs(start.y - end.y) + end.height;
      return this.#animate(
        piece,
        [
          { translate: `0 ${up * high}px`, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" },
          { translate: "0 0", offset: 0.8, easing: "ease-out" },
          { translate: `0 ${up * 0.05 * high}px`, offset: 0.9, easing: "ease-in" },
          { translate: "0 0" },
        ],
        { duration: Math.min(LONG, 170 + 30 * steps) },
      );
    }
    const strokes = [...node.querySelectorAll(".piece > .stroke")];
    strokes.forEach((stroke, number) => this.#stroke(stroke, SHORT - 50 * (strokes.length - 1), 130 * number));
    if (strokes.length) return;
    this.#animate(piece ?? node.querySelector(".ground"), [{ opacity: 0, scale: 0.5 }, {}], { duration: SHORT });
  }

  /** @param {Element} node @param {number} duration @param {number} delay */
  #stroke(node, duration, delay) {
    this.#animate(
      node,
      [
        { strokeDasharray: "1 1", strokeDashoffset: 1, opacity: 0 },
        { strokeDasharray: "1 1", strokeDashoffset: 0.9, opacity: 1, offset: 0.1 },
        { strokeDasharray: "1 1", strokeDashoffset: 0, opacity: 1 },
      ],
      { duration, delay },
    );
  }

  /** Fade a piece that is taken. @param {HTMLElement} node @param {Piece} piece @param {Moving} board */
  #leaves(node, piece, board) {
    const ghost = this.#ghost(node, piece, board);
    this.#animate(ghost, [{ opacity: 1 }, { opacity: 0, scale: 0.6 }], { duration: SHORT, fill: "both" });
  }

  /** @param {HTMLElement} node @param {Piece} piece @param {Moving} board */
  #ghost(node, piece, board) {
    // The board is drawn as it will be, so a piece that leaves it is drawn once more.
    const art = drawPiece(piece, board.side(piece.owner));
    if (!art) return null;
    const ghost = el("span", { class: "leaving", "aria-hidden": "true" }, art);
    node.append(ghost);
    this.#extra.push(ghost);
    return ghost;
  }

  /**
   * A disc turns over, one after the other.
   * @param {HTMLElement} node
   * @param {Piece} piece
   * @param {Moving} board
   * @param {{ number: number, all: number }} order
   */
  #turns(node, piece, board, { number, all }) {
    const delay = ((LONG - SHORT) * number) / all;
    const ghost = this.#ghost(node, piece, board);
    const half = SHORT / 2;
    this.#animate(ghost, [{ scale: "1 1" }, { scale: "0 1" }], {
      duration: half,
      delay,
      fill: "both",
      easing: "ease-in",
    });
    this.#animate(node.querySelector(":scope > .piece"), [{ scale: "0 1" }, { scale: "1 1" }], {
      duration: half,
      delay: delay + half,
      easing: "ease-out",
    });
  }

  /** A piece glides from place to place. @param {HTMLElement} node @param {number[]} way @param {Moving} board */
  #goes(node, way, board) {
    const end = middle(node);
    const frames = way.flatMap((place) => {
      const stop = board.nodes.get(place);
      if (!stop) return [];
      const { x, y } = middle(stop);
      return [{ translate: `${x - end.x}px ${y - end.y}px` }];
    });
    this.#raise(node);
    this.#animate(node.querySelector(":scope > .piece"), frames, { duration: frames.length > 2 ? LONG : SHORT + 40 });
  }

  /**
   * A seed lies where it was until its turn comes, then hops; the number of its new pit is told when it is there.
   * @param {HTMLElement} node
   * @param {{ from: number, seed: number, number: number }} change
   * @param {Moving} board
   * @param {{ sown: number }} order
   */
  #sows(node, { from, seed, number }, board, { sown }) {
    const art = /** @type {SVGSVGElement | null} */ (node.querySelector(":scope > .piece"));
    const start = board.nodes.get(from)?.querySelector(":scope > .piece");
    const dot = art?.children[seed];
    const hop = 180;
    const delay = Math.min(SEED, (SOWING - hop) / Math.max(sown, 1)) * number;
    const told = [{ opacity: 0.2 }, { opacity: 1 }];
    this.#animate(node.querySelector(".seeds"), told, { duration: 60, delay: delay + hop - 60 });
    if (!art || !start || !dot) return;
    // A transform within a drawing counts in its units, not in pixels.
    const unit = art.viewBox.baseVal.width / art.getBoundingClientRect().width;
    const [here, there] = [middle(art), middle(start)];
    const [x, y] = [(there.x - here.x) * unit, (there.y - here.y) * unit];
    this.#raise(node);
    this.#animate(
      dot,
      [
        { transform: `translate(${x}px, ${y}px)` },
        { transform: `translate(${x / 2}px, ${y / 2 - 40}px)` },
        { transform: "translate(0, 0)" },
      ],
      { duration: hop, delay },
    );
  }
}
