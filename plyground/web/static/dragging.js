// A piece is dragged from place to place: by mouse, pen or finger.

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
    board.classList.remove("dragging");
    held = null;
  };

  board.addEventListener("pointerdown", (event) => {
    const place = event.target instanceof Element ? placeOf(event.target) : null;
    if (place === null || event.button !== 0 || !event.isPrimary) return;
    held = { id: event.pointerId, place, x: event.clientX, y: event.clientY, ghost: null };
  });

  board.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLOP) return;
      const piece = begin(held.place);
      if (!piece) {
        held = null;
        return;
      }
      const { width } = piece.getBoundingClientRect();
      const ghost = document.createElement("div");
      ghost.className = "ghost";
      ghost.style.width = `${width}px`;
      ghost.append(piece.cloneNode(true));
      board.append(ghost);
      board.setPointerCapture(event.pointerId);
      board.classList.add("dragging");
      held.ghost = ghost;
    }
    held.ghost.style.translate = `calc(${event.clientX}px - 50%) calc(${event.clientY}px - 50%)`;
  });

  board.addEventListener("pointerup", (event) => {
    if (held?.id !== event.pointerId) return;
    const { ghost } = held;
    leave();
    if (ghost) drop(placeOf(document.elementFromPoint(event.clientX, event.clientY)));
  });

  board.addEventListener("pointercancel", leave);
}
