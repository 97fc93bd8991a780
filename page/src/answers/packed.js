// What a published page holds in elements of its own: texts, and what is packed by gzip, as base64.

/** What an element of the document holds as text. @param {string} id */
export const text = (id) => document.getElementById(id)?.textContent ?? "";

/**
 * What an element holds packed.
 * @param {string} id
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function bytes(id) {
  const packed = new Blob([Uint8Array.from(atob(text(id)), (sign) => sign.charCodeAt(0))]);
  return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}
