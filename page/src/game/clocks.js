// The clocks of a game that the server keeps: they run on here between two of its answers, and it alone ends the game.

import { el, refill } from "../shell/dom.js";
import { SIDES, ownSides } from "./state.js";

/** @import { ClockView } from "models" */
/** @import { Ready, Side } from "./state.js" */
/** @import { Part } from "./view.js" */

/** Seconds left that are announced to a person, and those from which a clock is shown as low. */
const TOLD = [60, 30, 10];
const LOW = 30;
/** Seconds below which tenths are shown; milliseconds between two drawings. */
const [TENTHS, TICK] = [10, 100];

/**
 * Seconds as a clock shows them: "1:05:00", "4:59", "0:09.4".
 * @param {number} seconds
 */
export function face(seconds) {
  const whole = seconds < TENTHS ? Math.floor(seconds) : Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const tenths = seconds < TENTHS ? `.${Math.floor((seconds % 1) * 10)}` : "";
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}${tenths}`;
}

/**
 * Announcement when a clock has run on: the time that has just become short; null if none has.
 * @param {number} before
 * @param {number} after
 */
export const shortage = (before, after) => TOLD.find((seconds) => before > seconds && after <= seconds) ?? null;

/**
 * Whether the clocks are not known: the connection is lost while another one's runs, who may have moved since.
 * @param {ClockView | null} clock @param {Side[]} own @param {boolean} isLost
 */
export const isUnknown = (clock, own, isLost) =>
  isLost && Boolean(clock?.running) && !own.includes(/** @type {Side} */ (clock?.running));

/**
 * Maker of a function that draws the clocks on a page, beside the names of the players.
 * @returns {(state: Ready) => Record<string, Part>}
 */
export function clocks() {
  const said = el("p", { class: "unseen", role: "status" });
  const root = el("div", { class: "clocks", role: "group", "aria-label": "Clocks" });
  let shown = { clock: /** @type {ClockView | null} */ (null), at: 0 };
  /** @type {Record<Side, HTMLElement>} */
  const faces = { x: el("span", { role: "timer" }), o: el("span", { role: "timer" }) };
  /** Seconds that a side has left now. @param {Side} side */
  const left = (side) => {
    const { clock, at } = shown;
    if (!clock) return 0;
    const spent = clock.running === side ? (performance.now() - at) / 1000 : 0;
    return Math.max(clock.left[side] - spent, 0);
  };
  /** Seconds that were drawn last; none at first, so none are announced. @type {Record<Side, number>} */
  const drawn = { x: NaN, o: NaN };
  /** @param {Side[]} own @param {boolean} isLost */
  const draw = (own, isLost) => {
    if (isUnknown(shown.clock, own, isLost)) {
      for (const side of SIDES) Object.assign(faces[side], { textContent: "?", className: "unknown" });
      return;
    }
    for (const side of SIDES) {
      const seconds = left(side);
      const isRunning = shown.clock?.running === side;
      faces[side].textContent = face(seconds);
      faces[side].className = [isRunning && "running", seconds <= LOW && "low"].filter(Boolean).join(" ");
      const short = isRunning && own.includes(side) ? shortage(drawn[side], seconds) : null;
      if (short !== null) said.textContent = `${short} seconds left.`;
      drawn[side] = seconds;
    }
  };
  let timer = 0;
  let of = "";
  return ({ game, isLost }) => {
    const clock = game.saved?.clock ?? null;
    if (!clock) return /** @type {Record<string, Part>} */ ({});
    const {
      position: { names },
    } = game;
    const own = ownSides(game);
    return /** @type {Record<string, Part>} */ ({
      clocks: [
        [clock, own.join(""), isLost],
        () => {
          if (of !== game.saved?.id || game.over) said.textContent = ""; // said of another game, or of one that is over
          of = game.saved?.id ?? "";
          if (clock !== shown.clock) shown = { clock, at: performance.now() };
          const why = isUnknown(clock, own, isLost) ? ", not known while the connection is lost" : "";
          for (const side of SIDES) faces[side].setAttribute("aria-label", `${names[side]}'s clock${why}`);
          refill(
            root,
            SIDES.map((side) => el("div", {}, names[side], faces[side])),
          );
          draw(own, isLost);
          clearInterval(timer);
          timer = window.setInterval(() => {
            if (!root.isConnected || !shown.clock?.running) clearInterval(timer);
            else draw(own, isLost);
          }, TICK);
          return [root, said];
        },
      ],
    });
  };
}
