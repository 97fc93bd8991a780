// Which page is shown: the link decides.

import { button, el } from "./dom.js";
import { editor } from "./editor.js";
import { games } from "./games.js";
import * as link from "./link.js";
import { setup } from "./setup.js";
import { server } from "./socket.js";
import * as sound from "./sound.js";
import { Kept, Line } from "./source.js";
import { Table } from "./table.js";

const page = document.getElementById("page");
const connection = document.getElementById("connection");
let table = null;
let shown = null;

const PAGES = {
  board: (root, values) => new Table(root, new Line(values)).open(),
  game: (root, values, id) => new Table(root, new Kept(id, values)).open(),
  games,
  edit: editor,
  // fetched when they are wanted, so that the first page is not kept waiting
  tree: async (...args) => (await import("./microscope.js")).microscope(...args),
  race: async (...args) => (await import("./race.js")).race(...args),
  quiz: async (...args) => (await import("./quiz.js")).quiz(...args),
  lessons: async (root, values, name) => (await import("./lessons.js")).lessons(root, name),
};

/** Each page draws in a place of its own: one that is left before it was ready draws where nobody looks. */
async function route() {
  const { path: [name, id], values } = link.read();
  const here = location.hash;
  if (shown === here) return;
  shown = here;
  table?.close?.();
  table = null;
  const root = el("div", { tabIndex: -1 });
  page.replaceChildren(root);
  document.title = name ? `plyground – ${name}` : "plyground";
  try {
    const made = await (PAGES[name] ?? setup)(root, values, id);
    if (shown === here) table = made;
    else made?.close?.();
  } catch (fault) {
    root.replaceChildren(el("p", { class: "problem", role: "alert" }, fault.message));
  }
}

const KEYS = [
  ["Arrow keys on the board", "go from cell to cell"],
  ["Enter or Space on a cell", "play there"],
  ["b", "go to the board"],
  ["← →", "previous and next position, off the board"],
  ["Home, End", "first and last position"],
  ["u", "undo"],
  ["f", "flip the board"],
  ["v", "values of all moves on and off"],
  ["n, p, c", "in a search: next step, previous step, next cut"],
  ["t", "go to the search tree; arrows walk in it, Enter opens and closes"],
];

function help() {
  const dialog = el("dialog", { "aria-label": "Keys", onclose: () => dialog.remove() },
    el("h2", {}, "Keys"),
    el("dl", {}, KEYS.map(([key, words]) => [el("dt", {}, key), el("dd", {}, words)])),
    button("Sound on a move", (event) => {
      sound.toggle();
      event.target.setAttribute("aria-pressed", String(sound.isOn()));
    }, { pressed: sound.isOn() }), " ",
    button("Close", () => dialog.close()));
  document.body.append(dialog);
  dialog.showModal();
}

server.addEventListener("down", () => (connection.textContent = "The connection is lost; trying again…"));
server.addEventListener("up", () => (connection.textContent = ""));
addEventListener("hashchange", route);
document.getElementById("help").addEventListener("click", help);
route();
