// The tables of an arena: who stands where and how sure that is, and who scored what against whom.

import { el, svg } from "./dom.js";
import * as link from "./link.js";
import { counted } from "./words.js";

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
  return points === whole ? counted(whole) : `${whole ? counted(whole) : ""}½`;
}

/**
 * A rating with its sign: "+120", "−35", "0".
 * @param {number} elo
 */
export function signed(elo) {
  const round = Math.round(elo);
  return round === 0 ? "0" : `${round > 0 ? "+" : "−"}${counted(Math.abs(round))}`;
}

/**
 * Pixels from the left at which a rating stands, so that all intervals have room; null where nobody has any.
 * @param {Pick<RankView, "elo" | "low" | "high">[]} rows
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
 * How sure a rating is: the interval as a line with ends, the rating as a dot on it, the mean of all as a rule.
 * @param {RankView} row
 * @param {(elo: number) => number} x
 */
function whisker({ elo, low, high }, x) {
  if (elo === null || low === null || high === null) return null;
  const [middle, from, to] = [HEIGHT / 2, x(low), x(high)];
  const frame = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" };
  return svg("svg", { class: "whisker", ...frame },
    svg("line", { class: "mean", x1: x(0), x2: x(0), y1: 0, y2: HEIGHT }),
    svg("path", { d: `M${from} ${middle}H${to}M${from} ${middle - 5}v10M${to} ${middle - 5}v10` }),
    svg("circle", { cx: x(elo), cy: middle, r: 4 }));
}

/** Of how many. @param {number} all */
const of = (all) => el("span", { class: "of" }, `/${counted(all)}`);

/** A share in words. @param {number} part @param {number} all */
const percent = (part, all) => `${((100 * part) / all).toFixed(1)} %`;

/**
 * A table with a name.
 * @param {string} label
 * @param {string} name
 * @param {HTMLElement} head
 * @param {HTMLElement[]} rows
 */
const titledTable = (label, name, head, rows) =>
  el("table", { class: name }, el("caption", { class: "unseen" }, label), el("thead", {}, head), el("tbody", {}, rows));

/** @param {string} words @param {import("./dom.js").Properties} [more] */
const column = (words, more = {}) => el("th", { scope: "col", ...more }, words);

/**
 * Who stands where. Names lead to their games.
 * @param {ArenaView} arena
 */
export function standings({ id, ranks }) {
  const x = scale(ranks);
  const isJudged = ranks.some(({ judged }) => judged > 0);
  const head = el("tr", {}, column("", { "aria-label": "Rank" }), column("Entrant"), column("Points"),
    column("Won, drawn, lost"), x && [column("Elo"), column("95 % interval", { class: "wide" })],
    isJudged && column("Value given away"), column("Faults"));
  const rows = ranks.map((row, place) => el("tr", {},
    el("td", {}, `${place + 1}`),
    el("th", { scope: "row" }, el("a", { href: link.write(["arena"], { id, entrant: row.name }) }, row.name)),
    el("td", {}, half(row.points), of(row.played)),
    el("td", {}, `${counted(row.wins)} – ${counted(row.draws)} – ${counted(row.losses)}`),
    x && [
      el("td", {}, row.elo === null ? "" : signed(row.elo)),
      el("td", { class: "wide" }, whisker(row, x),
        row.low !== null && row.high !== null && el("span", {}, `${signed(row.low)} to ${signed(row.high)}`)),
    ],
    isJudged && el("td", { title: "Moves that gave value away, of those that were judged" },
      row.judged > 0 && [percent(row.blunders, row.judged), of(row.judged)]),
    el("td", { class: row.faults ? "faulty" : "" }, counted(row.faults))));
  return titledTable("Standings", "ranks", head, rows);
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
 * Who scored what against whom: a row's points of the games with each column.
 * @param {ArenaView} arena
 */
export function cross({ id, ranks, cross: table }) {
  const head = el("tr", {}, column("", { "aria-label": "Rank" }), column("Points against"),
    ranks.map(({ name }, place) => el("th", { scope: "col", title: name },
      el("span", { "aria-hidden": "true" }, `${place + 1}`), el("span", { class: "unseen" }, name))));
  const cell = (/** @type {number} */ row, /** @type {number} */ against) => {
    const [points, games] = table[row]?.[against] ?? [0, 0];
    if (row === against) return el("td", { class: "self" });
    if (!games) return el("td", {}, "·");
    const [name, by] = heat(points, games);
    const to = link.write(["arena"], { id, entrant: ranks[row].name, against: ranks[against].name });
    const words = `${ranks[row].name} against ${ranks[against].name}: ${half(points)} of ${games}`;
    const node = el("td", { class: name }, el("a", { href: to, "aria-label": words, title: words },
      half(points), of(games)));
    node.style.setProperty("--by", `${Math.round(100 * by)}%`);
    return node;
  };
  const rows = ranks.map(({ name }, row) => el("tr", {},
    el("td", {}, `${row + 1}`),
    el("th", { scope: "row" }, name),
    ranks.map((_, against) => cell(row, against))));
  return titledTable("Points of each entrant against each other one", "cross", head, rows);
}
