// Learning from self-play: started and stopped, its curves as they grow, opponents on the way, and what it looks at.

import { answers, theBoard, theMenu } from "../answers/answers.js";
import "../board/board.js";
import { copyable } from "../game/panel.js";
import { button, el, field, refill, select, style, svg } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { column, titledTable } from "../shell/tables.js";
import { countText, gameTitle } from "../shell/words.js";

/** @import { BoardView, LearningView, LooksView, MenuView, PositionView, RunView } from "models" */

const styled = style("lab/learning.css");
const CHART = { height: 260, left: 46, right: 14, top: 12, bottom: 40 };
const narrow = matchMedia("(max-width: 40rem)");
/** The level of all games so far, and that of the weights which come with plyground. */
const [NOW, SHIPPED] = ["now", "learned"];

const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
/** A number of games as it is written below the chart: 1, 10, … 1k, 1M. @param {number} games */
const short = (games) => (games >= 1e6 ? `${games / 1e6}M` : games >= 1e3 ? `${games / 1e3}k` : String(games));

/** The newest of some points; null where there is none. @template Point @param {Point[]} points */
const newest = (points) => points.at(-1) ?? null;

/**
 * Kept values and points of matches by the number of games, which grows by tens.
 * @param {RunView} run
 */
function chart({ kept, matches, own, at_random: random, positions }) {
  const { height, left, right, top, bottom } = CHART;
  const width = narrow.matches ? 380 : 820;
  const all = [...kept.map(([games]) => games), ...matches.map(([games]) => games)];
  const from = Math.floor(Math.log10(Math.max(1, Math.min(...all))));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...all))));
  const x = (/** @type {number} */ games) =>
    left + ((Math.log10(Math.max(1, games)) - from) / (to - from)) * (width - left - right);
  const y = (/** @type {number} */ share) => height - bottom - share * (height - top - bottom);
  const across = [0, 0.25, 0.5, 0.75, 1].map((share) => [
    svg("line", { x1: left, x2: width - right, y1: y(share), y2: y(share) }),
    svg("text", { x: left - 8, y: y(share) + 4, class: "end" }, percent(share)),
  ]);
  const below = [...Array(to - from + 1).keys()].map((power) =>
    svg("text", { x: x(10 ** (from + power)), y: height - 20 }, short(10 ** (from + power))),
  );
  const line = (/** @type {string} */ name, /** @type {number[][]} */ points) =>
    svg("polyline", { class: name, points: points.map(([games, share]) => `${x(games)},${y(share)}`).join(" ") });
  const level = (/** @type {string} */ name, /** @type {number} */ share) =>
    positions > 0 && svg("line", { class: name, x1: left, x2: width - right, y1: y(share), y2: y(share) });
  const bars = matches.map(([games, , share, low, high]) => [
    svg("line", { x1: x(games), x2: x(games), y1: y(low), y2: y(high) }),
    svg("circle", { cx: x(games), cy: y(share), r: 5 }),
  ]);
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Strength by games learned from" },
    svg("g", { class: "grid-lines" }, across, below),
    svg("text", { class: "axis", x: (left + width - right) / 2, y: height - 3 }, "games learned from"),
    level("level own", own),
    level("level random", random),
    line("kept", kept),
    kept.slice(-1).map(([games, share]) => svg("circle", { class: "kept", cx: x(games), cy: y(share), r: 4 })),
    svg("g", { class: "points" }, line("", matches.map(([games, , share]) => [games, share])), bars), // prettier-ignore
  );
}

/** Legend of the lines, with their newest values. @param {RunView} run */
function legend({ kept, matches, own, at_random: random, positions, has_own: hasOwn }) {
  const [match, last] = [newest(matches), newest(kept)];
  const against = hasOwn ? "the game's own evaluation" : "the engine without an evaluation";
  /** @param {string} name @param {string} words @param {string} value */
  const row = (name, words, value) => el("li", { class: name }, `${words}: `, el("strong", {}, value));
  return el(
    "ul",
    { class: "legend" },
    match &&
      row("points", `points against ${against}`, `${percent(match[2])} (${percent(match[3])} to ${percent(match[4])})`),
    last && row("kept", `first choice keeps the value, in ${countText(positions)} solved positions`, percent(last[1])),
    positions > 0 && hasOwn && row("own", "the same by the game's own evaluation", percent(own)),
    positions > 0 && row("random", "the same at random", percent(random)),
  );
}

