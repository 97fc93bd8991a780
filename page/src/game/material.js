// Captured pieces beside the board: those of the first position that stand on it no more.

import { answers } from "../answers/answers.js";
import { drawPiece } from "../board/pieces.js";
import { el } from "../shell/dom.js";
import { countText } from "../shell/words.js";
import { SIDES } from "./state.js";

/** @import { BoardView, PositionView } from "models" */
/** @import { Controller } from "./controller.js" */
/** @import { Ready, Side } from "./state.js" */
/** @import { Part } from "./view.js" */

/** @typedef {BoardView["pieces"][number]} Piece */

/**
 * The pieces that each side has lost; null where pieces come during the game, so that what is gone was not taken. A
 * piece that became another one is not lost: of the kinds with fewer pieces, those that come first became the others.
 * @param {Pick<BoardView, "pieces" | "marks">} board
 * @param {PositionView["look"]["pieces"]} first
 * @param {PositionView["look"]["pieces"]} now
 * @returns {Record<Side, Piece[]> | null}
 */
export function lostPieces({ pieces, marks }, first, now) {
  /** @type {Record<Side, Piece[]>} */
  const gone = { x: [], o: [] };
  for (const [number, side] of SIDES.entries()) {
    const own = pieces.filter(
      ({ owner, count }, index) =>
        owner === marks[number] &&
        count === 1 &&
        pieces.findIndex((each) => each.owner === owner && each.kind === pieces[index].kind) === index,
    );
    /** @param {PositionView["look"]["pieces"]} all @param {Piece} piece */
    const amount = (all, piece) => all.filter((each) => each?.owner === piece.owner && each.kind === piece.kind).length;
    const less = own.map((piece) => amount(first, piece) - amount(now, piece));
    if (less.reduce((sum, each) => sum + each, 0) < 0) return null;
    let became = less.reduce((sum, each) => sum - Math.min(each, 0), 0);
    for (const [index, piece] of own.entries()) {
      const changed = Math.min(became, Math.max(less[index], 0));
      became -= changed;
      for (let left = less[index] - changed; left > 0; left--) gone[side].push(piece);
    }
  }
  return gone;
}

/** Pieces in words: "2 pawns, 1 knight". @param {Piece[]} pieces */
function inWords(pieces) {
  const kinds = [...new Set(pieces.map(({ kind }) => kind))];
  return kinds
    .map((kind) => {
      const many = pieces.filter((each) => each.kind === kind).length;
      return `${countText(many)} ${many === 1 ? kind : kind === "man" ? "men" : `${kind}s`}`;
    })
    .join(", ");
}

/** First positions, by game and start; null while they are asked for. @type {Map<string, PositionView | null>} */
const firsts = new Map();

/**
 * Maker of a function that draws the material on a page.
 * @param {Controller} does
 * @returns {(state: Ready) => Record<string, Part>}
 */
export const material =
  (does) =>
  ({ game, shown, board }) => {
    const { game: spec, start, names } = game.position;
    const key = `${spec} ${start}`;
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, null);
      answers.ask("position", { game: spec, start }).then(
        (found) => {
          firsts.set(key, found);
          does.change({ ...does.state });
        },
        () => firsts.delete(key),
      );
    }
    return {
      material: [
        [first, shown, board],
        () => {
          /** @param {PositionView} at What stands on the board, without what is chosen beside it. */
          const on = (at) => at.look.pieces.filter((_, place) => board.places[place]?.shape !== "choice");
          const gone = first && lostPieces(board, on(first), on(shown));
          if (!gone || !(gone.x.length + gone.o.length)) return null;
          return el(
            "dl",
            { class: "material", "aria-label": "Taken pieces" },
            SIDES.map((side, number) => {
              const [taken, given] = [gone[SIDES[1 - number]], gone[side]];
              const lead = taken.length - given.length;
              return [
                el("dt", { class: "unseen" }, `${names[side]} has taken`),
                el(
                  "dd",
                  {},
                  el("span", { class: "unseen" }, inWords(taken) || "nothing"),
                  taken.map((piece) => drawPiece(piece, SIDES[1 - number])),
                  lead > 0 && el("strong", { "aria-label": `${lead} more` }, `+${lead}`),
                ),
              ];
            }),
          );
        },
      ],
    };
  };
