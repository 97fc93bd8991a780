// The players that a page has by itself, by their specs: the levels, and some that look to a depth or play by chance.

import { Chance } from "./chance.js";
import { Level } from "./levels.js";
import { Refused } from "./refused.js";
import { simulate } from "./simulating.js";
import { perfectMove } from "./solving.js";
import { bestMove, LONGEST, think } from "./thinking.js";

/** @import { Position } from "./position.js" */
/** @import { Report } from "./thinking.js" */

/**
 * Who chooses: some tell what they think as they think; the last report's first move is their choice.
 * @typedef {{ think: (position: Position) => Iterable<Report> } | { choose: (position: Position) => number }} Player
 */

/** What a page grants its players: mebibytes for a table, and where chance begins. */
/** @typedef {{ table: number, seed: string }} Means */

/** How often each level errs; the words of a spec `level:NAME`. */
const ERRORS = { learning: 0.8, easy: 0.5, medium: 0.25, hard: 0.08, best: 0 };

/** @typedef {Record<string, string>} Given */

/** What a player takes, in the order in which values without a name are read; and what it is. */
/** @typedef {{ takes: string[], make: (given: Given, means: Means) => Player }} Kind */

/** @type {Record<string, Kind>} */
const KINDS = {
  level: {
    takes: ["error", "time", "seed"],
    make: ({ error = "medium", time, seed }, means) => {
      const often = Object.hasOwn(ERRORS, error) ? ERRORS[/** @type {keyof typeof ERRORS} */ (error)] : Number(error);
      if (!(often >= 0 && often <= 1)) {
        const levels = Object.keys(ERRORS).join(", ");
        throw new Refused(`${error} is no level: write ${levels}, or how often it errs, 0 to 1.`);
      }
      return new Level(often, above0("level:time", time), seed ?? means.seed, means.table);
    },
  },
  engine: {
    takes: ["time", "depth", "nodes", "threads", "table"],
    make: ({ time, depth, nodes, table }, means) => {
      const limit = {
        time: above0("engine:time", time), depth: whole("engine:depth", depth), nodes: whole("engine:nodes", nodes),
      };
      if (limit.time === null && limit.depth === null && limit.nodes === null) limit.time = 1;
      const most = Math.min(whole("engine:table", table) ?? means.table, means.table);
      return { think: (position) => think(position, limit, { table: most }) };
    },
  },
  mcts: {
    takes: ["time", "simulations", "seed", "exploration", "tree"],
    make: ({ time, simulations, seed, exploration, tree }, means) => ({
      choose: (position) => simulate(position, {
        time: above0("mcts:time", time) ?? (simulations === undefined ? 1 : null),
        nodes: whole("mcts:simulations", simulations),
      }, {
        seed: seedOf(`${seed ?? means.seed} ${position.moves.length}`),
        exploration: exploration === undefined ? undefined : number("mcts:exploration", exploration),
        tree: Math.min(whole("mcts:tree", tree) ?? means.table, means.table),
      }).variation[0],
    }),
  },
  perfect: {
    takes: ["threads", "table"],
    make: ({ table }, means) => ({
      choose: (position) => perfectMove(position, Math.min(whole("perfect:table", table) ?? means.table, means.table)),
    }),
  },
  random: {
    takes: ["seed"],
    make: ({ seed }, means) => ({ choose: (position) => chanceOf(position, seed ?? means.seed).of(position.legal) }),
  },
  first: { takes: [], make: () => ({ choose: (position) => position.legal[0] }) },
};

/** A search of the textbooks, which looks to a depth. @param {string} name @returns {Kind} */
const searching = (name) => ({
  takes: ["depth"],
  make: ({ depth = "4" }) => {
    const plies = whole(`${name}:depth`, depth) ?? 4;
    if (plies > LONGEST) throw new Refused(`depth=${plies}: a player looks 1 to 10,000 plies ahead.`);
    return { choose: (position) => bestMove(position, name, plies) };
  },
});

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
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : searches.includes(name) ? searching(name) : null;
  if (!kind) {
    throw new Refused(`There is no player ${name} here: there are ${[...Object.keys(KINDS), ...searches].join(", ")}.`);
  }
  /** @type {Given} */
  const given = {};
  rest.join(":").split(",").filter(Boolean).forEach((word, place) => {
    const [key, ...value] = word.split("=");
    const named = value.length ? key.trim() : kind.takes[place];
    if (!kind.takes.includes(named)) {
      throw new Refused(`${name} has no option ${key}: it takes ${kind.takes.join(", ") || "no options"}.`);
    }
    given[named] = (value.length ? value.join("=") : word).trim();
  });
  return kind.make(given, means);
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
  if (found === 0) throw new Refused(`${where}=${text}: a limit is above 0.`);
  return found;
}

/** @param {string} where @param {string | undefined} text */
function whole(where, text) {
  const found = above0(where, text);
  if (found !== null && !Number.isInteger(found)) throw new Refused(`${where}=${text}: write a whole number.`);
  return found;
}
