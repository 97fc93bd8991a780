// Records that a server reads from texts and files of other programs: with their variations, and several in a file.

import { answers } from "../answers/answers.js";
import { el, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { countText, movesOfBoth } from "../shell/words.js";
import { textOf } from "./importing.js";
import { fromRows, isPlain, line, treeText } from "../study/variations.js";

/** @import { RecordsView } from "models" */
/** @import { More } from "./importing.js" */

/** A part of a file that one message holds: a text, or a whole file of WTHOR in Base64. */
/** @typedef {{ text: string, wthor?: string }} Piece */

/** Bytes of a piece, at most; of the head of a file of WTHOR, and of each game in it. */
const [LONGEST, HEAD, ENTRY] = [60_000, 16, 68];
/** Games of a piece of WTHOR, at most. */
const MOST = 600;
/** Games that are listed, at most. */
const LISTED = 5_000;

/**
 * The link of a record: its main line, its variations and comments, and who played.
 * @param {RecordsView} whole
 */
function linkOf({ game, record: { start, moves: rows, comment, players } }) {
  // A record without variations and comments needs no tree in its link, which stays short enough to send.
  const root = fromRows(rows, comment);
  const moves = line(root, []).join(" ");
  const [x, o] = [players.x, players.o].map((name) => (["human", "?"].includes(name) ? "" : name));
  return { game, start, moves, tree: isPlain(root) ? "" : treeText(root), x, o };
}

/** @type {More["read"]} */
async function read({ game, text }, usual, place) {
  const all = pieces(text) ?? [{ text }];
  requireRoom(all[0].text);
  const asked = { game, usual, ...all[0] };
  const whole = all.length > 1 ? null : await answers.ask("record", asked);
  if (whole?.games.length === 1 && !notes(whole).length) return linkOf(whole);
  if (whole) draw(place, usual, all, [whole]);
  else await show(all, game, usual, place);
  return null;
}

/** @type {More["list"]} */
async function list(file, game, place) {
  const isWthor = /\.wtb$/i.test(file.name);
  const all = isWthor ? wthor(await file.arrayBuffer()) : pieces(await textOf(file));
  if (!all) return false;
  await show(all, game, /\.pdn$/i.test(file.name) ? "draughts" : "chess", place);
  return true;
}

/**
 * List the games of a file; a part that cannot be read loses only itself.
 * @param {Piece[]} all
 * @param {string} game Empty, where it is found by the text.
 * @param {string} usual
 * @param {HTMLElement} place
 */
async function show(all, game, usual, place) {
  /** @type {(RecordsView | null)[]} */
  const read = [];
  let [wanted, count, problem] = [game, 0, ""];
  for (const piece of all) {
    refill(place, el("p", { role: "status" }, `Reading part ${read.length + 1} of ${all.length}…`));
    try {
      requireRoom(piece.text);
      const found = await answers.ask("record", { game: wanted, usual, ...piece });
      wanted ||= piece.wthor ? "" : found.game;
      count += found.games.length;
      read.push(found);
    } catch (fault) {
      problem ||= `Part ${read.length + 1}: ${fault.message}`;
      read.push(null);
    }
    if (count >= LISTED) break;
  }
  if (!count) throw new Error(problem);
  draw(place, usual, all, read, problem);
}

/** Remarks for the reader of an opened game. @param {RecordsView} whole */
const notes = ({ record: { faults, remarks } }) => [...faults, ...remarks];

/** Bytes that a text takes in a message. @param {string} text */
const size = (text) => new Blob([JSON.stringify(text)]).size;

/** Refuse a game that no message holds. @param {string} text */
function requireRoom(text) {
  if (size(text) <= LONGEST) return;
  const most = `A game of more than ${countText(LONGEST)} bytes cannot be read`;
  throw new Error(`${most}, and this one has ${countText(size(text))}: leave out comments or variations.`);
}

/**
 * A text of several games as parts that one message holds each; null for any other text.
 * @param {string} text
 */
function pieces(text) {
  const games = text.split(/(?<=\n\s*\n)(?=\[(?:Event|Game) )/);
  if (games.length === 1) return null;
  /** @type {Piece[]} */
  const found = [];
  for (const each of games) {
    const last = found.at(-1);
    if (last && size(last.text) + size(each) <= LONGEST) last.text += each;
    else found.push({ text: each });
  }
  return found;
}

/**
 * A file of WTHOR as several, each with the head of the whole one and its own number of games.
 * @param {ArrayBuffer} file
 */
function wthor(file) {
  const count = Math.max(1, Math.ceil((file.byteLength - HEAD) / ENTRY / MOST));
  return Array.from({ length: count }, (_, part) => {
    const games = new Uint8Array(file.slice(HEAD + part * MOST * ENTRY, HEAD + (part + 1) * MOST * ENTRY));
    const bytes = new Uint8Array([...new Uint8Array(file.slice(0, HEAD)), ...games]);
    if (count > 1) new DataView(bytes.buffer).setUint32(4, Math.ceil(games.length / ENTRY), true);
    return { text: "", wthor: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
  });
}

/**
 * The games of a file, each a button that opens it; the first time only the notes on it, where there are some.
 * @param {HTMLElement} place
 * @param {string} usual
 * @param {Piece[]} all
 * @param {(RecordsView | null)[]} read
 * @param {string} [fault] The first part that could not be read.
 */
function draw(place, usual, all, read, fault = "") {
  const problem = el("p", { class: "problem", role: "alert" }, fault);
  const told = new Set();
  const rows = read.flatMap((found, part) =>
    (found?.games ?? []).map((head, number) => ({
      head,
      part,
      number,
      found: found?.games.length === 1 ? found : null,
    })),
  );
  const open = async (/** @type {typeof rows[number]} */ row) => {
    try {
      const { head, part, number } = row;
      const whole = row.found ?? (await answers.ask("record", { game: head.game, usual, ...all[part], number }));
      if (!notes(whole).length || told.has(row)) return link.go(["board"], linkOf(whole));
      told.add(row);
      problem.textContent = [...notes(whole), "Choose it again to open what can be read."].join(" ");
    } catch (refused) {
      problem.textContent = refused.message;
    }
  };
  if (rows.length === 1 && rows[0].found) open(rows[0]);
  refill(
    place,
    el("h2", {}, rows.length === 1 ? "1 game" : `${countText(rows.length)} games: choose one`),
    problem,
    el(
      "ol",
      { class: "several", "aria-label": "Games of the file" },
      rows.map((row) => {
        const { players, ended, plies, tags, faults } = row.head;
        const about = [tags.Event, tags.Date?.replaceAll(".??", "")].filter((tag) => tag && !/^\?/.test(tag));
        const marked = faults.length || row.found?.record.faults.length ? "⚠ not read whole" : "";
        const words = [`${players.x || "?"} – ${players.o || "?"}`, ended, movesOfBoth(plies), ...about, marked];
        const text = words.filter(Boolean).join(", ");
        return el("li", {}, el("button", { type: "button", class: "quiet", onclick: () => open(row) }, text));
      }),
    ),
  );
  place.firstElementChild?.scrollIntoView({ block: "nearest" });
}

/** @type {More} */
export const MORE = {
  known:
    "Moves (44435, f5d6c3, 1. e4 e5), a position (FEN of chess and draughts), a record (PGN, PDN, SGF of Hex and " +
    "Gomoku), a drawing in rows of x, o and dots, or a game saved here as JSON lines. A file may have many games, also " +
    "one of WTHOR (Reversi).",
  endings: ",.wtb",
  read,
  list,
};
