// The pages there are: rows, given by the module with which it all begins.

import { el } from "./dom.js";
import * as link from "./link.js";

/**
 * Handle of a page that is shown and has to know when it is left.
 * @typedef {{ close?: () => void } | void} Open
 */

/**
 * A page.
 * @typedef {object} Page
 * @property {string} path
 * @property {string} [title] Its name in the menu, if it is there.
 * @property {string} [part] Its name among the pages of one word of the menu, the one that has both.
 * @property {string} [shows] What it shows, if it is listed with the lessons.
 * @property {string} [beside] How the pages beside it call it, if it shows a position.
 * @property {(root: HTMLElement, values: link.Values, name: string) => Promise<Open>} open Draws it in a place, from
 *   what the link says: its values, and what follows the path.
 */

/** @type {Page[]} */
let pages = [];

/** From now on there are these. @param {Page[]} all */
export const offer = (all) => (pages = all);

/** Whether there is a page of a path: only then may a link lead to it. @param {string} path */
export const has = (path) => pages.some((each) => each.path === path);

/**
 * The page of a path; the first where there is none.
 * @param {string} path
 */
export const page = (path) => pages.find((each) => each.path === path) ?? pages[0];

/** Links to the pages of the menu. */
export const menu = () =>
  pages.filter(({ title }) => title).map(({ path, title }) => el("a", { href: `#/${path}` }, title));

/**
 * Place of a page in the menu: its word, and the other pages of that word, with the page itself marked.
 * @param {string} path
 */
export function where(path) {
  const shown = page(path);
  const parts = shown.part ? pages.filter(({ part }) => part) : [];
  return {
    word: parts.find(({ title }) => title) ?? shown,
    parts: parts.map((each) =>
      el("a", { href: `#/${each.path}`, "aria-current": each === shown ? "page" : null }, each.part),
    ),
  };
}

/**
 * Links to the other pages that show a position.
 * @param {string} shown
 * @param {link.Wanted} values
 */
export const beside = (shown, values) =>
  pages
    .filter((each) => each.beside && each.path !== shown)
    .map((each) => el("a", { href: link.write([each.path], values) }, each.beside));
