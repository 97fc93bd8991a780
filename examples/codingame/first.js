// A bot for CodinGame's Ultimate Tic-Tac-Toe in JavaScript: the first legal move.
//   plyground play ultimate --o "codingame:node first.js"
const readline = require("node:readline");

let turn = []; // the lines of this turn: where the other side played, how many moves are legal, the moves
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  turn.push(line);
  if (turn.length > 2 && turn.length === 2 + Number(turn[1])) {
    console.log(turn[2]);
    turn = [];
  }
});
