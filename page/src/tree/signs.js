// Signs of a drawn tree beside its nodes: branches cut off, and names that are written upward.

import { svg } from "../shell/dom.js";

/** @import { Stub } from "./layout.js" */

/**
 * The end of a branch that was cut off, with the move that was not searched; it can be pressed.
 * @param {Stub} stub
 * @param {[x: number, y: number]} at
 * @param {number} size Of the text, where 1 is usual.
 * @param {boolean} isLow Whether the move stands a line lower.
 * @param {(node: number) => void} choose
 */
export function cutSign({ node, move }, [x, y], size, isLow, choose) {
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size})`;
  return svg(
    "g",
    { class: "stub", transform, onclick: () => choose(node) },
    svg("path", { class: "reach", d: "M-9-10H9V22H-9Z" }),
    svg("path", { d: "M-7 2L3-5M-4 6L6-1" }),
    svg("text", { y: isLow ? 29 : 18 }, move),
  );
}

/**
 * A name that ends above a node.
 * @param {string} name
 * @param {[x: number, y: number]} at
 * @param {number} size
 */
export const upright = (name, [x, y], size) =>
  svg(
    "text",
    {
      transform: `translate(${(x + 3.5 * size).toFixed(1)} ${y.toFixed(1)}) scale(${size}) rotate(-90)`,
    },
    name,
  );
