// State of the game page: one record, the changes by name that make a new record of it, and what follows from it.
// Nothing is asked or drawn here.

import { plyOf } from "../shell/link.js";

/** @import { At, BoardView, GameView, MenuView, PositionView } from "models" */
/** @import { ExplorerView, MoveView, ReportView, StepView } from "models" */
/** @import { Values, Wanted } from "../shell/link.js" */

/** @typedef {"x" | "o"} Side */
/** @typedef {"play" | "back" | "analyse"} Mode */

/**
 * A game as it stands: one that has not begun, one that a server keeps, one that only its link keeps, or moves to
 * analyse.
 * @typedef {object} Game
 * @property {"new" | "saved" | "local" | "analysis"} kind
 * @property {number} version Grows with each change.
 * @property {PositionView} position
 * @property {Record<string, string>} players
 * @property {Record<string, string>} seats The sides that this browser plays, or whose player it asks; their secrets.
 * @property {boolean} over
 * @property {string | null} why How it ended, where the rules do not tell.
 * @property {string | null} winner
 * @property {string} [note] Heading of moves to analyse, from the link.
 * @property {import("../study/variations.js").Node} [tree] All variations of moves to analyse.
 * @property {number} [at] Ply that is to be shown.
 * @property {GameView} [saved] The server's view.
 */

/**
 * Analysis of the shown position, and review of the game's positions.
 * @typedef {object} Analysis
 * @property {boolean} thinking Whether a player has been asked for its move for so long that a sign says so.
 * @property {boolean} waiting Whether it has found nothing after a while.
 * @property {boolean} searching Whether the shown position is being analysed.
 * @property {ReportView | null} found Last report.
 * @property {number} of Ply of the position that was reported on.
 * @property {Record<string, MoveView> | null} worth Value of each move.
 * @property {Record<string, MoveView> | null} hint One good move.
 * @property {ExplorerView | null} explored
 * @property {StepView[]} steps Reviewed positions.
 * @property {number} total Positions of the whole review.
 * @property {boolean} done Whether the review has ended.
 * @property {Record<Side, number | null>} accuracy Of each side, in percent, once the review has ended.
 * @property {string} note What the review did not see.
 */

/**
 * @typedef {object} State
 * @property {MenuView | null} menu
 * @property {Game | null} game
 * @property {BoardView | null} board
 * @property {string} boardOf The game of that board.
 * @property {PositionView | null} shown
 * @property {number | null} ply The one that is wanted; null is the last.
 * @property {Mode | null} mode
 * @property {string} chosenMode Mode in the link; empty for the usual one.
 * @property {boolean | null} flipped Whether the board is turned; null: as the person sits.
 * @property {boolean} values Whether values of moves are shown.
 * @property {boolean} thoughts Whether the opponent's search is shown while playing.
 * @property {boolean} forX Whether values are x's; else those of the side to move.
 * @property {boolean} asking Whether a move is to be chosen for "Why not?".
 * @property {boolean} resigning Whether resigning is to be confirmed.
 * @property {readonly number[] | null} pending Path of a move without an answer.
 * @property {number[] | null} sends Areas to which the move under the pointer sends the other side.
 * @property {boolean} isLost Whether the connection to the server is lost: others may have gone on since.
 * @property {string} message
 * @property {string[][]} redo Moves that were taken back, the last first to be played again.
 * @property {Analysis} analysis
 */

/**
 * A state with a game that can be drawn.
 * @typedef {State & { menu: MenuView, game: Game, board: BoardView, shown: PositionView, mode: Mode }} Ready
 */

export const SIDES = /** @type {Side[]} */ (["x", "o"]);
/** Parts of the analysis that belong to one position only, empty. */
const UNKNOWN = { worth: null, hint: null, explored: null };
const UNREVIEWED = { steps: [], total: 0, done: false, accuracy: { x: null, o: null }, note: "" };

/**
 * The state before the first position.
 * @param {Values} values Those of the link.
 * @returns {State}
 */
export const initial = ({ ply, flip, values, mode, thoughts }) => ({
  menu: null,
  game: null,
  board: null,
  boardOf: "",
  shown: null,
  ply: plyOf(ply),
  mode: null,
  chosenMode: mode ?? "",
  flipped: flip ? flip === "1" : null,
  values: values === "1",
  thoughts: thoughts === "1",
  forX: false,
  asking: false,
  resigning: false,
  pending: null,
  sends: null,
  isLost: false,
  message: "",
  redo: [],
  analysis: {
    thinking: false,
    waiting: false,
    searching: false,
    found: null,
    of: 0,
    ...UNKNOWN,
    ...UNREVIEWED,
  },
});

// -- changes -------------------------------------------------------------------------------------------------------

/**
 * The game has changed. Each version counts once, whichever way it comes, and an older one not at all.
 * @param {State} state
 * @param {Game} game
 * @returns {State}
 */
