// Drawings and names of pieces.

import { svg } from "../shell/dom.js";

/** @import { BoardView, PositionView } from "models" */

/** @typedef {NonNullable<PositionView["look"]["pieces"][number]>} Piece */

/** Chess pieces as outlines: the body, and lines on it. @type {Record<string, [body: string, lines: string]>} */
const CHESS = {
  king: [
    "M47 8h6v6h7v6h-7v9c9-6 25-3 25 13c0 9-7 15-10 24H32c-3-9-10-15-10-24c0-16 16-19 25-13v-9h-7v-6h7Z" +
      "M30 72h40v5h4v11H26V77h4Z",
    "M50 32V60M34 66H66",
  ],
  queen: [
    "M18 26a6 6 0 1 1 6 6l9 18l3-25a6 6 0 1 1 5-1l9 22l9-22a6 6 0 1 1 5 1l3 25l9-18a6 6 0 1 1 5 0l-11 34H32L20 31Z" +
      "M30 72h40v5h4v11H26V77h4Z",
    "M34 60H66",
  ],
  rook: ["M26 16h11v8h8v-8h10v8h8v-8h11v20l-9 7v23H35V43l-9-7Z" + "M30 72h40v5h4v11H26V77h4Z", "M35 43H65M35 60H65"],
  bishop: [
    "M50 6a6 6 0 0 1 3 11c8 6 16 15 16 26c0 7-4 11-8 14l4 9H35l4-9c-4-3-8-7-8-14c0-11 8-20 16-26a6 6 0 0 1 3-11Z" +
      "M30 72h40v5h4v11H26V77h4Z",
    "M50 31V48M42 39H58M40 57H60",
  ],
  knight: [
    "M46 20l2-10l9 9c17 5 23 22 20 47H32c1-11 14-14 14-24l-12 9l-9-3l-3-8c7-4 8-14 24-20Z" +
      "M30 72h40v5h4v11H26V77h4Z",
    "M44 30h.5M64 28c6 7 7 16 6 28",
  ],
  pawn: [
    "M50 16a14 14 0 0 1 9 25h5v6h-6c0 8 4 14 8 19H34c4-5 8-11 8-19h-6v-6h5a14 14 0 0 1 9-25Z" +
      "M30 72h40v5h4v11H26V77h4Z",
    "M43 44H57",
  ],
};
/** Drawn as people do: from the top, to the left. */
const RING = "M50 21A29 29 0 1 0 50 79A29 29 0 1 0 50 21";
const CROWN = "M29 37l10 11l11-18l11 18l10-11l-5 30H34Z";

/** The upper half of a domino, down to the edge of its square; its turns, a quarter each. */
const DOMINO = "M12 109.5V20A12 12 0 0 1 24 8H76A12 12 0 0 1 88 20V109.5";
const HALVES = "^>v<";

/** The bevel of a square of chocolate; a skull without eyes and gaps between the teeth. */
const BEVEL = "M14 14H86V86H14ZM-6-6L14 14M106-6L86 14M106 106L86 86M-6 106L14 86";
const SKULL =
  "M50 20C28 20 22 36 22 47c0 9 4 15 11 18v15h34V65c7-3 11-9 11-18C78 36 72 20 50 20ZM38 40a7 7 0 1 0 .1 0Z" +
  "M62 40a7 7 0 1 0 .1 0ZM43 68h3v12h-3ZM54 68h3v12h-3Z";
/** An arrow that has hit its square, from the lower left. */
const ARROW = "M82 18L76 48L67 39L44 62V74L29 89V71H11L26 56H38L61 33L52 24Z";

/** Marks that are drawn on discs and boxes, so that the sides differ without colour. */
const BEARS = ["x", "o"];
/** Of a pit with more seeds, the number says it. */
const SEEDS = 60;
/** From a seed to the next one. */
const TURN = Math.PI * (3 - Math.sqrt(5));

/**
 * A player's own mark: a cross and a ring for x and o, a disc with its letter for any other name.
 * @param {string} name
 * @returns {SVGElement[]}
 */
export function mark(name) {
  const stroke = (/** @type {string} */ d) => svg("path", { class: "stroke", d, pathLength: 1 });
  if (name === "x") return [stroke("M24 24L76 76"), stroke("M76 24L24 76")];
  if (name === "o") return [stroke(RING)];
  return [svg("circle", { class: "body", cx: 50, cy: 50, r: 38 }), letters(name)];
}

/** @param {string} words @param {string} name */
const letters = (words, name = "on") =>
  svg("text", { class: name, x: 50, y: 51, "font-size": words.length > 1 ? 62 / words.length + 8 : 52 }, words);

