/** @import { Position } from "./position.js" */

/** Meaning of an estimate, in a sentence. @param {Position} here */
export const scale = ({ game, toMove }) => game.facts.scales[toMove];
