// The games of an arena, newest first: those of an entrant, those with blunders, those that a fault ended.

import { answers } from "../answers/answers.js";
import { button, el, field, refill, select } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { column, titledTable } from "../shell/tables.js";
import { countText, movesOfBoth, pairNumber } from "../shell/words.js";

/** @import { ArenaGame, ArenaGames, ArenaView, BlunderView } from "models" */

/** Filter of an arena's games. @typedef {{ id: string, entrant: string, against: string, only: Only }} Wanted */
/** @typedef {NonNullable<ArenaGames["only"]>} Only */

const PAGE = 25;
/** @type {[Only, string][]} */
const ONLY = [
  ["", "All games"],
  ["blunders", "With blunders"],
  ["faults", "Ended by a fault"],
];
const LOST = { win: "gave the win away", draw: "gave the draw away", loss: "" };

/**
 * Filter of the games, from the fields of a link.
 * @param {link.Values} values
 * @returns {Wanted}
 */
export const readFilter = ({ id = "", entrant = "", against = "", only }) => ({
  id,
  entrant,
  against: entrant && against,
  only: ONLY.find(([each]) => each === only)?.[0] ?? "",
});

/**
 * Result of a game: "1–0", or "void" for one that does not count.
 * @param {Pick<ArenaGame, "utility">} game
 */
export function result({ utility }) {
  if (utility === null) return "void";
  return utility === 0 ? "½–½" : utility > 0 ? "1–0" : "0–1";
}

/**
 * Loss by a move, in words: "1… b1 gave the draw away".
 * @param {BlunderView} blunder
 */
export const blunderText = ({ ply, move, before, exact }) =>
  `${pairNumber(ply - 1)} ${move} ${LOST[before]}${exact ? "" : ", as a deep search sees it"}`;

/**
 * The position before a blunder: with what would have held, and as an exercise that does not say it.
 * @param {string} arena
 * @param {string} game
 * @param {ArenaGame} played
 * @param {BlunderView} blunder
 * @returns {[look: string, exercise: string]}
 */
export function ways(arena, game, { number, x, o, start, moves }, blunder) {
  const { ply, move, side, after, held } = blunder;
  const here = { game, start, moves: moves.slice(0, ply - 1).join(" ") };
  const name = side === "x" ? x : o;
  const better = held.length ? ` What held: ${held.join(", ")}.` : "";
  const why = `${name} played ${move}, which ${LOST[blunder.before]}: it is a ${after} now.${better}`;
  return [
    link.write(["board"], { ...here, values: 1, why, x, o }),
    link.write(["exercise"], { ...here, was: move, arena, number, ply }),
  ];
}

/**
 * @param {Wanted} shown
 * @param {string} game Empty where it cannot be opened here.
 * @param {ArenaGame} played
 */
function line(shown, game, played) {
  const { number, x, o, start, moves, opening, utility, why, fault, ending, blunders } = played;
  const name = `Game ${number + 1}`;
  const plies = moves.length - opening;
  const at = { game, start, moves: moves.join(" "), ply: moves.length, mode: "back", x, o };
  const href = link.write(["board"], { ...at, why: fault || utility === null ? `${why.replace(/\.$/, "")}.` : "" });
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      game ? el("a", { href, "aria-label": `${name}: ${x} – ${o}` }, countText(number + 1)) : countText(number + 1),
    ),
    el("td", {}, result(played)),
    el(
      "td",
      { class: "words" },
      `${x} – ${o}`,
      fault && el("p", { class: "faulty" }, `${fault === "x" ? x : o}: ${ending}`),
      el("p", { class: "hint" }, `${why}, after ${movesOfBoth(plies)}`),
      played.words &&
        el("details", { id: `words-${number}` }, el("summary", {}, "Error output"), el("pre", {}, played.words)),
      blunders.length > 0 &&
        el(
          "details",
          { id: `blunders-${number}`, open: shown.only === "blunders" },
          el("summary", {}, `${blunders.length} ${blunders.length === 1 ? "blunder" : "blunders"}`),
          el(
            "ul",
            {},
            blunders.map((blunder) => {
              const [look, exercise] = ways(shown.id, game, played, blunder);
              const label = `Find a better move than ${pairNumber(blunder.ply - 1)} ${blunder.move} in ${name}`;
              const words = `${blunder.side === "x" ? x : o}: ${blunderText(blunder)}`;
              return el(
                "li",
                {},
                game
                  ? [el("a", { href: look }, words), " ", el("a", { href: exercise, "aria-label": label }, "Do better")]
                  : words,
              );
            }),
          ),
        ),
    ),
  );
}

