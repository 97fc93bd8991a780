// The board draws what the server says and reports gestures; it knows no game and judges no move.

import { el, refill, svg } from "./dom.js";

/** @import { CellView, GridView, MoveView, PitView, PitsView, PositionView } from "models" */

/**
 * What is to be drawn.
 * @typedef {object} Shown
 * @property {PositionView["look"]} look
 * @property {Record<string, string>} names How the marks of both sides are written.
 * @property {string} toMove
 * @property {number | null} last The cell of the last move.
 * @property {string} label
 * @property {boolean} [flipped] Whether it is turned round.
 * @property {Record<string, MoveView> | null} [heat] What the moves are worth.
 * @property {number[] | null} [sends] The boards within the board to which the move that is looked at sends.
 * @property {number | null} [pending] The cell of a move that the server has not answered yet.
 * @property {boolean} [draft] Whether it is set up by hand.
 */

/** @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * A mark: a cross and a ring for x and o, a disc with its letter for any other name.
 * @param {string} name
 * @param {string} side
 */
export function mark(name, side) {
  /** @type {Record<string, SVGElement[]>} */
  const shapes = {
    x: [svg("path", { d: "M24 24L76 76M76 24L24 76" })],
    o: [svg("circle", { cx: 50, cy: 50, r: 29 })],
  };
  const disc = [svg("circle", { class: "disc", cx: 50, cy: 50, r: 36 }), svg("text", { x: 50, y: 64 }, name)];
  return svg("svg", { class: `mark side-${side}`, viewBox: "0 0 100 100", "aria-hidden": "true" },
    shapes[name] ?? disc);
}

/**
 * The number of the board within the board that a cell lies in.
 * @param {GridView} look
 * @param {number} index
 */
function blockOf({ columns, block }, index) {
  const row = Math.floor(Math.floor(index / columns) / block);
  const column = Math.floor((index % columns) / block);
  return row * (columns / block) + column;
}

export class PlyBoard extends HTMLElement {
  /** @type {HTMLButtonElement[]} */
  #cells = [];
  #shape = "";
  /** @type {Shown | null} */
  #shown = null;
  #focus = 0;

