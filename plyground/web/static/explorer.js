// What every move of a position is worth, where that is known for certain, and what people played there.

import { answers } from "./answers.js";
import { el } from "./dom.js";
import { chip } from "./lines.js";
import * as link from "./link.js";

/** @import { At, ExploredView, ExplorerView, PositionView } from "models" */

/**
 * How the games went after a move, as a bar; its words are in the label.
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
  return el("span", { class: "results", role: "img", "aria-label": words, title: words },
    share("x", x), share("draws", draws), share("o", o));
}

export class Explorer {
  #asked = "";
  /** @type {ExplorerView | null} */
  #found = null;

  /** @param {() => void} onfound Told when something is to be drawn. */
  constructor(onfound) {
    this.onfound = onfound;
  }

  /**
   * The table of a position's moves, as far as it is known by now.
   * @param {Required<At>} at
   * @param {PositionView} shown
   */
  shown(at, shown) {
    if (shown.over || !answers.can("explore")) return null;
    this.#ask(at);
    if (!this.#found) return null;
    const { moves, games, source } = this.#found;
    const counted = moves.some(({ played }) => played);
    if (!source && !counted) return null;
    const to = (/** @type {string} */ move) =>
      link.write(["board"], { game: at.game, start: at.start, moves: [...at.moves, move].join(" ") });
    const head = ["Move", "Worth", ...(counted ? ["Games", "Result"] : [])];
    return el("details", { class: "explorer", id: "explorer", open: true },
      el("summary", {}, "Explorer"),
      el("table", {},
        el("caption", { class: "unseen" }, "What each move is worth, and what people played"),
        el("thead", {}, el("tr", {}, head.map((words) => el("th", { scope: "col" }, words)))),
        el("tbody", {}, moves.map((each) => el("tr", {},
          el("th", { scope: "row" }, el("a", { href: to(each.move) }, each.move)),
          el("td", {}, each.worth ? chip(each.worth, false) : "?"),
          counted && el("td", {}, String(each.played)),
          counted && el("td", {}, results(each, shown.names)))))),
      el("p", { class: "hint" },
        source ? `Exact values, from ${source}. ` : "No exact value is known here yet: press Values and wait. ",
        games ? `Moves of people, in ${games} games that are over.` : ""));
  }

  /** @param {Required<At>} at */
  async #ask(at) {
    const key = JSON.stringify(at);
    if (key === this.#asked) return;
    this.#asked = key;
    this.#found = null;
    const found = await answers.ask("explore", at).catch(() => null);
    if (key !== this.#asked || !found) return;
    this.#found = found;
    this.onfound();
  }
}
