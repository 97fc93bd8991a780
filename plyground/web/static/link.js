// The state of the page is its link: a path and parameters in the fragment, which browsers send to no server.

/** { path: ["board"], values: { game: "tictactoe" } } of "#/board?game=tictactoe". */
export function read() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return {
    path: path.split("/").filter(Boolean).map(decodeURIComponent),
    values: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The fragment of a path and parameters; empty ones are left out. */
export function write(path, values = {}) {
  const kept = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const escaped = new URLSearchParams(kept).toString();
  const query = escaped.replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%2F", "/");
  return `#/${path.map(encodeURIComponent).join("/")}${query ? `?${query}` : ""}`;
}

/** Go to another page of the app. */
export const go = (path, values) => {
  location.hash = write(path, values);
};

/** Change the link without leaving the page; not if somebody has meanwhile gone to another one. */
export function note(path, values) {
  if (read().path.join("/") === path.join("/")) history.replaceState(null, "", write(path, values));
}

/** The whole address of a fragment, to be sent to somebody. */
export const whole = (fragment) => new URL(fragment, location.href).href;
