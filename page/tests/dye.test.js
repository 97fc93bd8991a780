// The colours of a board's two sides.

import assert from "node:assert/strict";
import { test } from "node:test";

import { dye } from "../src/board/pieces.js";

test("either side takes the ink, the rim and the trace of its colour", () => {
  const [style, classes] = [new Map(), new Map()];
  /** @type {any} */
  const node = {
    dataset: {},
    style: { setProperty: style.set.bind(style) },
    classList: { toggle: classes.set.bind(classes) },
  };
  dye(node, { colours: ["yellow", "green"], surface: "felt" });
  assert.deepEqual(Object.fromEntries(style), {
    "--x": "var(--yellow)",
    "--rim-x": "var(--yellow-rim)",
    "--trace-x": "var(--yellow-trace)",
    "--o": "var(--green)",
    "--rim-o": "var(--green-rim)",
    "--trace-o": "var(--green-trace)",
  });
  assert.deepEqual([node.dataset.surface, classes.get("bright")], ["felt", false]);
  dye(node, { colours: ["black", "white"], surface: "felt" });
  assert.deepEqual(
    [style.get("--x"), style.get("--rim-o"), classes.get("bright")],
    ["var(--black)", "var(--white-rim)", true],
  );
});
