// A move is a path of places: which places can follow those that are chosen, and what the choice of one more means.
// No drawing here.

import { isBeside } from "./places.js";

/** @import { BoardView, PositionView } from "models" */

/** @typedef {Pick<PositionView, "legal" | "paths">} Offered */
/** @typedef {PositionView["look"]["pieces"]} Pieces */

/**
 * The moves whose path begins with these places.
 * @param {Offered} offered
 * @param {number[]} chosen
 * @returns {{ move: string, path: number[] }[]}
 */
export const beginning = ({ legal, paths }, chosen) =>
  legal
    .map((move, number) => ({ move, path: paths[number] }))
    .filter(({ path }) => path.length && chosen.every((place, step) => path[step] === place));

/**
 * Continuations: the moves by the place that comes next, and the move that is complete already.
 * @param {Offered} offered
 * @param {number[]} chosen
 */
export function following(offered, chosen) {
  /** @type {Map<number, string[]>} */
  const next = new Map();
  /** @type {string | null} */
  let ends = null;
  for (const { move, path } of beginning(offered, chosen)) {
    if (path.length === chosen.length) ends = move;
    else next.set(path[chosen.length], [...(next.get(path[chosen.length]) ?? []), move]);
  }
  return { next, ends };
}

/** The moves that no place offers. @param {Offered} offered */
export const elsewhere = ({ legal, paths }) => legal.filter((_, number) => !paths[number].length);

/**
 * Effect of choosing a place: these are chosen now, and with them a move is made, or one of several is meant;
 * null where nothing can be meant. The last place of a longer path stands for the path, if only one leads there.
 * @param {Offered} offered
 * @param {number[]} chosen
 * @param {number} place
 * @returns {{ chosen: number[], move?: string, among?: string[] } | null}
 */
export function choosing(offered, chosen, place) {
  if (following(offered, chosen).next.has(place)) {
    const after = [...chosen, place];
    const { next, ends } = following(offered, after);
    return ends !== null && !next.size ? { chosen: after, move: ends } : { chosen: after };
  }
  if (!chosen.length) return null;
  if (place === chosen[0]) return { chosen: [] };
  const there = beginning(offered, chosen).filter(({ path }) => path[path.length - 1] === place);
  if (there.length === 1) return { chosen: there[0].path, move: there[0].move };
  if (there.length) return { chosen, among: there.map(({ move }) => move) };
  return choosing(offered, [], place);
}

/**
 * The place that is meant by one that is pointed at: where pieces fall along it, the one at which a move begins.
 * @param {BoardView["falls"]} falls
 * @param {Map<number, string[]>} next
 * @param {number} place
 */
export function targetOf(falls, next, place) {
  if (next.has(place)) return place;
  return falls.find((fall) => fall.includes(place))?.find((each) => next.has(each)) ?? place;
}

/**
 * The pieces while a move is pointed at: who stands on its first place goes along with it, off to where somebody else
 * stands only at the second; where nobody stands, the mover's own appears.
 * @param {Pick<BoardView, "places" | "falls" | "pieces">} board
 * @param {Pieces} pieces
 * @param {readonly number[]} path
 * @param {string} mover
 * @returns {Pieces}
 */
export function previewMove({ places, falls, pieces: kinds }, pieces, path, mover) {
  const [first, ...rest] = path;
  if (first === undefined) return pieces;
  const shown = [...pieces];
  const piece = pieces[first];
  if (!piece) {
    const own = pieces.find((each) => each?.owner === mover) ?? pieces.find((each) => each?.owner);
    const usual = falls.length ? "disc" : places.every(({ shape }) => shape === "square") ? "mark" : null;
    const mine = new Set(kinds.filter(({ owner }) => owner === mover).map(({ kind }) => kind));
    const kind = mine.size === 1 ? [...mine][0] : (own?.kind ?? usual);
    const named = kinds.find((each) => each.owner === mover && each.kind === kind);
    if (kind) shown[first] = { owner: mover, kind, count: 1, text: "", name: named?.name ?? "" };
    return shown;
  }
  if (piece.owner !== mover || piece.kind === "seeds") return pieces;
  const onBoard = rest.filter((place, step) => !isBeside(places[place]) && (step === 0 || !pieces[place]));
  const last = onBoard[onBoard.length - 1];
  if (last === undefined || last === first) return pieces;
  shown[first] = piece.count > 1 ? { ...piece, count: piece.count - 1 } : null;
  shown[last] = { ...piece, count: 1 };
  return shown;
}
