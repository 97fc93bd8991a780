// What an arena's tables say and draw, and where its games and blunders lead.

import assert from "node:assert/strict";
import { test } from "node:test";

import { result, blunderText, readFilter, ways } from "../src/arena/arenagames.js";
import { half, heat, scale } from "../src/arena/arenatables.js";
import { read } from "../src/shell/link.js";

test("points and results are written as referees write them", () => {
  assert.deepEqual([0, 0.5, 7, 7.5, 1234.5].map(half), ["0", "½", "7", "7½", "1,234½"]);
  assert.deepEqual(
    [3, 0, -1, null].map((utility) => result({ utility })),
    ["1–0", "½–½", "0–1", "void"],
  );
});

test("every interval has room, in its order, with the mean among them", () => {
  const none = { elo: null, low: null, high: null };
  const rows = [{ elo: 120, low: 60, high: 300 }, { elo: 80, low: -10, high: 90 }, none];
  const x = scale(rows, 100);
  assert(x);
  const ends = [-10, 0, 60, 80, 90, 120, 300].map(x);
  assert.deepEqual(
    ends,
    [...ends].sort((one, other) => one - other),
  );
  assert(ends[0] >= 0 && ends[6] <= 100);
  assert.equal(scale([none]), null);
  assert.equal(scale([{ elo: 0, low: 0, high: 0 }], 100)?.(0), 50);
});

test("a cell is as warm as its points are far from half", () => {
  assert.deepEqual(heat(4, 4), ["won", 1]);
  assert.deepEqual(heat(2, 4), ["level", 0]);
  assert.deepEqual(heat(1, 4), ["lost", 0.5]);
  assert.deepEqual(heat(0, 0), ["level", 0]);
});

const game = {
  number: 4,
  x: '<b>Ann</b> & "co"',
  o: "🦊",
  start: "",
  moves: ["b2", "b1", "a1"],
  opening: 1,
  utility: 1,
  why: "x wins",
  fault: null,
  ending: /** @type {"normal"} */ ("normal"),
  words: "",
  blunders: [],
};
/** @type {import("models").BlunderView} */
const blunder = { ply: 2, side: "o", move: "b1", before: "draw", after: "loss", exact: true, held: ["a1", "c1"] };

test("a blunder leads to the position before it, with what held; as an exercise, without", () => {
  const [look, exercise] = ways("an id", "tictactoe", game, blunder).map(read);
  assert.deepEqual(look.path, ["board"]);
  const why = "🦊 played b1, which gave the draw away: it is a loss now. What held: a1, c1.";
  assert.deepEqual(look.values, { game: "tictactoe", moves: "b2", values: "1", why, x: game.x, o: "🦊" });
  assert.deepEqual(exercise.path, ["exercise"]);
  assert.deepEqual(exercise.values, {
    game: "tictactoe",
    moves: "b2",
    was: "b1",
    arena: "an id",
    number: "4",
    ply: "2",
  });
  assert.equal(blunderText(blunder), "1… b1 gave the draw away");
  assert.match(blunderText({ ...blunder, exact: false }), /as a deep search sees it$/);
});

test("which games a link names; against whom only where it is said whose", () => {
  assert.deepEqual(readFilter({ id: "a", entrant: "x", against: "y", only: "faults" }), {
    id: "a",
    entrant: "x",
    against: "y",
    only: "faults",
  });
  assert.deepEqual(readFilter({ id: "a", against: "y", only: "rubbish" }), {
    id: "a",
    entrant: "",
    against: "",
    only: "",
  });
});
