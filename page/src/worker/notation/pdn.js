// Positions of draughts in FEN of PDN, or as the module writes them.

import { readDraughtsFen } from "../../made/board/fen.js";

/** @import { Game } from "../game.js" */

/** The state of a text; null where it is no such text. @param {Game} game @param {string} text */
export function ofDraughts(game, text) {
  if (!/^\s*[BWxo]:[BWxo]/.test(text)) return null;
  const { board, quiet } = game.facts;
  const names = board.places.map((place) => place.name);
  return game.stateOf(readDraughtsFen(text, `'${text}'`, quiet ?? 0, names, board.names[0][0]));
}
