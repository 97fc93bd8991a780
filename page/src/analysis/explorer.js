// Explorer: the exact value of every move of a position, where it is known, and the moves that people played.

import { el } from "../shell/dom.js";
import { here } from "../game/state.js";
import { chip } from "./lines.js";
import * as link from "../shell/link.js";
import { column, titledTable } from "../shell/tables.js";
import { moveNotation } from "../shell/words.js";

/** @import { ExploredView } from "models" */
/** @import { Ready } from "../game/state.js" */

/**
 * Results of the games after a move, as a bar; its words are in the label.
 * @param {ExploredView} move
 * @param {Record<string, string>} names
 */
function results({ played, x, draws, o }, names) {
  if (!played) return "";
  const share = (/** @type {string} */ name, /** @type {number} */ count) => {
    const part = el("span", { class: `part of-${name}` });
    part.style.setProperty("--part", `${(100 * count) / played}%`);
    return part;
  };
  const words = `${names.x} won ${x}, ${draws} drawn, ${names.o} won ${o}`;
  return el(
    "span",
    { class: "results", role: "img", "aria-label": words, title: words },
    share("x", x),
    share("draws", draws),
    share("o", o),
  );
}

/**
 * The table of a position's moves, as far as it is known by now.
 * @param {Ready} state
 */
export function explorer(state) {
  const {
    shown,
    analysis: { explored },
  } = state;
  if (!explored) return null;
  const { moves, games, source } = explored;
  const counted = moves.some(({ played }) => played);
  if (!source && !counted) return null;
  const { game, start, moves: before } = here(state);
  const to = (/** @type {string} */ move) => link.write(["board"], { game, start, moves: [...before, move].join(" ") });
  const head = ["Move", "Worth", ...(counted ? ["Games", "Result"] : [])];
  return el(
    "details",
    { class: "explorer", id: "explorer", open: true },
    el("summary", {}, "Explorer"),
    titledTable(
      "What each move is worth, and what people played",
      {},
      el(
        "tr",
        {},
        head.map((words) => column(words)),
      ),
      moves.map((each) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, el("a", { href: to(each.move) }, moveNotation(shown, each.move))),
          el("td", {}, each.worth ? chip(each.worth, false) : "?"),
          counted && el("td", {}, String(each.played)),
          counted && el("td", {}, results(each, shown.names)),
        ),
      ),
    ),
    el(
      "p",
      { class: "hint" },
      source ? `Exact values, from ${source}. ` : "No exact value is known here yet: press Engine and wait. ",
      games ? `Moves of people, in ${games} games that are over.` : "",
    ),
  );
}
