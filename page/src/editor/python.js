// The worker of the page where rules are written: Python, fetched once and checked by its hash, with this package. The
// first message says where both are; then each { id, text, file, game } is answered by parts, { id, part }, and in the
// end { id }. The page stops endless rules by ending the worker.

import { fetchFile } from "./fetching.js";

/** @import { PythonFile } from "./fetching.js" */

/**
 * @typedef {object} First
 * @property {string} from The address of the files' folder.
 * @property {PythonFile[]} files
 * @property {string} zip The package, packed, in base64.
 */
/** @typedef {{ id: number, text: string, file: string, game: string }} Question */

/** Folder of the package in the worker's file system. */
const PACKAGE = "/package";
/** The kinds of the files that Pyodide asks for. @type {Record<string, string>} */
const ASKED_FOR = { "pyodide.asm.wasm": "application/wasm", "python_stdlib.zip": "application/zip" };
/** In place of Pyodide's list of other packages, of which none is wanted here; its version has to be Pyodide's. */
const NO_PACKAGES = {
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" },
  packages: {},
};

/** @type {Promise<any> | null} */
let typed = null;

/** A module of JavaScript, run. @param {ArrayBuffer} text */
const run = (text) => import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));

// A page on a disk may start no worker that is a module, and Pyodide runs in no other: it looks for this function
Object.assign(self, { importScripts: null });

/** @param {First} first */
async function loadPython({ from, files, zip }) {
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let come = 0;
  const tell = (/** @type {number} */ bytes) => self.postMessage({ come: (come += bytes) / all });
  /** @type {Record<string, ArrayBuffer>} */
  const held = Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.name, await fetchFile(from, file, tell)])),
  );
  // Pyodide fetches these two files itself: `fetch` returns the bytes that were checked
  self.fetch = async (asked) => {
    const name = String(asked).split("/").at(-1) ?? "";
    if (!ASKED_FOR[name]) throw new TypeError("Rules fetch nothing.");
    return new Response(held[name], { headers: { "Content-Type": ASKED_FOR[name] } });
  };
  const { loadPyodide } = await run(held["pyodide.mjs"]);
  const { default: createPyodideModule } = await run(held["pyodide.asm.mjs"]);
  const lockFileContents = NO_PACKAGES;
  const python = await loadPyodide({ indexURL: from, packageBaseUrl: from, createPyodideModule, lockFileContents });
  const package_ = Uint8Array.from(atob(zip), (sign) => sign.charCodeAt(0));
  python.unpackArchive(package_, "zip", { extractDir: PACKAGE });
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGE}")`);
  const module = python.pyimport("plyground.publish.typed_game");
  self.postMessage({ ready: true });
  return module;
}

/** Id of the last question: older ones get no further answers. */
let last = 0;

/** @param {Question} question */
async function answer({ id, text, file, game }) {
  const module = await typed;
  for (const part of module.answers(text, file, game)) {
    if (id !== last) return;
    self.postMessage({ id, part: JSON.parse(part) });
    await new Promise((resolve) => setTimeout(resolve)); // another question may have come
  }
  self.postMessage({ id });
}

self.onmessage = ({ data }) => {
  if ("files" in data) typed = loadPython(data);
  else last = data.id;
  const done = "files" in data ? typed : answer(data);
  // the last line of a traceback is the error
  done?.catch((/** @type {Error} */ fault) => self.postMessage({ failed: fault.message.trim().split("\n").at(-1) }));
};
