// Words for counts, games and positions.

/** @import { BoardView, OptionView, PositionView } from "models" */

const NUMBERS = new Intl.NumberFormat("en"); // made once: it takes as long as drawing a board

/**
 * A count with its thousands apart: "12,345".
 * @param {number} count
 */
export const countText = (count) => NUMBERS.format(count);

/**
 * The spec of a game with options as they were given, without those at their defaults: "mnk:rows=5,k=4".
 * @param {string} name
 * @param {Pick<OptionView, "name" | "default">[]} options
 * @param {Record<string, string>} given
 */
export function spec(name, options, given) {
  const changed = options.filter((option) => given[option.name] !== option.default);
  const words = changed.map((option) => `${option.name}=${given[option.name]}`);
  return words.length ? `${name}:${words.join(",")}` : name;
}

/**
 * The options that a spec gives, all of them: { rows: "3", k: "4" } of "mnk:3,k=4", with defaults for the others.
 * @param {string} text
 * @param {Pick<OptionView, "name" | "default">[]} options
 * @returns {Record<string, string>}
 */
export function optionValues(text, options) {
  const said = text.split(":").slice(1).join(":").split(",").filter(Boolean);
  /** @type {Record<string, string>} */
  const values = Object.fromEntries(options.map((option) => [option.name, option.default]));
  said.forEach((word, place) => {
    const [name, ...value] = word.split("=");
    // A value may have = in it, such as a path.
    if (value.length) values[name.trim()] = value.join("=").trim();
    else if (options[place]) values[options[place].name] = word.trim();
  });
  return values;
}

/**
 * Words with the values of options in them: "5 in a row" of "{k} in a row".
 * @param {string} words
 * @param {Record<string, string>} values
 */
export const fillOptions = (words, values) => words.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/**
 * The game of the menu that a spec names; null where it is none of them.
 * @template {{ name: string }} Game
 * @param {Game[]} games
 * @param {string} text
 */
export const gameOf = (games, text) =>
  games.find(({ name }) => name === text) ?? games.find(({ name }) => name === text.split(":")[0]) ?? null;

/**
 * Title of the game of a spec; the spec itself where the menu does not have it.
 * @param {{ name: string, title: string, options: Pick<OptionView, "name" | "default">[] }[]} games
 * @param {string} text
 */
export function gameTitle(games, text) {
  const game = gameOf(games, text);
  return game ? fillOptions(game.title, optionValues(text, game.options)) : text;
}

/**
 * Place of an area of a board, as it is seen: "the middle board", "the top left board"; by its name where there are not
 * three by three.
 * @param {Pick<BoardView, "areas" | "places">} board
 * @param {number} area
 * @param {boolean} flipped
 */
export function whereabouts({ areas, places }, area, flipped) {
  const centre = (/** @type {number[]} */ all, /** @type {"x" | "y"} */ axis) =>
    all.reduce((sum, place) => sum + places[place][axis], 0) / all.length;
  const step = (/** @type {"x" | "y"} */ axis) => {
    const centres = [...new Set(areas.map((each) => centre(each.places, axis)))].sort((one, other) => one - other);
    const found = centres.indexOf(centre(areas[area].places, axis));
    return centres.length === 3 ? (flipped ? 2 - found : found) : null;
  };
  const [across, down] = [step("x"), step("y")];
  if (across === null || down === null) return areas[area].name;
  const words = [["top", "", "bottom"][down], ["left", "", "right"][across]].filter(Boolean).join(" ");
  return `the ${words || "middle"} board`;
}

/** Explanation of a distance in plies: "White wins in 5 plies". */
export const PLY = "A ply is one move of one side.";

/**
 * Moves of both sides together, in words: "1 move", "12 moves by both sides".
 * @param {number} plies
 */
export const movesOfBoth = (plies) => (plies === 1 ? "1 move" : `${countText(plies)} moves by both sides`);

/**
 * The number before a move in a list of pairs: "8." of the first of two, "8…" of the second.
 * @param {number} place Moves that the numbers count before it.
 */
export const pairNumber = (place) => `${Math.floor(place / 2) + 1}${place % 2 ? "…" : "."}`;

/**
 * A move of a game with its number: "8… Nxe4".
 * @param {Pick<PositionView, "plies_before" | "notation">} position
 * @param {number} ply
 */
export const numberedMove = ({ plies_before: before, notation }, ply) =>
  `${pairNumber(before + ply - 1)} ${notation[ply - 1]}`;

/**
 * A legal move as players write it: "Nf3" of "g1f3".
 * @param {Pick<PositionView, "legal" | "legal_notation">} position
 * @param {string} move
 */
export const moveNotation = ({ legal, legal_notation: notation }, move) => notation[legal.indexOf(move)] ?? move;

/**
 * A move as it is heard: "knight f3, check" of "Nf3+".
 * @param {Pick<BoardView, "spoken">} board
 * @param {string} move
 */
export function spokenMove({ spoken }, move) {
  let [said, rest] = ["", move];
  while (rest) {
    const [sign, word] = spoken.find(([each]) => rest.startsWith(each)) ?? [rest[0], rest[0]];
    said += word;
    rest = rest.slice(sign.length);
  }
  return said.replaceAll("  ", " ").replaceAll(" ,", ",").trim();
}
