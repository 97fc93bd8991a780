import { reason } from "../../made/microscope/reasons.js";

/** @import { RecordedTree } from "./recording.js" */

/** Why a node has its value; the searches of a page break no law. @param {RecordedTree} tree @param {number} node */
export const why = (tree, node) => reason(tree, node);
