// The first page: which game, who plays, who begins.

import { button, el, field, select } from "./dom.js";
import * as link from "./link.js";
import { server, theMenu } from "./socket.js";
import { begin } from "./source.js";

const PERSON = ["human", "A person"];
const OTHER = ["other", "Another player…"];

/** The spec of a game with options, leaving out those at their defaults: "mnk:rows=5,k=4". */
export function spec(name, options, controls) {
  const given = options.flatMap(({ name: key, kind, default: usual }) => {
    const value = kind === "bool" ? String(controls[key].checked) : controls[key].value.trim();
    return value === usual ? [] : [`${key}=${value}`];
  });
  return given.length ? `${name}:${given.join(",")}` : name;
}

/** The options of a game as fields. */
function optionFields(game) {
  const controls = Object.fromEntries(game.options.map(({ name, kind, default: usual }) => [name,
    kind === "bool" ? el("input", { type: "checkbox", checked: usual === "true" })
      : name === "first" ? select([["x", "x"], ["o", "o"]], usual)
        : el("input", { type: kind === "int" ? "number" : "text", value: usual, min: 1 })]));
  const words = (name) => (name === "first" ? "Who begins" : name[0].toUpperCase() + name.slice(1));
  return [controls, game.options.map(({ name }) => field(words(name), controls[name]))];
}

/** One side: a person, an offered player, a program allowed on the command line, or any spec. */
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

/** The page. */
export async function setup(root) {
  const menu = await theMenu();
  const names = menu.games.map(({ name, summary }) => [name, `${name} – ${summary}`]);
  const name = select(names, menu.games[0].name);
  const options = el("div", { class: "options" });
  const problem = el("p", { class: "problem", role: "alert" });
  let controls;
  const chosen = () => menu.games.find((game) => game.name === name.value);
  const update = () => {
    const [made, fields] = optionFields(chosen());
    controls = made;
    options.replaceChildren(...fields);
  };
  name.addEventListener("change", update);
  update();
  const [x, xFields] = sideFields("x is", menu, "human");
  const [o, oFields] = sideFields("o is", menu, "level:error=0.25");
  const game = () => spec(name.value, chosen().options, controls);
  const attempt = async (action) => {
    problem.textContent = "";
    await action().catch((fault) => (problem.textContent = fault.message));
  };
  const start = (event) => {
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
