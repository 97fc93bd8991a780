// The page's icons: lines on a ground of 24 by 24. Each stands for a word, which its button has as its name.

import { button, svg } from "./dom.js";

/** @import { Properties } from "./dom.js" */

const BACK = "M16 5l-8 7 8 7z";
const ON = "M8 5l8 7-8 7z";
/** @type {Record<string, string>} */
const DRAWN = {
  first: `M5 5v14${BACK.replace("16", "18")}`,
  back: BACK,
  on: ON,
  last: `M19 5v14${ON.replace("8", "6")}`,
  undo: "M9 14L4 9l5-5M4 9h10a5.5 5.5 0 0 1 0 11h-3",
  redo: "M15 14l5-5-5-5M20 9H10a5.5 5.5 0 0 0 0 11h3",
  hint: "M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-3.8 10.7c.8.7 1.3 1.3 1.3 2.3h5c0-1 .5-1.6 1.3-2.3A6 6 0 0 0 12 3z",
  flip: "M7 4v15M3.5 15.5L7 19l3.5-3.5M17 20V5M13.5 8.5L17 5l3.5 3.5",
  resign: "M6 21V4h12l-3 4.5 3 4.5H6",
  settings: "M4 7h9M17 7h3M15 4.5v5M4 17h3M11 17h9M9 14.5v5",
};

/** The drawing of an icon; its button says what it means. @param {string} name */
export const icon = (name) =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: DRAWN[name] }));

/**
 * A button that shows an icon; its name is heard, and seen where a pointer rests.
 * @param {string} name
 * @param {string} words
 * @param {(event: MouseEvent) => unknown} onclick
 * @param {Properties} [properties]
 */
export function iconButton(name, words, onclick, properties) {
  const made = button("", onclick, { "aria-label": words, title: words, class: "of-icon", ...properties });
  made.append(icon(name));
  return made;
}
