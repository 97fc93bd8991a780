// The boards to choose from, and whether things move: kept in the browser, where it lets us.

import { button, field, select } from "./dom.js";
import { keep, readStored } from "./storage.js";

const BOARDS = [
  ["own", "As the game has it"],
  ["paper", "Paper"],
  ["wood", "Wood"],
  ["contrast", "High contrast"],
];
const [BOARD, MOTION] = ["board", "motion"];

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether moves are shown as they are made: somebody looks, and has nothing against it. */
export const isMoving = () => !still.matches && readStored(MOTION, true) && !document.hidden;

const apply = () => (document.documentElement.dataset.board = readStored(BOARD, "own"));

/** Choices of the looks: a board, and whether its pieces move. */
export function looks() {
  const board = select(BOARDS, readStored(BOARD, "own"), {
    onchange: () => {
      keep(BOARD, board.value);
      apply();
    },
  });
  /** @type {HTMLButtonElement} */
  const motion = button(
    "Pieces move",
    () => {
      keep(MOTION, !readStored(MOTION, true));
      motion.setAttribute("aria-pressed", String(readStored(MOTION, true)));
    },
    { pressed: readStored(MOTION, true) },
  );
  return [field("Board", board), motion];
}

apply();
