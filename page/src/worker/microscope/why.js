import { reason } from "../../made/microscope/reasons.js";

/** @import { RecordedTree } from "./recording.js" */

/** Reasons for a node's value; the searches of a page break no law. @param {RecordedTree} tree @param {number} node */
export const why = (tree, node) => reason(tree, node);
