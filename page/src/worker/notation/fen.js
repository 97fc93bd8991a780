// Positions of chess in FEN, also with _ for a blank, as links have them.

import { Position } from "../position.js";
import { fullmoveNumber, otherTurn, readChessFen, requireSafe } from "../../made/board/fen.js";

/** @import { Game } from "../game.js" */

/**
 * The position of a text, with the number of its moves; null where it is no such text.
 * @param {Game} game
 * @param {string} text
 */
export function ofChess(game, text) {
  if (!/^\s*[^\s_]*\//.test(text)) return null;
  const { facts } = game;
  const letters = facts.board.pieces.map((piece) => piece.text).join("");
  const first = game.text(game.initial());
  const side = first.split("/").length;
  const numbers = readChessFen(text, `'${text}'`, letters, side, facts.quiet ?? 0, first);
  requireSafe(`'${text}'`, !game.look(game.stateOf(otherTurn(numbers, side ** 2))).attacked.length);
  return Position.at(game, game.stateOf(numbers), fullmoveNumber(text));
}
