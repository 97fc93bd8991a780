// Drawings for a screen, drawn anew for paper: the browser tells before it prints, and after.

/**
 * Be told when the page is for paper and when it is for the screen again.
 * @param {(isPaper: boolean) => void} onchange
 * @returns {() => void} Ends it.
 */
export function onPaper(onchange) {
  const media = matchMedia("print");
  let isPaper = false;
  const listen = (/** @type {Event} */ { type }) => {
    const now = type === "beforeprint" || (type === "change" && media.matches);
    if (now !== isPaper) onchange((isPaper = now));
  };
  media.addEventListener("change", listen);
  addEventListener("beforeprint", listen);
  addEventListener("afterprint", listen);
  return () => {
    media.removeEventListener("change", listen);
    removeEventListener("beforeprint", listen);
    removeEventListener("afterprint", listen);
  };
}

/** Pixels of a unit on paper, and of the whole tree at least and at most; of a row. */
const UNIT = 20;
const WIDE = [1000, 4000];
const ROW = 80;

/**
 * A sheet on which all of a tree has room.
 * @param {{ width: number, height: number }} tree In units and levels.
 */
export const sheet = ({ width, height }) => ({
  width: Math.min(Math.max(width * UNIT, WIDE[0]), WIDE[1]),
  height: ROW * height,
});
