// A text becomes a file of the person's own.

import { el } from "./dom.js";

/**
 * Save a text where the browser saves files.
 * @param {{ name: string, text: string }} file
 */
export function save({ name, text }) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
