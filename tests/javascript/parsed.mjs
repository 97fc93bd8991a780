// Scripts as a parser of the whole language reads them: a list of texts in JSON comes in, and what was read of each
// goes out, without where it stands. A private name, and that of a joined module, is told by where it first comes; a
// constant is a variable.

import { parse } from "acorn";
import { readFileSync } from "node:fs";

/** @param {string} text */
function read(text) {
  /** @type {string[]} */
  const names = [];
  const number = (/** @type {string} */ name) => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1);
  return JSON.stringify(parse(text, { ecmaVersion: "latest", sourceType: "module" }), (key, value) => {
    if (key === "start" || key === "end") return undefined;
    if (value?.type === "PrivateIdentifier") return { ...value, name: number(value.name) };
    if (value?.type === "Identifier" && /.\$$/.test(value.name)) return { ...value, name: number(value.name) };
    if (key === "kind" && value === "const") return "let";
    return typeof value === "bigint" ? String(value) : value;
  });
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(read)));
