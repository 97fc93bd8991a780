// The page of the room: who is here, who wants to play, and the way in for others.

import { theMenu } from "../answers/answers.js";
import { button, el, field, refill, select } from "../shell/dom.js";
import { addresses, code } from "../game/company/invite.js";
import * as link from "../shell/link.js";
import { Meetings } from "./meetings.js";
import { Progress } from "./progress.js";
import { challenge, come, isTeacher, listen, pair, remove, teach, teacherSecret } from "./room.js";
import { nameField } from "../game/company/namefield.js";
import { gameTitle } from "../shell/words.js";

/** @import { RoomView } from "models" */

/** Clocks to choose from: minutes for each side, and seconds added after each move. */
const CLOCKS = [["", "No clock"], ...["1+0", "3+2", "5+3", "10+5", "30+0"].map((each) => [each, each])];

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function lobby(root, { teacher }) {
  const menu = await theMenu();
  if (!menu.room)
    throw new Error("This server has no classroom: the command plyground web --room starts one that has.");
  if (teacher) {
    teach(teacher);
    link.note(["room"]);
  }
  const problem = el("p", { class: "problem", role: "alert" });
  const say = (/** @type {Error} */ fault) => (problem.textContent = fault.message);
  const ask = (/** @type {number | null} */ whom, /** @type {string} */ game) => {
    problem.textContent = "";
    challenge(whom, game).catch(say);
  };
  const playable = menu.games.filter(({ fault }) => !fault);
  const game = select(
    playable.map(({ offer }) => [offer, gameTitle(menu.games, offer)]),
    playable[0].offer,
  );
  const people = el("div", {});
  const clock = select(CLOCKS, "");
  /** A game that is asked for, in words: "chess 5+3". @param {string} wanted */
  const gameText = (wanted) => {
    const [spec, time] = wanted.split(" ");
    return [gameTitle(menu.games, spec), time].filter(Boolean).join(", ");
  };
  const chosenGame = () => [game.value, clock.value].filter(Boolean).join(" ");
  /** @param {RoomView} view */
  const draw = (view) => {
    const { you } = view;
    const mine = view.people.find(({ number }) => number === you);
    refill(
      people,
      !you && el("p", { class: "hint" }, "Say your name, and others can ask you for a game."),
      you > 0 &&
        el(
          "p",
          { class: "part-actions" },
          mine?.wants
            ? [`You wait for a game of ${gameText(mine.wants)}. `, button("Stop waiting", () => ask(null, ""))]
            : button("I want to play", () => ask(null, chosenGame()), {
                class: "primary",
              }),
        ),
      el("h2", {}, "Who is here"),
      view.people.length === 0 && el("p", {}, "Nobody has said a name yet."),
      el(
        "ul",
        { class: "people" },
        view.people.map((each) => line(view, each)),
      ),
    );
  };
  /** @param {RoomView} view @param {RoomView["people"][number]} person */
  const line = ({ you, asks, asked }, { number, name, wants }) => {
    const asking = asks.find((each) => each.number === number);
    const waiting = asked.find((each) => each.number === number);
    const offered = asking?.game ?? wants;
    const act = waiting
      ? button("Take it back", () => ask(number, ""), {
          "aria-label": `Do not ask ${name} after all`,
        })
      : button(offered ? `Play ${gameText(offered)}` : "Ask for a game", () => ask(number, offered || chosenGame()), {
          "aria-label": offered ? `Play ${gameText(offered)} with ${name}` : `Ask ${name} for a game`,
        });
    return el(
      "li",
      {},
      el("strong", {}, name),
      number === you && " (you)",
      wants && el("span", {}, ` wants to play ${gameText(wants)}`),
      asking && el("span", {}, ` asks you for ${gameText(asking.game)}`),
      waiting && el("span", {}, ` is asked for ${gameText(waiting.game)}`),
      you > 0 && number !== you && act,
      isTeacher() &&
        number !== you &&
        button(
          "Remove",
          () => {
            problem.textContent = "";
            remove(number).catch(say);
          },
          { "aria-label": `Remove ${name} from the room` },
        ),
    );
  };
  const form = select(
    [
      ["swiss", "Swiss: equal points meet"],
      ["ladder", "Ladder: neighbours meet"],
    ],
    "swiss",
  );
  const round = (/** @type {boolean} */ anew) => () => {
    problem.textContent = "";
    pair(/** @type {"swiss" | "ladder"} */ (form.value), chosenGame(), anew).catch(say);
  };
  const rounds = el("div", { class: "part-actions" });
  const meetings = isTeacher() ? new Meetings() : null;
  const progress = isTeacher() ? new Progress(teacherSecret()) : null;
  const showRoom = (/** @type {RoomView} */ view) => {
    draw(view);
    meetings?.show(view);
    refill(
      rounds,
      button(`Begin round ${view.round + 1}`, round(false), {
        class: "primary",
      }),
      view.round > 0 && button("A new tournament", round(true)),
    );
  };
  const bases = await addresses();
  const way = el("div", { class: "way-in" });
  root.replaceChildren(
    el(
      "div",
      { class: "list room" },
      el("h1", {}, "Room"),
      problem,
      el("div", { class: "pair" }, nameField(come), field("Game", game), field("Clock", clock)),
      people,
      meetings &&
        el(
          "section",
          { "aria-label": "Tournament" },
          el("h2", {}, "Tournament"),
          el(
            "p",
            { class: "hint" },
            "A game of the kind and with the clock chosen above for each two; it opens on their screens.",
          ),
          field("Who meets whom", form),
          rounds,
        ),
      meetings?.node,
      progress?.node,
      way,
    ),
  );
  const stop = listen(showRoom);
  come();
  if (bases[0]) {
    const address = `${bases[0]}/#/room`;
    refill(
      way,
      el("h2", {}, "The way in"),
      el("p", {}, address),
      await code(address, "The room’s address as a QR code"),
    );
  }
  return {
    close: () => {
      stop();
      meetings?.close();
      progress?.close();
    },
  };
}
