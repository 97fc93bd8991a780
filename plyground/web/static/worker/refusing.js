// The reason that no legal move goes along some places: what the board and the legal paths tell of any game, the port of
// board/refusing.py. What only a game's own rules know, such as why castling is illegal, a module cannot say.

import { constants, filled } from "./constants.js";

/** @import { BoardView, PositionView } from "models" */
/** @import { Position } from "./position.js" */

/** @typedef {BoardView["places"][number]} Place */
/** @typedef {PositionView["look"]} Look */

/**
 * The reason, in words that may follow "because"; empty where a move may go there.
 * @param {Position} here
 * @param {number[]} path
 */
export function refusal(here, path) {
  const { game, paths, outcome, result, toMove } = here;
  const { refusal_words: words, kinds } = constants;
  const { marks, places, areas, must_jump: mustJump } = game.facts.board;
  const begins = (/** @type {readonly number[]} */ each) => path.every((place, at) => each[at] === place);
  if (!path.length || path.some((place) => !places[place]) || paths.some(begins)) return "";
  if (outcome !== null) return filled(words.over, { result });
  const { pieces, fates, attacked } = game.look(here.state);
  const [first, second] = path;
  const [piece, target] = [pieces[first], second === undefined ? null : pieces[second]];
  const kindOf = (/** @type {{ kind: string, name: string }} */ { kind, name }) =>
    name || (kinds.includes(kind) ? kind : "piece");
  const [own, other] = [game.names[toMove], game.names[1 - toMove]];
  const told = { place: places[first].name, end: places[path[path.length - 1]].name, kind: piece ? kindOf(piece) : "" };
  const isBegun = paths.some((each) => each[0] === first);
  if (!paths.some((each) => each.length > 1 && pieces[each[0]])) {
    // something is set
    if (piece) return filled(words.occupied, told);
    if (isBegun) return filled(words.leads, told);
    const active = areas.filter((_, area) => fates[area]?.active);
    return active.length === 1 ? filled(words.area, { side: own, area: active[0].name }) : filled(words.closed, told);
  }
  if (!piece) return filled(words.empty, told);
  if (marks.includes(piece.owner) && piece.owner !== marks[toMove])
    return filled(words.other, { ...told, side: other });
  if (target && target.owner === piece.owner && second !== first) {
    return filled(words.own, { ...told, kind: kindOf(target), end: places[second].name, side: own });
  }
  const steps = (/** @type {readonly number[]} */ [start, end]) =>
    Math.max(Math.abs(places[start].x - places[end].x), Math.abs(places[start].y - places[end].y));
  if (mustJump && paths.every((each) => steps(each) > 1)) return filled(words.jump, { side: own });
  if (piece.kind === "king" && path.length > 1 && steps(path) === 1) return filled(words.into, told);
  if (path.length > 1 && !attacked.length && shields(places, pieces, path)) return words.opens;
  const reason = filled(path.length < 2 || !isBegun ? words.stays : words.reach, told);
  const threatened = attacked.length ? pieces[attacked[0]] : null;
  return threatened ? filled(words.check, { reason, attacked: kindOf(threatened) }) : reason;
}

/**
 * Whether a piece that leaves a place for another one opens the line of a queen, rook or bishop to its own king.
 * @param {Place[]} places
 * @param {Look["pieces"]} pieces
 * @param {number[]} path
 */
function shields(places, pieces, [start, end]) {
  const king = pieces.findIndex((each) => each?.kind === "king" && each.owner === pieces[start]?.owner);
  const way = king < 0 ? null : wayOf(places[king], places[start]);
  if (!way || String(way) === String(wayOf(places[king], places[end]))) return false;
  const met = [];
  for (let steps = 1, number = 0; number >= 0; steps++) {
    if (steps > 1 && pieces[number]) met.push(number);
    const [x, y] = [places[king].x + steps * way[0], places[king].y + steps * way[1]];
    number = places.findIndex((place) => place.x === x && place.y === y);
  }
  const behind = met[0] === start ? pieces[met[1]] : null;
  const slides = ["queen", way.includes(0) ? "rook" : "bishop"];
  return !!behind && behind.owner !== pieces[start]?.owner && slides.includes(behind.kind);
}

/**
 * The step of a queen of chess on the way from a place to another; null where no queen could go.
 * @param {Place} start
 * @param {Place} end
 */
function wayOf(start, end) {
  const [right, down] = [end.x - start.x, end.y - start.y];
  const isStraight = !right !== !down || (right && Math.abs(right) === Math.abs(down));
  return isStraight ? [Math.sign(right), Math.sign(down)] : null;
}
