// Storage of the browser. Where the browser allows none, values are remembered until the page is left.

/** @type {Map<string, string>} */
const memory = new Map();
const keyOf = (/** @type {string} */ name) => `plyground ${name}`;

/**
 * Value stored by this name; `otherwise` where there is none, or none that can be read.
 * @template Kept
 * @param {string} name
 * @param {Kept} otherwise
 * @returns {Kept}
 */
export function readStored(name, otherwise) {
  try {
    return JSON.parse(memory.get(name) ?? localStorage.getItem(keyOf(name)) ?? "") ?? otherwise;
  } catch {
    // forbidden, or not written by us
    return otherwise;
  }
}

/**
 * Keep a value by a name.
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(keyOf(name), text);
    memory.delete(name);
  } catch {
    // forbidden, or full
    memory.set(name, text);
  }
}
