// A published page: one file with one game, answered by its own workers. It has the pages that need no server.

import { CAN_THINK, MISSING, bytes, starter, text } from "./brought.js";
import { el } from "./dom.js";
import { Fresh } from "./fresh.js";
import * as link from "./link.js";
import { Local, begun, left } from "./local.js";
import { SEARCHES } from "./pages.js";
import { begin, place } from "./shell.js";
import { Line } from "./source.js";
import { Table } from "./table.js";
import { Thinkers } from "./thinkers.js";
import { compiled, helpers, standing } from "./together.js";

/** @import { Page } from "./pages.js" */
/** @import { Source } from "./source.js" */

/**
 * Open a table. A link that was made for another game is said to be so, and the game of this page is there.
 * @param {HTMLElement} root
 * @param {link.Values} values
 * @param {(values: link.Values) => Source} source
 */
async function table(root, values, source) {
  const { game } = values;
  const isOther = game && game !== brought.game;
  const of = isOther ? { flip: values.flip } : values;
  const opened = await new Table(root, source({ ...of, game: brought.game }), begun).open();
  if (isOther) opened.say(`This page has no game ${game}; it has ${brought.game}.`);
  return opened;
}

/** The first page: a board to begin on, and the way back to a game that was left. @type {Page["open"]} */
async function first(root, values) {
  const before = left(brought.game);
  const board = el("div");
  const plies = before?.moves.split(" ").length;
  if (before) {
    root.append(el("p", { class: "hint" },
      el("a", { href: link.write(["play"], before) }, `Go on with your game, after ply ${plies}`)));
  }
  root.append(board);
  return table(board, values, (ours) => new Fresh(ours));
}

/** @type {Page[]} */
const PAGES = [
  { path: "", title: "Play", open: first },
  { path: "play", open: (root, values) => table(root, values, (ours) => new Local(ours)) },
  {
    path: "board",
    title: "Analyse",
    beside: "Back to the board",
    open: (root, values) => table(root, values, (ours) => new Line(ours)),
  },
  ...SEARCHES,
  { path: "exercise", open: async (root, values) => (await import("./exercises.js")).exercise(root, values) },
];

/** It has replied by the time that anybody has seen the board. */
const FIRST = "engine:depth=2";

const brought = JSON.parse(text("facts"));
brought.known.board = brought.facts.board;
if (CAN_THINK) {
  const code = bytes("module").then((whole) => compiled(whole, brought.facts));
  const thinkers = new Thinkers({ ...brought, start: starter(), module: code, helpers, standing: standing() });
  begin(thinkers, PAGES);
  thinkers.warm(FIRST).catch(() => {}); // whoever asks for something is told what is wrong
  if (brought.home) place("menu").append(el("a", { href: brought.home }, "All games"));
} else place("page").append(el("p", { class: "problem", role: "alert" }, MISSING));
