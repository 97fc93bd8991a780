// Scripts as a parser of the whole language reads them: a list of texts in JSON comes in, and what was read of each,
// without where it stands, goes out.

import { parse } from "acorn";
import { readFileSync } from "node:fs";

/** @param {string} key @param {unknown} value */
const told = (key, value) => {
  if (key === "start" || key === "end") return undefined;
  return typeof value === "bigint" ? String(value) : value;
};

const scripts = JSON.parse(readFileSync(0, "utf8"));
const read = scripts.map((text) => JSON.stringify(parse(text, { ecmaVersion: "latest", sourceType: "module" }), told));
process.stdout.write(JSON.stringify(read));
