// Python in WebAssembly, for tests/test_in_webassembly.py: `node python.mjs FOLDER...` puts the folders on Python's
// path and runs what it reads.

import { readFileSync } from "node:fs";
import process from "node:process";

import { loadPyodide } from "pyodide";

const python = await loadPyodide();
process.argv.slice(2).forEach((folder, number) => {
  const place = `/folder${number}`;
  python.FS.mkdirTree(place);
  python.mountNodeFS(place, folder);
  python.runPython(`import sys; sys.path.append("${place}")`);
});
try {
  await python.runPythonAsync(readFileSync(0, "utf8"));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
