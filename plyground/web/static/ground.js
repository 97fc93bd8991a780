// What is fixed of a board, made once: where each place stands, the lines, the coordinates.

import { el, svg } from "./dom.js";
import { FORMS, box, coordinates, extent, standing, stores } from "./places.js";

/** @import { BoardView, PositionView } from "models" */

/**
 * The places that are only looked at: stores, and the boxes between edges; unless a move touches one.
 * @param {BoardView} board
 * @param {Pick<PositionView, "paths">} position
 */
export function lookedAt(board, { paths }) {
  const hasEdges = board.places.some(({ shape }) => shape === "bar" || shape === "pole");
  const boxes = standing(board).filter((place) => hasEdges && board.places[place].shape === "square");
  const touched = new Set(paths.flat());
  return [...stores(board), ...boxes].filter((place) => !touched.has(place));
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
  const field = el("div", { class: "field" }, lines(board, flipped), places, cuts(board), edge);
  field.style.aspectRatio = `${all.width} / ${all.height}`;
  const frame = el("div", { class: edge ? "frame with-edge" : "frame" }, field);
  frame.style.setProperty("--ratio", String(all.width / all.height));
  frame.style.setProperty("--steps", String(all.width));
  return { frame, nodes };
}

/**
 * The lines that cut a grid into boards, above its squares.
 * @param {BoardView} board
 */
function cuts({ grid, block }) {
  if (!grid || !block) return null;
  const [rows, columns] = grid;
  const at = (/** @type {number} */ length) => [...Array(length / block - 1).keys()].map((cut) => (cut + 1) * block);
  return svg("svg", { class: "lines cuts", viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true" },
    at(rows).map((y) => svg("line", { class: "cut", x1: 0, x2: columns, y1: y, y2: y })),
    at(columns).map((x) => svg("line", { class: "cut", x1: x, x2: x, y1: 0, y2: rows })));
}

/**
 * The lines of a board, and the dots between its edges.
 * @param {BoardView} board
 * @param {boolean} flipped
 */
function lines(board, flipped) {
  const { left, top, width, height } = extent(board);
  /** @type {Map<string, [x: number, y: number]>} */
  const dots = new Map();
  const dot = (/** @type {number} */ x, /** @type {number} */ y) => dots.set(`${x} ${y}`, [x, y]);
  for (const { x, y, shape } of board.places) {
    if (shape === "bar") [-0.5, 0.5].forEach((half) => dot(x + half, y));
    if (shape === "pole") [-0.5, 0.5].forEach((half) => dot(x, y + half));
  }
  const middle = `${left + width / 2} ${top + height / 2}`;
  const frame = { viewBox: [left, top, width, height].join(" "), "aria-hidden": "true" };
  return svg("svg", { class: "lines", ...frame }, svg("g", { transform: flipped ? `rotate(180 ${middle})` : null },
    board.lines.map(([from, to]) => {
      const [start, end] = [board.places[from], board.places[to]];
      return svg("line", { x1: start.x, y1: start.y, x2: end.x, y2: end.y });
    }),
    [...dots.values()].map(([x, y]) => svg("circle", { r: 0.09, cx: x, cy: y }))));
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
      return at(word, "number", areUpright ? 0 : left, top + height / 2);
    }),
    letters.map(({ word, place }) => {
      const { left, top, width, height } = box(board.places[place], all, flipped);
      return at(word, "letter", left + width / 2, areUpright ? 100 : top + height);
    }));
}
