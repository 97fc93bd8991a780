// A picture of a search that moves: its parts come about step by step, as the search enters nodes and leaves them.

import { button, el } from "../shell/dom.js";
import { isMoving } from "../shell/theme.js";

const STEP = 700; // milliseconds

/** The text of a picture, from its address or out of it. @param {string} address */
async function source(address) {
  const held = /^data:image\/svg\+xml;base64,(.*)$/.exec(address)?.[1];
  if (held) return new TextDecoder().decode(Uint8Array.from(atob(held), (each) => each.charCodeAt(0)));
  const answer = await fetch(address);
  return answer.ok ? answer.text() : "";
}

/**
 * Put a picture that has steps in the place of its image; another picture stays as it is.
 * @param {HTMLImageElement} image
 * @param {string} [known] its text, where that is at hand
 */
export async function replacePicture(image, known) {
  const text = known ?? (await source(image.src));
  if (!text.includes("data-step")) return;
  const picture = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  picture.setAttribute("aria-label", image.alt);
  for (const title of picture.querySelectorAll("title")) title.remove();
  const parts = [...picture.querySelectorAll("[data-step]")];
  const stepOf = (/** @type {Element} */ part) => Number(part.getAttribute("data-step"));
  const last = Math.max(...parts.map(stepOf));
  const standing = el("span", { class: "hint", role: "status" });
  let step = last;
  let timer = 0;
  const show = (/** @type {number} */ to) => {
    step = Math.max(1, Math.min(last, to));
    for (const part of parts) part.toggleAttribute("hidden", stepOf(part) > step);
    standing.textContent = `Step ${step} of ${last}`;
    for (const [way, edge] of /** @type {[HTMLElement, number][]} */ ([
      [back, 1],
      [on, last],
    ]))
      way.setAttribute("aria-disabled", String(step === edge));
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  };
  const by = (/** @type {number} */ steps) => () => {
    stop();
    show(step + steps);
  };
  const toggle = () => {
    if (timer) return stop();
    show(step === last ? 1 : step + 1);
    if (!isMoving()) return;
    play.textContent = "Pause";
    timer = window.setInterval(() => {
      if (!picture.isConnected || step >= last) return stop();
      show(step + 1);
    }, STEP);
  };
  const play = button("Play", toggle);
  const back = button("Step back", by(-1));
  const on = button("Step", by(1));
  const shown = image.closest("a") ?? image;
  const frame = el("div", { class: "scroll", tabIndex: 0 }, picture);
  shown.replaceWith(
    el(
      "figure",
      { class: "stepped", role: "group", "aria-label": image.alt },
      frame,
      el("div", { class: "part-actions" }, play, back, on, standing),
    ),
  );
  frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2; // the root is in the middle
  show(last);
}
