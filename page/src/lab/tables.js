// Tablebases: a list of them; of one, its outcomes by tier, its longest wins, and positions with an only move.

import { answers, theBoard, theMenu } from "../answers/answers.js";
import "../board/board.js";
import { el, style } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { copyable } from "../game/panel.js";
import { column, titledTable } from "../shell/tables.js";
import { countText, gameTitle } from "../shell/words.js";

/** @import { BoardView, MenuView, TableLine, TablePosition, TableProgress, TableView, TierView } from "models" */

const styled = style("lab/tables.css");
const AGAIN = 2000;
const COMMAND = "plyground tablebase connectfour:4,4";

/** @param {number} count @param {string} one */
const several = (count, one) => `${countText(count)} ${one}${count === 1 ? "" : "s"}`;

/**
 * Bar of a tier's wins, draws and losses; the cells beside it have the numbers.
 * @param {Pick<TierView, "x" | "draws" | "o">} tier
 */
function bar({ x, draws, o }) {
  const part = (/** @type {string} */ name, /** @type {number} */ count) => {
    const node = el("span", { class: name });
    node.style.setProperty("--share", String(count));
    return count > 0 && node;
  };
  return el("span", { class: "shares", "aria-hidden": "true" }, part("x", x), part("draws", draws), part("o", o));
}

/**
 * Table of the wins and draws of each tier.
 * @param {TableView} view
 */
function outcomes({ tiers, names, x, draws, o }) {
  const head = el(
    "tr",
    {},
    column("Tier"),
    column(`${names[0]} wins`),
    column("Draws"),
    column(`${names[1]} wins`),
    column("Shares", { class: "wide" }),
    column("Longest win, plies"),
  );
  /** @param {string} name @param {Pick<TierView, "x" | "draws" | "o" | "longest">} tier */
  const row = (name, tier) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", {}, countText(tier.x)),
      el("td", {}, countText(tier.draws)),
      el("td", {}, countText(tier.o)),
      el("td", { class: "wide" }, bar(tier)),
      el("td", {}, tier.longest ? countText(tier.longest) : "–"),
    );
  const whole = { x, draws, o, longest: Math.max(0, ...tiers.map(({ longest }) => longest)) };
  const rows = tiers.length > 1 ? tiers.map((tier) => row(countText(tier.number), tier)) : [];
  return titledTable("Wins, draws and losses", { class: "outcomes" }, head, [row("All", whole), ...rows]);
}

/**
 * Positions as small boards; each a link to the board, with the value of every move.
 * @param {string} label
 * @param {TablePosition[]} found
 * @param {BoardView} fixed
 * @param {(each: TablePosition) => string} words
 */
function shelf(label, found, fixed, words) {
  const items = found.map((each) => {
    const { game, text } = each.position;
    const board = el("ply-board");
    const to = link.write(["board"], { game, start: text, values: "1" });
    const node = el(
      "li",
      { class: "tile" },
      el("div", { class: "picture", inert: true, "aria-hidden": "true" }, board),
      el("a", { href: to }, words(each)),
    );
    return { node, show: () => board.show({ board: fixed, position: each.position, still: true, label: text }) };
  });
  const list = el(
    "ul",
    { class: "shelf", "aria-label": label },
    items.map(({ node }) => node),
  );
  return { list, show: () => items.forEach(({ show }) => show()) };
}

/** All tables. @param {MenuView} menu @param {TableLine[]} lines */
function tableList({ games }, lines) {
  const rows = lines.map(({ game, states, start }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, el("a", { href: link.write(["tables"], { game, start }) }, gameTitle(games, game))),
      el("td", {}, el("code", {}, game), start && `, ${start}`),
      el("td", {}, countText(states)),
    ),
  );
  return titledTable("Tablebases", {}, el("tr", {}, column("Game"), column("Its name"), column("Positions")), rows);
}

/** Tables that are being made. @param {MenuView} menu @param {TableProgress[]} begun */
function growing({ games }, begun) {
  const mebibytes = (/** @type {number} */ bytes) => countText(Math.round(bytes / 2 ** 20));
  const rows = begun.map(({ table, stage, done, rate, disk, memory, left }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, gameTitle(games, table.game), table.start && `, ${table.start}`),
      el("td", {}, stage),
      el("td", {}, countText(done)),
      el("td", {}, countText(Math.round(rate))),
      el("td", {}, mebibytes(disk)),
      el("td", {}, mebibytes(memory)),
      el("td", {}, left === null ? "–" : countText(Math.ceil(left / 60))),
    ),
  );
  const columns = ["Game", "Stage", "Positions", "A second", "Disk, MiB", "Memory, MiB", "Minutes left"];
  return titledTable(
    "Tablebases that are being made",
    {},
    el(
      "tr",
      {},
      columns.map((name) => column(name)),
    ),
    rows,
  );
}

/**
 * Contents of the tablebase of a game: outcomes by tier, longest wins, only moves.
 * @param {HTMLElement} place
 * @param {string} game
 * @param {string} [start]
 */
async function one(place, game, start = "") {
  const [view, fixed] = await Promise.all([answers.ask("table", { game, start }), theBoard(game)]);
  const longest = shelf("The longest wins", view.longest, fixed, ({ score }) => score.text);
  const only = shelf(
    "Only one move",
    view.only,
    fixed,
    ({ position, score, moves }) =>
      `${position.names[position.to_move]} to move: 1 of ${moves} keeps the ${score.winner ? "win" : "draw"}`,
  );
  const { states } = view.table;
  place.replaceChildren(
    el(
      "div",
      {},
      el("p", {}, `${several(states, "position")}${start ? `, from ${start}` : ""}.`),
      outcomes(view),
      view.longest.length > 0 && [el("h2", {}, "The longest wins"), longest.list],
      view.only.length > 0 && [
        el("h2", {}, "One move alone keeps the win or the draw"),
        el("p", { class: "hint" }, "Find it; then open the position, which shows what each move is worth."),
        only.list,
      ],
    ),
  );
  longest.show();
  only.show();
}

/**
 * All tables; while some are being made, again and again.
 * @param {HTMLElement} place
 * @param {MenuView} menu
 */
async function all(place, menu) {
  const { tables: lines, begun } = await answers.ask("tables", {});
  place.replaceChildren(
    ...(lines.length
      ? [tableList(menu, lines)]
      : [
          el("p", {}, "There is none on this machine yet."),
          el("details", {}, el("summary", {}, "How to make one in a terminal"), copyable("Command", COMMAND)),
        ]),
  );
  if (begun.length > 0) {
    place.append(growing(menu, begun));
    // Once the page is left, nobody looks: no question more.
    setTimeout(() => place.isConnected && all(place, menu).catch(() => {}), AGAIN);
  }
}

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function tables(root, values) {
  const place = el("div", {}, el("p", { role: "status" }, values.game ? "Looking through the table…" : ""));
  const problem = el("p", { class: "problem", role: "alert" });
  const menu = await theMenu();
  const name = values.game ? `: ${gameTitle(menu.games, values.game)}` : "";
  await styled;
  root.replaceChildren(
    el(
      "div",
      { class: "story tablebases" },
      el("h1", {}, `Tablebases${name}`),
      el("p", {}, "A tablebase has the exact value of every position of a game, and the plies to its end."),
      problem,
      place,
      values.game && el("p", {}, el("a", { href: "#/tables" }, "All tablebases")),
    ),
  );
  try {
    if (values.game) {
      await one(place, values.game, values.start);
      return;
    }
    await all(place, menu);
  } catch (fault) {
    place.replaceChildren();
    problem.textContent = fault.message;
  }
}
