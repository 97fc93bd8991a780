// The pages there are, each a row here: its path, its title in the menu, how it is opened, and how the pages beside it
// call it if it shows a position.

import { el } from "./dom.js";
import { Fresh } from "./fresh.js";
import * as link from "./link.js";
import { Kept, Line } from "./source.js";
import { Table } from "./table.js";

/**
 * What a page is that is shown, if it is to be told that it is left.
 * @typedef {{ close?: () => void } | void} Open
 */

/**
 * A page.
 * @typedef {object} Page
 * @property {string} path
 * @property {string} [title] Its name in the menu, if it is there.
 * @property {string} [beside] How the pages beside it call it, if it shows a position.
 * @property {(root: HTMLElement, values: link.Values, name: string) => Promise<Open>} open Draws it in a place, from
 *   what the link says: its values, and what follows the path.
 */

/**
 * A board to analyse on, and below it a form for another game or position.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
async function analyse(root, values) {
  const place = el("div");
  root.append(place);
  const table = await new Table(place, new Line(values)).open();
  const { askingForm } = await import("./asking.js");
  root.append(await askingForm(values, { label: "Another position", act: "Show" }, (at) => link.go(["board"], at)));
  return table;
}

/**
 * What is not on the first page is fetched when it is wanted, so that the first page is not kept waiting.
 * @type {Page[]}
 */
const PAGES = [
  { path: "", title: "Play", open: (root, values) => new Table(root, new Fresh(values)).open() },
  {
    path: "board",
    title: "Analyse",
    beside: "Back to the board",
    open: analyse,
  },
  { path: "game", open: (root, values, id) => new Table(root, new Kept(id, values)).open() },
  { path: "edit", open: async (root, values) => (await import("./editor.js")).editor(root, values) },
  { path: "exercise", open: async (root, values) => (await import("./exercises.js")).exercise(root, values) },
  {
    path: "import",
    title: "Open",
    open: async (root, values) => (await import("./importing.js")).importing(root, values),
  },
  {
    path: "tree",
    title: "Search tree",
    beside: "Look at the trees",
    open: async (root, values) => (await import("./microscope.js")).microscope(root, values),
  },
  {
    path: "race",
    title: "Race",
    beside: "Race the algorithms",
    open: async (root, values) => (await import("./race.js")).race(root, values),
  },
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

/**
 * The page of a path; the first where there is none.
 * @param {string} path
 */
export const page = (path) => PAGES.find((each) => each.path === path) ?? PAGES[0];

/** Links to the pages that have a title. */
export const menu = () =>
  PAGES.filter(({ title }) => title).map(({ path, title }) => el("a", { href: `#/${path}` }, title));

/**
 * Links to the other pages that show a position.
 * @param {string} shown
 * @param {link.Wanted} values
 */
export const beside = (shown, values) =>
  PAGES.filter((each) => each.beside && each.path !== shown).map((each) =>
    el("a", { href: link.write([each.path], values) }, each.beside));
