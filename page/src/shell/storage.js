// What the browser keeps for the page. Where it may keep nothing, it is remembered until the page is left.

/** @type {Map<string, string>} */
const memory = new Map();
const keyOf = (/** @type {string} */ name) => `plyground ${name}`;

/**
 * What is kept by this name; `otherwise` where nothing is, or nothing that can be read.
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
