// Eight students' programs in JavaScript: KIND SIDE FIRST.
const [kind, side, first] = process.argv.slice(2);
const other = side === "x" ? "o" : "x";
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const board = [..."........."];
let moves = 0;
const hasWon = (player) => LINES.some((line) => line.every((place) => board[place] === player));
const best = (player, opponent) => {
  if (hasWon(opponent)) return [-1, 0];
  let found = [-2, 0];
  for (let each = 0; each < 9; each++) {
    if (board[each] !== ".") continue;
    board[each] = player;
    const value = -best(opponent, player)[0];
    board[each] = ".";
    if (value > found[0]) found = [value, each];
  }
  return found[0] === -2 ? [0, 0] : found;
};
const go = () => {
  if (hasWon(side) || hasWon(other) || !board.includes(".")) return;
  const place = kind === "illegal" ? 4 : kind === "perfect" ? best(side, other)[1] : board.indexOf(".");
  moves += 1;
  if (kind === "crash" && moves === 2) throw new Error("the second move");
  while (kind === "hang" && moves === 2);
  if (kind === "talk") console.log("I think that this is good");
  board[place] = side;
  console.log(`${(place % 3) + 1},${Math.floor(place / 3) + 1}`);
};
if (kind === "broken") process.exit(1);
const told = (line) => {
  const found = /(\d)\D+(\d)/.exec(line);
  if (!found) return;
  board[Number(found[1]) - 1 + 3 * (Number(found[2]) - 1)] = other;
  go();
};
if (kind === "waits") require("fs").readFileSync(0);
if (side === first) go();
require("readline").createInterface({ input: process.stdin }).on("line", told);
