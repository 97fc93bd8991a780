// The games that are saved: open, save, delete.

import { answers, theMenu } from "../answers/answers.js";
import { button, el } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { drop, seatsOf } from "../game/company/seats.js";
import { column } from "../shell/tables.js";
import { movesOfBoth, gameTitle } from "../shell/words.js";

/** @import { GameLine, MenuView } from "models" */

const PAGE = 50;
const when = (/** @type {string} */ created) =>
  new Date(created).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

/**
 * Title of a player.
 * @param {MenuView} menu
 * @param {string} spec
 */
const titleOf = ({ players }, spec) =>
  spec === "human" ? "a person" : (players.find((each) => each.spec === spec)?.title ?? spec);

/**
 * @param {GameLine} game
 * @param {MenuView} menu
 * @param {() => void} refresh
 * @param {(fault: Error) => void} fail
 */
function line(game, menu, refresh, fail) {
  const seat = Object.values(seatsOf(game.id))[0];
  const remove = async () => {
    if (!confirm("Delete this game for everybody?")) return;
    await answers.ask("delete", { id: game.id, seat }).then(() => drop(game.id), fail);
    refresh();
  };
  const who = (/** @type {"x" | "o"} */ side) => game.names[side] || titleOf(menu, game.players[side]);
  const name = `${gameTitle(menu.games, game.game)}: ${who("x")} – ${who("o")}`;
  return el(
    "tr",
    {},
    el("td", {}, el("a", { href: link.write(["game", game.id]) }, name)),
    el("td", {}, game.why ?? `after ${movesOfBoth(game.plies)}`),
    el("td", {}, when(game.created)),
    el("td", {}, seat && button("Delete", remove, { "aria-label": `Delete ${name}` })),
  );
}

/** @param {Node[]} rows */
function table(rows) {
  const head = ["Game", "How it stands", "Begun"].map((words) => column(words));
  const last = el("th", { scope: "col" }, el("span", { class: "unseen" }, "Delete"));
  return el("table", {}, el("thead", {}, el("tr", {}, head, last)), el("tbody", {}, rows));
}

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function games(root, { offset = "0" }) {
  const problem = el("p", { class: "problem", role: "alert" });
  const fail = (/** @type {Error} */ fault) => (problem.textContent = fault.message);
  const from = Number(offset) || 0;
  /** @param {number} by @param {string} words */
  const beside = (by, words) => el("a", { href: link.write(["games"], { offset: Math.max(0, from + by) }) }, words);
  const menu = await theMenu();
  const refresh = async () => {
    const { total, games: page } = await answers.ask("games", { limit: PAGE, offset: from });
    root.replaceChildren(
      el(
        "div",
        { class: "list" },
        el("h1", {}, "My games"),
        el("p", {}, el("a", { class: "button", href: link.write(["import"]) }, "Open a game or file")),
        problem,
        total
          ? table(page.map((game) => line(game, menu, refresh, fail)))
          : el("p", {}, "No game is saved here yet. ", el("a", { href: "#/" }, "Play one.")),
        el("p", {}, from > 0 && beside(-PAGE, "Newer games"), " ", from + PAGE < total && beside(PAGE, "Older games")),
      ),
    );
  };
  await refresh();
}
