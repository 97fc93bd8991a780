// The parts beside the board, each made from data: what is to be said, and what can be done.

import { button, el, field } from "../shell/dom.js";
import { iconButton } from "../shell/icons.js";
import { countText, spokenMove, pairNumber, whereabouts } from "../shell/words.js";
import { isTurningPoint } from "../analysis/graph.js";
import { SIDES, isOver, isPerson, isPlayed, mayMove, ownSides } from "./state.js";

/** @import { BoardView, PositionView, ReportView, StepView } from "models" */
/** @import { Game, Side } from "./state.js" */

/** The side that this browser plays against another person; null where it plays both, or none. @param {Game} game */
function own(game) {
  const sides = ownSides(game);
  return isPlayed(game) && sides.length === 1 ? sides[0] : null;
}

/** The result, in words for the person who played. @param {Game} game */
function ending(game) {
  const { winner } = game;
  const why = game.why ?? game.position.result;
  const mine = own(game);
  if (!mine) return `The game is over: ${why}.`;
  if (!winner) return why === "draw" ? "A draw." : `A draw: ${why.replace("a draw ", "")}.`;
  return `${winner === mine ? "You won" : "You lost"}: ${why}.`;
}

/**
 * Status line: the last move, and whose turn it is or how the game ended.
 * @param {Game} game
 * @param {BoardView} board
 * @param {boolean} flipped
 * @param {boolean} [isHeard] Whether the move is in spoken words, not in written notation.
 */
export function standing(game, board, flipped, isHeard = false) {
  const { notation, names, to_move: mover, look, notice, paths } = game.position;
  const last = notation.at(-1);
  const move = last && isHeard ? spokenMove(board, last) : last;
  if (isOver(game)) return ending(game) + (move ? ` Last move ${move}.` : "");
  if (game.kind === "new") {
    const isMoved = paths.some(
      ([from, to]) => to !== undefined && !["", "seeds"].includes(look.pieces[from]?.kind ?? ""),
    );
    const where = board.falls.length ? "a column" : board.places.length ? "a place on the board" : "a move";
    const choice = isMoved ? "move a piece" : `choose ${where}`;
    return `${names[mover]} begins: ${mayMove(game, game.position) ? choice : "press Play"}.`;
  }
  const played = move ? `Last move ${move}. ` : "";
  const open = look.fates.flatMap(({ active }, area) => (active ? [area] : []));
  const confined = open.length === 1 ? `, in ${whereabouts(board, open[0], flipped)}` : "";
  const told = notice && `, ${notice}`;
  return `${played}${own(game) === mover ? "Your turn: " : ""}${names[mover]} to move${confined}${told}.`;
}

/**
 * Name of the person on a side, and whether they are connected, if that is known.
 * @param {Game} game @param {Side} side @param {boolean} isLost
 */
function sitter({ saved, seats }, side, isLost) {
  if (!saved) return "you";
  const { name = "", here = false } = saved.people[side] ?? {};
  if (seats[side]) return name ? `${name} (you)` : "you";
  return [name || "another person", isLost ? "not known whether here" : here ? "here" : "not here"].join(", ");
}

/**
 * Players of the two sides; in an analysis those that the link names.
 * @param {Game} game
 * @param {{ spec: string, title: string }[]} titles Players that have a title.
 * @param {boolean} isThinking Whether the player to move thinks.
 * @param {boolean} isLost Whether the connection to the server is lost.
 */
export function sides(game, titles, isThinking, isLost) {
  const { players, position } = game;
  if (game.kind === "new" || !(players.x || players.o)) return null;
  const who = (/** @type {Side} */ side) => {
    if (isPerson(game, side)) return sitter(game, side, isLost);
    const titled = isPlayed(game) && titles.find(({ spec }) => spec === players[side]);
    return titled ? titled.title : players[side];
  };
  return el(
    "dl",
    { class: "sides" },
    SIDES.map((side) => [
      el("dt", { class: `side-${side}` }, position.names[side]),
      el("dd", {}, who(side), isThinking && side === position.to_move && el("span", { class: "thinks" }, " thinks…")),
    ]),
  );
}

