// Choices before a game begins: players, board, rules, clock.

import { button, el, field, refill, select } from "../shell/dom.js";
import { picture, tiles } from "../library/tiles.js";
import { fillOptions, gameOf, optionValues, spec } from "../shell/words.js";

/** @import { GameChoice, MenuView, PositionView } from "models" */
/** @import { NewGame } from "./newgame.js" */

const PERSON = ["human", "A person"];
const OTHER = ["other", "Another player…"];

/**
 * The control of an option.
 * @param {GameChoice["options"][number]} option
 * @param {string} value
 * @param {PositionView["names"]} names
 */
function control({ name, kind, values: many }, value, names) {
  if (kind === "bool") return el("input", { type: "checkbox", checked: value === "true" });
  if (name === "first") return select(Object.entries(names), value);
  const most = many ? many - 1 : null;
  return el("input", { type: kind === "int" ? "number" : "text", value, min: kind === "int" ? 0 : null, max: most });
}

/**
 * A button that draws the value of an option by lot; the value is seen, and is in the link.
 * @param {GameChoice["options"][number]} option
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @param {() => void} changed
 */
function lot({ values: many, words }, control, changed) {
  const draw = () => {
    // The page draws the number, not the server: it stands in the link, so that both players see the same start.
    control.value = String(Math.floor(Math.random() * many));
    changed();
  };
  return button("Draw by lot", draw, { "aria-label": `Draw by lot: ${words}` });
}

/** Value that is chosen with a control. @param {HTMLInputElement | HTMLSelectElement} control */
const chosenWith = (control) =>
  control.type === "checkbox" ? String(/** @type {HTMLInputElement} */ (control).checked) : control.value.trim();

/**
 * The options of a game; `onchange` is called with the spec that they make.
 * @param {GameChoice} game
 * @param {string} text The spec as it is.
 * @param {PositionView["names"]} names
 * @param {(spec: string) => void} onchange
 */
function options(game, text, names, onchange) {
  const values = optionValues(text, game.options);
  const controls = Object.fromEntries(game.options.map((each) => [each.name, control(each, values[each.name], names)]));
  const onChange = () => {
    const wanted = Object.fromEntries(Object.entries(controls).map(([name, each]) => [name, chosenWith(each)]));
    onchange(spec(game.name, game.options, wanted));
  };
  return el(
    "details",
    { id: "options", class: "options", open: game.offer.includes("=true") }, // a rule to be agreed on before
    el("summary", {}, "Board and rules"),
    el(
      "div",
      { class: "fields", onchange: onChange },
      game.options.map((each) => {
        const control = controls[each.name];
        const asked = field(each.words, control);
        return each.values ? el("div", {}, asked, lot(each, control, onChange)) : asked;
      }),
    ),
  );
}

/**
 * One side: a person, an offered player, a program allowed on the command line, or any spec.
 * @param {string} label
 * @param {MenuView} menu
 * @param {string} chosen
 * @param {(spec: string) => void} onchange
 */
function side(label, menu, chosen, onchange) {
  const offered = [
    PERSON,
    ...menu.players.map(({ spec: value, title }) => [value, title]),
    ...menu.programs.map((name) => [name, name]),
  ];
  if (menu.kinds.length) offered.push(OTHER);
  else if (!offered.some(([value]) => value === chosen)) offered.push([chosen, chosen]); // of the link
  const isOffered = offered.some(([value]) => value === chosen);
  const choice = select(offered, isOffered ? chosen : OTHER[0]);
  const text = el("input", {
    placeholder: "engine:time=1",
    value: isOffered ? "" : chosen,
    list: "kinds",
    maxLength: 200,
  });
  const other = field(`${label}: player`, text);
  const update = () => {
    const isOther = choice.value === OTHER[0];
    other.hidden = !isOther;
    onchange(isOther ? text.value.trim() || text.placeholder : choice.value);
  };
  choice.addEventListener("change", update);
  text.addEventListener("input", update);
  other.hidden = isOffered;
  return [field(label, choice), other];
}

/**
 * Rules, players, options and the other games, beside a board on which the game can begin at once.
 * @param {NewGame} source
 * @param {PositionView} position
 * @param {MenuView} menu
 * @param {{ begin: () => void, choose: (choice: Record<string, string>) => void }} acts
 */
export function setup(source, position, menu, acts) {
  const game = gameOf(menu.games, source.chosen.game);
  const areMany = menu.games.length > 1;
  const seats = el("div", { class: "pair" });
  const [rules, details] = [el("p", {}), el("p", {})];
  const drawSeats = () =>
    refill(
      seats,
      ["x", "o"].map((seat) =>
        el(
          "div",
          {},
          side(`${position.names[seat]} is`, menu, source.chosen[seat], (player) => acts.choose({ [seat]: player })),
        ),
      ),
      button(
        "Change sides",
        () => {
          const { x, o } = source.chosen;
          acts.choose({ x: o, o: x });
          drawSeats();
        },
        { class: "quiet" },
      ),
    );
  const choose = (/** @type {string} */ wanted) => acts.choose({ game: wanted });
  const form = el(
    "form",
    {
      class: "setup",
      "aria-label": "New game",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        acts.begin();
      },
    },
    game && el("div", { class: areMany ? "rules" : "" }, areMany && picture(game), rules),
    game?.details && el("details", { id: "details" }, el("summary", {}, "How it is played"), details),
    seats,
    game && game.options.length > 0 && options(game, source.chosen.game, position.names, choose),
    source.clock?.(source.chosen.clock ?? "", (text) => acts.choose({ clock: text })),
    el(
      "datalist",
      { id: "kinds" },
      menu.kinds.map(({ spec: value, title }) => el("option", { value }, title)),
    ),
    el("button", { class: "primary" }, "Play"),
  );
  drawSeats();
  /** The rules in words, which depend on the options. */
  const show = () => {
    if (!game) return;
    const options = optionValues(source.chosen.game, game.options);
    [rules.textContent, details.textContent] = [fillOptions(game.rules, options), fillOptions(game.details, options)];
  };
  show();
  return { node: [form, areMany && tiles(menu.games, game?.name ?? "")], show };
}
