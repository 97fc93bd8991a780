// What follows from a recorded search, whatever the search: laws of where its nodes stand and of its steps.

import assert from "node:assert/strict";
import { test } from "node:test";

import { APART, inView, layout, nearest, outline } from "../src/tree/layout.js";
import { Recorded, running, sentence, steps } from "../src/tree/recorded.js";
import { alphabeta, searches } from "./searches.js";

for (const { name, tree } of searches()) {
  test(`layout of ${name}`, () => {
    const { x, rows, stubs, width, height } = layout(tree, new Set());
    assert.equal(rows.flat().length, tree.size, "every node stands somewhere");
    assert.equal(height, 1 + Math.max(...tree.level, ...stubs.map(({ level }) => level)));
    for (const row of rows) {
      row.forEach((node, place) => {
        assert.ok(x[node] > 0 && x[node] < width, "inside the width");
        const before = row[place - 1];
        const room = tree.parent[node] === tree.parent[before] ? 1 : 1 + APART;
        if (place) assert.ok(x[node] - x[before] >= room, "a node's unit is its own, and families are apart");
      });
    }
    stubs.forEach((stub, number) => {
      assert.ok(stub.x > 0 && stub.x < width);
      const others = stubs.filter(({ level }, place) => place !== number && level === stub.level).map((each) => each.x);
      const beside = [...others, ...(rows[stub.level] ?? []).map((node) => x[node])];
      assert.ok(
        beside.every((place) => Math.abs(place - stub.x) >= 0.5),
        "a branch cut off has room of its own",
      );
    });
    tree.children.forEach((below, node) => {
      if (below.length) assert.equal(2 * x[node], x[below[0]] + x[below[below.length - 1]], "over their middle");
    });
  });

  test(`closed nodes of ${name}`, () => {
    const closed = new Set(tree.children[0]);
    const { rows, stubs, width } = layout(tree, closed);
    assert.deepEqual(
      rows.flat().sort((a, b) => a - b),
      [0, ...closed],
      "nothing is below a closed node",
    );
    assert.ok(stubs.every(({ node }) => node === 0));
    assert.ok(width <= layout(tree, new Set()).width);
  });

  test(`outline of ${name}`, () => {
    const place = layout(tree, new Set());
    const isBest = (/** @type {number} */ node) => tree.principal.has(node);
    const all = { seen: Infinity, isBest, isCut: () => true, cutAt: 0.3 };
    const { edges, dots } = outline(tree, place, all);
    /** How many strokes there are of a class. @param {{ name: string, d: string }[]} paths @param {RegExp} wanted */
    const count = (paths, wanted) =>
      paths
        .filter(({ name }) => wanted.test(name))
        .map(({ d }) => d)
        .join("")
        .split("M").length - 1;
    assert.equal(count(dots, /dot/), tree.size);
    assert.equal(count(edges, /plain|line/), tree.size - 1, "one edge to every node but the root");
    assert.equal(count(edges, /line/), tree.line.length - 1);
    assert.equal(count(edges, /cut/), place.stubs.length);
    const none = outline(tree, place, { ...all, seen: 0 });
    assert.equal(count(none.dots, /future/), tree.size, "before the search all is to come");
  });

  test(`steps of ${name}`, () => {
    const taken = steps(tree);
    const entered = taken.filter(({ kind }) => kind === "enter").map(({ node }) => node);
    assert.deepEqual(entered, [...tree.parent.keys()], "every node is entered once, in the order of their numbers");
    const returned = taken.filter(({ kind }) => kind === "back").map(({ child }) => Number(child));
    assert.deepEqual(
      returned.sort((a, b) => a - b),
      entered.slice(1),
      "and left once, but for the root",
    );
    const last = taken.filter(({ kind }) => kind !== "cut").at(-1);
    assert.equal(last?.node, 0);
    assert.equal(last?.best, tree.value[0], "the last value found at the root is the search's");
    const low = (/** @type {number | null} */ edge) => edge ?? -Infinity;
    const high = (/** @type {number | null} */ edge) => edge ?? Infinity;
    const before = new Map();
    for (const step of taken) {
      const earlier = before.get(step.node);
      if (earlier) {
        assert.ok(low(step.alpha) >= low(earlier.alpha), "windows only narrow");
        assert.ok(high(step.beta) <= high(earlier.beta), "windows only narrow");
      }
      if (step.kind === "cut") assert.ok(low(step.alpha) >= high(step.beta), "a cutoff is where α has reached β");
      before.set(step.node, step);
    }
  });

  test(`the nodes on the way in ${name}`, () => {
    const taken = steps(tree);
    taken.forEach((step, number) => {
      const found = running(tree, taken, number);
      const way = [...found.keys()];
      const inside = ["enter", "back"].includes(step.kind);
      assert.equal(way.length, tree.level[step.node] + (inside ? 1 : 0));
      way.slice(1).forEach((node, place) => assert.equal(node, tree.parent[way[place]]));
      for (const [node, { window }] of found) {
        const latest = taken
          .slice(0, number + 1)
          .filter((each) => each.node === node)
          .at(-1);
        assert.equal(window, latest && tree.window(latest.alpha, latest.beta), "as it was left there");
      }
      assert.ok(sentence(tree, step).endsWith("."));
    });
    assert.equal(running(tree, taken, taken.length).size, 0, "none when the search is over");
  });

  test(`paths of ${name}`, () => {
    tree.parent.forEach((_, node) => assert.equal(tree.find(tree.path(node)), node));
    assert.equal(tree.find(["no such move"]), null);
  });
}

