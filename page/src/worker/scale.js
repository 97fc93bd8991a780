/** @import { Position } from "./position.js" */

/** What an estimate counts, in a sentence. @param {Position} here */
export const scale = ({ game, toMove }) => game.facts.scales[toMove];
