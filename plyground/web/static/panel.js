// The parts beside the board, each made from data: what is to be said, and what can be done.

import { button, el, field } from "./dom.js";
import { counted, whereabouts } from "./words.js";

/** @import { BoardView, PositionView, ReportView, StepView } from "models" */
/** @import { Source } from "./source.js" */

const PARTS = [
  "bar", "title", "status", "problem", "setup", "sides", "company", "modes", "actions", "engine", "beyond", "moves",
  "graph", "more",
];

/**
 * The parts by name, still empty.
 * @returns {Record<string, HTMLElement>}
 */
export const parts = () => ({
  ...Object.fromEntries(PARTS.map((name) => [name, el("div", { class: `part-${name}` })])),
  title: el("h1"),
  status: el("p", { class: "standing", role: "status" }),
  problem: el("p", { class: "problem", role: "alert" }),
});

/**
 * Where the parts stand beside the board.
 * @param {HTMLElement} board
 * @param {Record<string, HTMLElement>} parts
 */
export const frame = (board, { bar, ...beside }) => el("div", { class: "table game" },
  el("section", { class: "place-of-board", "aria-label": "Board" }, bar, board),
  el("section", { class: "side", "aria-label": "Game" }, PARTS.slice(1).map((name) => beside[name])));

/**
 * The side that this browser alone plays against somebody else; null where it plays both, or none.
 * @param {Source} source
 */
export function own(source) {
  const mine = ["x", "o"].filter((side) => source.isPerson(side) && side in source.seats);
  return source.played && mine.length === 1 ? mine[0] : null;
}

/**
 * How the game ended, to whoever played it.
 * @param {Source} source
 * @param {PositionView} position
 */
function ending(source, position) {
  const why = source.why ?? position.result;
  const mine = own(source);
  if (!mine) return `The game is over: ${why}.`;
  if (!source.winner) return why === "draw" ? "A draw." : `A draw: ${why}.`;
  return `${source.winner === mine ? "You won" : "You lost"}: ${why}.`;
}

/**
 * What was played last, and whose turn it is or how the game ended.
 * @param {Source} source
 * @param {PositionView} position
 * @param {BoardView} board
 * @param {boolean} flipped
 */
export function standing(source, position, board, flipped) {
  const move = position.moves.at(-1);
  const played = move ? `Last move ${move}. ` : "";
  const over = source.played ? source.over : position.over;
  if (over) return ending(source, position) + (move ? ` Last move ${move}.` : "");
  if (source.fresh) {
    return source.mayMove(position)
      ? `${position.names[position.to_move]} begins: choose ${board.places.length ? "a place on the board" : "a move"}.`
      : `${position.names[position.to_move]} begins: press Play.`;
  }
  const open = position.look.fates.flatMap(({ active }, area) => (active ? [area] : []));
  const confined = open.length === 1 ? `, in ${whereabouts(board, open[0], flipped)}` : "";
  const turn = own(source) === position.to_move ? "Your turn: " : "";
  return `${played}${turn}${position.names[position.to_move]} to move${confined}.`;
}

/**
 * Who plays which side; of a line of moves who is said to have played it, if the link says so.
 * @param {Source} source
 * @param {PositionView} position
 * @param {{ spec: string, title: string }[]} players Those that have a title.
 */
export function sides(source, position, players) {
  if (source.fresh || !(source.played || source.values.x || source.values.o)) return null;
  const titles = Object.fromEntries(players.map(({ spec, title }) => [spec, title]));
  const who = (/** @type {string} */ side) => {
    if (!source.played) return source.values[side];
    if (source.players[side] !== "human") return titles[source.players[side]] ?? source.players[side];
    return source.who(side);
  };
  return el("dl", { class: "sides" }, ["x", "o"].map((side) => [
    el("dt", { class: `side-${side}` }, position.names[side]),
    el("dd", {}, who(side)),
  ]));
}

/**
 * What a search knows so far.
 * @param {ReportView | null} found
 * @param {string} words
 * @param {string} x The side from which estimates are told.
 * @param {string} [of] The move before which it was found, where another position is shown by now.
 */
