// A piece is dragged from place to place: by mouse, pen or finger.

import { el } from "../shell/dom.js";

/** Pixels that a pointer moves before it drags. */
const SLOP = 6;

/**
 * Let pieces of a board be dragged. `begin` is told the place where a drag begins and gives the drawing that goes
 * along, or null where nothing can be dragged; `drop` is told the place where it ends, or null outside.
 * @param {HTMLElement} board
 * @param {{ begin: (place: number) => Element | null, drop: (place: number | null) => void }} act
 */
export function drags(board, { begin, drop }) {
  /** @type {{ id: number, place: number, x: number, y: number, ghost: HTMLElement | null } | null} */
  let held = null;

  const placeOf = (/** @type {Element | null} */ node) => {
    const found = node?.closest("[data-place]");
    return found instanceof HTMLElement && board.contains(found) ? Number(found.dataset.place) : null;
  };

  const leave = () => {
    held?.ghost?.remove();
    held = null;
    board.classList.remove("dragging");
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", end);
    document.removeEventListener("pointercancel", leave);
  };

  const move = (/** @type {PointerEvent} */ event) => {
    if (held?.id !== event.pointerId) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLOP) return;
      const piece = begin(held.place);
      if (!piece) {
        leave();
        return;
      }
      held.ghost = el("div", { class: "ghost" }, piece.cloneNode(true));
      held.ghost.style.width = `${piece.getBoundingClientRect().width}px`;
      board.append(held.ghost);
      board.classList.add("dragging");
    }
    held.ghost.style.translate = `calc(${event.clientX}px - 50%) calc(${event.clientY}px - 50%)`;
  };

  const end = (/** @type {PointerEvent} */ event) => {
    if (held?.id !== event.pointerId) return;
    const isDragged = held.ghost !== null;
    leave();
    if (isDragged) drop(placeOf(document.elementFromPoint(event.clientX, event.clientY)));
  };

  // The page is listened to while a pointer is down: it may go anywhere, and a click must stay a click.
  board.addEventListener("pointerdown", (event) => {
    const place = event.target instanceof Element ? placeOf(event.target) : null;
    if (place === null || event.button !== 0 || !event.isPrimary) return;
    leave();
    held = { id: event.pointerId, place, x: event.clientX, y: event.clientY, ghost: null };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", leave);
  });
}
