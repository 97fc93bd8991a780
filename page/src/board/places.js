// Positions of a board's places, sizes of the shapes, and the next place in a direction. No drawing here.

/** @import { BoardView } from "models" */

/** @typedef {BoardView["places"][number]} Place */

/** @typedef {{ left: number, top: number, width: number, height: number }} Box */

/**
 * A shape: how far it reaches from its centre, in steps, to the left and right, up and down; and what is drawn of it,
 * in hundredths of a step from the centre.
 * @typedef {{ aside: number, up: number, down: number, outline: string }} Form
 */

/** From the centre of a regular polygon whose width is 1 to a corner. */
const CORNER = 1 / Math.sqrt(3);

/** @param {number} reach */
const circle = (reach) => `M-${reach} 0a${reach} ${reach} 0 1 0 ${2 * reach} 0a${reach} ${reach} 0 1 0-${2 * reach} 0`;

/** Room for borders around a board, in steps. */
const AROUND = 0.3;

/** @type {Record<Place["shape"], Form>} */
export const FORMS = {
  square: { aside: 0.5, up: 0.5, down: 0.5, outline: "M-50-50H50V50H-50Z" },
  hexagon: { aside: 0.5, up: CORNER, down: CORNER, outline: "M0-57.7L50-28.9V28.9L0 57.7L-50 28.9V-28.9Z" },
  triangle: { aside: 0.5, up: CORNER, down: CORNER / 2, outline: "M0-57.7L50 28.9H-50Z" },
  point: { aside: 0.44, up: 0.44, down: 0.44, outline: circle(7) },
  pit: { aside: 0.47, up: 0.47, down: 0.47, outline: circle(46) },
  bar: { aside: 0.5, up: 0.2, down: 0.2, outline: "M-40 0H40" },
  pole: { aside: 0.2, up: 0.5, down: 0.5, outline: "M0-40V40" },
  choice: { aside: 0.5, up: 0.5, down: 0.5, outline: "" },
  "turn-left": { aside: 0.36, up: 0.36, down: 0.36, outline: "M17 17A24 24 0 1 0-24 0M-34-11L-24 2L-13-9" },
  "turn-right": { aside: 0.36, up: 0.36, down: 0.36, outline: "M-17 17A24 24 0 1 1 24 0M34-11L24 2L13-9" },
};

/** Whether a place is an arrow that turns a part of the board. @param {Pick<Place, "shape">} place */
export const isTurn = ({ shape }) => shape === "turn-left" || shape === "turn-right";

/** Whether a place is beside the board. @param {Pick<Place, "shape">} place */
export const isBeside = (place) => place.shape === "choice" || isTurn(place);

/**
 * The numbers of the places that are always there; a choice comes and goes.
 * @param {BoardView} board
 */
export const standing = ({ places }) => [...places.keys()].filter((number) => places[number].shape !== "choice");

/**
 * Extent of all places of a board, in steps.
 * @param {BoardView} board
 * @returns {Box}
 */
export function extent(board) {
  const places = standing(board).map((number) => board.places[number]);
  const around = board.borders.length ? AROUND : 0;
  const left = Math.min(...places.map(({ x, shape }) => x - FORMS[shape].aside)) - around;
  const right = Math.max(...places.map(({ x, shape }) => x + FORMS[shape].aside)) + around;
  const top = Math.min(...places.map(({ y, shape }) => y - FORMS[shape].up)) - around;
  const bottom = Math.max(...places.map(({ y, shape }) => y + FORMS[shape].down)) + around;
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Position of a place on a board, in hundredths of it from the left and from the top.
 * @param {Place} place
 * @param {Box} all
 * @param {boolean} flipped
 * @returns {Box}
 */
export function box({ x, y, shape }, all, flipped) {
  const { aside, up, down } = FORMS[shape];
  const from = { left: (x - aside - all.left) / all.width, top: (y - up - all.top) / all.height };
  const [width, height] = [(2 * aside) / all.width, (up + down) / all.height];
  const { left, top } = flipped ? { left: 1 - from.left - width, top: 1 - from.top - height } : from;
  return { left: 100 * left, top: 100 * top, width: 100 * width, height: 100 * height };
}

/**
 * The stores of a board of pits: each alone in its column, and beside the rows of the others; or the other way round.
 * @param {BoardView} board
 */
export const stores = ({ places }) => {
  const lying = storesBy(places, "x", "y");
  return lying.length ? lying : storesBy(places, "y", "x");
};

/** @param {Place[]} places @param {"x" | "y"} across @param {"x" | "y"} down */
function storesBy(places, across, down) {
  const pits = [...places.keys()].filter((number) => places[number].shape === "pit");
  const isAlone = (/** @type {number} */ number) =>
    pits.every((other) => other === number || places[other][across] !== places[number][across]);
  const rows = new Set(pits.filter((number) => !isAlone(number)).map((number) => places[number][down]));
  return pits.filter((number) => rows.size > 0 && isAlone(number) && !rows.has(places[number][down]));
}

/**
 * A board turned by a quarter, clockwise.
 * @param {BoardView} board
 * @returns {BoardView}
 */
export const turnBoard = (board) => ({
  ...board,
  places: board.places.map((place) => ({ ...place, x: -place.y, y: place.x })),
});

/**
 * The place that is next in a direction: the nearest within an eighth of a turn of it, else the nearest on that side.
 * @param {Place[]} places
 * @param {number} from
 * @param {number[]} open The places that can be gone to.
 * @param {[right: number, down: number]} direction
 */
export function nearest(places, from, open, [right, down]) {
  let best = { place: from, cost: Infinity };
  for (const place of open) {
    const [x, y] = [places[place].x - places[from].x, places[place].y - places[from].y];
    const ahead = x * right + y * down;
    const aside = Math.abs(x * down - y * right);
    if (ahead < 1e-6) continue;
    const cost = ahead + 1.5 * aside + (aside > ahead + 1e-6 ? 1000 : 0);
    if (cost < best.cost - 1e-6) best = { place, cost };
  }
  return best.place;
}

/**
 * A word at the edge of a board, and the place beside which it stands.
 * @typedef {{ word: string, place: number }} Coordinate
 */

/**
 * The columns and rows as people call them, where places are named by a letter and a number: below the lowest place of
 * a column, on the left of the first of a row; all at the edge of the board where the columns are upright.
 * @param {BoardView} board
 * @param {boolean} flipped
 * @returns {{ letters: Coordinate[], numbers: Coordinate[], areUpright: boolean }}
 */
export function coordinates(board, flipped) {
  const turn = flipped ? -1 : 1;
  const all = standing(board).filter((number) => !isTurn(board.places[number]));
  const named = all.map((number) => /^([a-z])(\d+)$/.exec(board.places[number].name));
  if (named.includes(null)) return { letters: [], numbers: [], areUpright: true };
  /** @param {number} part @param {(place: Place) => number} outward @returns {Coordinate[]} */
  const outermost = (part, outward) => {
    /** @type {Map<string, number>} */
    const found = new Map();
    all.forEach((place, index) => {
      const word = named[index]?.[part] ?? "";
      const known = found.get(word);
      if (known === undefined || outward(board.places[place]) > outward(board.places[known])) found.set(word, place);
    });
    return [...found].map(([word, place]) => ({ word, place }));
  };
  const columns = new Map(all.map((place, index) => [named[index]?.[1], board.places[place].x]));
  return {
    letters: outermost(1, ({ y }) => y * turn),
    numbers: outermost(2, ({ x }) => -x * turn),
    areUpright: all.every((place, index) => columns.get(named[index]?.[1]) === board.places[place].x),
  };
}
