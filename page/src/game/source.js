// The interface of a game's source for the game page, and the way from a link to a position.

import { answers } from "../answers/answers.js";

/** @import { At, CreateInput as Create, PositionView, ReportView } from "models" */
/** @import { Asked } from "../answers/answers.js" */
/** @import { Values, Wanted } from "../shell/link.js" */
/** @import { Game } from "./state.js" */

/**
 * Listener to a game.
 * @typedef {object} Listener
 * @property {(game: Game) => void} onChange
 * @property {(sentence: string) => void} onFail
 * @property {(asked: Asked<unknown> | null, found?: ReportView | null) => void} onThink A player is being asked for its
 *   move; with null, no longer.
 */

/**
 * A game with its operations.
 * @typedef {object} Source
 * @property {Values} values Those of the link with which it was opened.
 * @property {() => [path: string[], values: Wanted]} link What names the game in a link.
 * @property {(listener: Listener) => Promise<void>} open
 * @property {() => void} close
 * @property {(move: string, ply: number, side: string) => Promise<void>} [play] Make a move after `ply` plies.
 * @property {() => Promise<void>} [undo]
 * @property {(moves: string[]) => Promise<void>} [replay] Make moves that were taken back.
 * @property {(side: string) => Promise<void>} [resign]
 * @property {() => Promise<void>} [agreeOnDraw] Of one person for both sides.
 * @property {(ply: number, move: string) => Promise<void>} [study] Go to an analysis of a move that was not played.
 * @property {(values: Wanted) => void} [left] The link that leads back to it has changed.
 */

/** Begins a game. @typedef {(game: Create) => Promise<Source>} Begin */

/** @type {Listener} */
export const SILENT_LISTENER = { onChange: () => {}, onFail: () => {}, onThink: () => {} };

/**
 * The position of a link. Where a part of the link is wrong, the position before that part, and the sentence that says
 * what is wrong.
 * @param {Required<At>} at
 * @returns {Promise<[position: PositionView, fault: string]>}
 */
export async function positionOf({ game, start, moves }) {
  /** @param {string} start @param {string[]} moves */
  const askPosition = (start, moves) => answers.ask("position", { game, start, moves });
  try {
    return [await askPosition(start, moves), ""];
  } catch (fault) {
    if (!(fault.status < 500)) throw fault;
    let begin = start;
    let position = await askPosition(begin, []).catch(() => askPosition((begin = ""), []));
    let [legal, illegal] = [0, begin === start ? moves.length : 0]; // plies
    while (illegal - legal > 1) {
      const middle = (legal + illegal) >> 1;
      const next = await askPosition(begin, moves.slice(0, middle)).catch(() => null);
      if (next) [position, legal] = [next, middle];
      else illegal = middle;
    }
    return [position, fault.message];
  }
}
