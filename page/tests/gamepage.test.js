// The game page without a browser: what comes in which order, and what state it makes.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Connection, settled } from "./connection.js";
import { Controller } from "../src/game/controller.js";
import { LocalGame } from "../src/game/localgame.js";
import { SavedGame, beginSavedGame } from "../src/game/savedgame.js";
import { hold } from "../src/game/company/seats.js";
import { initial, receiveGame } from "../src/game/state.js";
import { StudyGame } from "../src/study/studygame.js";

/** @import { Source } from "../src/game/source.js" */
/** @import { Game } from "../src/game/state.js" */

const ID = "abcdefgh";
const PROGRAM = { x: "human", o: "level:easy" };
const PEOPLE = { x: "human", o: "human" };

/** @type {Connection} */
let connection;
/** Times that the page has been drawn. */
let drawn = 0;

mock.timers.enable({ apis: ["setTimeout"] });
Object.assign(globalThis, { history: { pushState() {} }, location: { hash: "" } });

beforeEach(() => {
  connection = new Connection();
  connection.known = { menu: () => ({ games: [{ name: "line" }], players: [] }), board: () => ({}) };
});

/** A position of a game in which sides alternate, and any word is a move. @param {string[]} moves */
const position = (moves) =>
  /** @type {any} */ ({
    game: "line",
    start: "",
    moves,
    notation: moves,
    names: { x: "x", o: "o" },
    to_move: moves.length % 2 ? "o" : "x",
    over: false,
    legal: ["a"],
    paths: [[0]],
    look: { fates: [] },
  });

/**
 * The server's view of a saved game.
 * @param {number} version
 * @param {string[]} moves
 * @param {object} [more]
 */
const view = (version, moves, more) => ({
  id: ID,
  version,
  position: position(moves),
  players: PROGRAM,
  over: false,
  why: null,
  winner: null,
  people: {},
  yours: ["x", "o"],
  offer: null,
  next: null,
  ...more,
});

/** A page of a source. @param {Source} source */
async function page(source) {
  drawn = 0;
  const made = new Controller(source, beginSavedGame, { render: () => drawn++, onBegin() {} });
  made.open();
  await settled();
  return made;
}

/** A page of a saved game, with both seats. @param {string[]} moves @param {object} [more] */
async function saved(moves, more) {
  hold(ID, { x: "seat x", o: "seat o" });
  const made = await page(new SavedGame(ID, {}));
  const stream = connection.last("follow");
  await stream.part(view(moves.length, moves, more));
  return { made, stream };
}

/** @param {Controller} made */
const movesOf = ({ state }) => state.game?.position.moves;

/** A move of this page. @param {Controller} made @param {string} move */
async function move(made, move) {
  made.move({ move, path: [0] });
  await settled();
}

for (const first of ["answer", "stream"]) {
  test(`a move comes once: the ${first} first`, async () => {
    const { made, stream } = await saved([], { players: PEOPLE });
    await move(made, "a");
    assert.deepEqual(made.state.pending, [0]);
    const play = connection.last("play");
    assert.deepEqual(play.args, { id: ID, seat: "seat x", ply: 1, move: "a" });
    const tell = [
      () => play.answer(view(1, ["a"], { players: PEOPLE, yours: [] })),
      () => stream.part(view(1, ["a"], { players: PEOPLE })),
    ];
    if (first === "stream") tell.reverse();
    await tell[0]();
    assert.deepEqual(movesOf(made), ["a"]);
    assert.equal(made.state.pending, null);
    const { shown, game } = made.state;
    await tell[1]();
    assert.equal(made.state.shown, shown);
    assert.equal(made.state.game, game);
  });

  test(`the server makes the reply, which comes once: the ${first} first`, async () => {
    const { made, stream } = await saved([]);
    await move(made, "a");
    await connection.last("play").answer(view(1, ["a"]));
    const reply = connection.last("reply");
    const asked = { game: "line", start: "", moves: ["a"], player: "level:easy", id: ID, seat: "seat o" };
    assert.deepEqual(reply.args, asked);
    assert.equal(made.state.analysis.thinking, false);
    const tell = [
      () => reply.answer({ move: "b", report: null, saved: view(2, ["a", "b"]) }),
      () => stream.part(view(2, ["a", "b"])),
    ];
    if (first === "stream") tell.reverse();
    await tell[0]();
    const { shown } = made.state;
    assert.deepEqual(movesOf(made), ["a", "b"]);
    await tell[1]();
    assert.equal(made.state.shown, shown);
    assert.equal(made.state.analysis.thinking, false);
    assert.deepEqual(connection.names, ["follow", "play", "reply"]);
  });

  test(`Redo after Undo: the ${first} first`, async () => {
    const { made, stream } = await saved(["a", "b"]);
    made.attempt(made.undo);
    const undo = connection.last("undo");
    const tell = [() => undo.answer(view(3, [])), () => stream.part(view(3, []))];
    if (first === "stream") tell.reverse();
    await tell[0]();
    assert.deepEqual(made.state.redo, [["a", "b"]]);
    made.attempt(made.redo);
    await settled();
    await tell[1]();
    assert.deepEqual(made.state.redo, [["a", "b"]]);
    await connection.last("play").answer(view(4, ["a"]));
    assert.deepEqual(connection.last("play").args, { id: ID, seat: "seat o", ply: 2, move: "b" });
    await stream.part(view(4, ["a"]));
    await connection.last("play").answer(view(5, ["a", "b"]));
    assert.deepEqual([movesOf(made), made.state.redo], [["a", "b"], []]);
    assert.ok(!connection.names.includes("reply"), "the player is not asked for a move that is made again");
  });
}

