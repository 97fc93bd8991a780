// Pieces of a position that is set up by hand, and changes of them. Nothing is asked or drawn here.

import { isEdge } from "../board/ground.js";

/** @import { ArrangedView, BoardView } from "models" */

/** Numbers of pieces and their counts, by place. @typedef {Pick<ArrangedView["arranged"], "pieces" | "counts">} Here */

/**
 * Tool for a place: a piece by its number, one unit more or less, or nothing.
 * @typedef {object} Tool
 * @property {number} number 0 where it is no piece.
 * @property {number} step
 * @property {BoardView["pieces"][number] | null} piece
 * @property {string} words Its name, where no piece is drawn.
 */

/** Way to the other half of a domino, by the text of a half. @type {Record<string, [right: number, down: number]>} */
const OTHER_HALF = { "^": [0, 1], v: [0, -1], "<": [1, 0], ">": [-1, 0] };

/**
 * The tools for a board: each piece once, and what takes it away; where pieces are counted, one more and one less.
 * @param {BoardView} board
 * @returns {Tool[]}
 */
export function palette({ pieces }) {
  if (pieces.some(({ count }) => !count)) {
    const [piece] = pieces;
    return [
      { number: 0, step: 1, piece, words: `Add one` },
      { number: 0, step: -1, piece, words: `Take one` },
    ];
  }
  const known = new Set();
  const tools = pieces.flatMap((piece, index) => {
    const name = `${piece.owner} ${piece.kind}`;
    if (known.has(name)) return [];
    known.add(name);
    return [{ number: index + 1, step: 0, piece, words: "" }];
  });
  return [...tools, { number: 0, step: 0, piece: null, words: "Erase" }];
}

/**
 * The place of a domino's other half; none for any other piece, and where the board ends.
 * @param {BoardView} board
 * @param {number} place
 * @param {number} number
 */
export function halves({ places, pieces }, place, number) {
  const piece = pieces[number - 1];
  if (piece?.kind !== "domino") return [];
  const [right, down] = OTHER_HALF[piece.text];
  const { x, y } = places[place];
  const other = places.findIndex((each) => each.x === x + right && each.y === y + down);
  const twin = pieces.findIndex(({ owner, text }) => owner === piece.owner && text !== piece.text);
  return other < 0 ? [] : [{ place: other, number: twin + 1 }];
}

/** @param {BoardView} board @param {Here} here @param {number} place */
function clearPlace(board, { pieces, counts }, place) {
  const next = { pieces: [...pieces], counts: [...counts] };
  for (const half of halves(board, place, pieces[place])) next.pieces[half.place] = 0;
  next.pieces[place] = next.counts[place] = 0;
  return next;
}

/** @param {BoardView} board @param {Here} here @param {number} place @param {number} step */
function stepCount({ pieces: kinds }, { pieces, counts }, place, step) {
  if (!pieces[place] || kinds[pieces[place] - 1].count) return { pieces, counts };
  const next = counts.map((count, each) => (each === place ? Math.max(0, count + step) : count));
  return { pieces, counts: next };
}

/**
 * Pieces of a rack fall until they rest on another one.
 * @param {BoardView} board
 * @param {Here} here
 * @returns {Here}
 */
function dropPieces({ falls }, { pieces, counts }) {
  const next = [...pieces];
  for (const column of falls) {
    const resting = column.map((place) => pieces[place]).filter(Boolean);
    const free = column.length - resting.length;
    column.forEach((place, index) => (next[place] = index < free ? 0 : resting[index - free]));
  }
  return { pieces: next, counts };
}

/**
 * A tool is used on a place: a piece that stands there already is taken away, unless it is dragged there.
 * @param {BoardView} board
 * @param {Here} here
 * @param {number} place
 * @param {Tool} tool
 * @param {boolean} [isSwitch]
 * @returns {Here}
 */
export function usePiece(board, here, place, { number, step }, isSwitch = true) {
  if (step) return stepCount(board, here, place, step);
  const line = board.pieces.findIndex(({ owner }) => !owner) + 1;
  const wanted = number && isEdge(board.places[place].shape) ? line : number;
  const next = clearPlace(board, here, place);
  if (isSwitch && here.pieces[place] === wanted) return dropPieces(board, next);
  const others = wanted ? halves(board, place, wanted) : [];
  if (board.pieces[wanted - 1]?.kind === "domino" && !others.length) return here;
  const free = others.reduce((before, half) => clearPlace(board, before, half.place), next);
  free.pieces[place] = wanted;
  for (const half of others) free.pieces[half.place] = half.number;
  return dropPieces(board, free);
}

/**
 * A piece is carried to another place, or off the board; of what is counted, one unit.
 * @param {BoardView} board
 * @param {Here} here
 * @param {number} from
 * @param {number | null} to
 * @returns {Here}
 */
export function carryPiece(board, here, from, to) {
  const number = here.pieces[from];
  if (!number) return here;
  if (!board.pieces[number - 1].count) {
    if (!here.counts[from]) return here;
    const less = stepCount(board, here, from, -1);
    return to === null ? less : stepCount(board, less, to, 1);
  }
  const without = clearPlace(board, here, from);
  if (to === null) return dropPieces(board, without);
  const next = usePiece(board, without, to, { number, step: 0, piece: null, words: "" }, false);
  return next === without ? here : next; // a domino that does not lie there stays where it was
}
