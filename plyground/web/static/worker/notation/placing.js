// A position by its pieces. A module writes states and reads none: a state is put together bit by bit until the module
// says that the pieces stand where a text has them, and writes what else the text says.

import { Refused } from "../refused.js";

/** @import { Game } from "../game.js" */
/** @import { State } from "../module.js" */
/** @import { ReadPosition } from "./chess.js" */

/** A piece without what is said of it. */
const PIECE = 255;
/** Largest number that a part of a state can be which no board shows. */
const LARGEST = 1023;

/** @param {Game} game @param {string} text @param {ReadPosition} told */
export function required(game, text, told) {
  const state = built(game, told);
  if (!state) throw new Refused(`'${text}' cannot arise: no game comes to it.`);
  return state;
}

/**
 * A state of which the module says the same; null where none is found. The words that hold pieces have a bit for each
 * place, the same in all; the smallest set of them that shows the piece is taken, so no word has a bit without meaning.
 * @param {Game} game
 * @param {ReadPosition} told
 * @returns {State | null}
 */
export function built(game, { pieces, turn, rest }) {
  const initial = game.initial();
  const words = [...initial.keys()];
  /** @param {State} of @param {(word: bigint, at: number) => bigint} change */
  const changed = (of, change) => /** @type {State} */ (of.map(change));
  /** The pieces of a state, as a text; empty where it is none. @param {State} of */
  const seen = (of) => {
    try {
      return game
        .stands(of)
        .slice(0, pieces.length)
        .map((man) => man & PIECE);
    } catch {
      return [];
    }
  };
  let state = initial;
  if (game.toMove(state) !== turn) {
    const turned = words.map((word) => changed(initial, (each, at) => (at === word ? each ^ 1n : each)));
    state = turned.find((each) => game.toMove(each) === turn) ?? initial;
  }
  const before = seen(state);
  /** @type {Map<number, bigint>} */
  const bits = new Map();
  let last = 0n; // without the king of who is to move there is no position: that is where it stands
  for (let bit = 1n; bit < 2n ** 64n; bit *= 2n) {
    for (const word of words) {
      const now = seen(changed(state, (each, at) => (at === word ? each ^ bit : each)));
      const places = [...now.keys()].filter((at) => now[at] !== before[at]);
      if (!now.length) last = bit;
      else if (places.length === 1) bits.set(places[0], bit);
    }
  }
  const isKing = (/** @type {number} */ place) => game.facts.board.pieces[pieces[place] - 1]?.kind === "king";
  const order = [...pieces.keys()].sort((one, other) => Number(isKing(other)) - Number(isKing(one)));
  for (const place of order) {
    const now = seen(state);
    const wanted = now.map((man, at) => (at === place ? pieces[place] : man)).join();
    const bit = bits.get(place) ?? last;
    let [set, next] = [0, state];
    while (seen(next).join() !== wanted) {
      if (set >> words.length) return null;
      const among = set++;
      next = changed(state, (each, at) => ((among >> at) & 1 ? each | bit : each & ~bit));
    }
    state = next;
  }
  const stands = seen(state).join();
  /** How much is said of a state that is to be said; less than nothing of another one. @param {State} of */
  const alike = (of) => {
    if (game.toMove(of) !== turn || seen(of).join() !== stands) return -1;
    try {
      return game
        .text(of)
        .split(/[_:]/)
        .slice(-rest.length)
        .filter((each, at) => each === rest[at]).length;
    } catch {
      // it names a place that the board has not
      return -1;
    }
  };
  for (const word of words) {
    if (alike(changed(state, (each, at) => (at === word ? 0n : each))) < 0) continue; // it holds pieces, or the turn
    let best = state;
    for (let number = 0n; number <= LARGEST && alike(best) < rest.length; number++) {
      const next = changed(state, (each, at) => (at === word ? number : each));
      if (alike(next) > alike(best)) best = next;
    }
    state = best;
  }
  return alike(state) === rest.length ? state : null;
}
