// The state of the page is its link: a path and parameters in the fragment, which browsers send to no server.

/**
 * Values in a link: those that a page knows, and maybe others.
 * @typedef {Record<string, string | undefined>} Values
 */

/**
 * Values to be written into a link; empty ones are left out.
 * @typedef {Record<string, string | number | null | undefined>} Wanted
 */

/** Text without its escapes; unchanged where they are broken. @param {string} text */
function unescapeText(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * { path: ["board"], values: { game: "tictactoe" } } of "#/board?game=tictactoe".
 * @returns {{ path: string[], values: Values }}
 */
export function read(fragment = location.hash) {
  const [path, query] = fragment.replace(/^#\/?/, "").split("?");
  return {
    path: path.split("/").filter(Boolean).map(unescapeText),
    values: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Fragment of the page on screen. `location.hash` differs from it between a navigation and its hashchange event. */
let shown = "";

/** Sets the fragment of the page on screen to the browser's; returns its path and values. */
export const follow = () => read((shown = location.hash));

/**
 * The ply that a link names: a whole number, 0 or more; null for the last one, and for whatever is no such number.
 * @param {string | undefined} text
 */
export const plyOf = (text) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : null);

/**
 * The fragment of a path and parameters; empty ones are left out.
 * @param {string[]} path
 * @param {Wanted} [values]
 */
export function write(path, values = {}) {
  const kept = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const escaped = new URLSearchParams(kept.map(([key, value]) => [key, String(value)])).toString();
  const query = escaped.replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%2F", "/");
  return `#/${path.map(encodeURIComponent).join("/")}${query ? `?${query}` : ""}`;
}

/**
 * Go to another page of the app.
 * @param {string[]} path
 * @param {Wanted} [values]
 */
export const go = (path, values) => {
  location.hash = write(path, values);
};

/**
 * The page has become another one by itself: its link is one that leads back to the page before.
 * @param {string[]} path
 * @param {Wanted} [values]
 */
export function become(path, values) {
  history.pushState(null, "", write(path, values));
  shown = location.hash;
}

/**
 * Change the link without leaving the page; not if somebody has meanwhile gone to another one.
 * @param {string[]} path
 * @param {Wanted} [values]
 */
export function note(path, values) {
  if (location.hash !== shown || read().path.join("/") !== path.join("/")) return;
  history.replaceState(null, "", write(path, values));
  shown = location.hash;
}

/**
 * The whole address of a fragment, to be sent to somebody.
 * @param {string} fragment
 */
export const whole = (fragment) => new URL(fragment, location.href).href;
