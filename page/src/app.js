// The playground: a server keeps the games and answers, beside it workers with the module of the game that is played;
// and these are its pages.

import { el, style } from "./shell/dom.js";
import { company } from "./game/company/company.js";
import { NewGame } from "./game/newgame.js";
import { GamePage } from "./game/page.js";
import { SavedGame, beginSavedGame } from "./game/savedgame.js";
import * as link from "./shell/link.js";
import { answers } from "./answers/answers.js";
import { Nearby } from "./answers/nearby.js";
import * as own from "./shell/own.js";
import * as room from "./classroom/room.js";
import { SEARCHES } from "./searches.js";
import { begin, news, place, route } from "./shell/shell.js";
import { Socket } from "./answers/socket.js";
import { clock } from "./game/timing.js";

/** @import { Page } from "./shell/pages.js" */
/** @import { More } from "./game/page.js" */
/** @import { Source } from "./game/source.js" */
/** @import { Ready } from "./game/state.js" */

/**
 * Parts that are fetched when a game has something for them to show.
 * @type {{ has: (state: Ready) => unknown, fetch: () => Promise<More> }[]}
 */
const LATER = [
  { has: ({ game }) => game.saved?.clock, fetch: async () => (await import("./game/clocks.js")).clocks },
  { has: ({ game }) => game.saved, fetch: async () => (await import("./game/saving.js")).saving },
  { has: ({ shown }) => shown.moves.length, fetch: async () => (await import("./game/material.js")).material },
];

/** Parts of a game of two people, fetched when there is one. @type {More} */
function beside(does) {
  /** @type {(ReturnType<More> | null)[]} Null while it is fetched. */
  const makers = [company(does)];
  return (state) => {
    for (const [index, { has, fetch }] of LATER.entries()) {
      if (makers[index + 1] !== undefined || !has(state)) continue;
      makers[index + 1] = null;
      fetch().then(
        (more) => {
          makers[index + 1] = more(does);
          does.change({ ...does.state });
        },
        () => delete makers[index + 1],
      ); // it is fetched when the page is drawn again
    }
    return Object.assign({}, ...makers.map((make) => make?.(state)));
  };
}

/** @param {HTMLElement} root @param {Source} source */
const game = (root, source) => new GamePage(root, source, beginSavedGame, beside).open();

/**
 * A board to analyse on, and below it a form for another game or position.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
async function analyse(root, values) {
  const board = el("div");
  root.append(board);
  const place = el("div");
  style("study/study.css");
  const [{ StudyGame }, { study }] = await Promise.all([import("./study/studygame.js"), import("./study/study.js")]);
  const { askingForm } = await import("./library/asking.js");
  const form = async (/** @type {link.Values} */ at) => {
    const words = { label: "Another position", act: "Show" };
    const made = await askingForm(at, words, (wanted) => link.go(["board"], wanted));
    if (!place.contains(document.activeElement)) place.replaceChildren(made); // it is not being filled in
  };
  const left = (/** @type {link.Wanted} */ at) => form(/** @type {link.Values} */ (at));
  const source = Object.assign(new StudyGame(values), { left });
  /** @type {More} */
  const more = (does) => {
    const [around, moves] = [beside(does), study(does)];
    return (state) => ({ ...around(state), ...moves(state) });
  };
  const shown = await new GamePage(board, source, beginSavedGame, more).open();
  root.append(
    el(
      "div",
      { class: "another" },
      el("a", { class: "button", href: link.write(["import"], { game: values.game }) }, "Open a game or file"),
      el("a", { class: "button", href: link.write(["edit"], { game: values.game }) }, "Set up a position"),
      el("details", {}, el("summary", {}, "Another game or position"), place),
    ),
  );
  if (!place.hasChildNodes()) await form(values); // the link is that of no game
  return shown;
}

/** Descriptions of the pages of searches, by their paths. @type {Record<string, string>} */
const SHOWS = {
  tree: "every node that minimax and alpha-beta enter, step by step",
  race: "how many nodes each search needs for one position",
  quiz: "values, cut-offs and windows, for you to find",
};

/**
 * Pages by their paths. All but the first are fetched on demand, so that the first page does not wait for them.
 * @type {Page[]}
 */
const PAGES = [
  { path: "", title: "Play", open: (root, values) => game(root, new NewGame(values, clock)) },
  {
    path: "board",
    title: "Analyse",
    beside: "Back to the board",
    open: analyse,
  },
  { path: "game", open: (root, values, id) => game(root, new SavedGame(id, values)) },
  { path: "edit", open: async (root, values) => (await import("./library/editor.js")).editor(root, values) },
  {
    path: "exercise",
    open: async (root, values) => {
      const { exercise } = await import("./analysis/exercises.js");
      return exercise(root, values, async (...at) => (await import("./arena/arenagames.js")).following(...at));
    },
  },
  {
    path: "import",
    open: async (root, values) => {
      const [{ importing }, { MORE }] = await Promise.all([
        import("./library/importing.js"),
        import("./library/records.js"),
      ]);
      return importing(root, values, MORE);
    },
  },
  {
    path: "lessons",
    title: "Learn",
    part: "Lessons",
    open: async (root, values, name) => {
      const { lessons } = await import("./lesson/lessons.js");
      return lessons(
        root,
        name,
        PAGES.filter(({ shows }) => shows),
      );
    },
  },
  ...SEARCHES.map((page) => ({ ...page, shows: SHOWS[page.path] })),
  {
    path: "tables",
    part: "Tablebases",
    shows: "the exact value of every position of a game, the longest wins, positions that one move saves",
    open: async (root, values) => (await import("./lab/tables.js")).tables(root, values),
  },
  {
    path: "learning",
    part: "Self-play",
    shows: "an evaluation that a game learns by itself, opponents on the way, and what it looks at",
    open: async (root, values) => (await import("./lab/learning.js")).learning(root, values),
  },
  {
    path: "games",
    title: "My games",
    open: async (root, values) => (await import("./library/games.js")).games(root, values),
  },
  {
    path: "arenas",
    title: "Arena",
    open: async (root, values) => (await import("./arena/arena.js")).arenas(root, values),
  },
  { path: "arena", open: async (root, values) => (await import("./arena/arena.js")).arena(root, values) },
  { path: "room", open: async (root, values) => (await import("./classroom/lobby.js")).lobby(root, values) },
];

/** Milliseconds in which it is read that the connection is there again. */
const READ = 5000;
const connection = place("connection");
const server = new Socket();
server.addEventListener("down", (event) => {
  const { detail } = /** @type {CustomEvent<string>} */ (event);
  connection.textContent = detail ? `${detail} Trying again…` : "Connection lost, trying again…";
  answers.lose(true);
});
server.addEventListener("up", () => {
  connection.textContent = "Connected again.";
  answers.lose(false);
  setTimeout(() => {
    if (!answers.isLost) connection.textContent = "";
  }, READ);
});
const way = new Nearby(server);
begin(way, PAGES);
own.watch(news, route);
room.enter(connection);
room.listen(({ exam }) => way.rest(exam));
