// Arenas: the list of them, and one as it stands or goes on: its standings, who beat whom, the games.

import { answers, theMenu } from "../answers/answers.js";
import { LiveBoards } from "./arenaboards.js";
import { Games, readFilter } from "./arenagames.js";
import { cross, standings } from "./arenatables.js";
import { el, refill, style } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { copyable } from "../game/panel.js";
import { countText, gameTitle } from "../shell/words.js";

/** @import { ArenaLine, ArenaView, FleetView } from "models" */

const PAGE = 50;
const COMMAND = "plyground arena tictactoe perfect random";
const when = (/** @type {string} */ created) =>
  new Date(created).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

/** Its style comes with it; nothing is drawn before. */
const styled = style("arena/arena.css");

/**
 * Progress of an arena, in words.
 * @param {Pick<ArenaLine, "played" | "planned">} arena
 */
export const progress = ({ played, planned }) =>
  // Some schedules do not know their number of games.
  planned === null || played > planned
    ? `${countText(played)} ${played === 1 ? "game" : "games"}`
    : `${countText(played)} of ${countText(planned)} ${planned === 1 ? "game" : "games"}`;

/**
 * Whether it goes on, or how it ended.
 * @param {Pick<ArenaLine, "state" | "why">} arena
 */
const standing = ({ state, why }) =>
  ({ going: "it goes on", over: why ?? "it has ended", resting: "it has stopped; the same command goes on" })[state];

/**
 * The list of arenas.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function arenas(root, { offset = "0" }) {
  const from = Number(offset) || 0;
  const [menu, { total, arenas: page, fleet }] = await Promise.all([
    theMenu(),
    answers.ask("arenas", { limit: PAGE, offset: from }),
    styled,
  ]);
  /** @param {number} by @param {string} words */
  const beside = (by, words) => el("a", { href: link.write(["arenas"], { offset: Math.max(0, from + by) }) }, words);
  const row = (/** @type {ArenaLine} */ arena) =>
    el(
      "li",
      {},
      el("a", { href: link.write(["arena"], { id: arena.id }) }, title(menu.games, arena)),
      el("span", {}, `${countText(arena.entrants)} entrants, ${progress(arena)}: ${standing(arena)}`),
      arena.test && el("span", { class: "sprt" }, arena.test),
      el("time", { datetime: arena.created }, when(arena.created)),
    );
  root.replaceChildren(
    el(
      "div",
      { class: "list" },
      el("h1", {}, "Arenas"),
      fleet && fleetOf(fleet),
      total === 0
        ? [
            el("p", {}, "Programs play each other in an arena, and are rated. None has been held here yet."),
            el("details", {}, el("summary", {}, "How to hold one from a terminal"), copyable("Command", COMMAND)),
          ]
        : el("ul", { class: "arenas" }, page.map(row)),
      el("p", {}, from > 0 && beside(-PAGE, "Newer arenas"), " ", from + PAGE < total && beside(PAGE, "Older arenas")),
    ),
  );
}

/** The workers of a fleet, and its tests that are not over. @param {FleetView} fleet */
const fleetOf = ({ workers, tests, said }) =>
  el(
    "section",
    { class: "fleet", "aria-labelledby": "fleet" },
    el("h2", { id: "fleet" }, "Fleet"),
    el(
      "p",
      {},
      workers.length === 0
        ? `No workers. ${said}`
        : `${countText(workers.length)} ${workers.length === 1 ? "worker" : "workers"}: ${workers.join(", ")}`,
    ),
    tests.length > 0 &&
      el(
        "ul",
        {},
        tests.map(({ name, state, share }) =>
          el("li", {}, el("strong", {}, name), `: ${state}${share !== 1 ? `, share ${share}` : ""}`),
        ),
      ),
  );

/** Conditions of an arena, in words. @param {ArenaView} arena */
const words = ({ format, openings, limits }) =>
  [format, openings && `openings: ${openings}`, limits]
    .filter(Boolean)
    .map((each) => `${capital(each)}.`)
    .join(" ");

