// Positions of draughts in FEN of PDN, or as the module writes them.

import { no, required } from "./placing.js";

/** @import { Game } from "../game.js" */
/** @import { State } from "../module.js" */

/**
 * The state of a text; null where it is no such text.
 * @param {Game} game
 * @param {string} text
 * @returns {State | null}
 */
export function ofDraughts(game, text) {
  const found = /^([BWxo]):([BWxo])([^:]*):([BWxo])([^:.]*)(?::(\d+))?\.?$/.exec(text.trim());
  return found && read(game, text, found);
}

/** @param {Game} game @param {string} text @param {RegExpExecArray} found */
function read(game, text, [, mover, first, ones, second, others, quiet = "0"]) {
  const sideOf = (/** @type {string} */ letter) => Number("Wo".includes(letter));
  const pieces = game.places.map(() => 0);
  for (const [side, list] of [
    [sideOf(first), ones],
    [sideOf(second), others],
  ]) {
    for (const word of String(list).split(",").filter(Boolean)) {
      const [, crown, from, to = from] = /^(K?)(\d+)(?:-(\d+))?$/i.exec(word.trim()) ?? [];
      for (let square = Number(from); square <= Number(to); square++) {
        if (pieces[square - 1] !== 0) throw no(text, `square ${square} is missing, or twice there`);
        if (!crown && (side ? square < 5 : square > 28)) throw no(text, `${square} makes a man a king`);
        pieces[square - 1] = 1 + 2 * Number(side) + Number(Boolean(crown));
      }
      if (!from) throw no(text, "write FEN, such as B:W21,K30:B1-4");
    }
  }
  const most = [1, 3].map((man) => pieces.filter((piece) => piece === man || piece === man + 1).length);
  if (Math.max(...most) > 12 || first === second) throw no(text, "each side has 12 pieces at most");
  return required(game, text, { pieces, turn: sideOf(mover), rest: [quiet] });
}
