// Records that a server reads from texts and files of other programs: with their variations, and several in a file.

import { answers } from "../answers/answers.js";
import { el, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { countText, movesOfBoth } from "../shell/words.js";
import { fromRows, isPlain, line, treeText } from "../study/variations.js";

/** @import { RecordsView } from "models" */
/** @import { More } from "./importing.js" */

/** A part of a file that one message holds: a text, or a whole file of WTHOR in Base64. */
/** @typedef {{ text: string, wthor?: string }} Piece */

/** Games by how seldom a text of another game is one of theirs. */
const STRICT = ["chess", "draughts", "reversi", "connectfour", "kalah", "gomoku", "hex:11", "morris"];
/** Bytes of a piece, at most; of the head of a file of WTHOR, and of each game in it. */
const [LONGEST, HEAD, ENTRY] = [60_000, 16, 68];
/** Games of a piece of WTHOR, at most. */
const MOST = 600;
/** Games that are listed, at most. */
const LISTED = 5_000;

/**
 * The position of a text that does not say its game: of the first game that reads it.
 * @param {string} text
 * @param {string} usual The game to begin with.
 */
async function recogniseGame(text, usual) {
  /** @type {Error | null} */
  let fault = null;
  for (const game of new Set([usual, ...STRICT])) {
    try {
      return await answers.ask("edit", { game, text });
    } catch (refused) {
      fault ??= refused;
    }
  }
  throw new Error(`No game is known by this text, so write its game above. ${fault?.message ?? ""}`);
}

/**
 * The link of a record: its main line, its variations and comments, and who played.
 * @param {RecordsView} whole
 */
function linkOf({ game, record: { start, moves: rows, comment, players } }) {
  const root = fromRows(rows, comment);
  const moves = line(root, []).join(" ");
  const [x, o] = [players.x, players.o].map((name) => (["human", "?"].includes(name) ? "" : name));
  return { game, start, moves, tree: isPlain(root) ? "" : treeText(root), x, o };
}

/** @type {More["read"]} */
async function read({ game, text }, usual, place) {
  const all = pieces(text);
  if (all) return show(all, game || "chess", place);
  requireRoom(text);
  const found = game ? await answers.ask("edit", { game, text }) : await recogniseGame(text, usual);
  const plain = { game: found.game, start: found.start, moves: found.moves.join(" ") };
  const whole = await answers.ask("record", { game: found.game, text }).catch(() => null);
  const count = whole?.games.length ?? 0;
  if (!whole || (count > 1 && !text.trim().includes("\n"))) return plain; // a game in each line, none in each word
  if (count === 1) return whole.record.moves.length ? linkOf(whole) : plain;
  draw(place, [{ text }], [whole]);
  return null;
}

/** @type {More["list"]} */
async function list(file, game, place) {
  const isWthor = /\.wtb$/i.test(file.name);
  const all = isWthor ? wthor(await file.arrayBuffer()) : pieces(await file.text());
  if (!all) return false;
  await show(all, game || (/\.pdn$/i.test(file.name) ? "draughts" : "chess"), place);
  return true;
}

/**
 * List the games of a file.
 * @param {Piece[]} all
 * @param {string} game
 * @param {HTMLElement} place
 */
async function show(all, game, place) {
  /** @type {RecordsView[]} */
  const read = [];
  for (const piece of all) {
    requireRoom(piece.text);
    refill(place, el("p", { role: "status" }, `Reading part ${read.length + 1} of ${all.length}…`));
    read.push(await answers.ask("record", { game, ...piece }));
    if (read.reduce((sum, { games }) => sum + games.length, 0) >= LISTED) break;
  }
  draw(place, all, read);
  return null;
}

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
 * The games of a file, each a button that opens it.
 * @param {HTMLElement} place
 * @param {Piece[]} all
 * @param {RecordsView[]} read
 */
function draw(place, all, read) {
  const problem = el("p", { class: "problem", role: "alert" });
  const open = async (/** @type {string} */ game, /** @type {Piece} */ piece, /** @type {number} */ number) => {
    try {
      link.go(["board"], linkOf(await answers.ask("record", { game, ...piece, number })));
    } catch (fault) {
      problem.textContent = fault.message;
    }
  };
  const rows = read.flatMap(({ game, games }, part) => games.map((head, number) => ({ game, head, part, number })));
  refill(
    place,
    el("h2", {}, `${countText(rows.length)} games: choose one`),
    problem,
    el(
      "ol",
      { class: "several", "aria-label": "Games of the file" },
      rows.map(({ game, head: { players, ended, plies, tags }, part, number }) => {
        const about = [tags.Event, tags.Date?.replaceAll(".??", "")].filter((tag) => tag && !/^\?/.test(tag));
        const words = [`${players.x || "?"} – ${players.o || "?"}`, ended, movesOfBoth(plies), ...about];
        const act = () => open(game, all[part], number);
        const text = words.filter(Boolean).join(", ");
        return el("li", {}, el("button", { type: "button", class: "quiet", onclick: act }, text));
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
