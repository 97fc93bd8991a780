// Pieces that each side has taken.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lostPieces } from "../src/game/material.js";

/** @param {string} owner @param {string} kind @param {number} [count] */
const piece = (owner, kind, count = 1) => ({ owner, kind, count, text: "", name: "" });
const KINDS = ["pawn", "knight", "queen"];
const board = { pieces: ["x", "o"].flatMap((side) => KINDS.map((kind) => piece(side, kind))), marks: ["x", "o"] };
/** @param {string} letters One for each piece: White's are large. */
const on = (letters) =>
  [...letters].map((letter) => {
    const kind = KINDS["pnq".indexOf(letter.toLowerCase())];
    return piece(letter === letter.toLowerCase() ? "o" : "x", kind);
  });
/** @param {string} first @param {string} now */
const gone = (first, now) => {
  const found = lostPieces(/** @type {any} */ (board), on(first), on(now));
  return found && [found.x, found.o].map((pieces) => pieces.map(({ kind }) => kind[0]).join(""));
};

test("what stands there no more was taken; a pawn that became another piece was not", () => {
  assert.deepEqual(gone("PPNQppnq", "PPNQppnq"), ["", ""]);
  assert.deepEqual(gone("PPNQppnq", "PNQppq"), ["p", "k"]);
  assert.deepEqual(gone("PPNQppnq", "PQNQppnq"), ["", ""]);
  assert.deepEqual(gone("PPNQppnq", "QQppnq"), ["pk", ""]);
});

test("where pieces come during the game, nothing is said", () => {
  assert.equal(gone("Pp", "PPp"), null);
  assert.equal(gone("", "Pp"), null);
});

test("seeds are no pieces that are taken", () => {
  const kalah = { pieces: [piece("x", "seeds", 0), piece("o", "seeds", 0)], marks: ["x", "o"] };
  assert.deepEqual(lostPieces(/** @type {any} */ (kalah), [piece("x", "seeds", 4)], []), { x: [], o: [] });
});
