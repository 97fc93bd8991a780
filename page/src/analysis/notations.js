// A game in the notations that people have elsewhere, to be copied and saved.

import { answers } from "../answers/answers.js";
import { button, el, field, refill } from "../shell/dom.js";
import { save } from "../shell/files.js";
import * as link from "../shell/link.js";

/** @import { At, FormView } from "models" */

/** Notations of a game, by the position that they were asked of. @type {Map<string, FormView[]>} */
const written = new Map();

/**
 * The shown game in other notations, asked for when it is opened.
 * @param {Required<At>} at
 */
export function notations(at) {
  const key = JSON.stringify(at);
  const place = el("div", {});
  const { game, start, moves } = at;
  const address = link.whole(link.write(["board"], { game, start, moves: moves.join(" ") }));
  const fill = (/** @type {FormView[]} */ forms) =>
    refill(
      place,
      [...forms, { name: "link", title: "Link", text: address, ending: "txt" }].map((form) => notation(form)),
    );
  const known = written.get(key);
  if (known) fill(known);
  const node = el("details", { id: "notations" }, el("summary", {}, "In other notations"), place);
  node.addEventListener("toggle", async () => {
    if (!node.open || written.has(key)) return;
    const found = await answers.ask("notations", at).catch(() => null); // asked again when it is opened again
    if (!found) return;
    written.clear();
    written.set(key, found.forms);
    fill(found.forms);
  });
  return node;
}

/**
 * A text in a notation.
 * @param {Pick<FormView, "title" | "text" | "ending">} form
 * @param {string} [name] Of its file, without the ending.
 */
export function notation({ title, text, ending }, name = "game") {
  const rows = Math.min(text.split("\n").length, 8);
  const area = el("textarea", { value: text, readOnly: true, rows, spellcheck: false });
  const said = el("span", { role: "status" });
  const copy = async () => {
    area.select();
    const say = (/** @type {string} */ words) => () => (said.textContent = words);
    await navigator.clipboard?.writeText(text).then(say("Copied."), say("Selected."));
  };
  return el(
    "div",
    { class: "notation" },
    field(title, area),
    button("Copy", copy, { "aria-label": `Copy ${title}` }),
    button("Save", () => save({ name: `${name}.${ending}`, text }), { "aria-label": `Save ${title}` }),
    said,
  );
}
