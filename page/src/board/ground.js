// Fixed parts of a board, made once: places, lines, coordinates.

import { el, svg } from "../shell/dom.js";
import { FORMS, box, coordinates, extent, isTurn, standing, stores } from "./places.js";

/** @import { BoardView, PositionView } from "models" */

/** A board of more steps across has lines as fine as they can be; one as many times as wide as high is wide. */
const [FINE, WIDE] = [12, 2.5];
/** The radius of the holes of a rack, in steps. */
const HOLE = 0.42;
/** Distance of a border from the middle of its places, and its length beyond the first and the last, in steps. */
const [BESIDE, BEYOND] = [0.64, 0.3];

/**
 * Whether lines part the squares: they are cells of a grid, neither chequered nor holes.
 * @param {BoardView} board
 */
const isRuled = ({ grid, places, falls, crossings }) =>
  grid !== null && !falls.length && !crossings && !places.some(({ dark }) => dark);

/**
 * Whether a board is much wider than high.
 * @param {BoardView} board
 */
export function isWide(board) {
  const { width, height } = extent(board);
  return width > WIDE * height;
}

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
 * A grid has rows and cells, for those who hear it. `listeners` gives those of a place that can be chosen; `drawings`
 * stand above it all.
 * @param {BoardView} board
 * @param {boolean} flipped
 * @param {number[]} inert
 * @param {(place: number) => import("../shell/dom.js").Properties} listeners
 * @param {Element} drawings
 * @returns {{ frame: HTMLElement, nodes: Map<number, HTMLElement> }}
 */
