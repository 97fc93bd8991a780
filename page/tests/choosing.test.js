// Which places come next, what the choice of one means, and where places stand: laws for any moves and any board.

import assert from "node:assert/strict";
import { test } from "node:test";

import { choosing, elsewhere, following, previewMove } from "../src/board/choosing.js";
import { box, coordinates, extent, nearest, standing, stores, turnBoard } from "../src/board/places.js";

/** @typedef {import("../src/board/places.js").Place} Place */

/** @param {number[][]} paths */
const offered = (paths) => ({ legal: paths.map((path) => `move ${path.join(" ")}`), paths });

/** @param {string} name @param {number} x @param {number} y @param {Place["shape"]} [shape] @returns {Place} */
const place = (name, x, y, shape = "square") => ({ name, x, y, shape, dark: false });

/** @param {Place[]} places @returns {import("models").BoardView} */
const board = (places) => ({
  places,
  lines: [],
  areas: [],
  falls: [],
  grid: null,
  block: 0,
  names: ["x", "o"],
  marks: ["x", "o"],
  colours: ["blue", "orange"],
  surface: "paper",
  borders: [],
  crossings: false,
  stars: [],
  draws: true,
  pieces: [],
  spoken: [],
  seat: null,
  must_jump: false,
});

const hexagons = board(
  [...Array(20).keys()].map((number) => {
    const [row, column] = [Math.floor(number / 5), number % 5];
    return place(`${"abcde"[column]}${row + 1}`, column + row / 2, (row * Math.sqrt(3)) / 2, "hexagon");
  }),
);
const kalah = board([
  ...[1, 2, 3].map((x) => place(`x ${x}`, x, 1, "pit")),
  place("x's", 4, 0.5, "pit"),
  ...[3, 2, 1].map((x) => place(`o ${x}`, x, 0, "pit")),
  place("o's", 0, 0.5, "pit"),
]);

const MOVES = [
  [[0], [1], [2, 3], [2, 4]],
  [[0, 1, 2], [0, 3, 2], [0, 1], [5], []],
  [
    [1, 2, 1],
    [1, 2],
    [2, 1],
  ],
];

test("every move with a path is made by choosing its places one after the other, or by the button at its end", () => {
  for (const paths of MOVES) {
    const moves = offered(paths);
    paths
      .filter(({ length }) => length)
      .forEach((path) => {
        /** @type {ReturnType<typeof choosing>} */
        let result = { chosen: [] };
        path.forEach((each, step) => {
          assert.ok(following(moves, path.slice(0, step)).next.has(each), "what comes next is said");
          assert.equal(result?.move, undefined, "no move is made before its path is complete");
          result = choosing(moves, result?.chosen ?? [], each);
        });
        const made = result?.move ?? following(moves, result?.chosen ?? []).ends;
        assert.equal(made, `move ${path.join(" ")}`);
      });
    assert.equal(elsewhere(moves).length, paths.filter(({ length }) => !length).length);
  }
});

test("the first place cancels, another start begins anew, and what nothing can be meant by is refused", () => {
  const moves = offered([
    [0, 1],
    [2, 3],
  ]);
  assert.deepEqual(choosing(moves, [0], 0), { chosen: [] });
  assert.deepEqual(choosing(moves, [0], 2), { chosen: [2] });
  assert.equal(choosing(moves, [0], 3), null);
  assert.equal(choosing(moves, [], 1), null);
});

test("the end of a chain stands for it, if one leads there; of several one is asked for", () => {
  assert.equal(
    choosing(
      offered([
        [0, 1, 2],
        [0, 3, 4],
      ]),
      [0],
      2,
    )?.move,
    "move 0 1 2",
  );
  assert.deepEqual(
    choosing(
      offered([
        [0, 1, 2],
        [0, 3, 2],
      ]),
      [0],
      2,
    )?.among,
    ["move 0 1 2", "move 0 3 2"],
  );
});

test("a piece goes along with its path, takes at its second place, and leaves what is taken off", () => {
  const line = board([0, 1, 2].map((x) => place(`${x}`, x, 0)));
  const piece = (/** @type {string} */ owner, count = 1) => ({ owner, kind: "man", count, text: "", name: "" });
  const owners = (/** @type {ReturnType<typeof previewMove>} */ pieces) => pieces.map((each) => each?.owner ?? "");
  assert.deepEqual(owners(previewMove(line, [piece("x"), null, null], [0, 1, 2], "x")), ["", "", "x"]);
  assert.deepEqual(owners(previewMove(line, [piece("x"), piece("o"), null], [0, 1], "x")), ["", "x", ""]);
  assert.deepEqual(owners(previewMove(line, [piece("x"), null, piece("o")], [0, 1, 2], "x")), ["", "x", "o"]);
  assert.deepEqual(owners(previewMove(line, [null, piece("o"), null], [0, 1], "x")), ["x", "o", ""]);
  assert.equal(previewMove(line, [piece("x", 3), null, null], [0, 1], "x")[0]?.count, 2);
});

test("arrows lead from any place of a board to any other, on hexagons to neighbours", () => {
  const ring = [
    [-1, -1],
    [0, -1],
    [1, -1],
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 1],
    [-1, 0],
  ];
  const points = board(
    [1, 2, 3].flatMap((size) => ring.map(([x, y]) => place(`${size} ${x} ${y}`, 3 + size * x, 3 + size * y, "point"))),
  );
  const edges = board([place("t", 1, 0, "bar"), place("l", 0.5, 0.5, "pole"), place("r", 1.5, 0.5, "pole")]);
  for (const { places } of [hexagons, points, edges, kalah]) {
    const open = [...places.keys()];
    for (const start of open) {
      const reached = new Set([start]);
      for (const from of reached) {
        for (const [right, down] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ]) {
          reached.add(nearest(places, from, open, [right, down]));
        }
      }
      assert.equal(reached.size, open.length);
    }
  }
  const down = hexagons.places[nearest(hexagons.places, 2, [...hexagons.places.keys()], [0, 1])];
  assert.ok(["b2", "c2"].includes(down.name));
});

test("every place is on the board, turned round at the opposite end; rows and columns have one word each", () => {
  for (const each of [hexagons, kalah]) {
    const all = extent(each);
    for (const number of standing(each)) {
      const [here, there] = [false, true].map((flipped) => box(each.places[number], all, flipped));
      assert.ok(here.left > -1e-9 && here.left + here.width < 100 + 1e-9);
      assert.ok(Math.abs(here.left + there.left + here.width - 100) < 1e-9);
      assert.ok(Math.abs(here.top + there.top + here.height - 100) < 1e-9);
    }
  }
  const { letters, numbers, areUpright } = coordinates(hexagons, false);
  assert.deepEqual(
    letters.map(({ word }) => word),
    ["a", "b", "c", "d", "e"],
  );
  assert.deepEqual(
    numbers.map(({ word, place: at }) => [word, at]),
    [
      ["1", 0],
      ["2", 5],
      ["3", 10],
      ["4", 15],
    ],
  );
  assert.equal(areUpright, false);
  assert.deepEqual(coordinates(kalah, false).letters, []);
  assert.deepEqual(stores(kalah), [3, 7]);
  assert.deepEqual(stores(turnBoard(kalah)), [3, 7], "upright, the stores are still above and below all others");
  const [all, upright] = [extent(kalah), extent(turnBoard(kalah))];
  assert.deepEqual([upright.width, upright.height].map(Math.round), [all.height, all.width].map(Math.round));
});
