// The moves of a study beside the board: lines in lines, what is said of a move, and what can be done with it.

import { answers } from "../answers/answers.js";
import { button, el, field } from "../shell/dom.js";
import { save } from "../shell/files.js";
import * as link from "../shell/link.js";
import { pairNumber } from "../shell/words.js";
import { GLYPHS, branching, findNode } from "./variations.js";

/** @import { Child } from "../shell/dom.js" */
/** @import { Controller } from "../game/controller.js" */
/** @import { Ready } from "../game/state.js" */
/** @import { Part } from "../game/view.js" */
/** @import { StudyGame } from "./studygame.js" */
/** @import { Node } from "./variations.js" */

/** @param {number[]} glyphs @param {1 | 2} part 1: signs, 2: words. */
const signs = (glyphs, part) => glyphs.flatMap((glyph) => GLYPHS.find(([number]) => number === glyph)?.[part] ?? []);

/**
 * Moves from a node on, with the variations beside each.
 * @param {Node} node
 * @param {string[]} before
 * @param {{ shown: string, offset: number, go: (moves: string[]) => void }} all
 * @param {boolean} isNumbered Whether the first one has its number in any case.
 * @returns {Child[]}
 */
function movesPart(node, before, all, isNumbered) {
  /** @type {Child[]} */
  const items = [];
  let [at, moves] = [node, before];
  for (let [first, ...others] = at.next; first; [first, ...others] = at.next) {
    items.push(...one(first, moves, isNumbered, all));
    isNumbered = others.length > 0 || first.comment !== "";
    for (const other of others) items.push(variation(other, moves, all));
    [at, moves] = [first, [...moves, first.move]];
  }
  return items;
}

/**
 * A variation, as a list in the list.
 * @param {Node} node
 * @param {string[]} before
 * @param {Parameters<typeof movesPart>[2]} all
 */
const variation = (node, before, all) =>
  el(
    "li",
    { class: "variation-of" },
    el(
      "ol",
      { "aria-label": `Variation ${node.notation || node.move}` },
      one(node, before, true, all),
      movesPart(node, [...before, node.move], all, node.comment !== ""),
    ),
  );

/**
 * A move, and what is said of it.
 * @param {Node} node
 * @param {string[]} before
 * @param {boolean} isNumbered
 * @param {Parameters<typeof movesPart>[2]} all
 */
function one({ move, notation, glyphs, comment }, before, isNumbered, { shown, offset, go }) {
  const moves = [...before, move];
  const place = before.length + offset;
  const isBoth = place % 2 === 0 || isNumbered;
  const name = notation || move;
  return [
    el(
      "li",
      {},
      isBoth && el("span", { class: "move-number", "aria-hidden": "true" }, pairNumber(place)),
      button(`${name}${signs(glyphs, 1).join("")}`, () => go(moves), {
        "aria-current": moves.join(" ") === shown ? "step" : null,
        "aria-label": [name, ...signs(glyphs, 2)].join(", "),
      }),
    ),
    comment && el("li", { class: "comment" }, comment),
  ];
}

/**
 * Parts of a study on a page; none of another game, and none where the line alone is looked back at.
 * @param {Controller} does
 * @returns {(state: Ready) => Record<string, Part>}
 */
export const study =
  (does) =>
  ({ game, shown, mode }) => {
    const {
      tree,
      position: { moves, plies_before: offset },
    } = game;
    if (!tree || mode === "back") return /** @type {Record<string, Part>} */ ({});
    const source = /** @type {StudyGame} */ (does.source);
    const here = shown.moves;
    const act = (/** @type {() => unknown} */ action) => () => does.attempt(action);
    const go = (/** @type {string[]} */ to) => {
      if (moves.slice(0, to.length).join(" ") === to.join(" ")) does.go(to.length);
      else does.attempt(() => source.show(to));
    };
    const ply = here.length;
    return /** @type {Record<string, Part>} */ ({
      moves: [
        [tree, here.join(" "), moves.length],
        () => [
          tree.comment && el("p", { class: "comment" }, tree.comment),
          el(
            "ol",
            { class: "moves tree", "aria-label": "Moves" },
            el(
              "li",
              {},
              button("start", () => does.go(0), { "aria-current": ply === 0 ? "step" : null }),
            ),
            movesPart(tree, [], { shown: here.join(" "), offset, go }, true),
          ),
        ],
      ],
      study: [
        [tree, here.join(" ")],
        () => {
          const node = findNode(tree, here);
          if (!node) return null;
          const { comment, glyphs, notation, move } = node;
          const name = notation || move;
          const mark = (/** @type {number} */ number) =>
            source.annotate(here, { glyphs: glyphs.includes(number) ? [] : [number] });
          const say = () => source.annotate(here, { comment: text.value.trim() });
          const text = el("textarea", { rows: 2, maxLength: 2_000, value: comment, onchange: say });
          const from = source.values.from;
          return el(
            "details",
            { id: "study", class: "study" },
            el("summary", {}, ply ? `Annotate ${name}` : "Annotate the game"),
            ply > 0 &&
              el(
                "div",
                { class: "part-actions", role: "group", "aria-label": `Mark ${name}` },
                GLYPHS.map(([number, sign, words]) =>
                  button(
                    sign,
                    act(() => mark(number)),
                    { pressed: glyphs.includes(number), "aria-label": words, title: words },
                  ),
                ),
              ),
            field(ply ? `Comment on ${name}` : "Comment on the game", text),
            el(
              "div",
              { class: "part-actions" },
              button(
                "Promote the variation",
                act(() => source.promote(here)),
                { disabled: !branching(tree, here) },
              ),
              button(
                "Delete from here",
                act(() => source.remove(here)),
                { disabled: !ply },
              ),
              answers.can("record_file") &&
                button(
                  "Save with variations",
                  act(async () => save(await source.file())),
                ),
              from && el("a", { class: "button", href: link.write(["game", from]) }, "Back to the game"),
            ),
          );
        },
      ],
    });
  };
