// A tree of moves: a main line, variations, comments and annotation glyphs, and the text that it is written as:
// "e2e4 {best by test} e7e5 $1 (c7c5 g1f3) g1f3". Nothing is asked or drawn here.

/** @import { GameView, PositionView, RecordRowOutput as Row } from "models" */
/** @import { Wanted } from "../shell/link.js" */

/**
 * A move with what follows it: the first of the next ones goes on with its line, the others are variations.
 * @typedef {object} Node
 * @property {string} move Empty at the root.
 * @property {string} notation As players write it; empty where it is not known.
 * @property {string} comment
 * @property {number[]} glyphs Numeric annotation glyphs.
 * @property {Node[]} next
 */

/** @type {Node} */
export const EMPTY = { move: "", notation: "", comment: "", glyphs: [], next: [] };

/** Glyphs that a person can give a move: their numbers, signs and words. @type {[number, string, string][]} */
export const GLYPHS = [
  [3, "!!", "brilliant"],
  [1, "!", "good"],
  [5, "!?", "interesting"],
  [6, "?!", "doubtful"],
  [2, "?", "mistake"],
  [4, "??", "blunder"],
];

/** @param {Node} node @param {string[]} moves @returns {Node | undefined} */
export const findNode = (node, [first, ...rest]) => {
  if (first === undefined) return node;
  const next = node.next.find(({ move }) => move === first);
  return next && findNode(next, rest);
};

/**
 * A whole line: these moves, and then always the first of the next ones.
 * @param {Node} root
 * @param {string[]} moves
 */
export function line(root, moves) {
  const whole = [...moves];
  for (let node = findNode(root, moves)?.next[0]; node; node = node.next[0]) whole.push(node.move);
  return whole;
}

/**
 * The tree in which a node is another one, or gone.
 * @param {Node} root
 * @param {string[]} moves
 * @param {(node: Node) => Node | null} change
 * @returns {Node}
 */
export function changeNode(root, moves, change) {
  const [first, ...rest] = moves;
  if (first === undefined) return change(root) ?? EMPTY;
  const next = root.next.flatMap((node) => {
    if (node.move !== first) return [node];
    const after = rest.length ? changeNode(node, rest, change) : change(node);
    return after ? [after] : [];
  });
  return { ...root, next };
}

/**
 * The tree in which a move follows a node.
 * @param {Node} root
 * @param {string[]} moves
 * @param {string} move
 */
export const addMove = (root, moves, move, notation = "") =>
  changeNode(root, moves, (node) =>
    node.next.some((each) => each.move === move)
      ? node
      : { ...node, next: [...node.next, { ...EMPTY, move, notation }] },
  );

/** A node and all that follows it are gone. @param {Node} root @param {string[]} moves */
export const removeNode = (root, moves) => (moves.length ? changeNode(root, moves, () => null) : EMPTY);

/**
 * Plies of the last node of a line that is a variation; 0 where all are main moves.
 * @param {Node} root
 * @param {string[]} moves
 */
export function branching(root, moves) {
  let [last, node] = [0, root];
  moves.forEach((move, ply) => {
    if (node.next[0]?.move !== move) last = ply + 1;
    node = node.next.find((each) => each.move === move) ?? EMPTY;
  });
  return last;
}

/**
 * The tree in which the innermost variation of a node is the line, and the line a variation.
 * @param {Node} root
 * @param {string[]} moves
 */
export function promoteVariation(root, moves) {
  const ply = branching(root, moves);
  if (!ply) return root;
  return changeNode(root, moves.slice(0, ply - 1), (node) => {
    const first = node.next.find(({ move }) => move === moves[ply - 1]);
    return first ? { ...node, next: [first, ...node.next.filter((each) => each !== first)] } : node;
  });
}

/**
 * The tree in which the moves of a line have names.
 * @param {Node} root
 * @param {string[]} moves
 * @param {string[]} notation The moves as players write them.
 */
export const nameMoves = (root, moves, notation) =>
  moves.reduce(
    (tree, _, ply) => changeNode(tree, moves.slice(0, ply + 1), (node) => ({ ...node, notation: notation[ply] })),
    root,
  );

