// Frame of every page: the header, and the choice of the page, which the link decides.

import { answers } from "../answers/answers.js";
import { el, refill } from "./dom.js";
import { iconButton } from "./icons.js";
import * as link from "./link.js";
import { menu, offer, page, where } from "./pages.js";

/** @import { Way } from "../answers/answers.js" */
/** @import { PlyBoard } from "../board/board.js" */
/** @import { Open, Page } from "./pages.js" */

/** A place that `index.html` has. */
export const place = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Place of messages about events elsewhere. */
export const news = el("div", { id: "news", role: "status" });
/** @type {Open | null} */
let open = null;
/** Pages are numbered as they are asked for. */
let asked = 0;

/**
 * Each page draws in a place of its own: one that is left before it was ready draws where nobody looks. Whoever was at
 * a part of the page before is at the beginning of this one.
 */
export async function route() {
  const mine = ++asked;
  const {
    path: [name, id],
    values,
  } = link.follow();
  const isHeld = place("page").contains(document.activeElement);
  news.replaceChildren();
  open?.close?.();
  open = null;
  mark(name ?? "");
  const root = el("div", { tabIndex: -1 });
  place("page").replaceChildren(root);
  if (isHeld) root.focus();
  scrollTo(0, 0);
  document.title = name ? `plyground – ${name}` : "plyground";
  try {
    const made = await page(name ?? "").open(root, values, id ?? "");
    if (mine === asked) open = made;
    else made?.close?.();
  } catch (fault) {
    const isMissing = fault instanceof TypeError && !(await doesAnswer());
    if (mine !== asked) return;
    root.replaceChildren(
      el(
        "p",
        { class: "problem", role: "alert" },
        isMissing ? "This page cannot be fetched: the server does not answer. Try again when it does." : fault.message,
      ),
    );
  }
}

/** Whether the server answers at all; a page that is a file has none to ask. */
const doesAnswer = async () =>
  location.protocol === "file:" ||
  fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );

/** The menu shows where one is. @param {string} path */
function mark(path) {
  const { word, parts } = where(path);
  for (const each of place("menu").children) {
    if (each.getAttribute("href") === `#/${word.path}`) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  refill(place("parts"), parts);
  place("parts").hidden = !parts.length;
  place("parts").setAttribute("aria-label", word.title ?? "");
}

/** To the board, or to where the page begins. @param {Event} event */
function skip(event) {
  event.preventDefault();
  const board = document.querySelector("main ply-board:not([inert] *)");
  if (board instanceof HTMLElement && "enter" in board) /** @type {PlyBoard} */ (board).enter();
  else place("page").focus();
}

/**
 * Show the page that the link names, now and whenever it names another.
 * @param {Way} way Who answers.
 * @param {Page[]} pages Those there are.
 */
export function begin(way, pages) {
  answers.come(way);
  offer(pages);
  addEventListener("hashchange", route);
  place("connection").after(news);
  place("menu").append(...menu());
  place("skip").addEventListener("click", skip);
  place("settings").append(iconButton("settings", "Settings", async () => (await import("./settings.js")).settings()));
  route();
}
