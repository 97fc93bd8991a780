import { reason } from "./reasons.js";

/** @import { Tree } from "./tree.js" */

/** Why a node has its value; the searches of a page break no law. @param {Tree} tree @param {number} node */
export const why = (tree, node) => reason(tree, node);