test("a row in view is a stretch of it, and the current node is in it whatever the crowd", () => {
  const row = [...Array(1000).keys()];
  for (const [gap, current] of [
    [40, 12],
    [15, 500],
    [3, 20],
  ]) {
    const at = (/** @type {number} */ node) => node * gap - 100;
    const shown = [...inView(row, at, 300, current)];
    const near = row.filter((node) => at(node) >= -60 && at(node) < 360);
    assert.deepEqual(
      shown.map(([node]) => node),
      gap >= 15 ? near : near.filter((node) => node === current),
    );
    assert.ok(shown.every(([node, room]) => room === (node === current ? Infinity : gap)));
  }
});

test("what is pointed at in a row is the node that stands nearest", () => {
  const row = [...Array(100).keys()];
  const at = (/** @type {number} */ node) => node * node; // ever farther apart
  for (const x of [-50, 0, 3.4, 30, 31, 5000, 1e6]) {
    const found = nearest(row, at, x);
    assert.ok(
      row.every((node) => Math.abs(at(node) - x) >= Math.abs(at(found) - x)),
      String(x),
    );
  }
});

test("Knuth and Moore's minimal tree: alpha-beta on the best order enters b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves", () => {
  for (const [branching, depth] of [
    [2, 4],
    [3, 3],
    [4, 2],
  ]) {
    const tree = new Recorded(alphabeta(() => 0, branching, depth));
    const leaves = tree.kind.filter((kind) => kind !== "node").length;
    assert.equal(leaves, branching ** Math.ceil(depth / 2) + branching ** Math.floor(depth / 2) - 1);
    const cuts = steps(tree).filter(({ kind }) => kind === "cut");
    assert.equal(cuts.length, tree.cut.filter((cut) => cut !== null).length, "a step for every cutoff");
    for (const { node } of cuts) assert.equal(tree.cutName(node), tree.side[node] ? "alpha cutoff" : "beta cutoff");
  }
});

test("a node is read aloud with its value, a bound as a bound, and its window", () => {
  const tree = new Recorded(alphabeta((path) => path[path.length - 1], 2, 2));
  assert.match(tree.label(0), /^root, max, value 0, window \[−∞, ∞\], principal variation$/);
  const bounded = tree.bound.findIndex((bound) => bound !== "=");
  assert.ok(tree.label(bounded).includes(`value ${tree.bound[bounded]} `));
  assert.equal(tree.word(null), "?");
  assert.equal(sentence(tree, undefined), "The search is over: 0 by a.");
});

test("a user's search is vouched for in nothing that is not seen", () => {
  const tree = new Recorded({ ...alphabeta((path) => path[path.length - 1], 2, 2), algorithm: "student.py:search" });
  const said = steps(tree).map((step) => sentence(tree, step));
  assert.ok(said.includes("Cuts after b: leaves out b."));
  assert.ok(said.some((words) => /^Back from a with \d; best after a so far \d\.$/.test(words)));
  const known = new Recorded({ ...tree, kind: tree.kind.map(() => "node"), hidden: tree.hidden.map(() => 0) });
  const [last] = steps(known).filter(({ kind }) => kind === "hidden");
  assert.match(sentence(known, last), /^No move is searched after a a: the search has \d from elsewhere/);
});
