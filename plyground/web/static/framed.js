// A tree with the buttons that move the view.

import { button, el } from "./dom.js";

/** @import { PlyTree } from "./tree.js" */

/**
 * A tree in its frame.
 * @param {PlyTree} tree
 */
export function framed(tree) {
  /** @type {[words: string, act: () => void][]} */
  const tools = [
    ["Fit", () => tree.fit()],
    ["Wider", () => tree.zoom(1.5)],
    ["Narrower", () => tree.zoom(1 / 1.5)],
    ["Open all", () => tree.open(true)],
    ["Close all", () => tree.open(false)],
  ];
  return el("div", { class: "tree-frame" },
    tree,
    el("div", { class: "part-actions", role: "group", "aria-label": "View of the tree" },
      tools.map(([words, act]) => button(words, act))));
}
