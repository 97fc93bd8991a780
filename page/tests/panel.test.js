// A score beside the board, as the side to move tells it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { scoreText } from "../src/game/panel.js";

/** A report with a score of White's, and Black's best move. @param {string} text @param {string} brief */
const reported = (text, brief) =>
  /** @type {any} */ ({ score: { text, points: 0, chance: 0.48 }, moves: { Nf6: { brief } }, variation: ["Nf6"] });

test("the unit is turned round with the side, and stands only where there is one", () => {
  const even = reported("White 48 %", "52 %");
  assert.equal(scoreText(even, "White", true), "White 48 %");
  assert.equal(scoreText(even, "Black", false), "Black 52 %");
  const behind = reported("White 45 % (-0.2 pawns)", "55 %");
  assert.equal(scoreText(behind, "Black", false), "Black 55 % (+0.2 pawns)");
});
