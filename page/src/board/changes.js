// Changes between two positions of a board: pieces that came, went, moved or turned, and seeds sown. No drawing here.

/** @import { PositionView } from "models" */
/** @import { Piece } from "./pieces.js" */

/** @typedef {PositionView["look"]["pieces"]} Pieces */

/**
 * @typedef {{ kind: "came", place: number }
 *   | { kind: "gone", place: number, piece: Piece }
 *   | { kind: "turned", place: number, piece: Piece }
 *   | { kind: "moved", place: number, way: number[] }
 *   | { kind: "sown", place: number, from: number, seed: number, number: number }} Change
 * What happened at a place. `way`: the places a piece went by, the first one first. A seed that was sown is the
 * `seed`-th of its pit, from 0, and the `number`-th to move.
 */

/** @param {Piece | null | undefined} one @param {Piece | null | undefined} other */
const isSame = (one, other) => one?.owner === other?.owner && one?.kind === other?.kind && one?.text === other?.text;

/**
 * From one position of a board to another, by the path of the move between them.
 * @param {Pieces} before
 * @param {Pieces} after
 * @param {readonly number[]} path As it was gone: of a move that is taken back, from its end.
 * @returns {Change[]}
 */
export function changes(before, after, path) {
  const isSown = [...before, ...after].some((piece) => piece?.kind === "seeds");
  return isSown ? sown(before, after, path) : listMoved(before, after, path);
}

/**
 * A pit's seeds go one by one to the pits after it that have gained; then those of the next one that has lost some.
 * @param {Pieces} before
 * @param {Pieces} after
 * @param {readonly number[]} path
 */
function sown(before, after, path) {
  const count = (/** @type {Pieces} */ pieces, /** @type {number} */ pit) => pieces[pit]?.count ?? 0;
  const pits = [...after.keys()];
  const more = pits.map((pit) => count(after, pit) - count(before, pit));
  const there = pits.map((pit) => Math.min(count(before, pit), count(after, pit)));
  const first = pits.filter((pit) => path.includes(pit));
  /** @type {Change[]} */
  const found = [];
  for (const from of [...first, ...pits.filter((pit) => !path.includes(pit))]) {
    for (let left = -more[from], pit = from + 1, idle = 0; left > 0 && idle < pits.length; pit += 1) {
      const place = pit % pits.length;
      idle = more[place] > 0 ? 0 : idle + 1;
      if (idle) continue;
      found.push({ kind: "sown", place, from, seed: there[place]++, number: found.length });
      more[place] -= 1;
      left -= 1;
    }
  }
  return found;
}

/**
 * Pieces that are elsewhere have moved, first the one that went along the path; what is left has come or gone.
 * @param {Pieces} before
 * @param {Pieces} after
 * @param {readonly number[]} path
 */
function listMoved(before, after, path) {
  const places = [...after.keys()];
  const left = places.filter((place) => before[place] && !isThere(before[place], after[place]));
  const come = places.filter((place) => after[place] && !isThere(after[place], before[place]));
  /** @type {Change[]} */
  const found = [];
  const go = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number[]} */ way) => {
    found.push({ kind: "moved", place: to, way });
    left.splice(left.indexOf(from), 1);
    come.splice(come.indexOf(to), 1);
  };
  const [start] = path;
  const arrives = path.map((place) => come.includes(place) && after[place]?.owner === before[start]?.owner);
  const end = arrives.lastIndexOf(true);
  if (end > 0 && left.includes(start)) go(start, path[end], path.slice(0, end + 1));
  for (const to of [...come]) {
    const from = left.find((place) => place !== to && isSame(before[place], after[to]));
    if (from !== undefined) go(from, to, [from, to]);
  }
  for (const place of left) {
    const piece = /** @type {Piece} */ (before[place]);
    const turns = come.includes(place) && after[place]?.kind === piece.kind;
    found.push({ kind: turns ? "turned" : "gone", place, piece });
    if (turns) come.splice(come.indexOf(place), 1);
  }
  return [...found, ...come.map((place) => /** @type {const} */ ({ kind: "came", place }))];
}

/**
 * Whether what stands on a place stands there in the other position too, as many of them or more.
 * @param {Piece | null} piece
 * @param {Piece | null} other
 */
const isThere = (piece, other) => isSame(piece, other) && (piece?.count ?? 0) <= (other?.count ?? 0);

/**
 * The path that was gone from one position to the next, from its end where a move was taken back; null where they are
 * not neighbours.
 * @param {{ moves?: string[], last: readonly number[] }} before
 * @param {{ moves?: string[], last: readonly number[] }} after
 * @param {readonly number[] | null} [pending] Of a move that is not in the position yet.
 */
export function way(before, after, pending) {
  if (pending) return pending;
  const [from, to] = [before.moves ?? [], after.moves ?? []];
  const [short, long] = from.length < to.length ? [from, to] : [to, from];
  if (long.length - short.length > 1 || short.some((move, ply) => move !== long[ply])) return null;
  return from.length > to.length ? [...before.last].reverse() : after.last;
}