/** @param {string} text */
const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

/**
 * Title of an arena.
 * @param {import("models").MenuView["games"]} games
 * @param {Pick<ArenaLine, "name" | "game">} arena
 */
const title = (games, { name, game }) => (name ? `${name}: ${gameTitle(games, game)}` : gameTitle(games, game));

/**
 * A part of the page that is drawn again only when what it shows has changed, and keeps its place where it is scrolled.
 * @template Shown
 * @param {string} label
 * @param {(shown: Shown) => Node} draw
 */
function part(label, draw) {
  const inside = el("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": label });
  const node = el("section", {}, el("h2", {}, label), inside);
  let drawn = "";
  const show = (/** @type {Shown} */ shown, /** @type {unknown} */ state) => {
    if (JSON.stringify(state) === drawn) return;
    drawn = JSON.stringify(state);
    refill(inside, draw(shown));
  };
  return { node, show };
}

/**
 * One arena, for as long as it goes on.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function arena(root, values) {
  const [menu] = await Promise.all([theMenu(), styled]);
  const shown = readFilter(values);
  const heading = el("h1");
  const far = el("p");
  const stands = el("p", { class: "standing", role: "status" });
  const test = el("div", { class: "test" });
  const notes = el("div", { class: "hint" });
  const problem = el("p", { class: "problem", role: "alert" });
  const table = part("Standings", standings);
  const pairs = part("Who beat whom", cross);
  /** @type {{ live: LiveBoards, now: HTMLElement, games: Games } | null} */
  let below = null;
  const place = el("div");

  /** @param {ReturnType<typeof readFilter>} other */
  const choose = (other) => {
    link.note(["arena"], other);
    below?.games.choose(other);
  };
  /** @param {ArenaView} now */
  const makeParts = (now) => {
    const live = new LiveBoards(now.game);
    const games = new Games(now.drawn ? now.game : "", shown, choose);
    const made = { live, games, now: el("section", {}, el("h2", {}, "Played just now"), live.node) };
    place.replaceChildren(made.now, pairs.node, games.node);
    return made;
  };
  /** @param {ArenaView} now */
  const draw = (now) => {
    below ??= makeParts(now);
    heading.textContent = `Arena: ${title(menu.games, now)}`;
    document.title = `${heading.textContent} – plyground`;
    const { planned: max, played: value } = now;
    refill(
      far,
      max !== null && [el("progress", { max, value, "aria-label": "Games played" }), " "],
      `${progress(now)} between ${now.ranks.length} entrants`,
      now.void > 0 && `, and ${countText(now.void)} void`,
      ". ",
      words(now),
    );
    const said = `${capital(standing(now))}.`;
    if (stands.textContent !== said) stands.textContent = said;
    refill(
      test,
      now.tested.map((each) => el("p", {}, each)),
    );
    refill(
      notes,
      now.notes.map((each) => el("p", {}, each)),
    );
    table.show(now, [now.ranks, now.cells]);
    pairs.show(now, [now.ranks.map(({ name }) => name), now.cross]);
    below.now.hidden = !now.live.length;
    below.live.show(now.live).catch((fault) => (problem.textContent = fault.message));
    below.games.update(now);
  };
  /** Links to this page choose other games on it. @param {MouseEvent} event */
  const follow = (event) => {
    const to = event.target instanceof Element && event.target.closest("a");
    const { path, values: asked } = link.read(to ? to.hash : "#/");
    if (path[0] !== "arena" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(readFilter(asked));
    below?.games.node.focus();
  };
  root.replaceChildren(
    el("div", { class: "arena", onclick: follow }, heading, stands, far, test, problem, table.node, notes, place),
  );
  const asked = answers.ask("arena_live", { id: shown.id }, draw);
  asked.catch((fault) => (problem.textContent = fault.message));
  return { close: () => asked.cancel() };
}
