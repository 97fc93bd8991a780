// Links, specs, positions as text, and the graph of a review.

import assert from "node:assert/strict";
import { test } from "node:test";

import { at } from "../src/analysis/graph.js";
import * as link from "../src/shell/link.js";
import { isForPage } from "../src/game/keys.js";
import { harder } from "../src/game/state.js";
import { keep, readStored } from "../src/shell/storage.js";
import {
  spokenMove,
  countText,
  fillOptions,
  optionValues,
  numberedMove,
  spec,
  gameTitle,
  whereabouts,
} from "../src/shell/words.js";

test("a link that is written is read as it was", () => {
  const strange = { game: "mnk:rows=5,k=4", start: "x.o/.x./...:o", moves: "b2 a1", why: "50 % & more? #1 = ½ +" };
  for (const path of [[], ["board"], ["game", "a-b_C9"], ["lessons", "1 rules/?#"]]) {
    assert.deepEqual(link.read(link.write(path, strange)), { path, values: strange });
    assert.deepEqual(link.read(link.write(path)), { path, values: {} });
  }
});

test("what is empty is left out of a link, what is 0 is not", () => {
  assert.equal(link.write(["board"], { game: "", ply: null, flip: undefined }), "#/board");
  assert.equal(link.write(["board"], { ply: 0 }), "#/board?ply=0");
});

test("a spec names the options that are not at their defaults", () => {
  const options = [
    { name: "rows", kind: "int", default: "3" },
    { name: "misere", kind: "bool", default: "false" },
  ];
  assert.equal(spec("mnk", options, { rows: "3", misere: "false" }), "mnk");
  assert.equal(spec("mnk", options, { rows: "5", misere: "true" }), "mnk:rows=5,misere=true");
});

test("counts are written with their thousands apart", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(countText), ["0", "999", "1,000", "1,234,567"]);
});

test("in a review x's win is at the top, o's at the bottom, plies go to the right, and all is inside", () => {
  const bars = [0.5, 1, 0, 0.25];
  const drawn = bars.map((bar, ply) => at({ ply, score: { bar } }, bars.length - 1));
  drawn.forEach(([x, y], ply) => {
    assert.ok(x >= 0 && x <= 100 && y >= 0 && y <= 100);
    if (ply) assert.ok(x > drawn[ply - 1][0]);
  });
  assert.equal(drawn[0][1], 50);
  assert.equal(drawn[1][1] + drawn[2][1], 100, "a win of one is as far from the middle as the other's");
  const up = [1, 0, 3, 2].map((ply) => drawn[ply][1]);
  assert.deepEqual(
    up,
    [...up].sort((a, b) => a - b),
    "the more it is worth for x, the higher",
  );
});

test("keys typed into a field or with Ctrl are not the page's", () => {
  /** @param {boolean} inField @param {object} [more] */
  const key = (inField, more) => /** @type {any} */ ({ target: { closest: () => (inField ? {} : null) }, ...more });
  assert.equal(isForPage(key(false)), true);
  assert.equal(isForPage(key(true)), false);
  for (const held of ["ctrlKey", "altKey", "metaKey"]) assert.equal(isForPage(key(false, { [held]: true })), false);
});

test("a broken escape is read as it is written, a ply that is no number is none", () => {
  assert.deepEqual(link.read("#/%E0%A4%A?ply=1.5").path, ["%E0%A4%A"]);
  assert.deepEqual(["0", "12"].map(link.plyOf), [0, 12]);
  for (const text of ["abc", "-5", "1.5", "", undefined]) assert.equal(link.plyOf(text), null);
});

test("a spec's options are read by place and by name, and stand in a game's name", () => {
  const options = [
    { name: "rows", default: "3" },
    { name: "k", default: "3" },
    { name: "heaps", default: "3/4/5" },
  ];
  assert.deepEqual(optionValues("mnk:9,k=5", options), { rows: "9", k: "5", heaps: "3/4/5" });
  for (const text of ["mnk", "mnk:rows=9,k=4", "mnk:heaps=1/2"]) {
    assert.equal(spec("mnk", options, optionValues(text, options)), text);
  }
  assert.equal(fillOptions("{k} of {n}", { k: "5" }), "5 of {n}");
  const games = [
    { name: "mnk", title: "{k} in a row", options },
    { name: "my.py:Nim", title: "Nim", options: [] },
  ];
  assert.deepEqual(
    ["mnk:k=4", "my.py:Nim", "go"].map((text) => gameTitle(games, text)),
    ["4 in a row", "Nim", "go"],
  );
});

test("boards within a board are called by where they are seen", () => {
  const places = [...Array(9).keys()].map((number) => ({
    name: `${number}`,
    x: number % 3,
    y: Math.floor(number / 3),
    shape: /** @type {const} */ ("square"),
    dark: false,
  }));
  const areas = places.map((_, number) => ({ name: `board ${number + 1}`, places: [number] }));
  const all = (/** @type {boolean} */ flipped) =>
    [0, 1, 4, 8].map((area) => whereabouts({ areas, places }, area, flipped));
  assert.deepEqual(all(false), ["the top left board", "the top board", "the middle board", "the bottom right board"]);
  assert.deepEqual(all(true), ["the bottom right board", "the bottom board", "the middle board", "the top left board"]);
  assert.equal(whereabouts({ areas: areas.slice(0, 2), places }, 1, false), "board 2");
});

test("harder is the next level of the opponent, whichever side it plays", () => {
  const players = ["level:easy", "level:hard", "random"].map((name) => ({ spec: name }));
  assert.deepEqual(harder(players, { x: "human", o: "level:easy" }), { x: "human", o: "level:hard" });
  assert.deepEqual(harder(players, { x: "level:easy", o: "human" }), { x: "level:hard", o: "human" });
  for (const o of ["level:hard", "random", "human"]) assert.equal(harder(players, { x: "human", o }), null);
});

test("what cannot be stored is remembered", () => {
  assert.equal(readStored("seats", 7), 7);
  keep("seats", { a: 1 });
  assert.deepEqual(readStored("seats", 7), { a: 1 });
});

test("a move is heard in words, longer signs before shorter ones", () => {
  const spoken = [
    ["O-O-O", "castles long"],
    ["O-O", "castles short"],
    ["N", "knight "],
    ["Q", "queen "],
    ["x", " takes "],
    ["=", ", becomes "],
    ["+", ", check"],
    ["#", ", checkmate"],
    ["-", " to "],
  ];
  const said = (/** @type {string} */ move) => spokenMove({ spoken: /** @type {[string, string][]} */ (spoken) }, move);
  assert.equal(said("Nf3+"), "knight f3, check");
  assert.equal(said("exd8=Q#"), "e takes d8, becomes queen, checkmate");
  assert.equal(said("O-O-O"), "castles long");
  assert.equal(said("11x18"), "11 takes 18");
  assert.equal(spokenMove({ spoken: [] }, "c4-2<"), "c4-2<");
});

test("a move has the number of its pair, also where the second player begins", () => {
  const position = { plies_before: 0, notation: ["e4", "e5", "Nf3"] };
  assert.deepEqual(
    [1, 2, 3].map((ply) => numberedMove(position, ply)),
    ["1. e4", "1… e5", "2. Nf3"],
  );
  assert.equal(numberedMove({ plies_before: 27, notation: ["Kd7"] }, 1), "14… Kd7");
});