test("the same version twice draws nothing, and an older one changes nothing", async () => {
  const { made, stream } = await saved(["a", "b"]);
  const { state } = made;
  const before = drawn;
  await stream.part(view(2, ["a", "b"]));
  await stream.part(view(1, ["a"]));
  assert.equal(made.state, state);
  assert.equal(drawn, before);
});

test("who comes or goes disturbs neither the shown position nor a move under way", async () => {
  const { made, stream } = await saved([], { players: PEOPLE });
  await move(made, "a");
  const { shown } = made.state;
  await stream.part(view(0, [], { players: PEOPLE, people: { o: { name: "Ann", here: true } } }));
  assert.equal(made.state.shown, shown);
  assert.deepEqual(made.state.pending, [0]);
  assert.equal(made.state.game?.saved?.people.o.name, "Ann");
});

test("a move of the page's own workers is sent to the server", async () => {
  const { made } = await saved(["a"]);
  await connection.last("reply").answer({ move: "b", report: null, saved: null });
  assert.deepEqual(connection.last("play").args, { id: ID, seat: "seat o", ply: 2, move: "b" });
  await connection.last("play").answer(view(2, ["a", "b"]));
  assert.deepEqual(movesOf(made), ["a", "b"]);
});

test("a sign says that a player thinks when it has been waited for a while", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { made } = await saved(["a"]);
  const { thinking, waiting } = made.state.analysis;
  assert.deepEqual([thinking, waiting], [false, false]);
  t.mock.timers.tick(300);
  assert.deepEqual([made.state.analysis.thinking, made.state.analysis.waiting], [true, false]);
  t.mock.timers.tick(100);
  assert.equal(made.state.analysis.waiting, true);
  await connection.last("reply").answer({ move: "b", report: null, saved: view(2, ["a", "b"]) });
  assert.deepEqual([made.state.analysis.thinking, made.state.analysis.waiting], [false, false]);
});

test("Undo while a reply is on its way", async () => {
  const { made, stream } = await saved(["a"]);
  const reply = connection.last("reply");
  made.attempt(made.undo);
  assert.equal(reply.isCancelled, true);
  reply.resolve({ move: "b", report: null, saved: null }); // it was under way
  await stream.part(view(1, ["a"], { people: { x: { name: "Ann", here: true } } }));
  assert.deepEqual(connection.names, ["follow", "reply", "undo"], "nothing is asked while moves are taken back");
  await connection.last("undo").answer(view(2, []));
  assert.deepEqual([movesOf(made), made.state.redo], [[], [["a"]]]);
  assert.deepEqual(connection.names, ["follow", "reply", "undo"]);
  assert.equal(made.state.analysis.thinking, false);
});

test("Undo that comes after the server made the reply takes both back", async () => {
  const { made, stream } = await saved(["a"]);
  made.attempt(made.undo);
  await stream.part(view(2, ["a", "b"]));
  await connection.last("undo").answer(view(3, []));
  assert.deepEqual([movesOf(made), made.state.redo], [[], [["a", "b"]]]);
});

