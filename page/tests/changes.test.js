// What became of what stood: laws for any two positions, and the moves of games that people know.

import assert from "node:assert/strict";
import { test } from "node:test";

import { changes, way } from "../src/board/changes.js";
import { targetOf } from "../src/board/choosing.js";

/** @typedef {import("../src/board/changes.js").Pieces} Pieces */

/** @param {string} owner @param {string} [kind] @param {number} [count] */
const piece = (owner, kind = "man", count = 1) => ({ owner, kind, count, text: "", name: "" });

/** Pieces of one kind, by a letter each: x, o, and a point where nothing stands. @param {string} word */
const row = (word) => [...word].map((letter) => (letter === "." ? null : piece(letter)));

/** @param {number[]} counts */
const pits = (counts) => counts.map((count) => piece("x", "seeds", count));

/** @param {Pieces} before @param {Pieces} after @param {number[]} path */
const told = (before, after, path) =>
  changes(before, after, path).map((change) =>
    [change.kind, ...(change.kind === "moved" ? change.way : [change.place])].join(" "),
  );

test("every place that has changed is told of once, and no other", () => {
  const words = ["x..", ".x.", "xo.", "o.x", "oox", "...", "xxx", "x.o"];
  for (const before of words) {
    for (const after of words) {
      const found = changes(row(before), row(after), [0, 1]);
      const gone = found.filter(({ kind }) => kind !== "came");
      const left = gone.map((each) => (each.kind === "moved" ? each.way[0] : each.place));
      const come = found.flatMap((each) => (["moved", "came", "turned"].includes(each.kind) ? [each.place] : []));
      const differ = [0, 1, 2].filter((place) => before[place] !== after[place]);
      assert.deepEqual(
        [...left].sort(),
        differ.filter((place) => before[place] !== "."),
        `${before} ${after}`,
      );
      assert.deepEqual(
        [...come].sort(),
        differ.filter((place) => after[place] !== "."),
        `${before} ${after}`,
      );
    }
  }
});

test("a piece moves along its path, takes, jumps, castles, becomes another, and is taken back", () => {
  assert.deepEqual(told(row("x.."), row("..x"), [0, 1, 2]), ["moved 0 1 2"]);
  assert.deepEqual(told(row("x.o"), row("..x"), [0, 2]), ["moved 0 2", "gone 2"]);
  assert.deepEqual(told(row("xo."), row("..x"), [0, 2]), ["moved 0 2", "gone 1"]);
  assert.deepEqual(told(row("..x"), row("xo."), [2, 0]), ["moved 2 0", "came 1"]);
  const [king, rook] = [piece("x", "king"), piece("x", "rook")];
  assert.deepEqual(told([king, null, null, rook], [null, rook, king, null], [0, 2]), ["moved 0 2", "moved 3 1"]);
  const [pawn, queen] = [piece("x", "pawn"), piece("x", "queen")];
  assert.deepEqual(told([pawn, null, queen], [null, queen, queen], [0, 1, 2]), ["moved 0 1"]);
  assert.deepEqual(
    told([piece("x", "man", 3), ...row("..")], [piece("x", "man", 2), ...row(".x")], [0, 2]),
    ["moved 0 2"],
    "one of a stack",
  );
});

test("what changes its owner turns over, what is set comes, what is taken off goes", () => {
  assert.deepEqual(told(row(".oox"), row("xxxx"), [0]), ["turned 1", "turned 2", "came 0"]);
  assert.deepEqual(told(row("xxx"), row("x.."), [1]), ["gone 1", "gone 2"]);
  assert.deepEqual(told(row("x.o"), row("x.o"), [1]), []);
});

test("seeds are sown one by one, in order, as many as each pit has gained; a captured pit follows", () => {
  const sown = (/** @type {number[]} */ before, /** @type {number[]} */ after, /** @type {number[]} */ path) =>
    changes(pits(before), pits(after), path).map((each) => (each.kind === "sown" ? `${each.from}>${each.place}` : ""));
  assert.deepEqual(sown([4, 4, 4, 0, 4], [4, 0, 5, 1, 5], [1]), ["1>2", "1>3", "1>4"]);
  assert.deepEqual(sown([2, 1, 0, 0, 3], [0, 2, 0, 4, 0], [0]), ["0>1", "0>3", "4>3", "4>3", "4>3"]);
  for (const path of [[0], [4], []]) {
    const [before, after] = [
      [7, 1, 0, 2, 3],
      [0, 3, 2, 5, 3],
    ];
    const found = changes(pits(before), pits(after), path);
    assert.equal(found.length, 7);
    after.forEach((count, pit) => {
      const seeds = found.flatMap((each) => (each.kind === "sown" && each.place === pit ? [each.seed] : []));
      assert.deepEqual(
        seeds,
        [...Array(Math.max(0, count - before[pit])).keys()].map((seed) => before[pit] + seed),
      );
    });
  }
});

test("the way between neighbours is the last move's, backwards where it was taken back; others have none", () => {
  const at = (/** @type {string[]} */ moves, /** @type {number[]} */ last) => ({ moves, last });
  assert.deepEqual(way(at(["a"], [1]), at(["a", "b"], [2, 3])), [2, 3]);
  assert.deepEqual(way(at(["a", "b"], [2, 3]), at(["a"], [1])), [3, 2]);
  assert.equal(way(at(["a"], [1]), at(["a", "b", "c"], [2])), null);
  assert.equal(way(at(["a", "b"], [1]), at(["c"], [2])), null);
  assert.deepEqual(way(at([], []), at([], []), [7]), [7]);
});

test("any place of a fall stands for the one where a move begins; other places stand for themselves", () => {
  const falls = [
    [0, 2, 4],
    [1, 3, 5],
  ];
  const next = new Map([[2, ["a"]]]);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6].map((place) => targetOf(falls, next, place)),
    [2, 1, 2, 3, 2, 5, 6],
  );
});
