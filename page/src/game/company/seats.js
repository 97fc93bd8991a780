// The secrets of seats that this browser has been given, by game. Whoever has a seat's secret plays that side.

import { answers } from "../../answers/answers.js";
import { keep, readStored } from "../../shell/storage.js";

const NAME = "seats";
const PERSON = "name";

/** @returns {Record<string, Record<string, string>>} */
const all = () => readStored(NAME, {});

/**
 * The seats held in a game: { x: "…", o: "…" }, or some of them.
 * @param {string} game
 */
export const seatsOf = (game) => all()[game] ?? {};

/**
 * Hold seats of a game, besides those held already.
 * @param {string} game
 * @param {Record<string, string>} seats
 */
export const hold = (game, seats) => keep(NAME, { ...all(), [game]: { ...seatsOf(game), ...seats } });

/**
 * Forget a game's seats.
 * @param {string} game
 */
export function drop(game) {
  const rest = all();
  delete rest[game];
  keep(NAME, rest);
}

/**
 * Hold only those seats of a game that nobody else has taken; those that are left.
 * @param {string} game
 * @param {string[]} sides
 */
export function keepOnly(game, sides) {
  const before = seatsOf(game);
  const rest = Object.fromEntries(Object.entries(before).filter(([side]) => sides.includes(side)));
  if (Object.keys(rest).length < Object.keys(before).length) keep(NAME, { ...all(), [game]: rest });
  return rest;
}

/** A secret that nobody guesses. */
export const secret = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @returns {string} What this browser's owner is called; empty where that has not been said. */
export const myName = () => readStored(PERSON, "");

/** @param {string} name */
export const callMe = (name) => keep(PERSON, name);

/**
 * Sit down where a link invites to: the seat has a new secret then, and the link's is worth nothing. Says why not.
 * @param {string} game
 * @param {Record<string, string | undefined>} invited Secrets by their sides.
 */
export async function takeSeat(game, invited) {
  for (const side of ["x", "o"]) {
    const given = invited[side];
    if (!given || seatsOf(game)[side]) continue;
    const mine = secret();
    hold(game, { [side]: mine }); // before it is asked for: an answer may be lost
    try {
      await answers.ask("sit", { id: game, seat: given, secret: mine, name: myName() });
    } catch (fault) {
      keepOnly(
        game,
        Object.keys(seatsOf(game)).filter((each) => each !== side),
      );
      return fault.message;
    }
  }
  return "";
}
