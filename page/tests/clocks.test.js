// Text of a clock, and the announcement that time is short.

import assert from "node:assert/strict";
import { test } from "node:test";

import { face, shortage } from "../src/game/clocks.js";

test("a clock shows hours, minutes and seconds, tenths at the end, and 0 only when the time is up", () => {
  assert.deepEqual([3900, 3599.2, 300, 10.01, 9.99, 0.05, 0].map(face), [
    "1:05:00",
    "1:00:00",
    "5:00",
    "0:11",
    "0:09.9",
    "0:00.0",
    "0:00.0",
  ]);
});

test("short time is announced once, as it becomes short, and not for a clock that was short at first", () => {
  assert.deepEqual(
    [
      [61, 60.5],
      [60.1, 60],
      [60, 59],
      [31, 29],
      [10.1, 9.9],
      [NaN, 5],
    ].map(([a, b]) => shortage(a, b)),
    [null, 60, null, 30, 10, null],
  );
});
