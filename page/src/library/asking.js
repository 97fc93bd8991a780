// Choosing a game and a position of it: the fields of a form, and what they mean.

import { answers, theMenu } from "../answers/answers.js";
import { el, field, select } from "../shell/dom.js";
import { gameTitle } from "../shell/words.js";

/** @import { GameChoice } from "models" */
/** @import { Values } from "../shell/link.js" */

/** @typedef {{ game: string, start: string, moves: string }} Place */

/**
 * The game of a spec, and the options behind its name.
 * @param {GameChoice[]} games
 * @param {string} spec
 * @returns {[name: string, options: string]}
 */
export function parts(games, spec) {
  const isOf = (/** @type {GameChoice} */ { name }) => spec === name || spec.startsWith(`${name}:`);
  const name = games.find(isOf)?.name ?? spec;
  return [name, spec.slice(name.length + 1)];
}

/**
 * Fields for a game and its options, where there is a choice, and where wanted a position; `meant` is what they say,
 * once it has been read.
 * @param {Values} values What the link says.
 * @param {boolean} [hasPosition]
 * @returns {Promise<{ fields: HTMLElement[], meant: () => Promise<Place> }>}
 */
export async function asking(values, hasPosition = true) {
  const { games } = await theMenu();
  const spec = values.game ?? games[0].name;
  const [name, given] = parts(games, spec);
  const names = [...new Set([...games.map((game) => game.name), name])];
  const game = select(
    names.map((each) => [each, gameTitle(games, each)]),
    name,
  );
  const options = el("input", { value: given, maxLength: 150, autocomplete: "off", spellcheck: false });
  const text = [values.start, values.moves].filter(Boolean).join(" ");
  const position = el("input", {
    value: text,
    maxLength: 8000,
    autocomplete: "off",
    spellcheck: false,
    placeholder: "the beginning",
  });
  const optionsField = field("Options", options);
  const knownOptions = () => games.find((each) => each.name === game.value)?.options ?? [];
  const update = () => {
    optionsField.hidden = !knownOptions().length;
    options.placeholder = knownOptions()
      .map((option) => `${option.name}=${option.default}`)
      .join(",");
  };
  game.addEventListener("change", () => {
    options.value = "";
    position.value = "";
    update();
  });
  update();
  const readPosition = async () => {
    const words = options.value.trim();
    const wanted = words ? `${game.value}:${words}` : game.value;
    const pasted = hasPosition ? position.value.trim() : "";
    const here = wanted === spec && pasted === text;
    if (here) return { game: spec, start: values.start ?? "", moves: values.moves ?? "" };
    const { start, moves } = pasted
      ? await answers.ask("edit", { game: wanted, text: pasted })
      : await answers.ask("position", { game: wanted });
    return { game: wanted, start, moves: moves.join(" ") };
  };
  const isChosen = names.length > 1 || knownOptions().length > 0;
  return {
    fields: [
      ...(isChosen ? [field("Game", game), optionsField] : []),
      ...(hasPosition ? [field("Position", position)] : []),
    ],
    meant: readPosition,
  };
}

/**
 * A form that asks for a game and a position, and more, and goes where they lead.
 * @param {Values} values
 * @param {{ label: string, act: string, more?: HTMLElement[], beside?: HTMLElement[], hasPosition?: boolean }} form
 * @param {(place: Place) => void} go
 */
export async function askingForm(values, { label, act, more = [], beside = [], hasPosition = true }, go) {
  const { fields, meant } = await asking(values, hasPosition);
  const problem = el("p", { class: "problem", role: "alert" });
  const change = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    await meant().then(go, (fault) => (problem.textContent = fault.message));
  };
  return el(
    "form",
    { class: "ask", onsubmit: change, "aria-label": label },
    fields,
    more,
    el("button", { class: "primary" }, act),
    beside,
    problem,
  );
}
