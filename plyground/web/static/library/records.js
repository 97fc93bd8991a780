// Records that a server reads from texts of other programs, with their variations.

import { answers } from "../answers/answers.js";
import { fromRows, isPlain, written } from "../study/variations.js";

export const KNOWN =
  "Moves (44435, f5d6c3, 1. e4 e5), a position (FEN of chess and draughts), a record (PGN, PDN, " +
  "SGF of Hex and Gomoku), a drawing in rows of x, o and dots, or a game saved here as JSON lines.";

/** Games by how seldom a text of another game is one of theirs. */
const STRICT = ["chess", "draughts", "reversi", "connectfour", "kalah", "gomoku", "hex:11", "morris"];

/**
 * The position of a text that does not say its game: of the first game that reads it.
 * @param {{ game: string, text: string }} pasted The game is the one to begin with.
 */
export async function recognised({ game, text }) {
  /** @type {Error | null} */
  let fault = null;
  for (const each of new Set([game, ...STRICT])) {
    try {
      return await answers.ask("edit", { game: each, text });
    } catch (refused) {
      fault ??= refused;
    }
  }
  throw new Error(`No game is known by this text, so write its game above. ${fault?.message ?? ""}`);
}

/**
 * Variations and comments of a text, as a link has them; empty where it has none, or is no record.
 * @param {{ game: string, text: string }} pasted
 */
export async function variations(pasted) {
  const whole = await answers.ask("record", pasted).catch(() => null);
  const root = whole && fromRows(whole.record.moves, whole.record.comment);
  return root && !isPlain(root) ? written(root) : "";
}
