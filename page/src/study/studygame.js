// Moves to analyse as a tree: a move off the line makes a variation, which stays, and can be annotated, promoted and
// deleted. Only the link keeps it.

import { answers, usualGame } from "../answers/answers.js";
import { SILENT_LISTENER, positionOf } from "../game/source.js";
import * as tree from "./variations.js";

/** @import { PositionView } from "models" */
/** @import { Values, Wanted } from "../shell/link.js" */
/** @import { Listener } from "../game/source.js" */

/** Lines of a link whose moves are named; the others are shown as links have them. */
const MOST_LINES = 200;

export class StudyGame {
  /** @type {Listener} */
  #listener = SILENT_LISTENER;
  #version = 0;
  /** The position at the end of the line. */
  #position = /** @type {PositionView} */ (/** @type {unknown} */ (null));

  /** @param {Values} values */
  constructor(values) {
    this.values = values;
    this.game = values.game ?? "";
    this.start = values.start ?? "";
    this.moves = values.moves ? values.moves.split(" ") : [];
    this.root = values.tree ? tree.read(values.tree) : tree.straight(this.moves);
  }

  /** @param {Listener} listener */
  async open(listener) {
    this.#listener = listener;
    this.game ||= await usualGame();
    const [position, fault] = await positionOf(this);
    if (fault) this.root = tree.straight(position.moves);
    [this.start, this.moves] = [position.start, position.moves];
    if (!tree.findNode(this.root, this.moves)) this.root = tree.straight(this.moves);
    this.root = tree.nameMoves(this.root, this.moves, position.notation);
    this.#tell(position);
    if (fault) listener.onFail(fault);
    else await this.#name();
  }

  /** The moves of all lines get their names; a line that is not legal ends where it is no more. */
  async #name() {
    const { root } = this;
    const lines = tree
      .ends(root)
      .slice(0, MOST_LINES)
      .filter((line) => line.join(" ") !== this.moves.join(" "));
    if (!lines.length) return;
    let [named, said] = [root, ""];
    for (const moves of lines) {
      const [{ moves: legal, notation }, fault] = await positionOf({ game: this.game, start: this.start, moves });
      if (fault) named = tree.removeNode(named, moves.slice(0, legal.length + 1));
      named = tree.nameMoves(named, legal, notation);
      said ||= fault;
    }
    if (this.root !== root) return; // another change was quicker: names come with the next opening
    this.root = named;
    this.#tell(this.#position, undefined);
    if (said) this.#listener.onFail(said);
  }

  /** @returns {[path: string[], values: Wanted]} */
  link() {
    const {
      game,
      start,
      moves,
      root,
      values: { why, x, o, from },
    } = this;
    const text = tree.isPlain(root) ? "" : tree.treeText(root);
    return [["board"], { game, start, moves: moves.join(" "), tree: text, from, why, x, o }];
  }

  /** @param {PositionView} position @param {number} [at] Ply to be shown. */
  #tell(position, at) {
    this.#position = position;
    const { x = "", o = "", why: note } = this.values;
    const fixed = { over: false, why: null, winner: null, seats: {}, tree: this.root, at };
    const version = ++this.#version;
    this.#listener.onChange({ kind: "analysis", version, position, players: { x, o }, note, ...fixed });
  }

  /**
   * The line that goes through some moves, of a tree; the next change is one of this tree, not of the shown one.
   * @param {tree.Node} root
   * @param {string[]} to
   */
  async #to(root, to) {
    const { game, start, root: rootBefore, moves: before } = this;
    const moves = tree.line(root, to);
    const version = ++this.#version;
    [this.root, this.moves] = [root, moves];
    try {
      const position = await answers.ask("position", { game, start, moves });
      this.root = tree.nameMoves(this.root, moves, position.notation);
      if (version === this.#version) this.#tell(position, to.length);
    } catch (fault) {
      if (version === this.#version) [this.root, this.moves] = [rootBefore, before];
      throw fault;
    }
  }

  /** A move at some ply: along the tree, or a new variation. @param {string} move @param {number} ply */
  play(move, ply) {
    const before = this.moves.slice(0, ply);
    return this.#to(tree.addMove(this.root, before, move), [...before, move]);
  }

  /** Go to a move of the tree. @param {string[]} moves */
  show(moves) {
    return this.#to(this.root, moves);
  }

  undo() {
    return this.remove(this.moves);
  }

  /** @param {string[]} moves */
  replay(moves) {
    const to = [...this.moves, ...moves];
    return this.#to(
      moves.reduce((root, move, ply) => tree.addMove(root, [...this.moves, ...moves.slice(0, ply)], move), this.root),
      to,
    );
  }

  /** A move and all that follow it are deleted. @param {string[]} moves */
  remove(moves) {
    return this.#to(tree.removeNode(this.root, moves), moves.slice(0, -1));
  }

  /** The variation in which a move lies takes the place of the line that it leaves. @param {string[]} moves */
  promote(moves) {
    return this.#to(tree.promoteVariation(this.root, moves), moves);
  }

  /** @param {string[]} moves @param {Partial<tree.Node>} part */
  annotate(moves, part) {
    this.root = tree.changeNode(this.root, moves, (node) => ({ ...node, ...part }));
    this.#tell(this.#position, moves.length);
  }

  /** All of it as a file of its players' format. */
  async file() {
    const {
      game,
      start,
      root,
      values: { x, o },
    } = this;
    const tags = { ...(x && { White: x }), ...(o && { Black: o }) };
    const { text, ending } = await answers.ask("record_file", {
      game,
      start,
      tags,
      comment: root.comment,
      moves: tree.rows(root),
    });
    return { name: `game.${ending}`, text };
  }

  close() {
    this.#listener = SILENT_LISTENER;
  }
}