test("an Undo that is refused says so, and the player is asked again", async () => {
  const { made } = await saved(["a"]);
  made.attempt(made.undo);
  await connection.last("undo").refuse("The program cannot take back.", 400);
  assert.equal(made.state.message, "The program cannot take back.");
  assert.deepEqual(connection.names, ["follow", "reply", "undo", "reply"]);
});

test("a move that is refused leaves the position as it was, and another can be made", async () => {
  const { made } = await saved([], { players: PEOPLE });
  const { shown } = made.state;
  await move(made, "a");
  await connection.last("play").refuse("Ply 1 has been played already: b.", 409);
  assert.equal(made.state.message, "Ply 1 has been played already: b.");
  assert.deepEqual([made.state.pending, made.state.shown], [null, shown]);
  await move(made, "c");
  assert.equal(connection.last("play").args.move, "c");
  assert.equal(made.state.message, "");
});

test("an answer that comes late leaves the next move under way", async () => {
  const { made, stream } = await saved([], { players: PEOPLE });
  await move(made, "a");
  const first = connection.last("play");
  await stream.part(view(1, ["a"], { players: PEOPLE }));
  made.move({ move: "b", path: [1] });
  await first.answer(view(1, ["a"], { players: PEOPLE }));
  assert.deepEqual(made.state.pending, [1]);
});

test("moves to analyse: each Undo counts, and an answer that comes late is left", async () => {
  const made = await page(new StudyGame({ game: "line", moves: "a b c" }));
  await connection.last("position").answer(position(["a", "b", "c"]));
  made.attempt(made.undo);
  const slow = connection.last("position");
  made.attempt(made.undo);
  await connection.last("position").answer(position(["a"]));
  await slow.answer(position(["a", "b"]));
  assert.deepEqual(movesOf(made), ["a"]);
});

test("a move while another is under way is not sent", async () => {
  const { made } = await saved([], { players: PEOPLE });
  await move(made, "a");
  await move(made, "b");
  assert.deepEqual(connection.names, ["follow", "play"]);
});

test("a new game is shown, and its player asked, before the stream of its changes has come", async () => {
  connection.known.position = ({ moves }) => position(moves);
  const made = await page(new StudyGame({ game: "line", moves: "a" }));
  made.attempt(() => made.again(PROGRAM));
  const [seats, game] = [{ x: "seat x", o: "seat o" }, view(1, ["a"], { yours: [] })];
  await connection.last("create").answer({ id: ID, seats, game });
  assert.deepEqual(connection.names.slice(-2), ["reply", "follow"]);
  assert.deepEqual([made.state.game?.kind, movesOf(made), made.state.game?.seats], ["saved", ["a"], seats]);
  await connection.last("reply").answer({ move: "b", report: null, saved: view(2, ["a", "b"]) });
  await connection.last("follow").part(view(1, ["a"]));
  assert.deepEqual(movesOf(made), ["a", "b"]);
});

test("a player is asked before the page is drawn", async () => {
  const { made } = await saved([]);
  await move(made, "a");
  const before = drawn;
  let drawnWhenAsked = -1;
  const { ask } = connection;
  connection.ask = function (op, args, onpart) {
    if (op === "reply") drawnWhenAsked = drawn;
    return ask.call(this, op, args, onpart);
  };
  await connection.last("play").answer(view(1, ["a"]));
  assert.equal(drawnWhenAsked, before);
  assert.ok(drawn > before);
});

test("another game begins while an analysis runs", async () => {
  connection.known.position = ({ moves }) => position(moves);
  const made = await page(new StudyGame({ game: "line", moves: "a b", values: "1" }));
  const study = connection.last("study");
  assert.deepEqual(study.args.moves, ["a", "b"]);
  await study.part({ moves: { c: { better: 0 } }, certain: false });
  assert.deepEqual(Object.keys(made.state.analysis.worth ?? {}), ["c"]);
  made.attempt(made.goOn);
  const game = view(2, ["a", "b"], { players: PEOPLE, yours: [] });
  await connection.last("create").answer({ id: ID, seats: { x: "seat x", o: "seat o" }, game });
  assert.equal(study.isCancelled, true);
  study.onpart?.({ moves: { d: { better: 0 } }, certain: true }); // it was under way
  study.resolve({ moves: {}, certain: true });
  await connection.last("follow").part(view(2, ["a", "b"], { players: PEOPLE }));
  assert.deepEqual([made.state.game?.kind, movesOf(made)], ["saved", ["a", "b"]]);
  assert.equal(made.state.analysis.worth, null);
  assert.equal(connection.last("study").isCancelled, false, "values stay on, for the new game");
});

