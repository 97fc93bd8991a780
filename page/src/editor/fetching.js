// The files of Python, fetched and held against their hashes.

/**
 * A file of Pyodide, which is Python in WebAssembly; its hash is as browsers write it.
 * @typedef {{ name: string, bytes: number, integrity: string }} PythonFile
 */

const base64 = (/** @type {Uint8Array} */ bytes) => btoa(String.fromCharCode(...bytes));

/**
 * Fetch a file and compare its hash. Where a page may not compute hashes, the browser compares it, and
 * tells nothing of the file before it is whole.
 * @param {string} from @param {PythonFile} file @param {(bytes: number) => void} tell How much more has come.
 */
export async function fetchFile(from, { name, integrity }, tell) {
  const address = from + name;
  const response = await fetch(address, isSecureContext ? {} : { integrity });
  if (!response.ok || !response.body) throw new Error(`${address} answers ${response.status}`);
  const parts = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    tell(value.length);
  }
  const whole = await new Blob(parts).arrayBuffer();
  if (isSecureContext) {
    const hash = base64(new Uint8Array(await crypto.subtle.digest("SHA-384", whole)));
    if (`sha384-${hash}` !== integrity) throw new Error(`${address} is another file than the one that was tried here`);
  }
  return whole;
}
