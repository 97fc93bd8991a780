// Positions of chess in FEN, also with _ for a blank, as links have them.

import { Position } from "../position.js";
import { fullmoveNumber, readChess, requireSafe } from "./chess.js";
import { built, required } from "./placing.js";

/** @import { Game } from "../game.js" */

/**
 * The position of a text, with the number of its moves; null where it is no such text.
 * @param {Game} game
 * @param {string} text
 */
export function ofChess(game, text) {
  if (!/^\s*[^\s_]*\//.test(text)) return null;
  const letters = game.facts.board.pieces.map((piece) => piece.text).join("");
  const first = game.text(game.initial());
  const read = readChess(text, `'${text}'`, letters, first.split("/").length, game.facts.quiet ?? 0, first);
  const other = built(game, { ...read, turn: 1 - read.turn });
  requireSafe(`'${text}'`, !other || !game.look(other).attacked.length);
  return Position.at(game, required(game, text, read), fullmoveNumber(text));
}