test("what another source tells is not heard any more", async () => {
  const { made, stream } = await saved(["a", "b"], { over: true });
  made.attempt(() => made.again(PROGRAM));
  await connection.last("create").answer({ id: "hgfedcba", seats: { x: "seat x", o: "seat o" } });
  assert.equal(stream.isCancelled, true);
  stream.onpart?.(view(9, ["a"])); // it was under way
  await connection.last("follow").part(view(0, []));
  assert.deepEqual(movesOf(made), []);
});

test("a hint that comes after a move is not shown", async () => {
  const { made } = await saved([], { players: PEOPLE });
  made.attempt(made.hint);
  const hint = connection.last("analyse");
  await move(made, "a");
  await connection.last("play").answer(view(1, ["a"], { players: PEOPLE }));
  assert.equal(hint.isCancelled, true);
  hint.resolve({ moves: { b: { better: 0, score: {} } } }); // it was under way
  await settled();
  assert.deepEqual([made.state.analysis.hint, made.state.analysis.searching], [null, false]);
});

test("positions that come late are not shown", async () => {
  const { made } = await saved(["a", "b", "c", "d"], { players: PEOPLE });
  made.go(1);
  const slow = connection.last("position");
  made.go(2);
  await connection.last("position").answer(position(["a", "b"]));
  await slow.answer(position(["a"]));
  assert.deepEqual(made.state.shown?.moves, ["a", "b"]);
  made.go(1);
  made.go(4);
  await connection.last("position").answer(position(["a"]));
  assert.deepEqual(made.state.shown?.moves, ["a", "b", "c", "d"]);
});

test("a move that comes ends looking back", async () => {
  const { made, stream } = await saved(["a", "b"], { players: PEOPLE });
  made.go(0);
  await connection.last("position").answer(position([]));
  assert.deepEqual(made.state.shown?.moves, []);
  await stream.part(view(3, ["a", "b", "c"], { players: PEOPLE }));
  assert.deepEqual(made.state.shown?.moves, ["a", "b", "c"]);
});

test("a player whose worker died is asked again, unless the page has been left", async () => {
  const { made } = await saved(["a"]);
  await connection.last("reply").refuse("The worker died.", 503);
  assert.equal(made.state.message, "The worker died.");
  mock.timers.tick(1000);
  assert.deepEqual(connection.names, ["follow", "reply", "reply"]);
  await connection.last("reply").refuse("The worker died.", 503);
  made.close();
  mock.timers.tick(1000);
  assert.deepEqual(connection.names, ["follow", "reply", "reply"]);
});

test("a game that only its link keeps: replies, and both moves taken back and made again", async () => {
  connection.known.position = ({ moves }) => position(moves);
  const made = await page(new LocalGame({ game: "line", ...PROGRAM }));
  await move(made, "a");
  await connection.last("reply").answer({ move: "b", report: null, saved: null });
  assert.deepEqual(movesOf(made), ["a", "b"]);
  made.attempt(made.undo);
  await settled();
  assert.deepEqual([movesOf(made), made.state.redo], [[], [["a", "b"]]]);
  made.attempt(made.redo);
  await settled();
  assert.deepEqual([movesOf(made), made.state.redo], [["a", "b"], []]);
  assert.deepEqual(connection.names, ["reply"]);
});

test("moves can be made again until another one is made", () => {
  /** @param {number} version @param {string[]} moves @returns {Game} */
  const game = (version, moves) => ({
    kind: "local",
    version,
    position: position(moves),
    players: PEOPLE,
    seats: {},
    over: false,
    why: null,
    winner: null,
  });
  let state = initial({});
  /** @type {[moves: string, redo: string][]} */
  const rows = [
    ["a b c d", ""],
    ["a b", "c d"],
    ["a", "c d/b"],
    ["a b", "c d"],
    ["a b c", "d"],
    ["a b c d", ""],
    ["a b c", "d"],
    ["a b e", ""],
    ["a b", "e"],
    ["f", ""],
  ];
  for (const [version, [moves, redo]] of rows.entries()) {
    state = receiveGame(state, game(version, moves.split(" ")));
    assert.equal(state.redo.map((row) => row.join(" ")).join("/"), redo, moves);
  }
});
