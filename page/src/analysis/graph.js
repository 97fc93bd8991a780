// The chances in a game as a line, for the first player: bad moves are marked by their grade; a press goes to a move.

import { el, svg } from "../shell/dom.js";
import { numberedMove } from "../shell/words.js";

/** @import { PositionView, StepView } from "models" */

/** Signs of grades that are no praise; hollow where the grade is an estimate. */
const SHAPES = {
  inaccuracy: "M0 5L5 0L0-5L-5 0Z",
  mistake: "M0-6L6 5L-6 5Z",
  blunder: "M-6-6H6V6H-6Z",
  losing: "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0Z",
};

/** A move that lost something, or may have. @param {StepView} step */
export const isTurningPoint = ({ grade }) => grade !== null && grade in SHAPES;

/**
 * Point of a step in the graph of a game, in percent of its width and height.
 * @param {{ ply: number, score: { bar: number } }} step
 * @param {number} plies Of the game.
 * @returns {[x: number, y: number]}
 */
export const at = ({ ply, score }, plies) => [(100 * ply) / Math.max(plies, 1), 100 * (1 - score.bar)];

/**
 * The graph of review steps; `ongo` is called with a ply.
 * @param {StepView[]} steps
 * @param {PositionView} position Of the end of the game.
 * @param {number} shown
 * @param {(ply: number) => void} ongo
 */
export function graph(steps, position, shown, ongo) {
  const { notation, names } = position;
  const plies = notation.length;
  const places = steps.map((step) => at(step, plies));
  const line = places.map((place) => place.map((each) => each.toFixed(1)).join(" ")).join(", ");
  const [first, last] = [places[0], places[places.length - 1]];
  const percent = (/** @type {number} */ each) => `${each.toFixed(2)}%`;
  const dots = steps.filter(isTurningPoint).map((step) => {
    const [x, y] = at(step, plies);
    return svg(
      "svg",
      { x: percent(x), y: percent(y), overflow: "visible" },
      svg(
        "a",
        {
          class: `dot ${step.grade}${step.exact ? "" : " estimate"}`,
          role: "link",
          tabindex: 0,
          "aria-label": `${numberedMove(position, step.ply)}: ${step.verdict}, ${step.score.text}`,
          onclick: (/** @type {Event} */ event) => {
            event.stopPropagation();
            ongo(step.ply);
          },
          onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && ongo(step.ply),
        },
        svg("circle", { class: "reach", r: 12 }),
        svg("path", { d: SHAPES[/** @type {"blunder"} */ (step.grade)] }),
      ),
    );
  });
  const now = percent(at({ ply: shown, score: { bar: 0 } }, plies)[0]);
  const drawing = svg(
    "svg",
    {
      class: "graph",
      role: "group",
      "aria-label": `Chances of ${names.x}`,
      onclick: (/** @type {PointerEvent} */ { clientX }) => {
        const { left, width } = drawing.getBoundingClientRect();
        ongo(Math.max(0, Math.min(plies, Math.round(((clientX - left) / width) * plies))));
      },
    },
    svg(
      "svg",
      { viewBox: "0 0 100 100", preserveAspectRatio: "none", width: "100%", height: "100%" },
      svg("polygon", { points: `${first[0]} 100, ${line}, ${last[0]} 100` }),
      svg("line", { class: "middle", x1: 0, x2: 100, y1: 50, y2: 50 }),
      svg("polyline", { points: line }),
    ),
    svg("line", { class: "now", x1: now, x2: now, y1: 0, y2: "100%" }),
    dots,
  );
  return el(
    "div",
    { class: "chances" },
    el("span", { "aria-hidden": "true" }, names.x),
    drawing,
    el("span", { "aria-hidden": "true" }, names.o),
  );
}
