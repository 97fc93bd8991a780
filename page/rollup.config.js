// The page's scripts and style sheets as they are served, into the package, and the scripts of published pages, into
// `build`, from where `pack.js` takes them.

import { readFileSync } from "node:fs";
import process from "node:process";

import terser from "@rollup/plugin-terser";
import { transform } from "lightningcss";

const OUT = process.env.OUT ?? "../plyground/web/page";
const isWatching = process.env.ROLLUP_WATCH === "true";
/** Sheets of the playground's first page, and of published pages. */
const FIRST = [
  "style.css",
  "board/board.css",
  "tree/microscope.css",
  "analysis/analysis.css",
  "classroom/classroom.css",
];
const PUBLISHED = [...FIRST.slice(0, 4), "study/study.css", "published.css"];
/** Sheets of pages that are opened later. */
const LATER = ["arena/arena", "lab/learning", "lab/tables", "lesson/lesson", "library/editor", "study/study"];
/** Files, and of what they are made. */
const FILES = {
  "index.html": ["index.html"],
  "icon.svg": ["icon.svg"],
  "style.css": FIRST,
  ...Object.fromEntries(LATER.map((name) => [`${name}.css`, [`${name}.css`]])),
  "published/style.css": PUBLISHED,
  "editor/write.css": [...PUBLISHED, "editor/write.css"],
};

/** Style sheets, joined and minified, and files that are taken as they are. */
const files = {
  name: "files",
  buildStart() {
    for (const source of Object.values(FILES).flat()) this.addWatchFile(`src/${source}`);
  },
  generateBundle() {
    for (const [fileName, sources] of Object.entries(FILES)) {
      const code = Buffer.concat(sources.map((source) => readFileSync(`src/${source}`)));
      const source = fileName.endsWith(".css")
        ? transform({ filename: fileName, code, minify: !isWatching }).code
        : code;
      this.emitFile({ type: "asset", fileName, source });
    }
  },
};

/** A published page has one game, and no tiles of others. */
const oneGame = {
  name: "one game",
  load: (/** @type {string} */ id) => (id.endsWith("/library/tiles.js") ? "export let picture, tiles;" : null),
};

const compress = { passes: 2, unsafe_arrows: true, unsafe_methods: true, pure_getters: true };
const minified = isWatching ? [] : [terser({ module: true, ecma: 2020, compress })];

/** A script by itself, with all that it imports, at once or later. @param {string} file @param {string} input */
const alone = (file, input, ...plugins) => ({
  input: `src/${input}`,
  output: { file, format: "iife", inlineDynamicImports: true, sourcemap: isWatching && "inline" },
  plugins: [...plugins, ...minified],
});

export default [
  {
    input: "src/app.js",
    output: { dir: OUT, format: "es", chunkFileNames: "[name].js", sourcemap: isWatching && "inline" },
    preserveEntrySignatures: false,
    plugins: [...minified, files],
  },
  alone(`${OUT}/worker.js`, "worker/whole.js"),
  alone(`${OUT}/published/begin.js`, "begin.js"),
  alone(`${OUT}/editor/write.js`, "editor/write.js"),
  alone(`${OUT}/editor/python.js`, "editor/python.js"),
  alone("build/page.js", "published.js", oneGame),
  alone("build/plain.js", "worker/worker.js"),
  alone("build/chess.js", "worker/chess.js"),
  alone("build/lesson.js", "lesson/publishedlesson.js"),
  alone("build/running.js", "worker/running.js"),
];
