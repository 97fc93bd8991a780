// Imports of the page's modules, those of types and of modules that are fetched later included; of what is made from
// Python only what is used: a base class there has the type of the class that extends it by hand.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const ROOT = new URL("../src/", import.meta.url);

/** The modules that a module names. @param {string} name */
function importsOf(name) {
  const isMade = name.startsWith("made/"); // from Python
  const text = readFileSync(new URL(name, ROOT), "utf8");
  const pattern = isMade ? /^import .* from "(\.[^"]+\.js)"/gm : /(?:from|import|import\() ?"(\.[^"]+\.js)"/g;
  return [...text.matchAll(pattern)].map(([, file]) => new URL(file, new URL(name, ROOT)).href.slice(ROOT.href.length));
}

test("imports form no cycle", () => {
  const files = readdirSync(ROOT, { recursive: true }).map((file) => String(file).replaceAll("\\", "/"));
  const names = files.filter((file) => file.endsWith(".js"));
  assert(names.length > 50 && importsOf("app.js").includes("game/page.js"));
  /** @type {Set<string>} */
  const done = new Set();
  /** @param {string} name @param {string[]} path */
  const walk = (name, path) => {
    assert(!path.includes(name), [...path, name].join(" imports "));
    if (done.has(name)) return;
    for (const each of importsOf(name)) walk(each, [...path, name]);
    done.add(name);
  };
  for (const name of names) walk(name, []);
});
