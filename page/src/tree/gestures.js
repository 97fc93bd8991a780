// Wheel and fingers on a drawing that is moved and made wider.

/** @typedef {[x: number, y: number]} Point */

/**
 * The wheel makes it wider around the pointer, and with Shift moves it; one finger moves it; two make it wider by how
 * far they are apart from left to right, around the one that rests.
 * @param {SVGElement} drawing
 * @param {(right: number, down: number) => void} move
 * @param {(factor: number, at: number) => void} zoom
 */
export function gestures(drawing, move, zoom) {
  /** @type {Map<number, Point>} */
  const pointers = new Map();
  const across = (/** @type {number} */ x) => x - drawing.getBoundingClientRect().left;

  drawing.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const isAcross = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (isAcross) move(-(event.deltaX || event.deltaY), 0);
      else zoom(Math.exp(-event.deltaY / 400), across(event.clientX));
    },
    { passive: false },
  );

  drawing.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });

  drawing.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    /** @type {Point} */
    const here = [event.clientX, event.clientY];
    if (other) {
      const spread = (/** @type {Point} */ point) => Math.max(Math.abs(point[0] - other[0]), 10);
      zoom(spread(here) / spread(before), across(other[0]));
    } else move(here[0] - before[0], here[1] - before[1]);
    pointers.set(event.pointerId, here);
  });

  const leave = (/** @type {PointerEvent} */ event) => pointers.delete(event.pointerId);
  drawing.addEventListener("pointerup", leave);
  drawing.addEventListener("pointercancel", leave);
}
