// The reason that no legal move goes along some places: what the board and the legal paths tell of any game, the port of
// board/refusing.py. What only a game's own rules know, such as a piece that is pinned, a module cannot say.

import { constants, filled } from "./constants.js";

/** @import { Position } from "./position.js" */

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
  const reason = filled(path.length < 2 || !isBegun ? words.stays : words.reach, told);
  const threatened = attacked.length ? pieces[attacked[0]] : null;
  return threatened ? filled(words.check, { reason, attacked: kindOf(threatened) }) : reason;
}
