// The whole screen for what is shown to a room: the text grows with it.

import { button } from "./dom.js";

/** Turn it on or off. */
export function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

/** A switch; hidden where the browser has no such thing. */
export function fullScreenButton() {
  const made = button("Full screen", toggleFullScreen, { pressed: false, hidden: !document.fullscreenEnabled });
  document.addEventListener("fullscreenchange", function told() {
    if (!made.isConnected) document.removeEventListener("fullscreenchange", told);
    made.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
  });
  return made;
}
