// The value of every position of a game as a line: each move is a dot that says what it did, and goes there.

import { svg } from "../shell/dom.js";

/** @import { StepView } from "models" */

const HEIGHT = 96;
/** By what a move gave away; a small dot where that is not known. */
const SHAPES = {
  nothing: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  unclear: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  win: "M0-7L7 6L-7 6Z",
  draw: "M0 7L7-6L-7-6Z",
  margin: "M0 6L6 0L0-6L-6 0Z",
};

/**
 * How large the graph of a game of `plies` plies is, and where the dot of a step stands in it.
 * @param {number} plies
 */
export function points(plies) {
  /**
   * @param {{ ply: number, score: { bar: number } }} step
   * @returns {[x: number, y: number]}
   */
  const at = ({ ply, score }) => [14 + ply * 26, 12 + (1 - score.bar) * (HEIGHT - 24)];
  return { width: Math.max(plies, 1) * 26 + 28, height: HEIGHT, at };
}

/**
 * The graph of review steps; `ongo` is called with a ply.
 * @param {StepView[]} steps
 * @param {string[]} moves Of the game, as players write them.
 * @param {number} shown
 * @param {(ply: number) => void} ongo
 */
export function graph(steps, moves, shown, ongo) {
  const { width, height, at } = points(moves.length);
  const place = (/** @type {StepView} */ step) => {
    const [x, y] = at(step);
    return `${x} ${y.toFixed(1)}`;
  };
  const dots = steps.map((step) => svg("a", {
    class: `dot gave-${step.gave ?? "unclear"}${step.ply === shown ? " shown" : ""}`,
    transform: `translate(${place(step)})`,
    role: "link",
    tabindex: 0,
    "aria-label": `Ply ${step.ply}${step.ply ? `, ${moves[step.ply - 1]}: ${step.verdict}` : ""}, ${step.score.text}`,
    onclick: () => ongo(step.ply),
    onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && ongo(step.ply),
  }, svg("circle", { class: "reach", r: 11 }), svg("path", { d: SHAPES[step.gave ?? "unclear"] })));
  const frame = { viewBox: `0 0 ${width} ${height}`, width, height };
  return svg("svg", { class: "graph", ...frame, role: "group", "aria-label": "Value of every position" },
    svg("line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
    svg("polyline", { points: steps.map(place).join(", ") }),
    dots);
}
