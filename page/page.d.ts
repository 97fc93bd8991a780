// What the page adds to the browser: its two elements, and the events that they send.

import type { PlyBoard } from "./src/board/board.js";
import type { PlyTree } from "./src/tree/tree.js";

declare global {
  interface HTMLElementTagNameMap {
    "ply-board": PlyBoard;
    "ply-tree": PlyTree;
  }
  interface HTMLElementEventMap {
    /** A legal move was chosen, by these places of the board. */
    move: CustomEvent<{ move: string; path: readonly number[] }>;
    /** A place was chosen that offers no move: its name. */
    refused: CustomEvent<{ name: string; path: number[] }>;
    /** A move is looked at, or none any more. */
    preview: CustomEvent<string | null>;
    /** A place of a board that is set up by hand was chosen. */
    cell: CustomEvent<number>;
    /** A node of a tree was chosen. */
    choose: CustomEvent<number>;
  }
}
