// The first page: which game, who plays, who begins.

import { button, el, field, select } from "./dom.js";
import * as link from "./link.js";
import { server, theMenu } from "./socket.js";
import { begin } from "./source.js";
import { spec } from "./words.js";

/** @import { GameChoice, MenuView } from "models" */

const PERSON = ["human", "A person"];
const OTHER = ["other", "Another player…"];

/**
 * The control of an option.
 * @param {GameChoice["options"][number]} option
 */
function control({ name, kind, default: usual }) {
  if (kind === "bool") return el("input", { type: "checkbox", checked: usual === "true" });
  if (name === "first") return select([["x", "x"], ["o", "o"]], usual);
  return el("input", { type: kind === "int" ? "number" : "text", value: usual, min: 1 });
}

/**
 * The options of a game as controls by name, and as fields.
 * @param {GameChoice} game
 * @returns {[Record<string, HTMLInputElement | HTMLSelectElement>, HTMLElement[]]}
 */
function optionFields(game) {
  const controls = Object.fromEntries(game.options.map((option) => [option.name, control(option)]));
  const words = (/** @type {string} */ name) =>
    (name === "first" ? "Who begins" : name[0].toUpperCase() + name.slice(1));
  return [controls, game.options.map(({ name }) => field(words(name), controls[name]))];
}

/**
 * One side: a person, an offered player, a program allowed on the command line, or any spec.
 * @param {string} label
 * @param {MenuView} menu
 * @param {string} chosen
 * @returns {[spec: () => string, fields: HTMLElement[]]}
 */
function sideFields(label, menu, chosen) {
  const offered = [
    PERSON,
    ...menu.players.map(({ spec: value, title }) => [value, title]),
    ...menu.programs.map((name) => [name, name]),
    OTHER,
  ];
  const choice = select(offered, chosen);
  const text = el("input", { placeholder: "engine:time=1", list: "kinds", maxLength: 200 });
  const other = field(`${label}: player`, text);
  const update = () => (other.hidden = choice.value !== OTHER[0]);
  choice.addEventListener("change", update);
  update();
  const spec = () => (choice.value === OTHER[0] ? text.value.trim() || text.placeholder : choice.value);
  return [spec, [field(label, choice), other]];
}

/**
 * The page.
 * @param {HTMLElement} root
 */
export async function setup(root) {
  const menu = await theMenu();
  const names = menu.games.map(({ name, title, summary }) => [name, `${title} – ${summary}`]);
  const name = select(names, menu.games[0].name);
  const options = el("div", { class: "options" });
  const problem = el("p", { class: "problem", role: "alert" });
  /** @type {Record<string, HTMLInputElement | HTMLSelectElement>} */
  let controls = {};
  const chosen = () => menu.games.find((game) => game.name === name.value) ?? menu.games[0];
  const update = () => {
    const [made, fields] = optionFields(chosen());
    controls = made;
    options.replaceChildren(...fields);
    problem.textContent = chosen().fault;
  };
  name.addEventListener("change", update);
  update();
  const [x, xFields] = sideFields("x is", menu, "human");
  const [o, oFields] = sideFields("o is", menu, "level:error=0.25");
  /** @param {[string, HTMLInputElement | HTMLSelectElement]} control */
  const given = ([key, control]) => [key, "checked" in control && control.type === "checkbox"
    ? String(control.checked)
    : control.value.trim()];
  const game = () => spec(name.value, chosen().options, Object.fromEntries(Object.entries(controls).map(given)));
  const attempt = async (/** @type {() => Promise<unknown>} */ action) => {
    problem.textContent = "";
    await action().catch((fault) => (problem.textContent = fault.message));
  };
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(() => begin({ game: game(), x: x(), o: o() }));
  };
  const analyse = () => attempt(async () => {
    await server.ask("position", { game: game() });
    link.go(["board"], { game: game() });
  });
  root.replaceChildren(el("form", { class: "setup", onsubmit: start },
    el("h1", {}, "New game"),
    field("Game", name),
    options,
    el("div", { class: "pair" }, el("div", {}, xFields), el("div", {}, oFields)),
    el("datalist", { id: "kinds" }, menu.kinds.map(({ spec: value, title }) => el("option", { value }, title))),
    problem,
    el("div", { class: "part-actions" },
      el("button", { class: "primary" }, "Play"),
      button("Analyse instead", analyse)),
    el("p", { class: "hint" },
      "Two people at one screen: choose a person on both sides. ",
      "Two people on two screens: the same, then send the links below the board.")));
  name.focus();
}
