// Keys of a field with Python in it.

const STEP = "    ";

/**
 * Replace the selection by a text, so that the browser's undo restores it.
 * @param {HTMLTextAreaElement} area @param {string} text
 */
export function insert(area, text) {
  const isDone = text ? document.execCommand("insertText", false, text) : document.execCommand("delete");
  if (isDone) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Enter indents the new line like the one before it, after a colon by four spaces more. @param {KeyboardEvent} event */
export function indentNewLine(event) {
  const area = /** @type {HTMLTextAreaElement} */ (event.target);
  if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
  const line = area.value.slice(0, area.selectionStart).split("\n").at(-1) ?? "";
  const margin = (/^ */.exec(line)?.[0] ?? "") + (line.trimEnd().endsWith(":") ? STEP : "");
  event.preventDefault();
  insert(area, `\n${margin}`);
}

/**
 * The key Tab, which indents, and with Shift brings back: the selected lines, or where the caret is.
 * @param {KeyboardEvent} event
 */
export function shiftLines(event) {
  const area = /** @type {HTMLTextAreaElement} */ (event.target);
  const { value, selectionStart: from, selectionEnd: to } = area;
  const first = value.lastIndexOf("\n", from - 1) + 1;
  event.preventDefault();
  if (!event.shiftKey && from === to) {
    insert(area, STEP.slice((from - first) % STEP.length));
    return;
  }
  const end = value.indexOf("\n", Math.max(from, to - 1));
  const last = end < 0 ? value.length : end;
  const lines = value.slice(first, last).split("\n");
  const changed = lines.map((line) => (event.shiftKey ? line.replace(/^ {1,4}/, "") : line && STEP + line)).join("\n");
  if (changed === lines.join("\n")) return;
  area.setSelectionRange(first, last);
  insert(area, changed);
  if (from === to) {
    const at = Math.max(first, from + changed.length - (last - first));
    area.setSelectionRange(at, at);
  } else area.setSelectionRange(first, first + changed.length);
}
