// Parts beside the board in an analysis and in looking back: several lines, the explorer, the review, other notations.

import { answers } from "../answers/answers.js";
import { here } from "../game/state.js";
import { review } from "./exercises.js";
import { explorer } from "./explorer.js";
import { lines } from "./lines.js";
import { notations } from "./notations.js";

/** @import { Ready } from "../game/state.js" */

/**
 * @param {Ready} state
 * @param {{ toggle: (what: "forX") => void }} does
 */
export const analysis = (state, does) => [
  ...(state.mode === "analyse" ? [lines(state, () => does.toggle("forX")), explorer(state)] : [review(state)]),
  answers.can("notations") && notations(here(state)),
];