/** All matches in numbers. @param {RunView} run */
const numbers = ({ matches }) =>
  titledTable(
    "Matches",
    {},
    el("tr", {}, column("Games learned from"), column("Games of the match"), column("Points"), column("95 %")),
    matches.map(([games, played, share, low, high]) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, countText(games)),
        el("td", {}, countText(played)),
        el("td", {}, percent(share)),
        el("td", {}, `${percent(low)} to ${percent(high)}`),
      ),
    ),
  );

/** State of the learning, in a sentence. @param {RunView} run */
function standing({ stage, games, plies, seconds }) {
  const far = `${countText(games)} games, ${countText(plies)} positions in ${countText(seconds < 10 ? seconds : Math.round(seconds))} s of CPU time`;
  return {
    beginning: "Getting ready: positions are solved to compare with…",
    learning: `It learns: ${far}.`,
    measuring: `It plays a match to see how strong it is: ${far}.`,
    stopped: `Stopped: ${far}. It goes on from there.`,
    ended: `Finished: ${far}.`,
  }[stage];
}

/** Links to games against what was learned: after 1,000 games, 10,000, 100,000, and now. @param {RunView} run */
const opponents = ({ game, levels, players, games }) =>
  Object.entries(players).map(([level, name]) => {
    const after = level === NOW ? games : levels[level];
    const words = level === NOW ? "As learned so far" : `After ${countText(Number(level))} games`;
    return el(
      "li",
      {},
      el("a", { class: "button", href: link.write([""], { game, x: "human", o: name }) }, words),
      el("span", { class: "hint" }, ` ${countText(after)} games`),
    );
  });

/**
 * A position and the patterns that weigh most in it.
 * @param {string} game
 * @param {string} level
 * @param {MenuView} menu
 */