export function laidOut(board, flipped, inert, listeners, drawings) {
  const all = extent(board);
  const [unplayed, own, falling] = [inert, stores(board), board.falls.flat()].map((places) => new Set(places));
  const there = flipped ? [...standing(board)].reverse() : standing(board);
  const isBeside = (/** @type {number} */ place) => isTurn(board.places[place]);
  const order = [...there.filter((place) => !isBeside(place)), ...there.filter(isBeside)];
  const nodes = new Map(
    order.map((place) => {
      const { shape, dark } = board.places[place];
      const isInert = unplayed.has(place);
      const fixed = [
        "place",
        shape,
        dark && "dark",
        flipped && "flipped",
        isInert && "inert",
        falling.has(place) && "fall",
        own.has(place) && "store",
      ];
      const node = isInert
        ? el("div", { role: "img" })
        : el("button", {
            type: "button",
            tabIndex: -1,
            role: board.grid && !isBeside(place) ? "gridcell" : null,
            ...listeners(place),
          });
      node.dataset.fixed = fixed.filter(Boolean).join(" ");
      node.dataset.place = String(place);
      const { left, top, width, height } = box(board.places[place], all, flipped);
      Object.assign(node.style, { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` });
      const least = Math.min(width * all.width, height * all.height) / 100;
      if (shape !== "square") node.style.setProperty("--least", String(least));
      return /** @type {const} */ ([place, node]);
    }),
  );
  const [rows, columns] = board.grid ?? [0, 0];
  const every = [...nodes.values()];
  const cut = [...Array(rows).keys()].map((row) => every.slice(row * columns, (row + 1) * columns));
  const places = el(
    "div",
    { class: "places", role: board.grid ? "grid" : "group" },
    board.grid ? cut.map((row) => el("div", { role: "row" }, row)) : every,
  );
  const turns = board.grid ? every.slice(rows * columns) : [];
  const beside = turns.length > 0 && el("div", { class: "places beside", role: "group", "aria-label": "Turns" }, turns);
  const edge = words(board, flipped);
  const below = drawing(board, flipped, "lines", lines(board));
  const above = drawing(board, flipped, "lines over", over(board));
  const field = el("div", { class: "board-field" }, below, places, above, drawings, edge, beside);
  field.style.aspectRatio = `${all.width} / ${all.height}`;
  const kinds = [
    "frame",
    edge && "with-edge",
    isRuled(board) && "ruled",
    board.places.some(({ dark }) => dark) && "chequered",
    board.falls.length > 0 && "rack",
    board.crossings && "crossings",
    board.borders.length > 0 && "bordered",
    own.size > 0 && "tray",
    all.width > FINE && "fine",
    isWide(board) && "wide",
    all.height > WIDE * all.width && "upright",
  ];
  const frame = el("div", { class: kinds.filter(Boolean).join(" ") }, field);
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
const line = (x1, y1, x2, y2, name = "") => svg("line", { class: name || null, x1, y1, x2, y2 });

/**
 * The lines of a board, below its places.
 * @param {BoardView} board
 */
function lines(board) {
  const { places, lines: pairs, crossings, grid, stars } = board;
  const drawn = [
    ...pairs.map(([from, to]) => line(places[from].x, places[from].y, places[to].x, places[to].y)),
    ...board.borders.map((border) => borderLine(board, border)),
  ];
  if (!crossings || !grid) return drawn;
  const [down, across] = grid.map((count) => count - 1);
  const [rows, columns] = grid.map((count) => [...Array(count).keys()]);
  return [
    ...rows.map((row) => line(0, row, across, row, "rule")),
    ...columns.map((column) => line(column, 0, column, down, "rule")),
    ...stars.map((star) => svg("circle", { class: "star", r: 0.1, cx: places[star].x, cy: places[star].y })),
  ];
}

/**
 * A border in the colour of a side: along its places, on their left as one goes from the first to the last.
 * @param {BoardView} board
 * @param {[number, number, number]} border
 */
function borderLine({ places }, [side, first, last]) {
  const [from, to] = [places[first], places[last]];
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [right, down] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const at = (/** @type {{ x: number, y: number }} */ { x, y }, /** @type {number} */ on) =>
    /** @type {const} */ ([x + BESIDE * down + on * right, y - BESIDE * right + on * down]);
  return line(...at(from, -BEYOND), ...at(to, BEYOND), `border side-${"xo"[side]}`);
}

/**
 * Layer above the places: the lines that cut a grid into boards, and the dots between edges,
 * unless they are places of the board.
 * @param {BoardView} board
 */
function over(board) {
  const { places, grid, block, falls } = board;
  const [rows, columns] = grid ?? [0, 0];
  const kind = (/** @type {number} */ cut) => (block && cut % block === 0 ? "cut" : "rule");
  const cuts = (/** @type {number} */ length) =>
    [...Array(isRuled(board) ? length : 0).keys()].filter(Boolean).map((cut) => ({ at: cut - 0.5, kind: kind(cut) }));
  /** @type {Map<string, [x: number, y: number]>} */
  const dots = new Map();
  const dot = (/** @type {number} */ x, /** @type {number} */ y) => dots.set(`${x} ${y}`, [x, y]);
  const hasPoints = places.some(({ shape }) => shape === "point");
  for (const { x, y, shape } of hasPoints ? [] : places) {
    if (shape === "bar") [-0.5, 0.5].forEach((half) => dot(x + half, y));
    if (shape === "pole") [-0.5, 0.5].forEach((half) => dot(x, y + half));
  }
  return [
    ...cuts(rows).map(({ at, kind }) => line(-0.5, at, columns - 0.5, at, kind)),
    ...cuts(columns).map(({ at, kind }) => line(at, -0.5, at, rows - 0.5, kind)),
    ...(falls.length ? [rack(board)] : []),
    ...[...dots.values()].map(([cx, cy]) => svg("circle", { r: 0.075, cx, cy })),
  ];
}

/**
 * Rack into which pieces fall: a board with a hole at each place, in front of them.
 * @param {BoardView} board
 */
function rack(board) {
  const { left, top, width, height } = extent(board);
  const [x, y, right, bottom, round] = [left - 0.06, top - 0.06, left + width + 0.06, top + height + 0.06, 0.2];
  /** @param {number} across @param {number} down */
  const corner = (across, down) => `a${round} ${round} 0 0 1 ${across} ${down}`;
  const edge =
    `M${x + round} ${y}H${right - round}${corner(round, round)}V${bottom - round}${corner(-round, round)}` +
    `H${x + round}${corner(-round, -round)}V${y + round}${corner(round, -round)}Z`;
  const holes = board.places.map(
    (place) => `M${place.x - HOLE} ${place.y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0-${2 * HOLE} 0`,
  );
  return svg("path", { class: "front", d: edge + holes.join("") });
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
  return el(
    "div",
    { class: "edge", "aria-hidden": "true" },
    numbers.map(({ word, place }) => {
      const { left, top, height } = box(board.places[place], all, flipped);
      return at(word, "beside", areUpright ? 0 : left, top + height / 2);
    }),
    letters.map(({ word, place }) => {
      const { left, top, width, height } = box(board.places[place], all, flipped);
      return at(word, "under", left + width / 2, areUpright ? 100 : top + height);
    }),
  );
}
