// The part of a tree that is seen: laws of fitting, of making wider and of bringing into view.

import assert from "node:assert/strict";
import { test } from "node:test";

import { View } from "../src/tree/view.js";

const SIZE = { width: 800, height: 400 };

test("a tree that fits is in view from edge to edge, and in the middle", () => {
  for (const tree of [
    { width: 1, height: 1 },
    { width: 9, height: 3 },
    { width: 50_000, height: 6 },
  ]) {
    const view = new View();
    view.fit(SIZE, tree);
    const [[left, top], [right, bottom]] = [view.at(0, 0), view.at(tree.width, tree.height - 1)];
    assert.ok(left >= 0 && right <= SIZE.width && top >= 0 && bottom <= SIZE.height);
    assert.ok(Math.abs(left + right - SIZE.width) < 1e-6);
  }
});

test("made wider, what is under the pointer stays there, and back is where it was", () => {
  const view = new View();
  view.fit(SIZE, { width: 20, height: 4 });
  const at = (/** @type {number} */ pixel) => (pixel - view.x) / view.kx;
  const before = [view.kx, view.x, at(300)];
  view.zoom(2, 300);
  assert.equal(view.kx, 2 * before[0]);
  assert.ok(Math.abs(at(300) - before[2]) < 1e-9);
  view.zoom(1 / 2, 300);
  assert.ok(Math.abs(view.x - before[1]) < 1e-9);
  for (const factor of [1e9, 1e-9]) {
    view.zoom(factor, 300);
    assert.ok(view.kx > 0 && view.kx < SIZE.width, "never so wide that nothing, nor so narrow that all is lost");
  }
});

test("a place that is revealed is in view, and one in view does not move", () => {
  for (const place of [-5000, 0.5, 12, 9000]) {
    const view = new View();
    view.fit(SIZE, { width: 20, height: 40 });
    view.reveal(SIZE, view.at(place, 30));
    const [x, y] = view.at(place, 30);
    assert.ok(x >= 0 && x <= SIZE.width && y >= 0 && y <= SIZE.height);
    const before = [view.x, view.y];
    view.reveal(SIZE, [x, y]);
    assert.deepEqual([view.x, view.y], before);
  }
});
