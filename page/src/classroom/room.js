// The room: everybody's screen follows what a teacher shows; whoever has said a name can be asked for a game.

import { answers, theMenu } from "../answers/answers.js";
import { button, el, refill } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { hold, seatsOf, myName, secret } from "../game/company/seats.js";
import { keep, readStored } from "../shell/storage.js";
import { changes, record } from "../lesson/solved.js";

/** @import { RoomView } from "models" */
/** @import { Asked } from "../answers/answers.js" */

const ME = "room";
const TEACHER = "teacher";
/** Told of the room as it is. @type {Set<(view: RoomView) => void>} */
const listeners = new Set();
/** @type {RoomView | null} */
let view = null;
/** @type {Asked<unknown> | null} */
let following = null;
/** Page that this screen showed before everybody was to look elsewhere. */
let before = "";
/** Reason why one may not come in under one's name. */
let refused = "";
const bar = el("section", { class: "room-bar", "aria-label": "Room" });

/** The secret by which one is known in the room. */
export function me() {
  const mine = readStored(ME, "") || secret();
  keep(ME, mine);
  return mine;
}

/** The teacher's secret, if this browser has been given it. @returns {string} */
export const teacherSecret = () => readStored(TEACHER, "");

/**
 * From now on this screen belongs to the room, if there is one.
 * @param {HTMLElement} place What the room's bar stands before.
 */
export async function enter(place) {
  if (!(await theMenu()).room) return;
  place.before(bar);
  document.getElementById("menu")?.append(el("a", { href: "#/room" }, "Room"));
  addEventListener("hashchange", () => view && drawBar(view));
  changes.addEventListener("change", tellWork);
  come();
}

/** Come in, with the name that was said, or without one. */
export function come() {
  refused = "";
  follow(myName());
}

/** Come in; who is refused, or removed, looks on without a name. @param {string} name */
function follow(name) {
  following?.cancel();
  const asked = (following = answers.ask("room", { me: me(), name }, hear));
  asked.catch((fault) => {
    if (!name || following !== asked) return;
    refused = fault.message;
    follow("");
  });
}

/** @param {RoomView} seen */
function hear(seen) {
  const shown = view?.look ?? "";
  const was = view?.you;
  view = seen;
  if (seen.you !== was) tellWork();
  if (seen.look !== shown && !teacherSecret()) {
    if (!shown) before = location.hash;
    location.hash = seen.look || before;
  }
  const { begins } = seen;
  if (begins && !Object.keys(seatsOf(begins.id)).length) {
    hold(begins.id, { [begins.side]: begins.seat });
    link.go(["game", begins.id]);
  }
  drawBar(seen);
  for (const listener of listeners) listener(seen);
}

/** Send the solved exercises to the teacher, once this person has entered by name; a refused message is not repeated. */
function tellWork() {
  const lessons = record();
  if (view?.you && Object.keys(lessons).length) answers.ask("work", { me: me(), lessons }).catch(() => {});
}

/**
 * A person's round without a game: "Cem has a bye, which counts 1 point".
 * @param {RoomView["resting"][number]} rest
 * @param {string} who
 */
export const byeText = ({ points }, who) => `${who} ${points ? `a bye, which counts ${points} point` : "no game"}`;

/** State of the room, above every page. @param {RoomView} seen */
function drawBar(seen) {
  const { look, exam, asks, you } = seen;
  const show = (/** @type {object} */ what) => () =>
    answers.ask("show", {
      teacher: teacherSecret(),
      link: look,
      exam,
      ...what,
    });
  const examined = exam && el("span", {}, "An exam is on: values are hidden.");
  const told = teacherSecret()
    ? [
        button(look ? "Show this instead" : "Everybody look here", show({ link: location.hash || "#/" })),
        look && button("Let them go", show({ link: "" })),
        button("Exam: hide values", show({ exam: !exam }), { pressed: exam }),
      ]
    : look &&
      el(
        "span",
        {},
        "Everybody looks at this. ",
        location.hash !== look && el("a", { href: look }, "Back to what is shown"),
      );
  const rest = seen.resting.find(({ round, number }) => round === seen.round && number === you);
  const resting = rest && el("span", {}, `Round ${rest.round}: ${byeText(rest, "you have")}.`);
  const asked = asks.map(({ number, name, game }) =>
    el(
      "span",
      {},
      `${name} asks you for a game of ${game}. `,
      button("Accept", () => challenge(number, game)),
      " ",
      button("Decline", () => challenge(number, "")),
    ),
  );
  refill(
    bar,
    el(
      "div",
      { role: "status" },
      refused && el("span", {}, refused),
      resting,
      asked,
      !teacherSecret() && told,
      examined,
    ),
    teacherSecret() && el("div", { class: "part-actions", role: "group", "aria-label": "Teacher" }, told),
  );
}

/**
 * Ask somebody for a game, or all; or take it back.
 * @param {number | null} whom
 * @param {string} game
 */
export const challenge = (whom, game) => answers.ask("challenge", { me: me(), whom, game });

/** Whether this browser has been given the teacher's secret. */
export const isTeacher = () => teacherSecret() !== "";

/** Take somebody out of the room. @param {number} number */
export const remove = (number) => answers.ask("remove", { teacher: teacherSecret(), number });

/**
 * Begin a round of games between all who are here.
 * @param {"swiss" | "ladder"} form
 * @param {string} game Spec of the game, and after a blank its clock, if it has one.
 * @param {boolean} anew
 */
export const pair = (form, game, anew) => answers.ask("pair", { teacher: teacherSecret(), form, game, anew });

/**
 * Be told of the room as it is, and of every change; returns what ends that.
 * @param {(view: RoomView) => void} listener
 */
export function listen(listener) {
  listeners.add(listener);
  if (view) listener(view);
  return () => listeners.delete(listener);
}

/** @param {string} key */
export const teach = (key) => keep(TEACHER, key);
