// A tree of moves: its changes, and its text and table.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  EMPTY,
  addMove,
  branching,
  changeNode,
  ends,
  findNode,
  fromRows,
  isPlain,
  line,
  promoteVariation,
  read,
  removeNode,
  rows,
  straight,
  studyLink,
  treeText,
} from "../src/study/variations.js";

/** @import { Game } from "../src/game/state.js" */

const TEXT = "{opening} e4 $1 {best by test} (d4 d5 (Nf6 c4)) (c4) e5 Nf3 (f4 $5) Nc6";
const main = ["e4", "e5", "Nf3", "Nc6"];

test("a text is read as it was written: variations in variations, comments and glyphs", () => {
  const root = read(TEXT);
  assert.equal(treeText(root), TEXT);
  assert.equal(root.comment, "opening");
  assert.deepEqual(ends(root), [main, ["e4", "e5", "f4"], ["d4", "d5"], ["d4", "Nf6", "c4"], ["c4"]]);
  assert.deepEqual(findNode(root, ["e4"])?.glyphs, [1]);
  assert.equal(findNode(root, ["e4", "c5"]), undefined);
  assert.equal(treeText(read("} ) (e4 )")), "e4"); // what is not understood
});

test("a comment has no brace, so that it can be read again", () => {
  const root = changeNode(straight(["a1"]), ["a1"], (node) => ({ ...node, comment: "odd {braces}" }));
  assert.equal(read(treeText(root)).next[0].comment, "odd braces");
});

test("a table is read as the tree that it was", () => {
  const root = read(TEXT);
  const table = rows(root).map((row) => ({ ...row, notation: "", before: "", clock: null }));
  assert.deepEqual(fromRows(table, root.comment), root);
  assert.deepEqual(rows(EMPTY), []);
});

test("a move off the line makes a variation once; the line goes through it", () => {
  const before = straight(main);
  assert.ok(isPlain(before));
  const root = addMove(before, ["e4"], "c5");
  assert.deepEqual(addMove(root, ["e4"], "c5"), root);
  assert.equal(treeText(root), "e4 e5 (c5) Nf3 Nc6");
  assert.deepEqual(line(root, ["e4", "c5"]), ["e4", "c5"]);
  assert.deepEqual(line(root, ["e4"]), main);
  assert.ok(!isPlain(root));
});

test("a variation is promoted from within, and deleted with all that follows", () => {
  const root = read("e4 (d4 d5 (Nf6 c4))");
  assert.equal(branching(root, ["e4"]), 0);
  assert.equal(branching(root, ["d4", "Nf6", "c4"]), 2);
  const once = promoteVariation(root, ["d4", "Nf6", "c4"]);
  assert.equal(treeText(once), "e4 (d4 Nf6 (d5) c4)");
  assert.equal(treeText(promoteVariation(once, ["d4", "Nf6"])), "d4 (e4) Nf6 (d5) c4");
  assert.equal(treeText(removeNode(root, ["d4", "Nf6"])), "e4 (d4 d5)");
  assert.equal(treeText(removeNode(root, [])), "");
});

test("a game is studied further from a move that was not played", () => {
  const position = { game: "chess", start: "", moves: main };
  const game = /** @type {Game} */ (/** @type {unknown} */ ({ position, players: { x: "human", o: "level:easy" } }));
  const { moves, tree, ply, x, o } = studyLink(game, 2, "f4");
  assert.deepEqual([moves, tree, ply, x, o], ["e4 e5 f4", "e4 e5 Nf3 (f4) Nc6", 3, "", "level:easy"]);
  assert.equal(studyLink(game, 2, "Nf3").tree, "");
});
