// Rows of the pages that show searches, which the playground and a published page both have.

/** @import { Page } from "./shell/pages.js" */

/**
 * Each is fetched when it is opened, so that the first page does not wait for it.
 * @type {Page[]}
 */
export const SEARCHES = [
  {
    path: "tree",
    part: "Search tree",
    beside: "Look at the trees",
    open: async (root, values) => (await import("./tree/microscope.js")).microscope(root, values),
  },
  {
    path: "race",
    part: "Race",
    beside: "Race the algorithms",
    open: async (root, values) => (await import("./lab/race.js")).race(root, values),
  },
  {
    path: "quiz",
    part: "Quiz",
    open: async (root, values) => (await import("./lab/quiz.js")).quiz(root, values),
  },
];
