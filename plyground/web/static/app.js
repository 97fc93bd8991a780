// The playground: a server keeps the games and answers, beside it workers with the module of the game that is played;
// and these are its pages.

import { el } from "./dom.js";
import { Fresh } from "./fresh.js";
import { Kept, begun } from "./kept.js";
import * as link from "./link.js";
import { Nearby } from "./nearby.js";
import * as own from "./own.js";
import { SEARCHES } from "./pages.js";
import * as room from "./room.js";
import { begin, news, place, route } from "./shell.js";
import { Socket } from "./socket.js";
import { Line } from "./source.js";
import { Table } from "./table.js";

/** @import { Page } from "./pages.js" */
/** @import { Source } from "./source.js" */

/** @param {HTMLElement} root @param {Source} source */
const table = (root, source) => new Table(root, source, begun).open();

/**
 * A board to analyse on, and below it a form for another game or position.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
async function analyse(root, values) {
  const board = el("div");
  root.append(board);
  const shown = await table(board, new Line(values));
  const { askingForm } = await import("./asking.js");
  root.append(await askingForm(values, { label: "Another position", act: "Show" }, (at) => link.go(["board"], at)));
  return shown;
}

/**
 * What is not on the first page is fetched when it is wanted, so that the first page is not kept waiting.
 * @type {Page[]}
 */
const PAGES = [
  { path: "", title: "Play", open: (root, values) => table(root, new Fresh(values)) },
  {
    path: "board",
    title: "Analyse",
    beside: "Back to the board",
    open: analyse,
  },
  { path: "game", open: (root, values, id) => table(root, new Kept(id, values)) },
  { path: "edit", open: async (root, values) => (await import("./editor.js")).editor(root, values) },
  {
    path: "exercise",
    open: async (root, values) => {
      const { exercise } = await import("./exercises.js");
      return exercise(root, values, async (...at) => (await import("./arenagames.js")).following(...at));
    },
  },
  {
    path: "import",
    title: "Open",
    open: async (root, values) => (await import("./importing.js")).importing(root, values),
  },
  ...SEARCHES,
  {
    path: "quiz",
    title: "Quiz",
    open: async (root, values) => (await import("./quiz.js")).quiz(root, values),
  },
  {
    path: "games",
    title: "Games",
    open: async (root, values) => (await import("./games.js")).games(root, values),
  },
  {
    path: "arenas",
    title: "Arenas",
    open: async (root, values) => (await import("./arena.js")).arenas(root, values),
  },
  { path: "arena", open: async (root, values) => (await import("./arena.js")).arena(root, values) },
  { path: "room", open: async (root, values) => (await import("./lobby.js")).lobby(root, values) },
  {
    path: "lessons",
    title: "Lessons",
    open: async (root, values, name) => (await import("./lessons.js")).lessons(root, name),
  },
];

const connection = place("connection");
const server = new Socket();
server.addEventListener("down", (event) => {
  const { detail } = /** @type {CustomEvent<string>} */ (event);
  connection.textContent = detail ? `${detail} Trying again…` : "The connection is lost; trying again…";
});
server.addEventListener("up", () => (connection.textContent = ""));
const way = new Nearby(server);
begin(way, PAGES);
own.watch(news, route);
room.enter(connection);
room.listen(({ exam }) => way.rest(exam));
