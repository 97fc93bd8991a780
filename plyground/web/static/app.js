// Which page is shown: the link decides.

import { button, el } from "./dom.js";
import { editor } from "./editor.js";
import { games } from "./games.js";
import { lessons } from "./lessons.js";
import * as link from "./link.js";
import { microscope } from "./microscope.js";
import { quiz } from "./quiz.js";
import { race } from "./race.js";
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
  board: (values) => new Table(page, new Line(values)).open(),
  game: (values, id) => new Table(page, new Kept(id, values)).open(),
  games: (values) => games(page, values),
  edit: (values) => editor(page, values),
  tree: (values) => microscope(page, values),
  race: (values) => race(page, values),
  quiz: (values) => quiz(page, values),
  lessons: (values, name) => lessons(page, name),
};

async function route() {
  const { path: [name, id], values } = link.read();
  if (shown === location.hash) return;
  shown = location.hash;
  table?.close?.();
  table = null;
  page.replaceChildren();
  document.title = name ? `plyground – ${name}` : "plyground";
  try {
    table = await (PAGES[name]?.(values, id) ?? setup(page));
  } catch (fault) {
    page.replaceChildren(el("p", { class: "problem", role: "alert" }, fault.message));
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
