// Rules in a link: packed behind the `#`, which browsers send to no server.

/** Rules in a file. @typedef {{ file: string, text: string }} Rules */

const NAME = "rules";

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} through */
const passThrough = async (bytes, through) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());

/** The page's address with rules in it. @param {Rules} rules */
export async function linkOf({ file, text }) {
  const packed = await passThrough(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const signs = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const values = new URLSearchParams({ file, [NAME]: signs.replaceAll("+", "-").replaceAll("/", "_") });
  return `${location.href.split("#")[0]}#${values}`;
}

/** The rules that the page's address has; null where it has none that can be read. @returns {Promise<Rules | null>} */
export async function read() {
  const values = new URLSearchParams(location.hash.slice(1));
  const signs = values.get(NAME);
  if (!signs) return null;
  try {
    const packed = atob(signs.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(packed, (sign) => sign.charCodeAt(0));
    const text = new TextDecoder().decode(await passThrough(bytes, new DecompressionStream("deflate-raw")));
    return { file: (values.get("file") ?? "").replace(/[^\w.-]+/g, "_") || "game.py", text };
  } catch {
    return null;
  }
}