export function report(found, words, x, of) {
  if (!found) return el("p", { class: "engine" }, words);
  const how = found.source
    ? ` from ${found.source}`
    : ` at depth ${found.depth}, ${counted(found.nodes)} nodes`;
  return el("div", { class: "engine" },
    of && el("p", {}, `Before ${of}:`),
    el("p", {}, el("strong", {}, found.score.text), found.score.points === null ? "" : ` for ${x}`, how),
    el("p", { class: "variation" }, found.variation.join(" ")),
    found.why_plain && el("p", { class: "plain" }, found.why_plain),
    words && el("p", {}, words));
}

/**
 * Ends what is being thought with what it has found.
 * @param {{ stop: () => void }} going
 */
export const stop = (going) => button("Stop", () => going.stop());

/**
 * The evaluation bar: x's share from the bottom, and the same in words.
 * @param {{ bar: number, text: string } | null | undefined} score
 */
export function bar(score) {
  const share = score ? score.bar : 0.5;
  const label = score ? `Value: ${score.text}` : "Value not asked for";
  const filled = el("div", { class: "share" });
  const node = el("div", { class: score ? "evaluation" : "evaluation off", role: "img", "aria-label": label }, filled);
  node.style.setProperty("--share", String(share));
  return node;
}

/**
 * Buttons that go through a game of `last` plies, from the one that is shown.
 * @param {number} shown
 * @param {number} last
 * @param {(ply: number) => void} ongo
 */
export function stepper(shown, last, ongo) {
  /** @param {string} words @param {number} ply @param {string} label */
  const step = (words, ply, label) =>
    button(words, () => ongo(ply), { "aria-label": label, disabled: Math.max(0, Math.min(ply, last)) === shown });
  return el("div", { class: "steps", role: "group", "aria-label": "Go through the game" },
    step("«", 0, "First position"),
    step("‹", shown - 1, "Previous move"),
    step("›", shown + 1, "Next move"),
    step("»", last, "Last position"));
}

/**
 * The moves, each a way back to the position after it.
 * @param {string[]} moves
 * @param {number} shown
 * @param {StepView[]} steps
 * @param {(ply: number) => void} ongo
 */
export function moveList(moves, shown, steps, ongo) {
  const given = new Map(steps.filter(({ gave }) => gave && gave !== "nothing").map((step) => [step.ply, step.verdict]));
  return el("ol", { class: "moves", "aria-label": "Moves" }, ["start", ...moves].map((move, ply) => {
    const bad = given.get(ply) ?? "";
    return el("li", {}, button(move, () => ongo(ply), {
      class: bad ? "bad" : "",
      "aria-current": ply === shown ? "step" : null,
      "aria-label": bad ? `${move}, ${bad}` : move,
    }), bad && el("span", { class: "verdict" }, bad));
  }));
}

/**
 * The current move is in view, in the list and in the graph: they are scrolled, the page is not.
 * @param {HTMLElement} list
 * @param {HTMLElement} graph
 */
export function follow(list, graph) {
  const pairs = [[list.querySelector(".moves"), list.querySelector("[aria-current]")],
    [graph, graph.querySelector(".shown")]];
  for (const [scroller, current] of pairs) {
    if (!scroller || !current) continue;
    const [outer, inner] = [scroller.getBoundingClientRect(), current.getBoundingClientRect()];
    scroller.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
    scroller.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }
}

/**
 * A field with text to copy.
 * @param {string} label
 * @param {string} text
 */
export function copyable(label, text) {
  const input = el("input", { value: text, readonly: true, onfocus: () => input.select() });
  const said = el("span", { role: "status" });
  const say = (/** @type {string} */ words) => () => (said.textContent = words);
  const copy = async () => {
    input.select();
    await navigator.clipboard?.writeText(text).then(say("Copied."), say("Selected."));
  };
  return el("div", { class: "copyable" }, field(label, input), button("Copy", copy), said);
}
