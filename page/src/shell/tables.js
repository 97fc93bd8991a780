// Tables with a caption for screen readers, and their columns.

import { el } from "./dom.js";

/** @import { Properties } from "./dom.js" */

/**
 * Header cell of a column.
 * @param {string} words
 * @param {Properties} [more]
 */
export const column = (words, more = {}) => el("th", { scope: "col", ...more }, words);

/**
 * Table with a caption that is read aloud but not shown.
 * @param {string} label
 * @param {Properties} more Attributes of the table.
 * @param {HTMLElement} head Row of the header cells.
 * @param {HTMLElement[]} rows
 */
export const titledTable = (label, more, head, rows) =>
  el("table", more, el("caption", { class: "unseen" }, label), el("thead", {}, head), el("tbody", {}, rows));
