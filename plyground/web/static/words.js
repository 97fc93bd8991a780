// How the page writes counts, games and positions.

/** @import { BoardView, OptionView, PositionView } from "models" */

/**
 * A count with its thousands apart: "12,345".
 * @param {number} count
 */
export const counted = (count) => count.toLocaleString("en");

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
 * Rows of marks from the top, as boards are written, and whose turn it is: "x.o/.x./...:o".
 * @param {NonNullable<BoardView["grid"]>} grid
 * @param {PositionView["look"]["pieces"]} pieces
 * @param {string} mover
 */
export function boardText([rows, columns], pieces, mover) {
  const letters = pieces.map((piece) => piece?.owner ?? ".");
  const row = (/** @type {number} */ number) => letters.slice(number * columns, (number + 1) * columns).join("");
  return `${Array.from({ length: rows }, (_, number) => row(number)).join("/")}:${mover}`;
}
