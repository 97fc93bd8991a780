// The reason that a move along some places is not legal, in a sentence.

import { answers } from "./answers.js";

/** @import { At } from "models" */

/**
 * The sentence for places that no legal move goes along.
 * @param {At} at
 * @param {{ name: string, path: number[] }} pointed
 */
export async function refusal(at, { name, path }) {
  const { why } = await answers.ask("why_not", { ...at, path }).catch(() => ({ why: "" }));
  return `${name} is not a legal move here${why && `: ${why}`}.`;
}