function looking(game, level, menu) {
  let seed = 0;
  const place = el("div", { class: "looks" });
  const problem = el("p", { class: "problem", role: "alert" });
  /** @param {PositionView} position @param {BoardView} fixed @param {string} label */
  const drawPosition = (position, fixed, label) => {
    const board = el("ply-board");
    const node = el("div", { class: "picture", inert: true, "aria-hidden": "true" }, board);
    return { node, show: () => board.show({ board: fixed, position, still: true, label }) };
  };
  const show = async () => {
    problem.textContent = "";
    place.setAttribute("aria-busy", "true");
    try {
      const [fixed, view] = await Promise.all([theBoard(game), answers.ask("looks", { game, level, seed })]);
      draw(view, fixed);
    } catch (fault) {
      problem.textContent = fault.message;
    }
    place.removeAttribute("aria-busy");
  };
  /** @param {LooksView} view @param {BoardView} fixed */
  const draw = ({ position, words, patterns }, fixed) => {
    const whole = drawPosition(position, fixed, position.text);
    const parts = patterns.map((each) => ({ ...each, ...drawPosition(each.position, fixed, each.words) }));
    const to = link.write(["board"], { game, start: position.start, moves: position.moves.join(" ") });
    refill(
      place,
      el("figure", { class: "whole" }, whole.node, el("figcaption", {}, el("a", { href: to }, words))),
      el(
        "ol",
        { class: "shelf", "aria-label": "Patterns" },
        parts.map(({ node, words: said, chance }) =>
          el("li", { class: `tile ${chance < 0.5 ? "o" : "x"}` }, node, el("span", {}, said)),
        ),
      ),
    );
    [whole, ...parts].forEach((each) => each.show());
  };
  const another = button("Another position", () => {
    seed += 1;
    show();
  });
  const node = el(
    "section",
    { "aria-labelledby": "looks" },
    el("h2", { id: "looks" }, "What does it look at?"),
    el(
      "p",
      { class: "hint" },
      `A position of ${gameTitle(menu.games, game)}, and the groups of places that weigh most in it: by how much each moves`,
      " an even chance, compared with what usually stands there.",
    ),
    another,
    problem,
    place,
  );
  show();
  return node;
}

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function learning(root, values) {
  const [menu] = await Promise.all([theMenu(), styled]);
  const game = values.game ?? "";
  const heading = el("h1", {}, game ? `Self-play: ${gameTitle(menu.games, game)}` : "Learning from self-play");
  const problem = el("p", { class: "problem", role: "alert" });
  const status = el("p", { class: "standing", role: "status" });
  const [acts, curves, others, eyes, list] = ["acts", "curves", "others", "eyes", "list-of-runs"].map((name) =>
    el("div", { class: name }),
  );
  const act = async (/** @type {"learn" | "learn_stop"} */ op) => {
    problem.textContent = "";
    try {
      draw(await (op === "learn" ? answers.ask("learn", { game }) : answers.ask("learn_stop", {})));
    } catch (fault) {
      problem.textContent = fault.message;
    }
  };
  const games = menu.games.filter(({ fault }) => !fault).map(({ offer, name, title }) => [offer || name, title]);
  const known =
    games.some(([spec]) => spec === game) || !game ? games : [...games, [game, gameTitle(menu.games, game)]];
  const choice = select([["", "Choose a game…"], ...known.map(([spec]) => [spec, gameTitle(menu.games, spec)])], game, {
    onchange: () => link.go(["learning"], { game: choice.value }),
  });
  let looked = "";
  /** The newest weights that can be looked at. @param {RunView | undefined} run */
  const level = (run) => (run && Object.keys(run.players).length ? NOW : "");

  /** Buttons of the game. @param {LearningView} view @param {RunView | undefined} run */
  const controls = (view, run) => {
    const isOurs = view.running === game;
    const other = view.running && !isOurs;
    if (!view.open)
      return [
        el("p", { class: "hint" }, "Visitors of this server cannot start learning."),
        el(
          "details",
          { id: "terminal" },
          el("summary", {}, "How to start it in a terminal"),
          copyable("Command", `plyground learn ${game || games[0][0]}`),
          el("p", {}, "A server whose visitors can start it: ", el("code", {}, "plyground web --learn"), "."),
        ),
      ];
    return [
      game &&
        !isOurs &&
        button(run ? "Go on" : "Start learning", () => act("learn"), { class: "primary", disabled: Boolean(other) }),
      isOurs && button("Stop", () => act("learn_stop")),
      other &&
        el("p", { class: "hint" }, `${gameTitle(menu.games, view.running)} is being learned: one game at a time.`),
    ];
  };
  /** @param {RunView} run */
  const weightsPart = (run) =>
    run.file && [
      el("h2", {}, "Keep it"),
      el(
        "p",
        {},
        el("a", { href: run.file, download: `${game.replace(/\W+/g, "-")}.weights` }, "The file of weights"),
        ` (${countText(Math.ceil(run.bytes / 1000))} kB) is an evaluation for every search: `,
        el("code", {}, `plyground play ${game} --o engine:eval=FILE`),
      ),
    ];
  /** @param {LearningView} view */
  const draw = (view) => {
    const run = view.runs.find((each) => each.game === game);
    refill(acts, controls(view, run));
    const said = run ? (run.fault ? "" : standing(run)) : "";
    if (status.textContent !== said) status.textContent = said;
    if (run?.fault) problem.textContent = run.fault;
    const hasCurve = run && run.kept.length + run.matches.length > 0;
    refill(
      curves,
      hasCurve && [
        el("h2", {}, "How strong it is"),
        el("figure", { class: "strength" }, chart(run), legend(run)),
        run.matches.length > 0 && el("details", { id: "numbers" }, el("summary", {}, "In numbers"), numbers(run)),
      ],
    );
    const playable = run ? opponents(run) : [];
    refill(
      others,
      playable.length > 0 && [el("h2", {}, "Play against it"), el("ul", { class: "opponents" }, playable)],
      run && weightsPart(run),
    );
    if (game && level(run) && looked !== level(run)) {
      looked = level(run);
      eyes.replaceChildren(looking(game, looked, menu));
    }
    refill(list, game ? "" : runs(menu, view));
  };
  root.replaceChildren(
    el(
      "div",
      { class: "story selfplay" },
      heading,
      el(
        "p",
        {},
        "A game plays against itself, thousands of times, and learns what its positions are worth: no expert is asked.",
      ),
      el("div", { class: "of-game" }, field("Game", choice)),
      acts,
      status,
      problem,
      curves,
      others,
      eyes,
      list,
      game && el("p", {}, el("a", { href: "#/learning" }, "All games that were learned here")),
    ),
  );
  const asked = answers.ask("learning", {}, draw);
  asked.catch((fault) => (problem.textContent = fault.message));
  if (game && !looked)
    answers.ask("looks", { game, level: SHIPPED }).then(
      () => !looked && eyes.replaceChildren(looking(game, SHIPPED, menu)),
      () => {}, // there are none
    );
  return { close: () => asked.cancel() };
}

/** All that was learned. @param {MenuView} menu @param {LearningView} view */
function runs({ games }, { runs: all }) {
  if (!all.length) return el("p", {}, "No game has been learned on this machine yet.");
  const rows = all.map(({ game, games: count, matches }) => {
    const match = newest(matches);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, el("a", { href: link.write(["learning"], { game }) }, gameTitle(games, game))),
      el("td", {}, countText(count)),
      el("td", {}, match ? percent(match[2]) : "–"),
    );
  });
  const head = el("tr", {}, column("Game"), column("Games"), column("Points against its own"));
  return titledTable("Learned here", {}, head, rows);
}