export function receiveGame(state, game) {
  const before = state.game;
  if (before && game.version <= before.version) {
    if (game.version < before.version || peopleOf(game) === peopleOf(before)) return state;
    const same = { ...state, game: { ...game, position: before.position } };
    return isHelped(game) ? same : withoutHelp(same);
  }
  const { moves } = game.position;
  const was = before?.position.moves ?? moves;
  const isAsLong = moves.length === was.length;
  const next = showing({
    ...state,
    game,
    mode: state.mode ?? modeOf(state.chosenMode) ?? (state.values ? "analyse" : usualMode(game)),
    ply: game.at ?? (isAsLong ? state.ply : null),
    message: isAsLong ? state.message : "",
    pending: null,
    redo: redoAfter(state.redo, was, moves),
    analysis: diverges(before, game) ? { ...state.analysis, ...UNREVIEWED } : state.analysis,
  });
  return isHelped(game) ? next : withoutHelp(next);
}

/** Nothing that an engine has found is shown or asked for. @param {State} state @returns {State} */
const withoutHelp = (state) => ({
  ...state,
  mode: "play",
  chosenMode: "",
  values: false,
  thoughts: false,
  asking: false,
  analysis: { ...state.analysis, ...UNKNOWN, ...UNREVIEWED, found: null },
});

/**
 * A position that was asked for has come, with its board.
 * @param {State} state
 * @param {BoardView} board
 * @param {PositionView} shown
 * @returns {State}
 */
export const setPosition = (state, board, shown) => looking({ ...state, board, boardOf: shown.game }, shown);

/** Another position of the game is wanted. @param {State} state @param {number} ply @returns {State} */
export function went(state, ply) {
  const last = lastOf(state);
  const at = Math.max(0, Math.min(ply, last));
  return showing({ ...state, ply: at === last ? null : at, message: "" });
}

/** @param {State} state @param {Mode} mode @returns {State} */
export const enterMode = (state, mode) => ({
  ...state,
  mode,
  chosenMode: state.game && mode === usualMode(state.game) ? "" : mode,
  asking: false,
  resigning: false,
  analysis: { ...state.analysis, ...UNKNOWN, found: null },
});

/** A move is sent, or has been answered. @param {State} state @param {State["pending"]} pending @returns {State} */
export const moving = (state, pending) => ({ ...state, pending });

/**
 * @param {State} state
 * @param {"flipped" | "values" | "thoughts" | "forX" | "asking" | "resigning"} what
 * @returns {State}
 */
export const toggleSetting = (state, what) => ({
  ...state,
  [what]: what === "flipped" ? !isTurned(state) : !state[what],
});

/** A sentence for the person. @param {State} state @param {string} message @returns {State} */
export const setMessage = (state, message) => ({ ...state, message });

/** An action has failed. @param {State} state @param {string} message @returns {State} */
export const failAction = (state, message) => ({ ...state, message, pending: null });

/** A part of the analysis has arrived. @param {State} state @param {Partial<Analysis>} part @returns {State} */
export const addAnalysis = (state, part) => ({ ...state, analysis: { ...state.analysis, ...part } });

/**
 * Another game begins at the same board.
 * @param {State} state @param {Values} link
 * @param {boolean} [isClean] Whether what was chosen for the one before is left.
 * @returns {State}
 */
export const replaceGame = ({ menu, board, boardOf, flipped, values, isLost }, link, isClean = false) => ({
  ...initial(link),
  isLost,
  menu,
  board,
  boardOf,
  ...(!isClean && { flipped, values }),
});

/** The live position is shown where it is the wanted one and its board is known. @param {State} state */
function showing(state) {
  const { game, boardOf, shown } = state;
  const isLive = game && wantedPly(state) === lastOf(state) && game.position.game === boardOf;
  return isLive && game.position !== shown ? looking(state, game.position) : state;
}

/** @param {State} state @param {PositionView} shown @returns {State} */
const looking = (state, shown) => ({ ...state, shown, sends: null, analysis: { ...state.analysis, ...UNKNOWN } });

/**
 * Moves that can be played again after a change of the moves.
 * @param {string[][]} redo
 * @param {string[]} was
 * @param {string[]} is
 */
function redoAfter(redo, was, is) {
  const played = is.slice(was.length);
  const shorter = played.length ? was : is;
  if (shorter.some((move, ply) => move !== is[ply] || move !== was[ply])) return [];
  if (was.length > is.length) return [...redo, was.slice(is.length)];
  if (!played.length) return redo;
  const next = redo.at(-1) ?? [];
  if (played.some((move, ply) => move !== next[ply])) return [];
  const rest = next.slice(played.length);
  return [...redo.slice(0, -1), ...(rest.length ? [rest] : [])];
}

/** The people who are there, as text: they change without a new version of the game. @param {Game} game */
const peopleOf = ({ saved, seats }) => JSON.stringify([saved?.people, seats]);

// -- what follows from it ------------------------------------------------------------------------------------------

