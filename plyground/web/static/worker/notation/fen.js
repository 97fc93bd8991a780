// Positions of chess in FEN, also with _ for a blank, as links have them.

import { Position } from "../position.js";
import { built, no, required } from "./placing.js";

/** @import { Game } from "../game.js" */

/** Where a king and a rook stand that may castle. @type {[right: string, king: number, rook: number][]} */
const HOMES = [
  ["K", 60, 63],
  ["Q", 60, 56],
  ["k", 4, 7],
  ["q", 4, 0],
];

/**
 * The position of a text, with the number of its moves; null where it is no such text.
 * @param {Game} game
 * @param {string} text
 */
export function ofChess(game, text) {
  const words = text.trim().split(/[\s_]+/);
  if (!words[0].includes("/")) return null;
  const state = read(game, text, words, game.text(game.initial).split("/").length);
  return Position.at(game, state, /^[1-9]\d{0,3}$/.test(words[5] ?? "") ? Number(words[5]) : 1);
}

/** @param {Game} game @param {string} text @param {string[]} words @param {number} side */
function read(game, text, [board, turn = "w", rights = "-", passed = "-", quiet = "0"], side) {
  const letters = game.facts.board.pieces.map((piece) => piece.text);
  const men = board.replace(/[1-8]/g, (count) => ".".repeat(Number(count))).split("/");
  const isWhole = men.length === side && men.every((row) => row.length === side);
  const all = men.join("");
  if (
    !isWhole ||
    /[^.]/.test([...all].filter((man) => !letters.includes(man)).join("")) ||
    !/^[wb] (-|K?Q?k?q?) (-|[a-h][36]) \d+$/.test([turn, rights, passed, quiet].join(" "))
  ) {
    throw no(text, `write FEN, such as ${game.text(game.initial).replaceAll("_", " ")}`);
  }
  if (all.replace(/[^k]/gi, "").split("").sort().join("") !== "Kk") throw no(text, "a side has no king, or two");
  if (/p/i.test(men[0] + men[side - 1])) throw no(text, "a pawn cannot be there");
  for (const [right, king, rook] of HOMES) {
    const isHome = side === 8 && all[king] + all[rook] === (right < "a" ? "KR" : "kr");
    if (rights.includes(right) && !isHome) throw no(text, `${right}: king or rook has moved`);
  }
  const mover = Number(turn === "b");
  const told = { pieces: [...all].map((man) => 1 + letters.indexOf(man)), turn: mover, rest: [rights, "-", quiet] };
  if (passed !== "-") {
    const at = passed.charCodeAt(0) - 97 + side * (mover ? 5 : 2); // a pawn went over it, to one row beyond
    const beyond = at + (mover ? -side : side);
    const [own, other] = mover ? "pP" : "Pp";
    const isFree = all[at] === "." && all[at + at - beyond] === "." && passed[1] === (mover ? "3" : "6");
    if (all[beyond] !== other || !isFree) throw no(text, `${passed} was not passed by a pawn`);
    const beside = [at % side && all[beyond - 1], (at + 1) % side && all[beyond + 1]];
    if (beside.includes(own)) told.rest[1] = passed;
  }
  const other = built(game, { ...told, turn: 1 - mover });
  if (other && game.look(other).attacked.length) throw no(text, "the player to move could take the king");
  return required(game, text, told);
}
