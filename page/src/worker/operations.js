// The operations that a game's module answers by itself, by their names: the same arguments and answers as the server's
// (web/operations.py). One that takes long is a generator of better and better answers; the last one counts.

import { constants, fillTemplate } from "./constants.js";
import { readMoves, readPosition } from "./notation/pasted.js";
import { numberedMoves } from "../made/play/formats/pgn.js";
import { Chance } from "./play/chance.js";
import { playerNamed } from "./play/players.js";
import { Position } from "./position.js";
import { race } from "./microscope/racing.js";
import { boardsView, nodeView, partBelow, questionView } from "../made/web/views/trees.js";
import { questionsOn } from "../made/microscope/quiz.js";
import { recordSearch } from "./microscope/recording.js";
import { minimaxSize } from "./microscope/searched.js";
import { Refused } from "./refused.js";
import { judge } from "../made/web/views/analysis.js";
import { explore, review } from "./engine/reviewing.js";
import { Solved } from "./engine/solved.js";
import { think } from "./engine/thinking.js";
import { reportView, view } from "../made/web/views/positions.js";

/** @import { At, Operations, ReportView } from "models" */
/** @import { Limit } from "./engine/clock.js" */
/** @import { Game } from "./game.js" */
/** @import { Helpers } from "./engine/helping.js" */
/** @import { Question } from "../made/microscope/quiz.js" */
/** @import { RecordedTree } from "./microscope/recording.js" */

/** Recorded trees that are remembered. */
const TREES = 8;
/** Positions on the lines that were asked about, at most. */
const MOST = 20_000;

/**
 * The arguments of an operation, with defaults for those that the question left out.
 * @template {keyof Operations} Op
 * @typedef {Required<Operations[Op]["args"]>} Args
 */

/**
 * @template {keyof Operations} Op
 * @typedef {Iterable<Operations[Op]["answer"]>} Told
 */

export class Answering {
  #solved = new Solved();
  /** The trees that were recorded last. @type {Map<string, RecordedTree>} */
  #trees = new Map();
  /** The quiz that was asked last, by its name. @type {[name: string, questions: Question[]]} */
  #quiz = ["", []];
  /** The position after each line of moves that was asked about: whoever plays asks again, a ply later each time. */
  #after = /** @type {Map<string, Position>} */ (new Map());

  /**
   * @param {Game} game
   * @param {{ table?: number, seed?: string, helpers?: Helpers | null }} [means] Mebibytes for a table, where the
   *   players' chance begins, and who helps with analyses.
   */
  constructor(game, { table = constants.thinking.table, seed = "", helpers = null } = {}) {
    this.game = game;
    this.means = { table, seed, helpers };
  }

  /**
   * The answer to a question, after better and better ones.
   * @template {keyof Operations} Op
   * @param {Op} op
   * @param {Operations[Op]["args"]} args
   * @returns {Told<Op>}
   */
  ask(op, args) {
    const operation = /** @type {Record<string, (args: any) => Iterable<any>>} */ (this.operations)[op];
    if (!operation) throw new Refused(`This page cannot ${op}: that takes a playground with a server.`, 404);
    const given = Object.entries(args).filter(([, value]) => value !== undefined);
    return operation({ ...constants.defaults[op], ...Object.fromEntries(given) });
  }

