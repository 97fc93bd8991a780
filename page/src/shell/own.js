// Games and searches of one's own: when their file is saved, the page that shows them is opened anew.

import { answers, forget, theMenu } from "../answers/answers.js";
import { el } from "./dom.js";
import * as link from "./link.js";

/** @import { OwnView } from "models" */

/** Files from which the user's games were read when the page last looked. @type {Map<string, string>} */
const saved = new Map();

/**
 * Listen for saved files, if the command line named any.
 * @param {HTMLElement} place Where to say what has happened.
 * @param {() => Promise<void>} reopen Opens the shown page anew.
 */
export async function watch(place, reopen) {
  const { own } = await theMenu();
  if (!own.length) return;
  answers.ask("own", {}, async ({ things }) => {
    const changed = things.filter((each) => saved.has(each.spec) && saved.get(each.spec) !== each.saved);
    for (const { spec, saved: file } of things) saved.set(spec, file);
    if (!changed.length) return;
    forget();
    const wrong = changed.find(({ fault }) => fault);
    const broken = wrong?.fault ?? (await problem(changed));
    const isLeft = broken && (link.read().path.length > 0 || isShown(changed));
    if (!isLeft) await reopen();
    const left = isLeft ? " The page shows the game as it was before." : "";
    place.replaceChildren(
      broken
        ? el("p", { class: "problem", role: "alert" }, broken + left)
        : el("p", { class: "hint" }, `${changed.map(({ name }) => name).join(", ")}: as the file has been saved.`),
    );
  });
}

/** Whether the link names one of these. @param {OwnView[]} changed */
function isShown(changed) {
  const { game = "" } = link.read().values;
  return changed.some(({ spec }) => game === spec || game.startsWith(`${spec}:`));
}

/**
 * Reason why the page cannot be opened anew: what it shows cannot arise by the new rules.
 * @param {OwnView[]} changed
 */
async function problem(changed) {
  const { path, values } = link.read();
  const { game = "", start = "", moves = "" } = values;
  const asked =
    path[0] === "game" && path[1]
      ? answers.ask("open", { id: path[1] })
      : isShown(changed) && answers.ask("position", { game, start, moves: moves ? moves.split(" ") : [] });
  return (
    asked &&
    asked.then(
      () => "",
      (/** @type {Error} */ fault) => fault.message,
    )
  );
}
