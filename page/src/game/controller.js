// Actions of the game page: each asks the server or a worker, and changes the state. Nothing is drawn here.

import { answers, theBoard, theMenu } from "../answers/answers.js";
import { refusal } from "../answers/refusal.js";
import * as link from "../shell/link.js";
import { moveNotation } from "../shell/words.js";
import {
  setPosition,
  at,
  diverges,
  enterMode,
  failAction,
  addAnalysis,
  here,
  initial,
  isHelped,
  isReady,
  lastOf,
  linkValues,
  mayMove,
  missing,
  moving,
  ownSides,
  receiveGame,
  replaceGame,
  setMessage,
  toggleSetting,
  wantedPly,
  went,
} from "./state.js";

/** @import { At, CreateInput as Create, ReportView } from "models" */
/** @import { Asked } from "../answers/answers.js" */
/** @import { NewGame } from "./newgame.js" */
/** @import { Begin, Source } from "./source.js" */
/** @import { Analysis, Mode, Ready, State } from "./state.js" */

const HINT_SECONDS = 1;
const UNHELPED = "Two people play: until the end no engine helps here, unless both agree on that.";
/** Milliseconds after which a sign shows that a player thinks, and after which it is said why it has found nothing. */
const [SIGN_AFTER, READY_AFTER] = [300, 400];

export class Controller {
  /** The search of the shown position. @type {Asked<ReportView> | null} */
  #search = null;
  /** @type {Asked<unknown> | null} */
  #review = null;
  /** A player's request. @type {Asked<unknown> | null} */
  #thinking = null;
  /** The position that has been asked for. */
  #asked = "";
  /** The move under the pointer. @type {string | null} */
  #hovered = null;

  /**
   * @param {Source} source
   * @param {Begin} begin
   * @param {{ render: () => void, onBegin: () => void }} page Told of a change of the state, and of a game that begins.
   */
  constructor(source, begin, page) {
    this.source = source;
    this.begin = begin;
    this.page = page;
    /** @type {State} */
    this.state = initial(source.values);
  }

  /** @param {State} state */
  change(state) {
    const before = this.state;
    if (state === before) return;
    this.state = state;
    if (diverges(before.game, state.game)) this.#review?.cancel();
    const isHeld = state.game && !isHelped(state.game) && (!before.game || isHelped(before.game));
    if (isHeld) this.#review?.cancel();
    if (state.shown !== before.shown || isHeld) this.#look();
    this.#fetch();
    this.page.render();
  }

  async open() {
    await this.attempt(async () => {
      const menu = await theMenu();
      this.change({ ...this.state, menu, isLost: answers.isLost });
      await this.#follow();
    });
  }

