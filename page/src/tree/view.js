// The part of a tree that is seen: how its units and levels become pixels, and back. No drawing here.

/** Pixels from row to row, at least and at most, in text of the usual size: no word of a row reaches into the next. */
export const ROW = [66, 110];
/** Pixels above the first row; and what is kept free at the sides and below. */
const TOP = 26;
const SIDE = 30;
const BELOW = 40;
/** Pixels that a unit is wide at most where all of the tree is in view, and at least, however much there is. */
const WIDEST = 130;
const NARROWEST = 0.01;

/** @typedef {{ width: number, height: number }} Size */

/** Scales and places of their own across and down: a tree is much wider than tall. */
export class View {
  /** Pixels of a unit and of a level. */
  kx = 40;
  ky = 70;
  /** Pixels from the left and the top edge to where units and levels begin. */
  x = 0;
  y = TOP;
  /** Size of the text, where 1 is usual: on a projector it is larger. */
  size = 1;
  /** Pixels that a board takes below each node, in text of the usual size; 0 without. */
  board = 0;

  /**
   * Position of a place in the tree, in pixels.
   * @param {number} units
   * @param {number} level
   * @returns {[x: number, y: number]}
   */
  at(units, level) {
    return [this.x + units * this.kx, this.y + level * this.ky];
  }

  /** Pixels above the first row and below the last. */
  get #around() {
    return (TOP + BELOW + this.board) * this.size;
  }

  /**
   * Whether all rows of a tree can be in view together.
   * @param {Size} size
   * @param {Size} tree In units and levels.
   */
  holds({ height }, tree) {
    return this.#around + (tree.height - 1) * (ROW[0] + this.board) * this.size <= height;
  }

  /**
   * All of a tree in the middle of `width` × `height` pixels; of one that is taller than that, its upper part.
   * @param {Size} size
   * @param {Size} tree In units and levels.
   */
  fit({ width, height }, tree) {
    const [least, most] = ROW.map((row) => (row + this.board) * this.size);
    const rows = height - this.#around;
    this.kx = Math.min(WIDEST * this.size, Math.max((width - 2 * SIDE) / tree.width, NARROWEST));
    this.ky = Math.min(most, Math.max(rows / Math.max(tree.height - 1, 1), least));
    this.x = Math.max(SIDE, (width - tree.width * this.kx) / 2);
    this.y = TOP * this.size;
  }

  /**
   * Wider or narrower; what is `at` pixels from the left stays there.
   * @param {number} factor
   * @param {number} at
   */
  zoom(factor, at) {
    const before = this.kx;
    this.kx = Math.min(WIDEST * this.size * 2, Math.max(before * factor, NARROWEST));
    this.x = at - (at - this.x) * (this.kx / before);
  }

  /** @param {number} right @param {number} down */
  move(right, down) {
    this.x += right;
    this.y += down;
  }

  /**
   * Move a place to the middle, across and down, unless it is in view.
   * @param {Size} size
   * @param {[x: number, y: number]} place In pixels.
   */
  reveal({ width, height }, [x, y]) {
    const isBeside = x < SIDE + 10 || x > width - SIDE - 10;
    const isAbove = y < TOP || y > height - BELOW + 10;
    this.move(isBeside ? width / 2 - x : 0, isAbove ? height / 2 - y : 0);
  }
}
