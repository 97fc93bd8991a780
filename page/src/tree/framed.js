// A tree with the buttons that move the view.

import { button, el } from "../shell/dom.js";

/** @import { PlyTree } from "./tree.js" */

/**
 * The buttons that move the view of a tree, and some more.
 * @param {PlyTree} tree
 * @param {HTMLElement[]} more
 */
export function tools(tree, ...more) {
  /** @type {[words: string, act: () => void][]} */
  const acts = [
    ["Fit", () => tree.fit()],
    ["Wider", () => tree.zoom(1.5)],
    ["Narrower", () => tree.zoom(1 / 1.5)],
    ["Open all", () => tree.open(true)],
    ["Close all", () => tree.open(false)],
  ];
  return el(
    "div",
    { class: "part-actions", role: "group", "aria-label": "View of the tree" },
    acts.map(([words, act]) => button(words, act)),
    more,
  );
}

/**
 * A tree in its frame.
 * @param {PlyTree} tree
 */
export const frameTree = (tree) => el("div", { class: "tree-frame" }, tree, tools(tree));
