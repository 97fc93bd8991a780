// The field for rules: lines with numbers, those with a fault marked.

import { el } from "../shell/dom.js";
import { indentNewLine, insert, shiftLines } from "./keys.js";

/** Characters of the longest rules. */
const LONGEST = 200_000;

export class RulesField {
  /** Whether the next Tab leaves the field. */
  #leaves = false;
  /** @type {number[]} */
  #wrong = [];
  #numbers = el("pre", { class: "numbers", "aria-hidden": "true" });
  area = el("textarea", {
    id: "rules",
    spellcheck: false,
    autocapitalize: "off",
    autocomplete: "off",
    maxLength: LONGEST,
    wrap: "off",
    "aria-label": "Rules in Python",
    "aria-describedby": "keys faults",
    onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
    oninput: () => this.#draw(),
    onscroll: () => (this.#numbers.scrollTop = this.area.scrollTop),
  });
  node = el("div", { class: "rules-field" }, this.#numbers, this.area);

  /** @param {KeyboardEvent} event */
  #key(event) {
    const isTab = event.key === "Tab" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isTab && !this.#leaves) shiftLines(event);
    else indentNewLine(event);
    if (event.key !== "Shift") this.#leaves = event.key === "Escape";
  }

  /** The first text. @param {string} text */
  begin(text) {
    this.area.value = text;
    this.#draw();
  }

  /** Replace the whole text; the browser's undo restores the one before. @param {string} text */
  put(text) {
    const { activeElement } = document;
    this.area.focus({ preventScroll: true });
    this.area.select();
    insert(this.area, text);
    this.area.setSelectionRange(0, 0);
    this.area.scrollTo(0, 0);
    if (activeElement instanceof HTMLElement && activeElement !== document.body) activeElement.focus();
    else this.area.blur();
  }

  /** Lines with a fault, from 1 on. @param {number[]} lines */
  mark(lines) {
    this.#wrong = lines;
    this.#draw();
  }

  /** Go to a line. @param {number} line */
  enter(line) {
    const lines = this.area.value.split("\n");
    const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
    this.show(line);
  }

  /** Scroll a line into view, unless it is there. @param {number} line */
  show(line) {
    const marked = /** @type {HTMLElement} */ (this.#numbers.children[line - 1] ?? this.#numbers);
    const { offsetTop, offsetHeight } = marked;
    const { scrollTop, clientHeight } = this.area;
    const top = offsetTop - this.#numbers.offsetTop;
    if (top < scrollTop || top + offsetHeight > scrollTop + clientHeight) this.area.scrollTop = top - clientHeight / 3;
  }

  #draw() {
    const count = this.area.value.split("\n").length;
    this.#numbers.replaceChildren(
      ...Array.from({ length: count }, (_, place) =>
        el("span", { class: this.#wrong.includes(place + 1) ? "wrong" : null }, `${place + 1}`),
      ),
    );
    this.#numbers.scrollTop = this.area.scrollTop;
  }
}