/**
 * The blunder after one of a game, as an exercise; the first where none is named, null after the last.
 * @param {string} id
 * @param {string} game
 * @param {number | null} number
 * @param {number} ply
 */
export async function following(id, game, number = null, ply = 0) {
  const before = number === null ? null : number + 1;
  const { games } = await answers.ask("arena_games", { id, only: "blunders", before, limit: 2 });
  for (const played of games) {
    const next = played.blunders.find((each) => played.number !== number || each.ply > ply);
    if (next) return ways(id, game, played, next)[1];
  }
  return null;
}

export class Games {
  #filters = el("div", { class: "ask" });
  #list = el("div");
  #problem = el("p", { class: "problem", role: "alert" });
  node = el(
    "section",
    { "aria-label": "Games", tabIndex: -1 },
    el("h2", {}, "Games"),
    this.#filters,
    this.#problem,
    this.#list,
  );
  /** Beginnings of the pages, by the number before which their games are. @type {(number | null)[]} */
  #pages = [null];
  #asked = 0;
  /** @type {string[]} */
  #names = [];
  #isJudged = false;
  #drawn = "";

  /** @param {string} game @param {Wanted} shown @param {(shown: Wanted) => void} onchoose */
  constructor(game, shown, onchoose) {
    this.game = game;
    this.shown = shown;
    this.onchoose = onchoose;
  }

  /**
   * The arena as it stands; if there are more games, or more is known of them, and the newest are shown, these are.
   * @param {ArenaView} arena
   */
  update({ ranks, played }) {
    const isJudged = ranks.some(({ judged }) => judged);
    if (!this.#names.length || isJudged !== this.#isJudged) {
      this.#names = ranks.map(({ name }) => name).sort();
      this.#isJudged = isJudged;
      this.#ask();
    }
    const state = JSON.stringify([played, ranks.map(({ name, judged, blunders }) => [name, judged, blunders])]);
    if (this.#drawn !== state && this.#pages.length === 1) this.#load();
    this.#drawn = state;
  }

  /** Other games are to be shown. @param {Wanted} shown */
  choose(shown) {
    this.shown = shown;
    this.#pages = [null];
    this.#ask();
    this.#load();
  }

  #ask() {
    const { entrant, only } = this.shown;
    /** @param {string} label @param {string} first @param {"entrant" | "against"} key */
    const people = (label, first, key) =>
      field(
        label,
        select([["", first], ...this.#names.map((name) => [name, name])], this.shown[key], {
          onchange: (/** @type {Event} */ event) =>
            this.onchoose(readFilter({ ...this.shown, [key]: chosenValue(event) })),
        }),
      );
    refill(
      this.#filters,
      people("Of", "everybody", "entrant"),
      entrant && people("Against", "everybody", "against"),
      field(
        "Which",
        select(ONLY, only, {
          onchange: (/** @type {Event} */ event) =>
            this.onchoose({ ...this.shown, only: /** @type {Only} */ (chosenValue(event)) }),
        }),
      ),
      this.game && this.#isJudged && button("Practise on blunders", () => this.#practise()),
    );
  }

  async #practise() {
    try {
      const to = await following(this.shown.id, this.game);
      if (to) location.hash = to;
    } catch (fault) {
      this.#problem.textContent = fault.message;
    }
  }

  async #load() {
    const mine = ++this.#asked;
    const before = this.#pages[this.#pages.length - 1];
    try {
      const found = await answers.ask("arena_games", { ...this.shown, before, limit: PAGE });
      if (mine !== this.#asked) return;
      this.#problem.textContent = "";
      this.#draw(found.games, found.next);
    } catch (fault) {
      if (mine === this.#asked) this.#problem.textContent = fault.message;
    }
  }

  /** @param {ArenaGame[]} games @param {number | null} next */
  #draw(games, next) {
    const go = (/** @type {(number | null)[]} */ pages) => {
      this.#pages = pages;
      this.#load();
    };
    const head = ["Game", "Result", "x – o"];
    const label = "Games, newest first";
    refill(
      this.#list,
      !games.length && el("p", {}, "There are none."),
      games.length > 0 &&
        el(
          "div",
          { class: "scrolled", tabindex: 0, role: "region", "aria-label": label },
          titledTable(
            label,
            { class: "played" },
            el(
              "tr",
              {},
              head.map((words) => column(words)),
            ),
            games.map((each) => line(this.shown, this.game, each)),
          ),
        ),
      el(
        "p",
        { class: "part-actions" },
        this.#pages.length > 1 && button("Newer games", () => go(this.#pages.slice(0, -1))),
        next !== null && button("Older games", () => go([...this.#pages, next])),
      ),
    );
  }
}

/** @param {Event} event */
const chosenValue = ({ target }) => /** @type {HTMLSelectElement} */ (target).value;
