// A file of a lesson that can be changed: an editor whose text the browser keeps.

import { indentNewLine } from "../editor/keys.js";
import { button, el } from "../shell/dom.js";
import { keep, readStored } from "../shell/storage.js";

/** @import { CodeView } from "models" */

const CHANGED = "lesson code";

/** Texts of the files that were changed, by name. @returns {Record<string, string>} */
const changedFiles = () => readStored(CHANGED, /** @type {Record<string, string>} */ ({}));

/** Text of a file, as its reader left it. @param {CodeView} file */
export const textOf = ({ file, code }) => changedFiles()[file] ?? code;

/** Texts of those of some files that were changed. @param {CodeView[]} files */
export const changedOf = (files) =>
  Object.fromEntries(files.filter((each) => textOf(each) !== each.code).map((each) => [each.file, textOf(each)]));

/** Rows in which a text is edited without scrolling, up to 30. @param {string} text */
const rows = (text) => Math.min(30, text.split("\n").length + 1);

/**
 * An editor of a file, with a button that brings its first text back.
 * @param {CodeView} file
 * @param {HTMLElement[]} actions
 */
export function editor(file, actions) {
  const area = el("textarea", {
    value: textOf(file),
    rows: rows(textOf(file)),
    maxLength: 20_000,
    spellcheck: false,
    autocapitalize: "off",
    wrap: "off",
    "aria-label": file.file,
    onkeydown: indentNewLine,
    oninput: () => {
      keep(CHANGED, { ...changedFiles(), [file.file]: area.value });
      area.rows = rows(area.value);
    },
  });
  const reset = () => {
    area.value = file.code;
    area.rows = rows(file.code);
    const others = changedFiles();
    delete others[file.file];
    keep(CHANGED, others);
  };
  return el(
    "div",
    { class: "own-code" },
    el("p", { class: "hint" }, el("code", {}, file.file), ": change it here; this browser keeps it."),
    area,
    el("div", { class: "part-actions" }, actions, button("Reset", reset)),
  );
}