/** @param {string} text @returns {Mode | null} */
const modeOf = (text) => (text === "play" || text === "back" || text === "analyse" ? text : null);

/**
 * The mode where none was chosen: a game that goes on is played, one that is over is looked back at.
 * @param {Game} game
 * @returns {Mode}
 */
export function usualMode({ kind, over }) {
  if (kind === "analysis") return "analyse";
  return over ? "back" : "play";
}

/** Whether moves were taken back or replaced. @param {Game | null} before @param {Game | null} game */
export const diverges = (before, game) =>
  Boolean(before?.position.moves.some((move, ply) => move !== game?.position.moves[ply]));

/** @param {State} state */
export const lastOf = ({ game }) => game?.position.moves.length ?? 0;

/** Ply of the wanted position. @param {State} state */
export const wantedPly = (state) => Math.min(state.ply ?? Infinity, lastOf(state));

/**
 * The game up to a ply, as questions name it.
 * @param {State} state
 * @param {number} [ply]
 * @returns {Required<At>}
 */
export function at({ game }, ply) {
  const { game: spec, start, moves } = /** @type {Game} */ (game).position;
  return { game: spec, start, moves: moves.slice(0, ply) };
}

/** The shown position, as questions name it. @param {Ready} state */
export const here = (state) => at(state, state.shown.moves.length);

/** The position that is to be shown and has not come yet; null where there is none. @param {State} state */
export function missing(state) {
  if (!state.game) return null;
  const asked = at(state, wantedPly(state));
  const { shown } = state;
  const isShown =
    shown &&
    shown.game === asked.game &&
    shown.start === asked.start &&
    shown.moves.join(" ") === asked.moves.join(" ") &&
    state.boardOf === asked.game;
  return isShown ? null : asked;
}

/** Whether there is a game and its board. @param {State} state @returns {state is Ready} */
export const isReady = (state) =>
  Boolean(
    state.menu &&
    state.game &&
    state.shown &&
    state.boardOf === state.game.position.game &&
    state.shown.game === state.boardOf,
  );

/** @param {Game} game */
export const isPlayed = ({ kind }) => kind === "saved" || kind === "local";

/** @param {Game} game @param {string} side */
export const isPerson = ({ kind, players }, side) => kind !== "analysis" && players[side] === "human";

/** Whether this browser may move. @param {Game} game @param {PositionView} position */
export const mayMove = (game, { to_move: side }) =>
  game.kind === "analysis" || (!game.over && isPerson(game, side) && side in game.seats);

/** The sides that a person plays here. @param {Game} game */
export const ownSides = (game) => SIDES.filter((side) => isPerson(game, side) && side in game.seats);

/**
 * Whether the board is turned: as was chosen, or so that the one person who plays here sits at the bottom.
 * @param {State} state
 */
export function isTurned({ flipped, game, board }) {
  if (flipped !== null) return flipped;
  if (!game || !board || board.seat === null) return false;
  const own = ownSides(game);
  return own.length === 1 && own[0] !== SIDES[board.seat];
}

/** Whether all moves are made here, so that any can be taken back. @param {Game} game */
export const holdsAll = (game) => !isPlayed(game) || SIDES.every((side) => side in game.seats);

/**
 * Whether an engine may help in a game: until its end not where two devices play, unless both people agree, nor those
 * who watch.
 * @param {Game} game
 */
export const isHelped = (game) =>
  !game.saved || game.over || game.saved.help || holdsAll(game) || !SIDES.every((side) => isPerson(game, side));

/** Whether the game has ended. @param {Game} game @param {PositionView} [position] */
export const isOver = (game, position = game.position) => (isPlayed(game) ? game.over : position.over);

/** Whether an engine's findings are shown: while playing only where they are asked for. @param {State} state */
export const tells = ({ mode, thoughts }) => mode !== "play" || thoughts;

/**
 * The players of a game like this one whose opponent is one level stronger; null where there is none.
 * @param {{ spec: string }[]} players Those that are offered, the levels from the weakest.
 * @param {Record<string, string>} seats
 */
export function harder(players, seats) {
  const levels = players.map(({ spec }) => spec).filter((spec) => spec.startsWith("level:"));
  const side = SIDES.find((each) => levels.includes(seats[each]));
  const next = side && levels[levels.indexOf(seats[side]) + 1];
  return side && next ? { ...seats, [side]: next } : null;
}

/**
 * Parameters of the page's link, without those that name the game.
 * @param {State} state
 * @returns {Wanted}
 */
export const linkValues = ({ game, shown, flipped, values, chosenMode, thoughts }) => {
  const isLast = !game || !shown || shown.moves.length === game.position.moves.length;
  return {
    ply: isLast && game?.kind !== "analysis" ? null : shown?.moves.length,
    flip: flipped === null ? "" : flipped ? "1" : "0",
    mode: chosenMode,
    values: values ? "1" : "",
    thoughts: thoughts ? "1" : "",
  };
};