  #follow() {
    return this.source.open({
      onChange: (game) => this.change(receiveGame(this.state, game)),
      onFail: this.say,
      onThink: (asked, report) => this.#thinks(asked, report),
    });
  }

  /** Whether an engine may help in this game; it is said why not. */
  #mayHelp() {
    const { game } = this.state;
    const may = !game || isHelped(game);
    if (!may) this.say(UNHELPED);
    return may;
  }

  close() {
    this.source.close();
    for (const each of [this.#search, this.#review]) each?.cancel();
    this.#search = this.#review = null;
  }

  /** The page's link. @returns {Parameters<typeof link.write>} */
  get link() {
    const [path, values] = this.source.link();
    return [path, { ...values, ...linkValues(this.state) }];
  }

  /**
   * Another game takes the place of this one.
   * @param {Source} source
   * @param {boolean} [isClean] Whether the board and values are shown as on a new page.
   */
  async become(source, isClean = false) {
    this.close();
    this.source = source;
    this.#thinking = null;
    this.change(replaceGame(this.state, source.values, isClean));
    link.become(...this.link);
    await this.#follow();
  }

  /** Run an action; a fault becomes the message. @param {() => unknown} action */
  async attempt(action) {
    this.change(setMessage(this.state, ""));
    try {
      await action();
    } catch (fault) {
      this.change(failAction(this.state, fault.message));
    }
  }

  /** @param {string} sentence */
  say = (sentence) => this.change(setMessage(this.state, sentence));

  /** Say why no legal move goes along these places. @param {{ name: string, path: number[] }} pointed */
  async refuse(pointed) {
    if (isReady(this.state)) this.say(await refusal(here(this.state), pointed));
  }

  // -- playing -------------------------------------------------------------------------------------------------------

  /** A move on the board. @param {{ move: string, path: readonly number[] }} chosen */
  move({ move, path }) {
    const { source, state } = this;
    if (state.pending || !isReady(state)) return;
    const { game, shown, asking } = state;
    if (asking) return this.refute(move);
    const isPast = game.kind !== "analysis" && (game.over || wantedPly(state) !== lastOf(state));
    if (isPast && state.mode !== "play" && source.study) {
      return this.attempt(() => source.study?.(shown.moves.length, move));
    }
    if (game.kind !== "analysis" && wantedPly(state) !== lastOf(state)) {
      return this.say("This is an earlier position: play on from here, or go to the last move.");
    }
    if (!mayMove(game, shown)) return this.say(game.over ? "The game is over." : "It is not your turn.");
    this.change(moving(state, path));
    this.attempt(async () => {
      if (game.kind === "new") await this.start([move]);
      else await source.play?.(move, shown.moves.length, shown.to_move);
      if (this.state.pending === path) this.change(moving(this.state, null));
    });
  }

  /** Begin the game that was set up, with a move or with the player to move. @param {string[]} [moves] */
  start(moves) {
    return this.#play(/** @type {NewGame} */ (this.source).beginGame(moves));
  }

  /** Once more, by the same rules. @param {Record<string, string>} players */
  again = ({ x, o }) => {
    const { game, start } = at(this.state);
    return this.#play({ game, start, x, o, clock: this.state.game?.saved?.clock?.text });
  };

  /** Play on from the shown position. */
  goOn = async () => {
    const state = /** @type {Ready} */ (this.state);
    const {
      kind,
      players: { x, o },
    } = state.game;
    const players = kind === "analysis" ? { x: "human", o: "human" } : { x, o };
    await this.become(await this.begin({ ...here(state), ...players }));
  };

  /** @param {Create} game */
  async #play(game) {
    await this.become(await this.begin(game));
    this.page.onBegin();
  }

  undo = () => this.source.undo?.();

  redo = () => this.source.replay?.(this.state.redo.at(-1) ?? []);

  resign = async () => {
    const { game } = /** @type {Ready} */ (this.state);
    const [own, other] = ownSides(game);
    this.change(toggleSetting(this.state, "resigning"));
    await this.source.resign?.(other && other === game.position.to_move ? other : own);
  };

  /** End the game as a draw by agreement; for one browser that holds both seats. */
  agreeOnDraw = async () => {
    this.change(toggleSetting(this.state, "resigning"));
    await this.source.agreeOnDraw?.();
  };

  // -- looking back and analysing ------------------------------------------------------------------------------------

  /** @param {number} ply */
  go = (ply) => {
    this.#asked = "";
    this.change(went(this.state, ply));
  };

  /** @param {Mode} mode */
  enter = (mode) => {
    if (mode !== "play" && !this.#mayHelp()) return;
    this.change(enterMode(this.state, mode));
    this.#look();
  };

  toggleValues = () => {
    if (!this.#mayHelp()) return;
    this.toggle("values");
    this.enter("analyse");
  };

  /** @param {Parameters<typeof toggleSetting>[1]} what */
  toggle = (what) => this.change(toggleSetting(this.state, what));

  ask = () => {
    if (!this.#mayHelp()) return;
    this.toggle("asking");
    this.say(this.state.asking ? "Choose the move: the best play against it is shown." : "");
  };

  /** The position that is to be shown comes, if it is not there. */
  async #fetch() {
    const position = missing(this.state);
    const asked = position ? JSON.stringify(position) : "";
    if (!position || asked === this.#asked) {
      this.#asked = asked;
      return;
    }
    this.#asked = asked;
    const { game } = this.state;
    const isLive = game?.position.moves.length === position.moves.length;
    try {
      const [board, shown] = await Promise.all([
        theBoard(position.game),
        isLive ? game.position : answers.ask("position", position),
      ]);
      if (this.#asked === asked) this.change(setPosition(this.state, board, shown));
    } catch (fault) {
      if (this.#asked === asked) this.say(fault.message);
    }
  }

  /** Stop the analysis of the position shown before, and begin that of the position shown now. */
  #look() {
    this.#search?.cancel();
    this.#search = null;
    this.change(addAnalysis(this.state, { searching: false }));
    const { state } = this;
    if (!isReady(state) || state.shown.over || state.mode !== "analyse" || state.game.kind === "new") return;
    if (state.values) this.#study(here(state));
    if (answers.can("explore")) this.#explore(state);
  }

  /** @param {Ready} state */
  async #explore(state) {
    const explored = await answers.ask("explore", here(state)).catch(() => null);
    // Only if the same position is still shown: the answer may come after the next step.
    if (this.state.shown === state.shown) this.change(addAnalysis(this.state, { explored }));
  }

  /** Value every move, until all is certain or it is stopped. @param {Required<At>} position */
  async #study(position) {
    const asked = answers.ask("study", position, (report) => {
      if (this.#search === asked) this.change(addAnalysis(this.state, { found: report, worth: report.moves }));
    });
    this.change(addAnalysis(this.state, { of: position.moves.length }));
    await this.#during(asked).catch((fault) => this.say(fault.message));
  }

  /** One good move, to be marked on the board. */
  hint = async () => {
    if (!this.#mayHelp()) return;
    const report = await this.#during(
      answers.ask("analyse", { ...here(/** @type {Ready} */ (this.state)), seconds: HINT_SECONDS }),
    );
    if (!report) return;
    const [move] = report.variation;
    const view = report.moves[move];
    const score = { ...view.score, text: "hint" };
    this.change(
      addAnalysis(this.state, { hint: { [move]: { ...view, score, brief: "hint", tone: "good", best: "" } } }),
    );
  };

  /** The answer of a search of the shown position; none if another one begins. @param {Asked<ReportView>} asked */
  async #during(asked) {
    this.#search?.cancel();
    this.#search = asked;
    this.change(addAnalysis(this.state, { searching: true }));
    try {
      const report = await asked;
      return this.#search === asked ? report : null; // another search has taken its place meanwhile
    } finally {
      if (this.#search === asked) {
        this.#search = null;
        this.change(addAnalysis(this.state, { searching: false }));
      }
    }
  }

  /** Grade every move of the game. */
  review = async () => {
    if (!this.#mayHelp()) return;
    this.#review?.cancel();
    const asked = answers.ask("review", at(this.state), (part) => {
      if (this.#review === asked) this.change(addAnalysis(this.state, part));
    });
    this.#review = asked;
    const whole = await asked;
    if (this.#review === asked) this.change(addAnalysis(this.state, whole));
  };

  /** Stop the running search; its last report stays. */
  stop = () => (this.#thinking ?? this.#search)?.stop();

  /** @param {Asked<unknown> | null} asked @param {ReportView | null} [report] */
  #thinks(asked, report) {
    this.#thinking = asked;
    const isNew = asked && !report;
    this.change(
      addAnalysis(this.state, {
        ...(!report && { thinking: false }),
        waiting: false,
        ...(report && { found: report }),
        ...(isNew && { found: null, of: lastOf(this.state) }),
      }),
    );
    if (!isNew) return;
    // A quick reply shows no sign, which would only flicker.
    const after = (/** @type {number} */ wait, /** @type {() => Partial<Analysis>} */ told) =>
      setTimeout(() => {
        if (this.#thinking === asked) this.change(addAnalysis(this.state, told()));
      }, wait);
    after(SIGN_AFTER, () => ({ thinking: true }));
    after(READY_AFTER, () => ({ waiting: !this.state.analysis.found }));
  }

  /** "Why not this move?": the move and the best play after it, to step through. @param {string} move */
  refute(move) {
    this.toggle("asking");
    const state = /** @type {Ready} */ (this.state);
    const name = moveNotation(state.shown, move);
    return this.attempt(async () => link.go(["board"], await refutation(here(state), move, name)));
  }

  /** A move is looked at, or none any more: where does it send the other side? @param {string | null} move */
  async preview(move) {
    const { state } = this;
    if (!isReady(state) || !state.shown.look.fates.length) return;
    this.#hovered = move;
    const sends = move ? await areasAfter(here(state), move) : null;
    // The pointer may be elsewhere by now.
    if (this.#hovered === move && this.state.shown === state.shown) this.change({ ...this.state, sends });
  }
}

/**
 * The link to the best play after a move.
 * @param {Required<At>} position
 * @param {string} move
 * @param {string} name The same as players write it.
 * @returns {Promise<link.Wanted>}
 */
async function refutation({ game, start, moves }, move, name) {
  const line = [...moves, move];
  const { variation, score } = await answers.ask("analyse", { game, start, moves: line, seconds: 3 });
  const all = [...line, ...variation].join(" ");
  return { game, start, moves: all, ply: line.length, why: `After ${name}: ${score.text}. Step on to see it.` };
}

/**
 * The areas of the board that may be played in after a move; null where that cannot be told.
 * @param {Required<At>} position
 * @param {string} move
 */
async function areasAfter({ moves, ...position }, move) {
  const after = await answers.ask("position", { ...position, moves: [...moves, move] }).catch(() => null);
  return after && after.look.fates.flatMap(({ active }, area) => (active ? [area] : []));
}
