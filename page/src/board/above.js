// Layer above the places of a board: owners of its areas, the area to play in, the line that won.

import { svg } from "../shell/dom.js";
import { mark } from "./pieces.js";
import { extent, standing } from "./places.js";

/** @import { BoardView, PositionView } from "models" */

/** Of an area, from its edge: as much of a step is left free. */
const [INSET, MARK] = [0.04, 0.72];

export class Above {
  node = svg("svg", { class: "lines above", "aria-hidden": "true" });
  #shown = "";

  /**
   * Draw it; gives the strokes that were not there before.
   * @param {BoardView} board
   * @param {boolean} flipped
   * @param {PositionView["look"]} look
   * @param {number[] | null} sends
   * @param {(owner: string) => string} side
   * @returns {SVGElement[]}
   */
  show(board, flipped, look, sends, side) {
    if (!standing(board).length) return []; // it is only written
    const active = look.fates.flatMap(({ active }, area) => (active ? [area] : []));
    const state = JSON.stringify([flipped, look.fates, look.through, sends]);
    if (state === this.#shown) return [];
    this.#shown = state;
    const namedPieces = () => /** @type {SVGElement[]} */ ([...this.node.querySelectorAll("[data-name]")]);
    const before = new Set(namedPieces().map(({ dataset }) => dataset.name));
    const { left, top, width, height } = extent(board);
    const at = (/** @type {number} */ place) => {
      const { x, y } = board.places[place];
      return flipped ? { x: 2 * left + width - x, y: 2 * top + height - y } : { x, y };
    };
    const won = look.fates.flatMap(({ owner }, area) => (owner ? [{ area, owner }] : []));
    this.node.setAttribute("viewBox", [left, top, width, height].join(" "));
    this.node.replaceChildren(
      ...won.map(({ area, owner }) => fate(boxOf(board, area, at), owner, side(owner), `won ${area}`)),
      ...(active.length === 1 ? active.map((area) => frame(boxOf(board, area, at), "target")) : []),
      ...(sends ?? []).map((area) => frame(boxOf(board, area, at), "sent")),
      ...look.through.map((places) =>
        svg("path", {
          class: "through",
          d: `M${places
            .map(at)
            .map(({ x, y }) => `${x} ${y}`)
            .join("L")}`,
          pathLength: 1,
          "data-name": `through ${places.join(" ")}`,
        }),
      ),
    );
    const fresh = namedPieces().filter(({ dataset }) => !before.has(dataset.name));
    /** @type {(node: SVGElement) => SVGElement[]} */
    const strokes = (node) => (node.matches("path") ? [node] : [...node.querySelectorAll("path")]);
    return fresh.flatMap(strokes);
  }
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/**
 * @param {BoardView} board
 * @param {number} area
 * @param {(place: number) => { x: number, y: number }} at
 * @returns {Box}
 */
function boxOf(board, area, at) {
  const places = board.areas[area].places.map(at);
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs) - 0.5, Math.min(...ys) - 0.5];
  return { x, y, width: Math.max(...xs) + 0.5 - x, height: Math.max(...ys) + 0.5 - y };
}

/** @param {Box} box @param {string} name */
const frame = ({ x, y, width, height }, name) =>
  svg("rect", {
    class: name,
    x: x + INSET,
    y: y + INSET,
    width: width - 2 * INSET,
    height: height - 2 * INSET,
    rx: 0.12,
  });

/** The mark of who has won an area. @param {Box} box @param {string} owner @param {string} side @param {string} name */
function fate({ x, y, width, height }, owner, side, name) {
  const wide = Math.min(width, height) / MARK;
  const [left, top] = [x + (width - wide) / 2, y + (height - wide) / 2];
  const transform = `translate(${left} ${top}) scale(${wide / 100})`;
  return svg("g", { class: `piece fate side-${side}`, transform, "data-name": name }, mark(owner));
}
