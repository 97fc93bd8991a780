// Workers of a published page, which think in the place of a server; the page has brought their script with it.

import { text } from "./packed.js";

/** The shortest module there is. */
const NOTHING = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Whether the browser has all that a page thinks with, and lets a page like this one use it. */
export const CAN_THINK = thinks();
export const MISSING = "This browser runs no WebAssembly here, which this page's engine needs: open it in a newer one.";

function thinks() {
  try {
    new WebAssembly.Module(NOTHING);
    return true;
  } catch {
    return false;
  }
}

/** Starter of a worker: its script stands in the document. */
export function starter() {
  const script = URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" }));
  return () => new Worker(script);
}
