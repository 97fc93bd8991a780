// What is fixed of a board, made once: where each place stands, the lines, the coordinates.

import { el, svg } from "./dom.js";
import { FORMS, box, coordinates, extent, standing, stores } from "./places.js";

/** @import { BoardView, PositionView } from "models" */

/** @param {string} shape */
export const isEdge = (shape) => shape === "bar" || shape === "pole";

/**
 * The places that are only looked at: stores, and what lies between edges; unless a move touches one.
 * @param {BoardView} board
 * @param {Pick<PositionView, "paths">} position
 */
export function lookedAt(board, { paths }) {
  const hasEdges = board.places.some(({ shape }) => isEdge(shape));
  const between = standing(board).filter((place) => hasEdges && !isEdge(board.places[place].shape));
  const touched = new Set(paths.flat());
  return [...stores(board), ...between].filter((place) => !touched.has(place));
}

/**
 * The drawing of a place that is no square.
 * @param {keyof typeof FORMS} shape
 */
export function outline(shape) {
  const { aside, up, down, outline: d } = FORMS[shape];
  const view = [-aside, -up, 2 * aside, up + down].map((each) => 100 * each).join(" ");
  return svg("svg", { class: "ground", viewBox: view, "aria-hidden": "true" }, svg("path", { d }));
}

/**
 * The places of a board where they stand, each an element by its number; the lines below and the coordinates beside.
 * A grid has rows and cells, for those who hear it. `listeners` gives those of a place that can be chosen.
 * @param {BoardView} board
 * @param {boolean} flipped
 * @param {number[]} inert
 * @param {(place: number) => import("./dom.js").Properties} listeners
 * @returns {{ frame: HTMLElement, nodes: Map<number, HTMLElement> }}
 */
export function laidOut(board, flipped, inert, listeners) {
  const all = extent(board);
  const order = flipped ? standing(board).toReversed() : standing(board);
  const nodes = new Map(order.map((place) => {
    const { shape, dark } = board.places[place];
    const fixed = ["place", shape, dark && "dark", flipped && "flipped", inert.includes(place) && "inert"];
    const node = inert.includes(place)
      ? el("div", { role: "img" })
      : el("button", { type: "button", role: board.grid ? "gridcell" : null, ...listeners(place) });
    node.dataset.fixed = fixed.filter(Boolean).join(" ");
    node.dataset.place = String(place);
    const { left, top, width, height } = box(board.places[place], all, flipped);
    Object.assign(node.style, { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` });
    return /** @type {const} */ ([place, node]);
  }));
  const [rows, columns] = board.grid ?? [0, 0];
  const every = [...nodes.values()];
  const cut = [...Array(rows).keys()].map((row) => every.slice(row * columns, (row + 1) * columns));
  const places = el("div", { class: "places", role: board.grid ? "grid" : "group" },
    board.grid ? cut.map((row) => el("div", { role: "row" }, row)) : every);
  const edge = words(board, flipped);
  const below = drawing(board, flipped, "lines", lines(board));
  const above = drawing(board, flipped, "lines over", over(board));
  const field = el("div", { class: "field" }, below, places, above, edge);
  field.style.aspectRatio = `${all.width} / ${all.height}`;
  const frame = el("div", { class: edge ? "frame with-edge" : "frame" }, field);
  frame.style.setProperty("--ratio", String(all.width / all.height));
  frame.style.setProperty("--steps", String(all.width));
  return { frame, nodes };
}

/**
 * A drawing in steps, turned round with the board.
 * @param {BoardView} board
 * @param {boolean} flipped
 * @param {string} name
 * @param {SVGElement[]} parts
 */
function drawing(board, flipped, name, parts) {
  const { left, top, width, height } = extent(board);
  const transform = flipped ? `rotate(180 ${left + width / 2} ${top + height / 2})` : null;
  const viewBox = [left, top, width, height].join(" ");
  return svg("svg", { class: name, viewBox, "aria-hidden": "true" }, svg("g", { transform }, parts));
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
const line = (x1, y1, x2, y2) => svg("line", { x1, y1, x2, y2 });

/**
 * The lines of a board, below its places.
 * @param {BoardView} board
 */
const lines = ({ places, lines }) =>
  lines.map(([from, to]) => line(places[from].x, places[from].y, places[to].x, places[to].y));

/**
 * What is drawn above the places: the lines that cut a grid into boards, and the dots between edges,
 * unless they are places of the board.
 * @param {BoardView} board
 */
function over({ places, grid, block }) {
  const [rows, columns] = grid ?? [0, 0];
  const cuts = (/** @type {number} */ length) =>
    [...Array(block ? length : 0).keys()].filter((cut) => cut && cut % block === 0).map((cut) => cut - 0.5);
  /** @type {Map<string, [x: number, y: number]>} */
  const dots = new Map();
  const dot = (/** @type {number} */ x, /** @type {number} */ y) => dots.set(`${x} ${y}`, [x, y]);
  const hasPoints = places.some(({ shape }) => shape === "point");
  for (const { x, y, shape } of hasPoints ? [] : places) {
    if (shape === "bar") [-0.5, 0.5].forEach((half) => dot(x + half, y));
    if (shape === "pole") [-0.5, 0.5].forEach((half) => dot(x, y + half));
  }
  return [
    ...cuts(rows).map((y) => line(-0.5, y, columns - 0.5, y)),
    ...cuts(columns).map((x) => line(x, -0.5, x, rows - 0.5)),
    ...[...dots.values()].map(([cx, cy]) => svg("circle", { r: 0.075, cx, cy })),
  ];
}

/**
 * The coordinates; none where places are named in another way.
 * @param {BoardView} board
 * @param {boolean} flipped
 */
function words(board, flipped) {
  const { letters, numbers, areUpright } = coordinates(board, flipped);
  if (!letters.length) return null;
  const all = extent(board);
  /** @param {string} word @param {string} kind @param {number} left @param {number} top */
  const at = (word, kind, left, top) => {
    const node = el("span", { class: `coordinate ${kind}` }, word);
    Object.assign(node.style, { left: `${left}%`, top: `${top}%` });
    return node;
  };
  return el("div", { class: "edge", "aria-hidden": "true" },
    numbers.map(({ word, place }) => {
      const { left, top, height } = box(board.places[place], all, flipped);
      return at(word, "beside", areUpright ? 0 : left, top + height / 2);
    }),
    letters.map(({ word, place }) => {
      const { left, top, width, height } = box(board.places[place], all, flipped);
      return at(word, "under", left + width / 2, areUpright ? 100 : top + height);
    }));
}
