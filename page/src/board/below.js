// Part below a board: choices beside its places, and the choice so far, in words.

import { button, el, refill } from "../shell/dom.js";
import { drawPiece } from "./pieces.js";
import { isTurn } from "./places.js";

/** @import { BoardView, MoveView, PositionView } from "models" */
/** @import { Piece } from "./pieces.js" */

/**
 * Something to choose: its words, what it does, what it is worth, and the piece that stands for it.
 * @typedef {{ words: string, act: () => void, worth?: MoveView, piece?: Piece | null, side?: string }} Choice
 */

/** So many places at most are named when they can be gone to. */
const NAMED = 6;

/**
 * Words on the places chosen so far, and on the next choice.
 * @param {BoardView} board
 * @param {number[]} chosen
 * @param {number[]} next
 * @param {boolean} isAsked Whether one of several moves is meant.
 */
export function chosenWords({ places }, chosen, next, isAsked) {
  if (!chosen.length) return "";
  if (!isAsked && next.length && next.every((place) => isTurn(places[place]))) {
    return `${places[chosen[0]].name} selected, now an arrow turns a part of the board. Escape cancels.`;
  }
  const [gone, names] = [chosen, next].map((those) => those.map((place) => places[place].name));
  const way = names.length > NAMED ? `on to one of ${names.length} places` : `on to ${names.join(", ")}`;
  return `${gone.join(" ")} selected, ${isAsked ? "which of the moves below?" : `${way}.`} Escape cancels.`;
}

/**
 * Words on the area to which a move sends the other player; empty where that is not known.
 * @param {BoardView} board
 * @param {Pick<PositionView, "names" | "to_move">} position
 * @param {number} place Of the move; -1 where none is looked at.
 * @param {number[] | null} sends
 */
export function sentWords({ places, areas }, { names, to_move: mover }, place, sends) {
  if (!sends?.length || place < 0) return "";
  const [move, other] = [places[place].name, names[mover === "x" ? "o" : "x"]];
  if (sends.length > 1) return `After ${move}, ${other} may play in any of ${sends.length} boards.`;
  return `${move} sends ${other} to the ${areas[sends[0]].name}.`;
}

export class Below {
  /** By their words. @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {Map<string, () => void>} */
  #acts = new Map();
  said = el("p", { class: "hint choice-said", role: "status" });
  node = el("div", { class: "below", role: "group", "aria-label": "Moves beside the board", hidden: true });

  get holdsFocus() {
    return this.node.contains(document.activeElement);
  }

  enter() {
    this.node.querySelector("button")?.focus();
  }

  /**
   * Say what is chosen, and offer these; a button that was there before stays, and so keeps the focus.
   * @param {string} sentence
   * @param {Choice[]} choices
   */
  show(sentence, choices) {
    if (this.said.textContent !== sentence) this.said.textContent = sentence;
    const wanted = choices.map((choice) => this.#button(choice));
    this.#acts = new Map(choices.map(({ words, act }) => [words, act]));
    this.node.hidden = !wanted.length;
    const { children } = this.node;
    if (wanted.length === children.length && wanted.every((each, place) => children[place] === each)) return;
    refill(this.node, ...wanted);
    this.#buttons = new Map(choices.map(({ words }, place) => [words, wanted[place]]));
  }

  /** @param {Choice} choice */
  #button({ words, worth, piece, side = "none" }) {
    const node = this.#buttons.get(words) ?? button("", () => this.#acts.get(words)?.());
    node.className = ["choice", worth && `heat ${worth.tone}`, worth?.best && "best"].filter(Boolean).join(" ");
    node.setAttribute("aria-label", [words, worth?.score.text, worth?.best].filter(Boolean).join(", "));
    refill(
      node,
      piece && drawPiece(piece, side),
      words,
      worth && el("span", { class: "value", "aria-hidden": "true" }, worth.brief),
    );
    return node;
  }
}
