// Records of games in SGF, of Hex and Gomoku: the main line, from an empty board.

import { Refused } from "../refused.js";

/** @import { Game } from "../game.js" */

/** Games by their numbers in SGF. @type {Record<string, string>} */
const GAMES = { 4: "gomoku", 11: "hex" };

/**
 * The moves of the main line of a record in SGF.
 * @param {Game} game
 * @param {string} text
 */
export function stones({ facts: { spec }, places }, text) {
  const words = [];
  for (const [token, name, value] of text.matchAll(/([A-Z]*)\s*\[((?:[^\]\\]|\\.)*)\]|\)/g)) {
    if (token === ")") break; // the main line is the first of all
    const size = Number(value);
    if ((name === "GM" && GAMES[value] !== spec.split(":")[0]) || (name === "SZ" && size * size !== places.length)) {
      throw new Refused(`${name}[${value}]: the record is of another game or board than ${spec}.`);
    }
    if (/^A[BW]$/.test(name)) throw new Refused(`${name}[${value}]: this page reads moves, and no stones set before.`);
    if (!/^[BW]$/.test(name) || /^(resign|forfeit|swap-sides)$/i.test(value.trim())) continue;
    const [word, column, row] = /^([a-z])([a-z])$/.exec(value.trim().toLowerCase()) ?? [value.trim().toLowerCase()];
    words.push(row ? column + (row.charCodeAt(0) - 96) : word.replace(/^swap-pieces$/, "swap") || "pass");
  }
  return words;
}
