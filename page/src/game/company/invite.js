// An invitation: a link and a code that give a seat away, with the address by which another device reaches the server.

import { answers, theMenu } from "../../answers/answers.js";
import { el, field, refill, select, svg } from "../../shell/dom.js";
import * as link from "../../shell/link.js";
import { nameField } from "./namefield.js";
import { copyable } from "../panel.js";

/** @import { SavedGame } from "../savedgame.js" */

const OWN = ["localhost", "127.0.0.1", "[::1]"];

/** The addresses by which other devices reach this server, as far as is known here; maybe none. */
export async function addresses() {
  if (!OWN.includes(location.hostname)) return [location.origin];
  return (await theMenu()).addresses;
}

/**
 * A link as a QR code.
 * @param {string} address
 * @param {string} words What it is for who does not see it.
 */
export async function code(address, words) {
  const { size, path } = await answers.ask("qr", { text: address });
  return svg(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": words },
    svg("rect", { class: "paper", width: size, height: size }),
    svg("path", { d: path }),
  );
}

/**
 * Invitation to a side: its address, as a link and as a QR code.
 * @param {SavedGame} source
 * @param {Record<string, string>} names
 */
export async function invitation(source, names) {
  const bases = await addresses();
  const side = select(
    ["o", "x"].map((each) => [each, names[each]]),
    "o",
  );
  const base = select(
    bases.map((each) => [each, each]),
    bases[0] ?? "",
  );
  const shown = el("div", {});
  const draw = async () => {
    const fragment = link.write(["game", source.id], { [side.value]: source.seats[side.value] });
    const address = new URL(fragment, `${base.value || location.origin}/`).href;
    refill(
      shown,
      copyable("Link", address),
      bases.length > 0 && (await code(address, "The link as a QR code, for a telephone’s camera")),
      bases.length === 0 &&
        el(
          "p",
          { class: "hint" },
          "This link ends at this machine: another browser here can open it. For another device, start the server with ",
          el("code", {}, "plyground web --host 0.0.0.0"),
          ".",
        ),
    );
  };
  const sit = (/** @type {string} */ name) => source.sit(side.value === "x" ? "o" : "x", name);
  side.addEventListener("change", draw);
  base.addEventListener("change", draw);
  await draw();
  return el(
    "div",
    { class: "invitation" },
    el("p", {}, "Whoever opens this link first has the seat, and this browser has it no more."),
    nameField(sit),
    field("They play", side),
    bases.length > 1 && field("Address", base),
    shown,
  );
}
