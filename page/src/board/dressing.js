// Look and label of one place of a board, from all facts of it.

import { el, refill } from "../shell/dom.js";
import { isEdge, outline } from "./ground.js";
import { pieceText, drawPiece } from "./pieces.js";
import { isTurn } from "./places.js";

/** @import { MoveView, PositionView } from "models" */
/** @import { Piece } from "./pieces.js" */
/** @import { Place } from "./places.js" */

/**
 * Facts of a place.
 * @typedef {object} Known
 * @property {Place} place
 * @property {Piece | null} piece
 * @property {(owner: string) => string} side
 * @property {(owner: string) => string} nameOf
 * @property {boolean} isLegal Whether a move can be chosen by it.
 * @property {string} step How it stands to a move of several places: "selected", "can go here" …
 * @property {boolean} isStart
 * @property {string} landing Where what is let in here falls to; empty where nothing falls.
 * @property {MoveView | undefined} worth
 * @property {boolean} isLast
 * @property {boolean} isLine
 * @property {boolean} isAttacked
 * @property {PositionView["look"]["fates"][number] | undefined} fate
 */

/**
 * Dress the element of a place; what has not changed is not touched.
 * @param {HTMLElement} node
 * @param {Known} known
 */
export function dress(node, known) {
  const {
    place: { name, shape },
    piece,
    worth,
    isLegal,
    side,
  } = known;
  const isInert = !(node instanceof HTMLButtonElement);
  const [said, named] = [words(known, isInert), classes(node, known)];
  if (isChanged(node, "words", said)) node.setAttribute("aria-label", said);
  if (isChanged(node, "classes", named)) node.className = named;
  if (!isInert && isChanged(node, "legal", String(isLegal))) node.setAttribute("aria-disabled", String(!isLegal));
  if (!isChanged(node, "content", JSON.stringify([piece, worth?.brief]))) return;
  const isSaid = worth && !(piece && worth.brief === worth.score.text); // the word of a hint would cover the piece
  const isCount = piece && (piece.kind === "seeds" || piece.count !== 1);
  refill(
    node,
    shape !== "square" && outline(shape),
    /^\d+$/.test(name) && el("span", { class: "number", "aria-hidden": "true" }, name),
    piece && !isEdge(shape) && drawPiece(piece, side(piece.owner)),
    isCount && el("span", { class: piece.kind === "seeds" ? "seeds" : "count" }, String(piece.count)),
    isSaid && el("span", { class: "value", "aria-hidden": "true" }, worth.brief),
  );
}

/** Attributes that an element has been given. @type {WeakMap<HTMLElement, Record<string, string>>} */
const given = new WeakMap();

/**
 * @param {HTMLElement} node
 * @param {string} what
 * @param {string} value
 */
function isChanged(node, what, value) {
  const before = given.get(node) ?? {};
  if (before[what] === value) return false;
  given.set(node, { ...before, [what]: value });
  return true;
}

/** @param {Known} known @param {boolean} isInert */
const words = ({ place, piece, nameOf, step, landing, worth, isLast, isLine, isAttacked, fate }, isInert) =>
  [
    isTurn(place)
      ? `${place.name}, a turn to the ${place.shape.slice(5)}`
      : `${place.name}${isInert ? ":" : ","} ${pieceText(piece, nameOf)}`,
    step,
    landing && `falls to ${landing}`,
    worth?.score.text,
    worth?.best,
    isLast && "last move",
    isLine && "winning line",
    isAttacked && "attacked",
    fate?.owner && `board won by ${nameOf(fate.owner)}`,
  ]
    .filter(Boolean)
    .join(", ");

/** @param {HTMLElement} node @param {Known} known */
const classes = (node, { place, piece, side, isLegal, step, isStart, worth, isLast, isLine, isAttacked, fate }) =>
  [
    node.dataset.fixed,
    isLegal && "legal",
    step === "selected" && "chosen",
    step === "can go here" && "next",
    step && isStart && "start",
    piece && "taken",
    isEdge(place.shape) && piece && `side-${side(piece.owner)}`,
    isLast && "last",
    isLine && "line",
    isAttacked && "attacked",
    worth && `heat ${worth.tone}`,
    worth?.best && "best",
    fate && (fate.active ? "active" : "idle"),
    fate?.owner && `won-${side(fate.owner)}`,
    fate && !fate.open && "closed",
  ]
    .filter(Boolean)
    .join(" ");
