// Answers to the exercises of lessons.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isRight } from "../src/lesson/exercise.js";
import { record, score, solve, solvedExercises } from "../src/lesson/solved.js";

test("an answer is right however its number or its list is written", () => {
  for (const given of ["1,440", "1440", " 1440 "]) assert.ok(isRight(["1,440"], given), given);
  for (const given of ["54.720", "54 720", "54'720", "54\u202f720"]) assert.ok(isRight(["54,720"], given), given);
  assert.ok(isRight(["0.68"], "0,68") && isRight(["2.94"], "2.94") && !isRight(["1 5 9"], "159"));
  for (const given of ["a2 c2 a3 c3", "A2, c2, c3, a3"]) assert.ok(isRight(["a2 c2 a3 c3"], given), given);
  assert.ok(isRight(["-1"], "−1") && isRight(["move", "the move"], "The move") && isRight(["1 5 9"], "1,5,9"));
  for (const given of ["C3, a3, c2 and a2", "a2; c2; the a3, C3."]) assert.ok(isRight(["a2 c2 a3 c3"], given), given);
  for (const given of ["six", "Six", "6 moves", "= 6", "6."]) assert.ok(isRight(["6"], given), given);
  assert.ok(isRight(["1,440"], "1 440 games") && isRight(["1.8"], "1,8 times as fast"));
  for (const given of ["6 7", "6 of 7", "sixty", "a 6", "6a"]) assert.ok(!isRight(["6"], given), given);
  assert.ok(
    !isRight(["at most 3"], "3") && !isRight(["at most 3"], "at least 3") && isRight(["at most 3"], "At most three"),
  );
  for (const given of ["", " ", "144", "14,40"]) assert.ok(!isRight(["1,440"], given), given);
  assert.ok(!isRight(["a2 c2"], "a2") && !isRight([], ""));
});

test("what is solved is kept, each exercise once", () => {
  solve("1-rules", 2);
  solve("1-rules", 2);
  solve("2-minimax", 1);
  assert.deepEqual(
    [solvedExercises("1-rules"), solvedExercises("2-minimax"), solvedExercises("3-alpha-beta")],
    [[2], [1], []],
  );
  score("3-alpha-beta", 1, "65 of 75 points. MAX …");
  score("3-alpha-beta", 1, "40 of 75 points. MIN …");
  score("3-alpha-beta", 2, "The search fails");
  assert.deepEqual(record(), {
    "1-rules": { solved: [2], points: {} },
    "2-minimax": { solved: [1], points: {} },
    "3-alpha-beta": { solved: [], points: { 1: 87 } },
  });
});
