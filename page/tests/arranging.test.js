// Pieces of a board that is set up by hand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { carryPiece, palette, usePiece } from "../src/library/arranging.js";

/** @import { BoardView } from "models" */

/** @param {string[]} shapes @param {BoardView["pieces"]} pieces */
const board = (shapes, pieces) =>
  /** @type {BoardView} */ (
    /** @type {unknown} */ ({
      places: shapes.map((shape, x) => ({ name: `${x}`, x, y: 0, shape, dark: false })),
      pieces,
      falls: [],
    })
  );
/** @param {string} owner @param {string} kind @param {number} [count] @param {string} [text] */
const piece = (owner, kind, count = 1, text = "") => ({ owner, kind, count, text, name: "" });
/** @param {number[]} pieces @param {number[]} [counts] */
const here = (pieces, counts = pieces.map(() => 0)) => ({ pieces, counts });

test("each piece is in the palette once, and what erases; seeds are added and taken one by one", () => {
  const chess = board([], [piece("x", "queen", 1, "Q"), piece("o", "queen"), piece("x", "queen")]);
  assert.deepEqual(
    palette(chess).map(({ number, words }) => words || number),
    [1, 2, "Erase"],
  );
  const [add, take] = palette(board(["pit", "pit"], [piece("x", "seeds", 0), piece("o", "seeds", 0)]));
  const kalah = board(["pit", "pit"], [piece("x", "seeds", 0), piece("o", "seeds", 0)]);
  assert.deepEqual(usePiece(kalah, here([1, 2], [3, 0]), 0, add), here([1, 2], [4, 0]));
  assert.deepEqual(usePiece(kalah, here([1, 2], [3, 0]), 1, take), here([1, 2], [3, 0]));
  assert.deepEqual(carryPiece(kalah, here([1, 2], [3, 0]), 0, 1), here([1, 2], [2, 1]));
  assert.deepEqual(carryPiece(kalah, here([1, 2], [3, 0]), 1, 0), here([1, 2], [3, 0]));
});

test("a piece is set, taken away by setting it again, replaced, carried, and gone beside the board", () => {
  const marks = board(["square", "square"], [piece("x", "mark"), piece("o", "mark")]);
  const [x, o, erase] = palette(marks);
  assert.deepEqual(usePiece(marks, here([0, 0]), 1, x), here([0, 1]));
  assert.deepEqual(usePiece(marks, here([0, 1]), 1, x), here([0, 0]));
  assert.deepEqual(usePiece(marks, here([0, 1]), 1, x, false), here([0, 1]));
  assert.deepEqual(usePiece(marks, here([0, 1]), 1, o), here([0, 2]));
  assert.deepEqual(usePiece(marks, here([0, 1]), 1, erase), here([0, 0]));
  assert.deepEqual(carryPiece(marks, here([2, 1]), 1, 0), here([1, 0]));
  assert.deepEqual(carryPiece(marks, here([2, 1]), 1, null), here([2, 0]));
});

test("a domino has two halves, which come and go together; an edge takes lines alone", () => {
  const lying = board(["square", "square", "square"], [piece("o", "domino", 1, "<"), piece("o", "domino", 1, ">")]);
  const [domino] = palette(lying);
  assert.equal(palette(lying).length, 2);
  assert.deepEqual(usePiece(lying, here([0, 0, 0]), 1, domino), here([0, 1, 2]));
  assert.deepEqual(usePiece(lying, here([0, 0, 0]), 2, domino), here([0, 0, 0]));
  assert.deepEqual(usePiece(lying, here([1, 2, 0]), 1, domino), here([0, 1, 2]));
  assert.deepEqual(carryPiece(lying, here([1, 2, 0]), 1, null), here([0, 0, 0]));
  assert.deepEqual(carryPiece(lying, here([1, 2, 0]), 0, 2), here([1, 2, 0]));
  const boxes = board(["square", "bar"], [piece("x", "box"), piece("", "wall")]);
  assert.deepEqual(usePiece(boxes, here([0, 0]), 1, palette(boxes)[0]), here([0, 2]));
});

test("discs of a rack fall, wherever they are set, and those above one that is taken away", () => {
  const places = ["square", "square", "square", "square"];
  const rack = { ...board(places, [piece("x", "disc"), piece("o", "disc")]), falls: [[0, 1, 2]] };
  const [x, o, erase] = palette(rack);
  assert.deepEqual(usePiece(rack, here([0, 0, 0, 0]), 0, x), here([0, 0, 1, 0]));
  assert.deepEqual(usePiece(rack, here([0, 0, 1, 0]), 0, o), here([0, 2, 1, 0]));
  assert.deepEqual(usePiece(rack, here([0, 2, 1, 0]), 2, erase), here([0, 0, 2, 0]));
  assert.deepEqual(carryPiece(rack, here([0, 2, 1, 0]), 2, null), here([0, 0, 2, 0]));
  assert.deepEqual(carryPiece(rack, here([0, 2, 1, 0]), 2, 0), here([0, 1, 2, 0]));
});
