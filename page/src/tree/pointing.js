// Pointing at the nodes of a drawing that are only dots: a line that tells which it is, a click that chooses it.

/** Pixels that a finger may slip and still choose; pixels from a node up to its line. */
const SLIP = 5;
const ABOVE = 18;

/**
 * Questions that a drawing answers.
 * @typedef {object} Drawing
 * @property {(x: number, y: number) => number | null} under The node at a place in the drawing.
 * @property {(node: number) => string} pathText
 * @property {(node: number) => [x: number, y: number]} at
 * @property {(node: number) => void} choose
 */

/**
 * Follow the pointer. Elements that are chosen by themselves, items and stubs, are left to do so.
 * @param {SVGElement} surface
 * @param {HTMLElement} tip
 * @param {Drawing} drawing
 */
export function pointing(surface, tip, drawing) {
  /** Point at which a button or finger went down last, and whether it still is. */
  let [down, isDown] = [[0, 0], false];
  const under = (/** @type {MouseEvent} */ { clientX, clientY }) => {
    const { left, top } = surface.getBoundingClientRect();
    return drawing.under(clientX - left, clientY - top);
  };
  const tell = (/** @type {number | null} */ node) => {
    tip.hidden = node === null;
    if (node === null) return;
    const [x, y] = drawing.at(node);
    tip.textContent = drawing.pathText(node);
    const half = tip.offsetWidth / 2;
    const across = Math.max(Math.min(x, surface.clientWidth - half), half);
    tip.style.translate = `calc(${across.toFixed(1)}px - 50%) calc(${(y - ABOVE).toFixed(1)}px - 100%)`;
  };

  surface.addEventListener("pointerdown", (event) => {
    [down, isDown] = [[event.clientX, event.clientY], true];
    tell(null);
  });
  surface.addEventListener("pointerup", () => (isDown = false));
  surface.addEventListener("pointercancel", () => (isDown = false));
  surface.addEventListener("pointermove", (event) => {
    if (!isDown && event.pointerType === "mouse") tell(under(event));
  });
  surface.addEventListener("pointerleave", () => {
    isDown = false;
    tell(null);
  });
  surface.addEventListener("click", (event) => {
    const isOwn = event.target instanceof Element && event.target.closest(".item, .stub");
    const slipped = Math.hypot(event.clientX - down[0], event.clientY - down[1]);
    const node = isOwn || slipped > SLIP ? null : under(event);
    if (node !== null) drawing.choose(node);
  });
}
