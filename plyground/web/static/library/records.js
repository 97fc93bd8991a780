// Records that a server reads from texts of other programs, with their variations.

import { answers } from "../answers/answers.js";
import { fromRows, isPlain, written } from "../study/variations.js";

export const KNOWN =
  "Moves (44435, f5d6c3, 1. e4 e5), a position (FEN of chess and draughts), a record (PGN, PDN, " +
  "SGF of Hex and Gomoku), a drawing in rows of x, o and dots, or a game saved here as JSON lines.";

/**
 * Variations and comments of a text, as a link has them; empty where it has none, or is no record.
 * @param {{ game: string, text: string }} pasted
 */
export async function variations(pasted) {
  const whole = await answers.ask("record", pasted).catch(() => null);
  const root = whole && fromRows(whole.record.moves, whole.record.comment);
  return root && !isPlain(root) ? written(root) : "";
}
