// Packs the scripts of published pages, the worker's and the page's, for `begin.js`: by zopfli, whose gzip is smaller by
// a thirtieth than that of Python.

import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

import zopfli from "@gfx/zopfli";

const OUT = process.env.OUT ?? "../plyground/web/page";
const PACKED = {
  plain: ["build/plain.js", "build/page.js"],
  chess: ["build/chess.js", "build/page.js"],
  whole: [`${OUT}/worker.js`, "build/page.js"],
  lesson: ["build/running.js", "build/lesson.js"],
};

for (const [name, files] of Object.entries(PACKED)) {
  const text = files.map((file) => readFileSync(file, "utf8").trimEnd()).join("\0");
  writeFileSync(`${OUT}/published/${name}.gz`, await zopfli.gzipAsync(Buffer.from(text), {}));
}
