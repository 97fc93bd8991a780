// Which page is shown: the link decides.

import { button, el } from "./dom.js";
import * as link from "./link.js";
import { menu, page } from "./pages.js";
import { server } from "./socket.js";
import * as sound from "./sound.js";
import { looks } from "./theme.js";

/** @import { Open } from "./pages.js" */

/** A place that `index.html` has. */
const place = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

const connection = place("connection");
/** @type {Open | null} */
let open = null;
/** @type {string | null} */
let shown = null;

/** Each page draws in a place of its own: one that is left before it was ready draws where nobody looks. */
async function route() {
  const { path: [name, id], values } = link.read();
  const here = location.hash;
  if (shown === here) return;
  shown = here;
  open?.close?.();
  open = null;
  const root = el("div", { tabIndex: -1 });
  place("page").replaceChildren(root);
  document.title = name ? `plyground – ${name}` : "plyground";
  try {
    const made = await page(name ?? "").open(root, values, id ?? "");
    if (shown === here) open = made;
    else made?.close?.();
  } catch (fault) {
    root.replaceChildren(el("p", { class: "problem", role: "alert" }, fault.message));
  }
}

const KEYS = [
  ["Arrow keys on the board", "go from place to place"],
  ["Enter or Space on a place", "play there, or choose it and where to go on"],
  ["Escape", "choose nothing after all"],
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
  /** @type {HTMLButtonElement} */
  const toggle = button("Sound on a move", () => {
    sound.toggle();
    toggle.setAttribute("aria-pressed", String(sound.isOn()));
  }, { pressed: sound.isOn() });
  /** @type {HTMLDialogElement} */
  const dialog = el("dialog", { "aria-label": "Keys", onclose: () => dialog.remove() },
    el("h2", {}, "Keys"),
    el("dl", {}, KEYS.map(([key, words]) => [el("dt", {}, key), el("dd", {}, words)])),
    ...looks(),
    " ",
    toggle,
    " ",
    button("Close", () => dialog.close()));
  document.body.append(dialog);
  dialog.showModal();
}

server.addEventListener("down", () => (connection.textContent = "The connection is lost; trying again…"));
server.addEventListener("up", () => (connection.textContent = ""));
addEventListener("hashchange", route);
place("menu").append(...menu());
place("help").addEventListener("click", help);
route();
