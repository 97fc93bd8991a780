// The secrets of seats that this browser has been given, by game. Whoever has a seat's secret plays that side.

import { keep, kept } from "./storage.js";

const NAME = "seats";

/** @returns {Record<string, Record<string, string>>} */
const all = () => kept(NAME, {});

/**
 * The seats held in a game: { x: "…", o: "…" }, or some of them.
 * @param {string} game
 */
export const held = (game) => all()[game] ?? {};

/**
 * Hold seats of a game, besides those held already.
 * @param {string} game
 * @param {Record<string, string>} seats
 */
export const hold = (game, seats) => keep(NAME, { ...all(), [game]: { ...held(game), ...seats } });

/**
 * Forget a game's seats.
 * @param {string} game
 */
export function drop(game) {
  const rest = all();
  delete rest[game];
  keep(NAME, rest);
}
