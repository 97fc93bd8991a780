// What a published page has brought with it, in elements of its own: texts, and modules.

/** The shortest module there is. */
const NOTHING = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Whether the browser has all that a page thinks with, and lets a page like this one use it. */
export const CAN_THINK = thinks();
export const MISSING = "This browser runs no WebAssembly here, in which this page thinks: open it in a newer one.";

function thinks() {
  try {
    new WebAssembly.Module(NOTHING);
    return typeof DecompressionStream === "function";
  } catch {
    return false;
  }
}

/** What an element of the document holds as text. @param {string} id */
export const text = (id) => document.getElementById(id)?.textContent ?? "";

/** A module, which is held compressed and written in base64. @param {string} id */
export async function bytes(id) {
  const held = Uint8Array.from(atob(text(id)), (letter) => letter.charCodeAt(0));
  const whole = new Blob([held]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}

/** What starts a worker: its script, which stands in the document. */
export function starter() {
  const script = URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" }));
  return () => new Worker(script);
}
