// The choice of a clock before a game begins: a usual one, or any of one's own.

import { button, el, field } from "../shell/dom.js";

/** Minutes for each side, and seconds added after a move, as sites for players offer them. */
const USUAL = ["", "1+0", "3+2", "5+3", "10+5", "15+10", "30+20"];

/**
 * The clock of a game between people, or against a player: minutes for each side, and seconds added after a move.
 * @param {string} text As links have it: "5+3".
 * @param {(text: string) => void} onchange
 */
export function clock(text, onchange) {
  const number = (/** @type {number} */ most) =>
    el("input", { type: "number", min: 0, max: most, step: "any", placeholder: "none" });
  const [each, added] = [number(999), number(180)];
  const usual = USUAL.map((wanted) =>
    button(wanted || "No clock", () => {
      show(wanted);
      onchange(wanted);
    }),
  );
  const show = (/** @type {string} */ chosen) => {
    [each.value, added.value = ""] = chosen.split("+");
    for (const [place, node] of usual.entries()) node.setAttribute("aria-pressed", String(USUAL[place] === chosen));
  };
  const onChange = () => {
    const [first, more] = [each, added].map((input) => Math.max(0, Math.min(Number(input.value), Number(input.max))));
    const chosen = first ? `${Math.max(0.01, Number(first.toFixed(2)))}+${Math.trunc(more)}` : "";
    for (const [place, node] of usual.entries()) node.setAttribute("aria-pressed", String(USUAL[place] === chosen));
    onchange(chosen);
  };
  show(text);
  return el(
    "details",
    { id: "clock", class: "options", open: text !== "" },
    el("summary", {}, "Clock"),
    el("div", { class: "part-actions", role: "group", "aria-label": "Usual clocks" }, usual),
    el(
      "div",
      { class: "fields", onchange: onChange },
      field("Minutes for each side", each),
      field("Seconds added a move", added),
    ),
  );
}
