// A text becomes a file of the person's own.

import { el } from "./dom.js";

/** Save { name, text } where the browser saves files. */
export function save({ name, text }) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
