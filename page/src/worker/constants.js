// Numbers, names and sentences that Python has too: a page brings them as data (`web/views/page_constants.py`), and a
// worker takes them over before it does anything else.

/** @import { Constants } from "models" */

export const constants = /** @type {Constants} */ ({});

/** @param {Constants} brought */
export const know = (brought) => void Object.assign(constants, brought);

/**
 * A sentence with its places filled.
 * @param {string} sentence
 * @param {Record<string, string | number>} words
 */
export const fillTemplate = (sentence, words) => sentence.replace(/\{(\w+)\}/g, (_, name) => String(words[name]));
