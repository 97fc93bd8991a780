// Which keys belong to the page, and what they do at a table.

/** @import { Table } from "./table.js" */

/**
 * Whether a key is for the page: it is not typed into a field, and no shortcut of the browser.
 * @param {KeyboardEvent} event
 */
export function isForPage(event) {
  const typed = /** @type {Partial<Element>} */ (event.target).closest?.("input, select, textarea, dialog");
  return !(typed || event.ctrlKey || event.altKey || event.metaKey);
}

/**
 * A key at a table.
 * @param {Table} table
 * @param {KeyboardEvent} event
 */
export function press(table, event) {
  const { fresh } = table.source;
  /** @type {Record<string, () => unknown>} */
  const acts = {
    ArrowLeft: () => table.go(table.at - 1),
    ArrowRight: () => table.go(table.at + 1),
    Home: () => table.go(0),
    End: () => table.go(table.last),
    f: () => table.flip(),
    v: () => !fresh && table.toggleValues(),
    u: () => table.attempt(() => table.playing.undo()),
    b: () => table.board.enter(),
  };
  if (!acts[event.key]) return;
  event.preventDefault();
  acts[event.key]();
}
