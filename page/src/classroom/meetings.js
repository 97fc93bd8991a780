// The games of a room as a teacher sees them: who plays whom on small live boards, and what each person has scored.

import { answers, theBoard } from "../answers/answers.js";
import "../board/board.js";
import { el, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { byeText } from "./room.js";
import { column } from "../shell/tables.js";

/** @import { GameView, MeetingView, RoomView } from "models" */
/** @import { Asked } from "../answers/answers.js" */
/** @import { PlyBoard } from "../board/board.js" */

/** Points of x in a game: 1, a half or 0; null while it goes on. @param {GameView | null | undefined} view */
const shareOf = (view) => (!view?.over ? null : view.winner ? Number(view.winner === "x") : 0.5);

/** Games that are followed at a time: the newest. */
const MOST = 24;

/**
 * A game on the page.
 * @typedef {{
 *   node: HTMLElement, board: PlyBoard, words: HTMLElement, stream: Asked<unknown>, view: GameView | null,
 * }} Card
 */

export class Meetings {
  #boards = el("ul", { class: "boards" });
  #rest = el("p", {});
  #table = el("div", {});
  node = el(
    "section",
    { "aria-label": "Games of the room" },
    el("h2", {}, "Games"),
    this.#boards,
    this.#rest,
    this.#table,
  );
  /** By the game's id, in the order of the room. @type {Map<string, Card>} */
  #cards = new Map();
  /** @type {RoomView | null} */
  #room = null;

  /** @param {RoomView} room */
  show(room) {
    this.#room = room;
    const { games, resting, round } = room;
    this.node.hidden = !games.length;
    const now = resting.filter((each) => each.round === round);
    this.#rest.textContent = now.length
      ? `Round ${round}: ${now.map((each) => byeText(each, `${each.name} has`)).join("; ")}.`
      : "";
    for (const game of games.slice(0, MOST)) if (!this.#cards.has(game.id)) this.#follow(game);
    const shown = games.flatMap(({ id }) => this.#cards.get(id)?.node ?? []);
    if (shown.some((node, place) => this.#boards.children[place] !== node)) this.#boards.replaceChildren(...shown);
    this.#score();
  }

  close() {
    for (const { stream } of this.#cards.values()) stream.cancel();
  }

  /** @param {MeetingView} game */
  #follow({ id, x, o, round }) {
    const board = el("ply-board");
    const words = el("p");
    const node = el("li", {}, el("div", { class: "picture", inert: true, "aria-hidden": "true" }, board), words);
    const stream = answers.ask("follow", { id, seats: [] }, (view) => {
      card.view = view;
      this.#draw(card, `${x} – ${o}`, round);
      this.#score();
    });
    /** @type {Card} */
    const card = { node, board, words, stream, view: null };
    stream.catch((fault) => (words.textContent = `${x} – ${o}: ${fault.message}`));
    this.#cards.set(id, card);
  }

  /** @param {Card} card @param {string} names @param {number} round */
  async #draw({ board, words, view }, names, round) {
    if (!view) return;
    const { id, over, why, position } = view;
    const stands = over ? (why ?? position.result) : position.result;
    refill(
      words,
      el("a", { href: link.write(["game", id]) }, names),
      el("span", { class: "hint" }, ` ${round ? `Round ${round}: ` : ""}${stands}`),
    );
    const fixed = await theBoard(position.game);
    board.show({ board: fixed, position, still: true, label: names });
  }

  /**
   * Points of all who have played, in the tournament if there is one: a won game is 1, a draw a half. A ladder has its
   * own order: who wins from the lower place has exchanged places.
   */
  #score() {
    if (!this.#room) return;
    const { games: all, resting, round, rungs } = this.#room;
    const ladder = [...rungs];
    const isLadder = ladder.length > 0;
    /** @type {Map<number, { name: string, points: number, games: number }>} */
    const scores = new Map();
    const add = (/** @type {number} */ number, /** @type {string} */ name, /** @type {number} */ points, games = 1) => {
      const before = scores.get(number) ?? { name, points: 0, games: 0 };
      scores.set(number, {
        name: before.name,
        points: before.points + points,
        games: before.games + games,
      });
    };
    for (const { id, x, o, numbers, share, round: played } of all) {
      if (isLadder && played) [x, o].forEach((name, index) => add(numbers[index], name, 0, 0));
      const points = share ?? shareOf(this.#cards.get(id)?.view);
      if (points === null || (round && !played)) continue;
      add(numbers[0], x, points);
      add(numbers[1], o, 1 - points);
      if (played === round && points < 0.5 && isLadder) {
        const [above, below] = numbers.map((number) => ladder.indexOf(number));
        [ladder[above], ladder[below]] = [ladder[below], ladder[above]];
      }
    }
    for (const { number, name, points } of resting) if (points) add(number, name, points, 0);
    if (isLadder) for (const { number, name } of resting) add(number, name, 0, 0);
    const ranked = isLadder
      ? ladder.flatMap((number) => scores.get(number) ?? [])
      : [...scores.values()].sort((one, other) => other.points - one.points || one.games - other.games);
    const head = [...(isLadder ? ["Place"] : []), "Name", "Points", "Games"].map((words) => column(words));
    refill(
      this.#table,
      ranked.length > 0 &&
        el(
          "table",
          { "aria-label": "Scores" },
          el("thead", {}, el("tr", {}, head)),
          el(
            "tbody",
            {},
            ranked.map(({ name, points, games }, place) =>
              el(
                "tr",
                {},
                isLadder && el("td", {}, String(place + 1)),
                el("th", { scope: "row" }, name),
                el("td", {}, String(points).replace(".5", "½").replace(/^0½/, "½")),
                el("td", {}, String(games)),
              ),
            ),
          ),
        ),
    );
  }
}
