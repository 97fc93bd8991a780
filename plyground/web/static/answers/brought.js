// What a published page has brought with it, in elements of its own: texts, and modules.

/** The shortest module there is. */
const NOTHING = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Whether the browser has all that a page thinks with, and lets a page like this one use it. */
export const CAN_THINK = thinks();
export const MISSING = "This browser runs no WebAssembly here, in which this page thinks: open it in a newer one.";

function thinks() {
  try {
    new WebAssembly.Module(NOTHING);
    return true;
  } catch {
    return false;
  }
}

/** What an element of the document holds as text. @param {string} id */
export const text = (id) => document.getElementById(id)?.textContent ?? "";

/**
 * A module, which is held packed. What unpacks it has unpacked this script before.
 * @param {string} id
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export const bytes = async (id) => /** @type {any} */ (globalThis).unpacked(text(id));

/** What starts a worker: its script, which stands in the document. */
export function starter() {
  const script = URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" }));
  return () => new Worker(script);
}
