// Contents of a published page, in elements of its own: texts, and bytes packed by gzip, as base64.

/** Text of an element of the document. @param {string} id */
export const text = (id) => document.getElementById(id)?.textContent ?? "";

/**
 * Unpacked bytes of an element of the document.
 * @param {string} id
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function bytes(id) {
  // Through a Blob: a browser unpacks streams alone.
  const packed = new Blob([Uint8Array.from(atob(text(id)), (sign) => sign.charCodeAt(0))]);
  return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}
