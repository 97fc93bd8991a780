// Moves as people have them in text: words with blanks between, or numbered, with headers, comments and a result.

import { parts } from "../parts.js";
import { Position } from "../position.js";
import { Refused } from "../refused.js";
import { RESULT_WORDS, RESULTS_OF_PDN } from "../../made/play/formats/pgn.js";
import { movesIn } from "../../made/text.js";

/** @import { Game } from "../game.js" */

/** A position before moves: a word, or the four words of FEN and its one or two numbers. */
const START = /^\s*(\S*[_:]\S*|\S+(\s+\S+){0,3}(\s+\d+(?!\S)){0,2})/;

/**
 * The position after the moves that a text lists.
 * @param {Game} game
 * @param {string} text
 */
export function readMoves(game, text) {
  if (text.trimStart().startsWith("{")) throw new Refused(`This page reads moves, such as ${example(game)}.`);
  const tagged = /^\s*\[FEN "(.*)"\]/m.exec(text)?.[1];
  const [head] = tagged ? [""] : (START.exec(text) ?? [""]);
  const begun = readPosition(game, tagged ?? head);
  let here = begun ?? Position.at(game);
  const stones = game.facts.sgf && /^\s*\(\s*;/.test(text) ? parts.sgf?.stones(game, text) : null;
  for (const word of stones ?? plain(game, text, begun ? head : "")) {
    const parts = movesIn(word);
    for (const part of here.isLegal(word) ? [word] : parts) {
      try {
        here = here.playWithoutClaim(part);
      } catch (fault) {
        if (!(fault instanceof Refused)) throw fault;
        const where = parts.length > 1 ? `${word}, move` : "Move";
        throw new Refused(`${where} ${here.moves.length + 1}: ${fault.message}`);
      }
    }
  }
  return here;
}

/**
 * The position that a text means in the form of the game's players; null where it is none.
 * @param {Game} game
 * @param {string} text
 */
export function readPosition(game, text) {
  if (game.facts.fen) return parts.fen?.ofChess(game, text) ?? null;
  const state = game.facts.pdn ? parts.pdn?.ofDraughts(game, text) : null;
  return state && Position.at(game, state);
}

/**
 * The words of a list of moves, without what stands round them.
 * @param {Game} game
 * @param {string} text
 * @param {string} head What it begins with that is no move.
 */
function plain({ facts }, text, head) {
  let bare = text
    .slice(head.length)
    .replace(/^\s*\[[^\]]*\]\s*$/gm, " ")
    .replace(/\{[^}]*\}|;[^\n]*/g, " ");
  for (let whole = ""; whole !== bare;) {
    // variations within variations, from the innermost
    whole = bare;
    bare = whole.replace(/\([^()]*\)/g, " ");
  }
  bare = bare.replace(/(?<!\S)\d+\.+\s*/g, " ").replace(/\$\d+|[!?]+(?=\s|$)/g, " ");
  const words = bare.split(/\s+/).filter(Boolean);
  const results = facts.pdn ? RESULTS_OF_PDN : RESULT_WORDS;
  return results.includes(words[words.length - 1]) ? words.slice(0, -1) : words;
}

/**
 * A few moves from the beginning, for a sentence.
 * @param {Game} game
 */
function example(game) {
  let here = Position.at(game);
  for (let ply = 0; ply < 3 && here.legalMoves.length; ply++) here = here.after(here.legalMoves[0]);
  return here.words.join(" ");
}
