// The tables of an arena: who stands where and how sure that is, and who scored what against whom.

import { el, svg } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { column, titledTable } from "../shell/tables.js";
import { countText } from "../shell/words.js";

/** @import { ArenaView, RankView } from "models" */

const WIDTH = 200;
const HEIGHT = 22;
const SIDE = 8;

/**
 * Points as referees write them: "7½".
 * @param {number} points
 */
export function half(points) {
  const whole = Math.floor(points);
  return points === whole ? countText(whole) : `${whole ? countText(whole) : ""}½`;
}

/**
 * Pixels from the left at which a rating stands, so that all intervals have room; null where nobody has any.
 * @param {{ elo: number | null, low: number | null, high: number | null }[]} rows
 * @param {number} width
 * @returns {((elo: number) => number) | null}
 */
export function scale(rows, width = WIDTH) {
  const ends = rows.flatMap(({ elo, low, high }) => [elo, low, high]).filter((each) => each !== null);
  if (!ends.length) return null;
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const unit = (width - 2 * SIDE) / (most - least || 1);
  return (elo) => (most === least ? width / 2 : SIDE + (elo - least) * unit);
}

/**
 * Confidence interval of a rating as a line, with an end where there is one, the rating as a dot on it, the mean of
 * all as a rule.
 * @param {RankView} row
 * @param {(elo: number) => number} x
 */
function whisker({ elo, low, high }, x) {
  if (elo === null) return null;
  const middle = HEIGHT / 2;
  const [from, to] = [low === null ? 0 : x(low), high === null ? WIDTH : x(high)];
  const ends = [low !== null && from, high !== null && to].filter((each) => each !== false);
  const frame = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" };
  return svg(
    "svg",
    { class: "whisker", ...frame },
    svg("line", { class: "mean", x1: x(0), x2: x(0), y1: 0, y2: HEIGHT }),
    svg("path", { d: `M${from} ${middle}H${to}${ends.map((end) => `M${end} ${middle - 5}v10`).join("")}` }),
    svg("circle", { cx: x(elo), cy: middle, r: 4 }),
  );
}

/** Of how many. @param {number} all */
const of = (all) => el("span", { class: "of" }, `/${countText(all)}`);

const rank = () => el("th", { scope: "col" }, el("span", { class: "unseen" }, "Rank"));

/**
 * Standings, in the columns in which an entrant has something. Names lead to their games.
 * @param {ArenaView} arena
 */
export function standings({ id, columns, cells, ranks }) {
  const x = scale(ranks);
  const shown = columns.map((each, at) => ({ ...each, at })).filter(({ at }) => cells.some((row) => row[at]));
  const head = shown.map(({ key, heading, explanation, left }) =>
    key === "rank" ? rank() : column(heading, { title: explanation, class: left && "left" }),
  );
  /** @param {RankView} row @param {string} text @param {typeof shown[number]} column */
  const cell = (row, text, { key, left }) =>
    key === "name"
      ? el("th", { scope: "row" }, el("a", { href: link.write(["arena"], { id, entrant: text }) }, text))
      : el(
          "td",
          { class: left ? `left ${key}` : key },
          key === "interval" && x && whisker(row, x),
          el("span", {}, text),
        );
  const rows = ranks.map((row, at) =>
    el(
      "tr",
      {},
      shown.map((each) => cell(row, cells[at][each.at], each)),
    ),
  );
  return titledTable("Standings", { class: "ranks" }, el("tr", {}, head), rows);
}

/**
 * The ground of a cell: how far its points are from half of what could be had, and to which side.
 * @param {number} points
 * @param {number} games
 * @returns {[name: "won" | "lost" | "level", by: number]}
 */
export function heat(points, games) {
  const lead = games ? (2 * points) / games - 1 : 0;
  return [lead > 0 ? "won" : lead < 0 ? "lost" : "level", Math.abs(lead)];
}

/**
 * Cross table: a row's points of the games with each column.
 * @param {ArenaView} arena
 */
export function cross({ id, ranks, cross: table }) {
  const head = el(
    "tr",
    {},
    rank(),
    column("Points against"),
    ranks.map(({ name, rank }) =>
      el(
        "th",
        { scope: "col", title: name },
        el("span", { "aria-hidden": "true" }, `${rank}`),
        el("span", { class: "unseen" }, name),
      ),
    ),
  );
  const cell = (/** @type {number} */ row, /** @type {number} */ against) => {
    const [points, games] = table[row]?.[against] ?? [0, 0];
    if (row === against) return el("td", { class: "self" });
    if (!games) return el("td", {}, "·");
    const [name, by] = heat(points, games);
    const to = link.write(["arena"], { id, entrant: ranks[row].name, against: ranks[against].name });
    const words = `${ranks[row].name} against ${ranks[against].name}: ${half(points)} of ${games}`;
    const node = el(
      "td",
      { class: name },
      el("a", { href: to, "aria-label": words, title: words }, half(points), of(games)),
    );
    node.style.setProperty("--by", `${Math.round(100 * by)}%`);
    return node;
  };
  const rows = ranks.map(({ name, rank }, row) =>
    el(
      "tr",
      {},
      el("td", {}, `${rank}`),
      el("th", { scope: "row" }, name),
      ranks.map((_, against) => cell(row, against)),
    ),
  );
  return titledTable("Points of each entrant against each other one", { class: "cross" }, head, rows);
}
