// A published page: one file with one game, answered by its own workers. It has the pages that need no server.

import { CAN_THINK, MISSING, starter } from "./answers/brought.js";
import { bytes, text } from "./answers/packed.js";
import { el } from "./shell/dom.js";
import * as link from "./shell/link.js";
import { LocalGame, beginLocalGame, left } from "./game/localgame.js";
import { material } from "./game/material.js";
import { NewGame } from "./game/newgame.js";
import { GamePage } from "./game/page.js";
import { SEARCHES } from "./searches.js";
import { begin, place } from "./shell/shell.js";
import { movesOfBoth } from "./shell/words.js";
import { study } from "./study/study.js";
import { StudyGame } from "./study/studygame.js";
import { Thinkers } from "./answers/thinkers.js";
import { compileShared, helpers, standing } from "./answers/together.js";

/** @import { Page } from "./shell/pages.js" */
/** @import { More } from "./game/page.js" */
/** @import { Source } from "./game/source.js" */

/**
 * Open a game page. A link that was made for another game is said to be so, and the game of this page is there.
 * @param {HTMLElement} root
 * @param {link.Values} values
 * @param {(values: link.Values) => Source} source
 * @param {More} more
 */
async function game(root, values, source, more = material) {
  const isOther = values.game && values.game !== brought.game;
  const of = isOther ? { flip: values.flip } : values;
  const opened = await new GamePage(root, source({ ...of, game: brought.game }), beginLocalGame, more).open();
  if (isOther) opened.say(`This page has no game ${values.game}; it has ${brought.game}.`);
  return opened;
}

/** The first page: a board to begin on, and the way back to a game that was left. @type {Page["open"]} */
async function first(root, values) {
  const before = left(brought.game);
  const board = el("div");
  if (before) {
    root.append(
      el(
        "p",
        { class: "hint" },
        el(
          "a",
          { href: link.write(["play"], before) },
          `Go on with your game, after ${movesOfBoth(before.moves.split(" ").length)}`,
        ),
      ),
    );
  }
  root.append(board);
  return game(board, values, (ours) => new NewGame(ours));
}

/** Parts beside the board of an analysis. @type {More} */
function studyParts(does) {
  const [taken, moves] = [material(does), study(does)];
  return (state) => ({ ...taken(state), ...moves(state) });
}

/** @type {Page[]} */
const PAGES = [
  { path: "", title: "Play", open: first },
  { path: "play", open: (root, values) => game(root, values, (ours) => new LocalGame(ours)) },
  {
    path: "board",
    title: "Analyse",
    beside: "Back to the board",
    open: (root, values) => game(root, values, (ours) => new StudyGame(ours), studyParts),
  },
  ...SEARCHES.map((page, number) => (number ? page : { ...page, title: "Learn" })),
  {
    path: "import",
    title: "Open",
    open: async (root, values) => (await import("./library/importing.js")).importing(root, values),
  },
  { path: "exercise", open: async (root, values) => (await import("./analysis/exercises.js")).exercise(root, values) },
];

/** It has replied by the time that anybody has seen the board. */
const FIRST = "engine:depth=2";

const brought = JSON.parse(text("facts"));
brought.known.board = brought.facts.board;
if (CAN_THINK) {
  const code = bytes("module").then((whole) => compileShared(whole, brought.facts));
  const thinkers = new Thinkers({ ...brought, start: starter(), module: code, helpers, standing: standing() });
  begin(thinkers, PAGES);
  thinkers.warm(FIRST).catch(() => {}); // whoever asks for something is told what is wrong
  if (brought.home) place("menu").append(el("a", { href: brought.home }, "All games"));
} else place("page").append(el("p", { class: "problem", role: "alert" }, MISSING));
