// The state of the page is its link: a path and parameters in the fragment, which browsers send to no server.

/**
 * What a link says; of those that a page knows, and maybe others.
 * @typedef {Record<string, string | undefined>} Values
 */

/**
 * What is written into a link; empty ones are left out.
 * @typedef {Record<string, string | number | null | undefined>} Wanted
 */

/**
 * { path: ["board"], values: { game: "tictactoe" } } of "#/board?game=tictactoe".
 * @returns {{ path: string[], values: Values }}
 */
export function read(fragment = location.hash) {
  const [path, query] = fragment.replace(/^#\/?/, "").split("?");
  return {
    path: path.split("/").filter(Boolean).map(decodeURIComponent),
    values: Object.fromEntries(new URLSearchParams(query)),
  };
}

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
 * Change the link without leaving the page; not if somebody has meanwhile gone to another one.
 * @param {string[]} path
 * @param {Wanted} [values]
 */
export function note(path, values) {
  if (read().path.join("/") === path.join("/")) history.replaceState(null, "", write(path, values));
}

/**
 * The whole address of a fragment, to be sent to somebody.
 * @param {string} fragment
 */
export const whole = (fragment) => new URL(fragment, location.href).href;