  connectedCallback() {
    this.addEventListener("keydown", (event) => this.#step(event));
  }

  /** The keyboard's place on the board is its current cell. */
  enter() {
    this.#cells[this.#focus]?.focus();
  }

  /**
   * Draw a position.
   * @param {Shown} shown
   */
  show(shown) {
    this.#shown = shown;
    const { look, flipped = false } = shown;
    if (look.kind === "pits") {
      this.#shape = "";
      this.#pits(look, shown);
      return;
    }
    if (look.kind !== "grid") {
      this.#shape = "";
      this.replaceChildren(el("pre", { class: "written" }, look.text));
      return;
    }
    const shape = `${look.rows} ${look.columns} ${look.block} ${flipped}`;
    if (shape !== this.#shape) this.#build(look, flipped);
    this.#shape = shape;
    this.firstElementChild?.setAttribute("aria-label", shown.label);
    look.cells.forEach((cell, index) => this.#draw(look, shown, cell, index));
  }

  /**
   * Two rows of pits, the second player's above from right to left, and a store at each end.
   * @param {PitsView} look
   * @param {Shown} shown
   */
  #pits(look, { names, flipped, label, heat }) {
    /** @param {string} side @param {PitView[]} pits */
    const row = (side, pits) => pits.map((pit, place) =>
      this.#pit(names[side], side, pit, place, pit.move === null ? undefined : heat?.[pit.move]));
    const rows = [row("o", look.second), row("x", look.first)];
    const [above, below] = flipped ? rows.reverse() : rows;
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && this.contains(active) ? active.dataset.name : null;
    const store = (/** @type {string} */ side) => {
      const seeds = look.stores["xo".indexOf(side)];
      const label = `${names[side]}'s store: ${seeds}`;
      return el("div", { class: `store side-${side}`, role: "img", "aria-label": label }, String(seeds));
    };
    const [left, right] = flipped ? ["x", "o"] : ["o", "x"];
    this.style.setProperty("--columns", String(look.first.length));
    this.replaceChildren(el("div", { class: "pits", role: "group", "aria-label": label },
      store(left),
      el("div", { class: "rows" },
        el("div", { class: "row" }, above.reverse()),
        el("div", { class: "row" }, below)),
      store(right)));
    if (focused) /** @type {HTMLElement | null} */ (this.querySelector(`[data-name="${focused}"]`))?.focus();
  }

  /**
   * @param {string} name
   * @param {string} side
   * @param {PitView} pit
   * @param {number} place
   * @param {MoveView} [worth]
   */
  #pit(name, side, pit, place, worth) {
    const words = [`${name}'s pit ${place + 1}`, `${pit.seeds} seeds`, worth?.score.text, worth?.best];
    const node = el("button", {
      type: "button",
      class: [
        "pit",
        pit.move !== null && "legal",
        worth && `heat ${worth.tone}`,
        worth?.best && "best",
      ].filter(Boolean).join(" "),
      "aria-label": words.filter(Boolean).join(", "),
      "aria-disabled": String(pit.move === null),
      onclick: () => this.dispatchEvent(pit.move === null
        ? new CustomEvent("refused", { detail: words[0] })
        : new CustomEvent("move", { detail: { move: pit.move, index: null } })),
    },
    el("span", { class: `seeds side-${side}` }, String(pit.seeds)),
    worth && el("span", { class: "value" }, worth.brief));
    node.dataset.name = words[0];
    return node;
  }

  /** @param {GridView} look @param {boolean} flipped */
  #build(look, flipped) {
    const turn = (/** @type {number} */ count) =>
      [...Array(count).keys()].map((place) => (flipped ? count - 1 - place : place));
    this.#cells = [];
    const rows = turn(look.rows).map((row) => el("div", { role: "row" }, [
      el("span", { class: "coordinate", role: "presentation", "aria-hidden": "true" }, String(row + 1)),
      ...turn(look.columns).map((column) => this.#cell(look, row, column)),
    ]));
    const letter = (/** @type {number} */ column) => look.cells[column].name.replace(/\d+$/, "");
    const letters = turn(look.columns).map((column) => el("span", { class: "coordinate" }, letter(column)));
    const head = el("div", { class: "letters", "aria-hidden": "true" }, el("span"), letters);
    const grid = el("div", { class: look.block ? "grid nested" : "grid", role: "grid" }, rows);
    this.style.setProperty("--rows", String(look.rows));
    this.style.setProperty("--columns", String(look.columns));
    this.replaceChildren(grid, head);
    this.#focus = Math.min(this.#focus, look.cells.length - 1);
  }

  /** @param {GridView} look @param {number} row @param {number} column */
  #cell(look, row, column) {
    const index = row * look.columns + column;
    const edge = (/** @type {number} */ place) => look.block && place % look.block === 0 && place > 0;
    const node = el("button", {
      type: "button",
      role: "gridcell",
      class: `cell${edge(column) ? " left-edge" : ""}${edge(row) ? " top-edge" : ""}`,
      onclick: () => this.#choose(index),
      onpointerenter: () => this.#look(index),
      onpointerleave: () => this.#look(null),
      onfocus: () => this.#arrive(index),
      onblur: () => this.#look(null),
    });
    this.#cells[index] = node;
    return node;
  }

  /** @param {GridView} look @param {Shown} shown @param {CellView} cell @param {number} index */
  #draw(look, { names, toMove, last, heat, sends, pending, draft }, cell, index) {
    const node = this.#cells[index];
    const block = look.block ? blockOf(look, index) : null;
    const area = block === null ? null : look.blocks[block];
    const owner = cell.mark || (pending === index ? names[toMove] : "");
    const worth = cell.move === null ? undefined : heat?.[cell.move];
    const sideOf = (/** @type {string} */ name) => (name === names.x ? "x" : "o");
    const playable = Boolean(cell.move) || draft;
    node.className = [
      ...["cell", "left-edge", "top-edge"].filter((name) => node.classList.contains(name)),
      playable && "legal",
      last === index && "last",
      cell.line && "line",
      worth && `heat ${worth.tone}`,
      worth?.best && "best",
      area && (area.active ? "active" : "idle"),
      area?.mark && `won-${sideOf(area.mark)}`,
      area && !area.open && "closed",
      block !== null && sends?.includes(block) && "sent",
    ].filter(Boolean).join(" ");
    const words = [
      cell.name,
      owner || "empty",
      worth?.score.text,
      worth?.best,
      last === index && "last move",
      cell.line && "winning line",
      area?.mark && `board won by ${area.mark}`,
    ];
    node.setAttribute("aria-label", words.filter(Boolean).join(", "));
    node.setAttribute("aria-disabled", String(!playable));
    node.tabIndex = index === this.#focus ? 0 : -1;
    refill(node,
      owner && mark(owner, sideOf(owner)),
      worth && !owner && el("span", { class: "value", "aria-hidden": "true" }, worth.brief));
  }

  /** The grid that is shown; null where the board has another look. */
  get #grid() {
    return this.#shown?.look.kind === "grid" ? this.#shown.look : null;
  }

  /** @param {number} index */
  #choose(index) {
    const cell = this.#grid?.cells[index];
    if (!cell) return;
    const { name, move } = cell;
    if (this.#shown?.draft) this.dispatchEvent(new CustomEvent("cell", { detail: index }));
    else if (move) this.dispatchEvent(new CustomEvent("move", { detail: { move, index } }));
    else this.dispatchEvent(new CustomEvent("refused", { detail: name }));
  }

  /** @param {number | null} index */
  #look(index) {
    const move = index === null ? null : (this.#grid?.cells[index].move ?? null);
    this.dispatchEvent(new CustomEvent("preview", { detail: move }));
  }

  /** @param {number} index */
  #arrive(index) {
    this.#cells[this.#focus].tabIndex = -1;
    this.#focus = index;
    this.#cells[index].tabIndex = 0;
    this.#look(index);
  }

  /** @param {KeyboardEvent} event */
  #step(event) {
    const step = STEPS[event.key];
    if (!step || !this.#grid) return;
    const { rows, columns } = this.#grid;
    const turn = this.#shown?.flipped ? -1 : 1;
    const row = Math.floor(this.#focus / columns) + step[0] * turn;
    const column = (this.#focus % columns) + step[1] * turn;
    event.preventDefault();
    event.stopPropagation();
    if (row >= 0 && row < rows && column >= 0 && column < columns) this.#cells[row * columns + column].focus();
  }
}

customElements.define("ply-board", PlyBoard);
