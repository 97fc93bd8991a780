// A player in JavaScript (Node.js): minimax to the end, over standard input and output.
//   plyground play tictactoe --o "program:node minimax.js {side} {first}"
// It reads (X,Y). and writes X,Y: column and row, from 1. It is started once for many games, for it knows what
// position('xo./.../...:x'). says: it says that back, and goes on there.

const [side, first] = process.argv.slice(2);
const other = { x: "o", o: "x" };
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const board = Array(9).fill("");

const wins = (mark) => LINES.some((line) => line.every((cell) => board[cell] === mark));
const free = () => board.flatMap((mark, cell) => (mark ? [] : [cell]));

/** The value for the player to move: sooner wins are worth more. */
function value(mark, depth) {
  if (wins(other[mark])) return depth - 10;
  if (!free().length) return 0;
  return Math.max(...free().map((cell) => tried(cell, mark, depth)));
}

function tried(cell, mark, depth) {
  board[cell] = mark;
  const worth = -value(other[mark], depth + 1);
  board[cell] = "";
  return worth;
}

function play() {
  if (!free().length || wins(other[side])) return;
  const best = free().reduce((kept, cell) => (tried(cell, side, 0) > tried(kept, side, 0) ? cell : kept));
  board[best] = side;
  console.log(`${(best % 3) + 1},${Math.floor(best / 3) + 1}`);
}

if (side === first) play();
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const told = line.match(/position\('(...)\/(...)\/(...):(.)'\)/);
  if (told) {
    console.log(`${told[0]}.`);
    [...told[1] + told[2] + told[3]].forEach((mark, cell) => (board[cell] = mark === "." ? "" : mark));
    if (told[4] === side) play();
  }
  const move = line.match(/(\d)\s*,\s*(\d)/);
  if (!move) return;
  board[(move[2] - 1) * 3 + (move[1] - 1)] = other[side];
  play();
});