/** The moves to each end of a tree. @param {Node} node @param {string[]} [moves] @returns {string[][]} */
export const ends = ({ next }, moves = []) =>
  next.length ? next.flatMap((node) => ends(node, [...moves, node.move])) : [moves];

/** Whether there is nothing but moves one after another. @param {Node} node @returns {boolean} */
export const isPlain = ({ comment, glyphs, next }) =>
  !comment && !glyphs.length && next.length < 2 && next.every(isPlain);

/** A tree of moves one after another. @param {string[]} moves @returns {Node} */
export const straight = (moves) => moves.reduceRight((node, move) => ({ ...EMPTY, next: [{ ...node, move }] }), EMPTY);

// -- as text -------------------------------------------------------------------------------------------------------

/** @param {Node} node @returns {string[]} */
const about = ({ comment, glyphs }) => [
  ...glyphs.map((glyph) => `$${glyph}`),
  ...(comment ? [`{${comment.replaceAll(/[{}]/g, "")}}`] : []),
];

/** Text of the moves that follow a node. @param {Node} node @returns {string[]} */
function after({ next }) {
  const [first, ...others] = next;
  if (!first) return [];
  const sides = others.map((node) => `(${[node.move, ...about(node), ...after(node)].join(" ")})`);
  return [first.move, ...about(first), ...sides, ...after(first)];
}

/** @param {Node} root */
export const treeText = (root) => [...about(root), ...after(root)].join(" ");

/** The tree of a text; what is not understood is left out. @param {string} text */
export function read(text) {
  /** Moves to where the text is, and to where each variation goes on. */
  let [root, moves] = [EMPTY, /** @type {string[]} */ ([])];
  /** @type {string[][]} */
  const outer = [];
  for (const [word, comment] of text.matchAll(/\{([^}]*)\}|\$\d+|[()]|[^\s(){}]+/g)) {
    if (word === "(") {
      outer.push(moves);
      moves = moves.slice(0, -1);
    } else if (word === ")") moves = outer.pop() ?? moves;
    else if (comment !== undefined) root = changeNode(root, moves, (node) => ({ ...node, comment }));
    else if (word[0] === "$") {
      root = changeNode(root, moves, (node) => ({ ...node, glyphs: [...node.glyphs, Number(word.slice(1))] }));
    } else {
      root = addMove(root, moves, word);
      moves = [...moves, word];
    }
  }
  return root;
}

// -- as a table, which the server reads and writes as files --------------------------------------------------------

/** @param {Node} root @returns {{ move: string, after: number, comment: string, glyphs: number[] }[]} */
export function rows(root) {
  /** @type {ReturnType<typeof rows>} */
  const all = [];
  /** @param {Node} node @param {number} row */
  const list = (node, row) => {
    for (const each of node.next) {
      all.push({ move: each.move, after: row, comment: each.comment, glyphs: each.glyphs });
      list(each, all.length - 1);
    }
  };
  list(root, -1);
  return all;
}

/** @param {Row[]} table @param {string} comment */
export function fromRows(table, comment) {
  /** @type {string[][]} */
  const moves = [];
  return table.reduce(
    (root, { move, after: row, notation, before, comment: said, glyphs }, index) => {
      const to = row < 0 ? [] : moves[row];
      moves[index] = [...to, move];
      const words = [before, said].filter(Boolean).join(" ");
      return changeNode(addMove(root, to, move, notation), moves[index], (node) => ({
        ...node,
        comment: words,
        glyphs,
      }));
    },
    { ...EMPTY, comment },
  );
}

/**
 * Fields of a link to a game that is studied further, from a move that was not played.
 * @param {{ position: PositionView, players: Record<string, string>, saved?: GameView }} game
 * @param {number} ply
 * @param {string} move
 * @returns {Wanted}
 */
export function studyLink({ position: { game, start, moves }, players: { x, o }, saved }, ply, move) {
  const before = moves.slice(0, ply);
  const root = addMove(straight(moves), before, move);
  const playerName = (/** @type {string} */ player) => (player === "human" ? "" : player);
  const tree = isPlain(root) ? "" : treeText(root);
  const whole = line(root, [...before, move]).join(" ");
  return { game, start, moves: whole, tree, ply: ply + 1, x: playerName(x), o: playerName(o), from: saved?.id };
}
