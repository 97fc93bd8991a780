// The boards to choose from, and whether things move: kept in the browser, where it lets us.

import { button, field, select } from "./dom.js";

const BOARDS = [["paper", "Paper"], ["wood", "Wood"], ["contrast", "High contrast"]];
const [BOARD, MOTION] = ["plyground board", "plyground motion"];

/** What is remembered where nothing may be stored. @type {Map<string, string>} */
const memory = new Map();

/** @param {string} key */
function kept(key) {
  try {
    return memory.get(key) ?? localStorage.getItem(key) ?? "";
  } catch {
    return memory.get(key) ?? "";
  }
}

/** @param {string} key @param {string} value */
function keep(key, value) {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // it is remembered until the page is left
  }
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether moves are shown as they are made: somebody looks, and has nothing against it. */
export const isMoving = () => !still.matches && kept(MOTION) !== "off" && !document.hidden;

const apply = () => (document.documentElement.dataset.board = kept(BOARD) || "paper");

/** What can be chosen of the looks: a board, and whether its pieces move. */
export function looks() {
  const board = select(BOARDS, kept(BOARD) || "paper", {
    onchange: () => {
      keep(BOARD, board.value);
      apply();
    },
  });
  /** @type {HTMLButtonElement} */
  const motion = button("Pieces move", () => {
    keep(MOTION, kept(MOTION) === "off" ? "on" : "off");
    motion.setAttribute("aria-pressed", String(kept(MOTION) !== "off"));
  }, { pressed: kept(MOTION) !== "off" });
  return [field("Board", board), motion];
}

apply();
