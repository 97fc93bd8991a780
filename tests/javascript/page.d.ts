// What the page adds to the browser: its two elements, and the events that they send.

import type { PlyBoard } from "../../plyground/web/static/board.js";
import type { PlyTree } from "../../plyground/web/static/tree.js";

declare global {
  interface HTMLElementTagNameMap {
    "ply-board": PlyBoard;
    "ply-tree": PlyTree;
  }
  interface HTMLElementEventMap {
    /** A legal move was chosen; on a grid, at a cell. */
    move: CustomEvent<{ move: string; index: number | null }>;
    /** A cell or pit was chosen that offers no move: its name. */
    refused: CustomEvent<string>;
    /** A move is looked at, or none any more. */
    preview: CustomEvent<string | null>;
    /** A cell of a board that is set up by hand was chosen. */
    cell: CustomEvent<number>;
    /** A node of a tree was chosen. */
    choose: CustomEvent<number>;
  }
}