/** An estimate as the other side tells it: "-3 (estimate)" of "+3 (estimate)". @param {string} text */
const turnSign = (text) => text.replace(/^[+-](?!0(?:\.0)?(?![.\d]))/, (sign) => (sign === "+" ? "-" : "+"));

/**
 * A score as a side tells it; what it means for the result, "White 53 % (+0.2 pawns)", begins with that side.
 * @param {ReportView} found
 * @param {string} side
 * @param {boolean} isForX
 */
export function scoreText({ score: { text, points, chance }, moves, variation }, side, isForX) {
  if (points === null) return text;
  if (chance === null) return `${isForX ? text : turnSign(text)} for ${side}`;
  const best = moves[variation[0]];
  if (isForX || !best) return text;
  const unit = text.indexOf(" ("); // of an even position nothing stands behind the chance
  return `${side} ${best.brief}${unit < 0 ? "" : ` (${turnSign(text.slice(unit + 2))}`}`;
}

/**
 * Report of a search so far.
 * @param {ReportView | null} found
 * @param {string} words
 * @param {string} side The name of the side for which positive estimates are good.
 * @param {boolean} isForX Whether that side is x.
 * @param {string} [of] The move before which it was found, where another position is shown by now.
 */
export function report(found, words, side, isForX, of) {
  if (!found) return el("p", { class: "engine" }, words);
  const how = found.source
    ? ` from ${found.source}`
    : ` at depth ${found.depth}, ${countText(found.nodes)} positions searched`;
  return el(
    "div",
    { class: "engine" },
    of && el("p", {}, `Before ${of}:`),
    el("p", {}, el("strong", {}, scoreText(found, side, isForX)), how),
    el("p", { class: "variation" }, found.notation[0].join(" ")),
    found.why_plain && el("p", { class: "plain" }, found.why_plain),
    words && el("p", {}, words),
  );
}

/**
 * The evaluation bar: x's share from the bottom, and the same in words.
 * @param {{ bar: number, text: string } | null | undefined} score
 */
export function bar(score) {
  const share = score ? score.bar : 0.5;
  const label = score ? `Value: ${score.text}` : "Not evaluated";
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
  /** @param {string} name @param {number} ply @param {string} words */
  const step = (name, ply, words) =>
    iconButton(name, words, () => ongo(ply), { disabled: Math.max(0, Math.min(ply, last)) === shown });
  return el(
    "div",
    { class: "steps", role: "group", "aria-label": "Go through the game" },
    step("first", 0, "First position"),
    step("back", shown - 1, "Previous move"),
    step("on", shown + 1, "Next move"),
    step("last", last, "Last position"),
  );
}

/**
 * The moves in numbered pairs, each a way back to the position after it.
 * @param {PositionView} position
 * @param {number} shown
 * @param {StepView[]} steps
 * @param {(ply: number) => void} ongo
 */
export function moveList({ plies_before: before, notation }, shown, steps, ongo) {
  const given = new Map(steps.filter(isTurningPoint).map((step) => [step.ply, step.verdict]));
  return el(
    "ol",
    { class: "moves", "aria-label": "Moves" },
    ["start", ...notation].map((move, ply) => {
      const bad = given.get(ply) ?? "";
      const place = ply - 1 + before;
      const isNumbered = ply > 0 && (place % 2 === 0 || ply === 1);
      const numbered = isNumbered && el("span", { class: "move-number", "aria-hidden": "true" }, pairNumber(place));
      return el(
        "li",
        {},
        numbered,
        button(move, () => ongo(ply), {
          class: bad ? "bad" : "",
          "aria-current": ply === shown ? "step" : null,
          "aria-label": bad ? `${move}, ${bad}` : move,
        }),
        bad && el("span", { class: "verdict" }, bad),
      );
    }),
  );
}

/**
 * The current move is in view in the list: that is scrolled, the page is not.
 * @param {HTMLElement} list
 */
export function follow(list) {
  const [scroller, current] = [list.querySelector(".moves"), list.querySelector("[aria-current]")];
  if (!scroller || !current) return;
  const [outer, inner] = [scroller.getBoundingClientRect(), current.getBoundingClientRect()];
  scroller.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
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
