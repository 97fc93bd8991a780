// Keys of the page, and their actions on the game page.

import { lastOf, wantedPly } from "./state.js";

/** @import { PlyBoard } from "../board/board.js" */
/** @import { Controller } from "./controller.js" */

/**
 * Whether a key is for the page: it is not typed into a field, and no shortcut of the browser.
 * @param {KeyboardEvent} event
 */
export function isForPage(event) {
  const typed = /** @type {Partial<Element>} */ (event.target).closest?.("input, select, textarea, dialog");
  return !(typed || event.ctrlKey || event.altKey || event.metaKey);
}

/**
 * A key on the game page.
 * @param {Controller} does
 * @param {PlyBoard} board
 * @param {KeyboardEvent} event
 */
export function press(does, board, event) {
  const { state } = does;
  if (!state.game) return;
  /** @type {Record<string, () => unknown>} */
  const acts = {
    ArrowLeft: () => does.go(wantedPly(state) - 1),
    ArrowRight: () => does.go(wantedPly(state) + 1),
    Home: () => does.go(0),
    End: () => does.go(lastOf(state)),
    f: () => does.toggle("flipped"),
    v: () => state.game?.kind !== "new" && does.toggleValues(),
    u: () => does.attempt(does.undo),
    b: () => board.enter(),
  };
  if (!acts[event.key]) return;
  event.preventDefault();
  acts[event.key]();
}
