// Which keys belong to the page.

/**
 * Whether a key is for the page: it is not typed into a field, and no shortcut of the browser.
 * @param {KeyboardEvent} event
 */
export function isForPage(event) {
  const typed = /** @type {Partial<Element>} */ (event.target).closest?.("input, select, textarea, dialog");
  return !(typed || event.ctrlKey || event.altKey || event.metaKey);
}