  operations = {
    /** @param {Args<"board">} args @returns {Told<"board">} */
    board: ({ game }) => {
      this.#requireNamed(game);
      return [this.game.facts.board];
    },

    /** @param {Args<"position">} at @returns {Told<"position">} */
    position: (at) => [this.#view(this.#positionAt(at))],

    /** @param {Args<"edit">} args @returns {Told<"edit">} */
    edit: ({ game, text }) => {
      this.#requireNamed(game);
      return [this.#view(readMoves(this.game, text))];
    },

    /** @param {Args<"why_not">} args @returns {Told<"why_not">} */
    why_not: ({ path, ...at }) => [{ why: this.#positionAt(at).refusal(path) }],

    reply: (/** @type {Args<"reply">} */ args) => this.#reply(args),
    analyse: (/** @type {Args<"analyse">} */ { depth, seconds, ...at }) => this.#values(at, { depth, time: seconds }),
    study: (/** @type {Args<"study">} */ at) => this.#values(at),

    /** @param {Args<"review">} args @returns {Told<"review">} */
    review: ({ seconds, ...at }) => review(this.#positionAt(at), seconds, this.#solved, this.means.table),

    judge: (/** @type {Args<"judge">} */ args) => this.#judge(args),

    /** @param {Args<"explore">} at @returns {Told<"explore">} */
    explore: (at) => [explore(this.#positionAt(at), this.#solved)],

    /** @param {Args<"notations">} at @returns {Told<"notations">} */
    notations: (at) => {
      const { game, startText, words, notation, text, pliesBefore: first } = this.#positionAt(at);
      const before = startText && `${startText} `;
      const { moves, numbered: title } = constants.notations;
      const forms = [{ name: "moves", title: moves, text: before + words.join(" "), ending: "txt" }];
      if (words.length)
        forms.push({ name: "numbered", title, text: before + numberedMoves(notation, first).join(" "), ending: "txt" });
      const pair = ((words.length + first) >> 1) + 1;
      const fen = `${text.replaceAll("_", " ")} ${pair}`;
      if (game.facts.fen) forms.push({ name: "fen", title: "FEN", text: fen, ending: "txt" });
      return [{ forms }];
    },

    /** @param {Args<"tree">} args @returns {Told<"tree">} */
    tree: (args) => [this.#tree(args).columns],

    /** @param {Args<"node">} args @returns {Told<"node">} */
    node: ({ path, ...args }) => [nodeView(args.game, this.#tree(args), path)],

    /** @param {Args<"boards">} args @returns {Told<"boards">} */
    boards: ({ nodes, ...args }) => [boardsView(args.game, this.#tree(args), nodes)],

    /** @param {Args<"saved">} args @returns {Told<"saved">} */
    saved: ({ path, ...args }) => {
      const tree = this.#tree(args);
      return [{ nodes: tree.savedByCut(tree.nodeAt(path)) }];
    },

    /** @param {Args<"race">} args @returns {Told<"race">} */
    race: ({ algorithms, depth, seconds, ...at }) =>
      race(this.#positionAt(at), { algorithms, depth, seconds }, this.means.table),

    /** @param {Args<"quiz">} args @returns {Told<"quiz">} */
    quiz: (args) => {
      const view = (/** @type {Question} */ question) => questionView(args.game, question, question.shown.columns);
      return [{ questions: this.#questions(args).map(view) }];
    },

    /** @param {Args<"mark">} args @returns {Told<"mark">} */
    mark: ({ number, answer: text, ...asked }) => {
      const question = this.#questions(asked)[number];
      const { answer, solution } = question;
      return [{ right: question.isRight(text), answer, solution }];
    },
  };

  /** @param {Args<"quiz">} args */
  #questions({ game, count, seed, depth }) {
    const name = JSON.stringify([count, seed, depth]);
    if (this.#quiz[0] !== name) {
      const chance = new Chance(String(seed)); // the page's own: a seed asks other questions here than there
      this.#quiz = [name, questionsOn(this.#positionAt({ game }), game, chance, count, depth, minimaxSize)];
    }
    return this.#quiz[1];
  }

  /** A position to draw. @param {Position} here */
  #view(here) {
    return view(this.game.facts.spec, here);
  }

  /** @param {string} game */
  #requireNamed(game) {
    const { spec } = this.game.facts;
    if (game !== spec) throw new Refused(`Only ${spec} is played here, not ${game}.`, 404);
  }

  /** The first position, or one that is set up. @param {string} start */
  #startPosition(start) {
    const known = this.#after.get(start);
    if (known) return known;
    const first = Position.at(this.game);
    const found = !start || start === first.text ? first : readPosition(this.game, start);
    if (!found) {
      throw new Refused(`${start}: a published page begins with ${first.text}, and reads the moves made since.`);
    }
    this.#after.set(start, found);
    return found;
  }

  /**
   * The position that the arguments mean.
   * @param {At} at
   */
  #positionAt({ game, start = "", moves = [] }) {
    this.#requireNamed(game);
    let [here, line] = [this.#startPosition(start), start];
    for (const word of moves) {
      line += ` ${word}`;
      let next = this.#after.get(line);
      if (!next) {
        if (this.#after.size >= MOST) this.#after.clear();
        this.#after.set(line, (next = here.playWithoutClaim(word)));
      }
      here = next;
    }
    return here;
  }

  /**
   * A recorded search, or the part of it below some moves; a page asks about many nodes of the same tree.
   * @param {Args<"tree">} args
   */
  #tree({ algorithm, depth, hurry: preferShorter, below, ...at }) {
    const name = JSON.stringify([at, algorithm, depth, preferShorter, below]);
    const known = this.#trees.get(name);
    if (known) return known;
    const tree = partBelow(recordSearch(this.#positionAt(at), { algorithm, depth, preferShorter }), below);
    const [oldest] = this.#trees.keys();
    if (this.#trees.size >= TREES) this.#trees.delete(oldest);
    this.#trees.set(name, tree);
    return tree;
  }

  /** @param {Position} here */
  #requireUnfinished(here) {
    if (here.outcome !== null) throw new Refused(fillTemplate(constants.game_is_over, { result: here.result }));
  }

  /** @param {Args<"reply">} args @returns {Generator<Operations["reply"]["answer"], void, void>} */
  *#reply({ player: spec, ...at }) {
    const here = this.#positionAt(at);
    const player = playerNamed(spec, Object.keys(this.game.facts.textbook), this.means);
    this.#requireUnfinished(here);
    if ("choose" in player) {
      yield { move: this.game.moveText(here.state, player.choose(here)), report: null, saved: null };
      return;
    }
    const told = performance.now() + 1000 * constants.views.soon;
    let last = null;
    for (const report of player.think(here)) {
      last = report;
      if (performance.now() > told) yield { move: null, report: reportView(here, report), saved: null };
    }
    if (!last) return;
    yield { move: this.game.moveText(here.state, last.variation[0]), report: reportView(here, last), saved: null };
  }

  /**
   * The value of every move, better and better.
   * @param {At} at
   * @param {Partial<Limit>} [limit]
   * @returns {Generator<ReportView, void, void>}
   */
  *#values(at, limit = {}) {
    const here = this.#positionAt(at);
    const known = limit.depth ? null : this.#solved.find(here);
    if (known) {
      yield known;
      return;
    }
    const { table, helpers } = this.means;
    const { lines } = constants.views;
    for (const report of think(here, limit, { everyMove: true, lines, table, helpers })) {
      const view = reportView(here, report);
      this.#solved.keep(here, view);
      yield view;
    }
  }

  /** @param {Args<"judge">} args @returns {Generator<Operations["judge"]["answer"], void, void>} */
  *#judge({ move, opinion, seconds, ...at }) {
    const here = this.#positionAt(at);
    this.#requireUnfinished(here);
    const meant = here.legal(move);
    const text = here.game.moveText(here.state, meant);
    let told = false;
    for (const time of [opinion, seconds]) {
      const report = [...this.#values(at, { time })].pop();
      if (!report || !(text in report.moves)) continue;
      const judged = judge(here, report, text);
      told = true;
      yield judged;
      if (judged.certain) return;
    }
    if (!told) throw new Refused(fillTemplate(constants.no_time, { move: text }));
  }
}
