// Positions of draughts in FEN of PDN, or as the module writes them.

import { readDraughtsFen } from "../../made/board/fen.js";

/** @import { Game } from "../game.js" */

/** The state of a text; null where it is no such text. @param {Game} game @param {string} text */
export const ofDraughts = (game, text) =>
  /^\s*[BWxo]:[BWxo]/.test(text) ? game.stateOf(readDraughtsFen(text, `'${text}'`, game.facts.quiet ?? 0)) : null;
