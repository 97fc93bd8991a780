// The players that a page has by itself, by their specs: the levels, and some that look to a depth or play by chance.

import { Chance } from "./chance.js";
import { constants, fillTemplate } from "../constants.js";
import { Level } from "./levels.js";
import { Refused } from "../refused.js";
import { simulate } from "../engine/simulating.js";
import { perfectMove } from "../engine/solving.js";
import { bestMove, think } from "../engine/thinking.js";

/** @import { Position } from "../position.js" */
/** @import { Report } from "../../made/engine/report.js" */

/**
 * Player: some yield reports as they think; the last report's first move is their choice.
 * @typedef {{ think: (position: Position) => Iterable<Report> } | { choose: (position: Position) => number }} Player
 */

/** Means that a page grants its players: mebibytes for a table, and the seed of chance. */
/** @typedef {{ table: number, seed: string }} Means */

/** @typedef {Record<string, string>} Given */

/** Maker of a player. @typedef {(given: Given, means: Means) => Player} Maker */

/** Those that are no searches of the textbooks. @type {Record<string, Maker>} */
const KINDS = {
  level: ({ error = constants.players.level.error, time, seed }, means) => {
    const {
      levels: errors,
      player_words: { no_level: refused },
    } = constants;
    const often = Object.hasOwn(errors, error) ? errors[error] : Number(error);
    if (!(often >= 0 && often <= 1)) {
      throw new Refused(fillTemplate(refused, { text: error, levels: Object.keys(errors).join(", ") }));
    }
    return new Level(often, above0("level:time", time), seed ?? means.seed, means.table);
  },

  engine: ({ time, depth, nodes, table }, means) => {
    const limit = {
      time: above0("engine:time", time),
      depth: whole("engine:depth", depth),
      nodes: whole("engine:nodes", nodes),
    };
    if (limit.time === null && limit.depth === null && limit.nodes === null) limit.time = 1;
    const most = Math.min(whole("engine:table", table) ?? means.table, means.table);
    return { think: (position) => think(position, limit, { table: most }) };
  },

  mcts: ({ time, simulations, seed, exploration, tree }, means) => ({
    choose: (position) =>
      simulate(
        position,
        {
          time: above0("mcts:time", time) ?? (simulations === undefined ? 1 : null),
          nodes: whole("mcts:simulations", simulations),
        },
        {
          seed: seedOf(`${seed ?? means.seed} ${position.moves.length}`),
          exploration: exploration === undefined ? undefined : number("mcts:exploration", exploration),
          tree: Math.min(whole("mcts:tree", tree) ?? means.table, means.table),
        },
      ).variation[0],
  }),

  perfect: ({ table }, means) => ({
    choose: (position) => perfectMove(position, Math.min(whole("perfect:table", table) ?? means.table, means.table)),
  }),

  random: ({ seed }, means) => ({
    choose: (position) => chanceOf(position, seed ?? means.seed).choice(position.legalMoves),
  }),

  first: () => ({ choose: (position) => position.legalMoves[0] }),
};

/** Parameters of a textbook search here: it plays the first of equal moves. */
const SEARCHING = ["depth"];

/** A search of the textbooks, which looks to a depth. @param {string} name @returns {Maker} */
const searching =
  (name) =>
  ({ depth = constants.players[name].depth }) => {
    const plies = whole(`${name}:depth`, depth) ?? 1;
    const most = constants.longest;
    if (plies > most) {
      throw new Refused(
        fillTemplate(constants.player_words.no_depth, { depth: plies, most: most.toLocaleString("en") }),
      );
    }
    return { choose: (position) => bestMove(position, name, plies) };
  };

/** @param {Position} position @param {string} seed */
const chanceOf = (position, seed) => new Chance(`${seed} ${position.words.join(" ")}`);

/** @param {string} text */
const seedOf = (text) => new Chance(text).below(2 ** 31);

/**
 * The player that a text names.
 * @param {string} spec
 * @param {readonly string[]} searches those of the textbooks: each is a player
 * @param {Means} means
 * @returns {Player}
 */
export function playerNamed(spec, searches, means) {
  const [name, ...rest] = spec.trim().split(":");
  const isSearch = searches.includes(name);
  const make = Object.hasOwn(KINDS, name) ? KINDS[name] : isSearch ? searching(name) : null;
  const takes = isSearch ? SEARCHING : Object.keys(constants.players[name] ?? {});
  if (!make) {
    throw new Refused(`There is no player ${name} here: there are ${[...Object.keys(KINDS), ...searches].join(", ")}.`);
  }
  /** @type {Given} */
  const given = {};
  rest
    .join(":")
    .split(",")
    .filter(Boolean)
    .forEach((word, place) => {
      const [key, ...value] = word.split("=");
      const named = value.length ? key.trim() : takes[place];
      if (!takes.includes(named)) {
        const { no_option: noOption, no_options: none } = constants.player_words;
        throw new Refused(fillTemplate(noOption, { name, key: `'${key}'`, options: takes.join(", ") || none }));
      }
      given[named] = (value.length ? value.join("=") : word).trim();
    });
  return make(given, means);
}

/** @param {string} where @param {string} text */
function number(where, text) {
  const found = Number(text);
  if (text === "" || !(found >= 0 && found < Infinity)) throw new Refused(`${where}=${text}: write a number.`);
  return found;
}

/** @param {string} where @param {string | undefined} text */
function above0(where, text) {
  if (text === undefined) return null;
  const found = number(where, text);
  if (found === 0) throw new Refused(fillTemplate(constants.player_words.above_0, { name: where, value: text }));
  return found;
}

/** @param {string} where @param {string | undefined} text */
function whole(where, text) {
  const found = above0(where, text);
  if (found !== null && !Number.isInteger(found)) throw new Refused(`${where}=${text}: write a whole number.`);
  return found;
}
