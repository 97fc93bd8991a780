// The pages there are: rows, given by the module with which it all begins.

import { el } from "./dom.js";
import * as link from "./link.js";

/**
 * What a page is that is shown, if it is to be told that it is left.
 * @typedef {{ close?: () => void } | void} Open
 */

/**
 * A page.
 * @typedef {object} Page
 * @property {string} path
 * @property {string} [title] Its name in the menu, or in the list of the lessons, if it is there.
 * @property {string} [shows] What it shows, if it is listed with the lessons and not in the menu.
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
  pages.filter(({ title, shows }) => title && !shows).map(({ path, title }) => el("a", { href: `#/${path}` }, title));

/**
 * Links to the other pages that show a position.
 * @param {string} shown
 * @param {link.Wanted} values
 */
export const beside = (shown, values) =>
  pages.filter((each) => each.beside && each.path !== shown).map((each) =>
    el("a", { href: link.write([each.path], values) }, each.beside));
