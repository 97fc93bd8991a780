// The first script of a published page: it unpacks the page's style, facts and scripts; then its own script runs.

import { bytes } from "./answers/packed.js";

/** Separator of two texts. */
const BETWEEN = "\0";
const MISSING = "This browser cannot unpack this page: open it in a newer one.";

/** @param {string} tag @param {object} attributes */
const makeElement = (tag, attributes) => Object.assign(document.createElement(tag), attributes);

/** Texts that an element holds packed. @param {string} id */
const texts = async (id) => new TextDecoder().decode(await bytes(id)).split(BETWEEN);

async function begin() {
  const [style, facts] = await texts("texts");
  document.head.append(makeElement("style", { textContent: style }));
  document.querySelector("header")?.removeAttribute("hidden");
  const [worker, script] = await texts("scripts");
  document.body.append(
    makeElement("script", { id: "facts", type: "text/plain", textContent: facts }),
    makeElement("script", { id: "worker", type: "text/plain", textContent: worker }),
    makeElement("script", { type: "module", textContent: script }),
  );
}

if ("DecompressionStream" in globalThis) void begin();
else document.getElementById("page")?.append(makeElement("p", { className: "problem", textContent: MISSING }));
