// What analysing and looking back have beside the board: several lines, the explorer, mistakes, other notations.

import { answers } from "./answers.js";
import { refill } from "./dom.js";
import { mistakes } from "./exercises.js";
import { Explorer } from "./explorer.js";
import { lines } from "./lines.js";
import { notations } from "./notations.js";

/** @import { Table } from "./table.js" */

/** @type {WeakMap<Table, Explorer>} */
const explorers = new WeakMap();

/**
 * Draw it for what a table shows now.
 * @param {Table} table
 */
export function draw(table) {
  const { mode, source, shown } = table;
  if (source.fresh || mode === "play" || !shown) return refill(table.part.beyond);
  const explorer = explorers.get(table) ?? new Explorer(() => draw(table));
  explorers.set(table, explorer);
  refill(table.part.beyond,
    mode === "analyse" ? [lines(table), explorer.shown(source.at(table.at), shown)] : mistakes(table),
    answers.can("notations") && notations(source.at(table.at)));
}