/** @type {Record<string, (piece: Piece) => SVGElement[]>} */
const KINDS = {
  mark: ({ owner, text }) => mark(owner || text),
  disc: ({ owner }) => [
    svg("circle", { class: "body", cx: 50, cy: 50, r: 40 }),
    svg("circle", { class: "rim", cx: 50, cy: 50, r: 34 }),
    ...(BEARS.includes(owner) ? [svg("g", { class: "borne" }, mark(owner))] : []),
  ],
  stone: () => [svg("circle", { class: "body", cx: 50, cy: 50, r: 36 })],
  man: () => [
    svg("circle", { class: "body", cx: 50, cy: 50, r: 38 }),
    svg("circle", { class: "lines", cx: 50, cy: 50, r: 26 }),
  ],
  crowned: () => [svg("circle", { class: "body", cx: 50, cy: 50, r: 38 }), svg("path", { class: "crown", d: CROWN })],
  domino: ({ text }) => {
    const transform = `rotate(${HALVES.indexOf(text) * 90} 50 50)`;
    return [svg("path", { class: "body", d: DOMINO, transform })];
  },
  box: ({ owner }) => [
    svg("rect", { class: "body", x: 0, y: 0, width: 100, height: 100, rx: 6 }),
    ...(BEARS.includes(owner) ? [svg("g", { class: "borne" }, mark(owner))] : []),
  ],
  wall: () => [svg("rect", { class: "body", x: 14, y: 14, width: 72, height: 72, rx: 8 })],
  chocolate,
  poison: () => [...chocolate(), svg("path", { class: "on", d: SKULL, "fill-rule": "evenodd" })],
  arrow: () => [
    svg("rect", { class: "tile", x: 2, y: 2, width: 96, height: 96, rx: 8 }),
    svg("path", { class: "shot", d: ARROW }),
  ],
  match: () => [
    svg("rect", { class: "seed", x: 41, y: 14, width: 18, height: 86, rx: 2 }),
    svg("ellipse", { class: "head", cx: 50, cy: 16, rx: 13, ry: 16 }),
  ],
  seeds: ({ count }) => [...Array(Math.min(count, SEEDS)).keys()].map((seed) => lying(seed, count)),
};

function chocolate() {
  return [
    svg("rect", { class: "seed", x: -6, y: -6, width: 112, height: 112, rx: 8 }),
    svg("path", { class: "rim", d: BEVEL }),
  ];
}

/**
 * A seed of a pit: as close to the others as in a sunflower.
 * @param {number} seed
 * @param {number} count
 */
function lying(seed, count) {
  const spread = Math.min(13, 38 / Math.sqrt(count + 1));
  const [far, turn] = [spread * Math.sqrt(seed + 0.6), seed * TURN];
  const [cx, cy] = [50 + far * Math.cos(turn), 50 + far * Math.sin(turn)].map((each) => each.toFixed(1));
  return svg("circle", { class: `seed tint-${seed % 3}`, cx, cy, r: (0.76 * spread).toFixed(1) });
}

/**
 * Whether a piece is drawn filled; the other side's are outlines, so that they are told apart without colour.
 * @param {Piece} piece
 * @param {string} side
 */
const isFull = ({ owner, kind }, side) =>
  side !== "o" || ((kind === "disc" || kind === "box") && BEARS.includes(owner));

/** Colours that differ in brightness: forms need not differ. */
const BRIGHT = ["white", "black", "red", "yellow"];

/**
 * Give an element, and all within it, the colours of a board and its sides.
 * @param {HTMLElement} node
 * @param {Pick<BoardView, "colours" | "surface">} board
 */
export function dye(node, { colours, surface }) {
  for (const [number, side] of ["x", "o"].entries()) {
    for (const part of ["", "-rim", "-trace"]) {
      node.style.setProperty(`-${part}-${side}`, `var(--${colours[number]}${part})`);
    }
  }
  node.dataset.surface = surface;
  node.classList.toggle(
    "bright",
    colours.every((colour) => BRIGHT.includes(colour)),
  );
}

/**
 * A piece's drawing.
 * @param {Piece} piece
 * @param {string} side Whose it is: x, o, or none.
 */
export function drawPiece(piece, side) {
  const chess = CHESS[piece.kind];
  const shapes = chess
    ? [svg("path", { class: "body", d: chess[0] }), svg("path", { class: "lines", d: chess[1] })]
    : (KINDS[piece.kind]?.(piece) ?? [letters(piece.text || piece.kind, "word")]);
  const names = ["piece", `side-${side}`, isFull(piece, side) ? "full" : "hollow"];
  const viewBox = chess ? "8 6 84 84" : "0 0 100 100";
  return svg("svg", { class: names.join(" "), viewBox, "aria-hidden": "true" }, shapes);
}

/**
 * A piece in words: "x", "White pawn", "4 seeds".
 * @param {Piece | null} piece
 * @param {(mark: string) => string} nameOf The name of a side, by its mark.
 */
export function pieceText(piece, nameOf) {
  if (!piece) return "empty";
  const { kind, count, text, name } = piece;
  const owner = nameOf(piece.owner);
  if (kind === "seeds") return count === 1 ? "1 seed" : `${count} seeds`;
  const words = [owner, kind === "mark" ? (owner ? "" : text) : name || kind].filter(Boolean).join(" ");
  return count === 1 ? words : `${words}, ${count} of them`;
}
