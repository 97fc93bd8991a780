// The race: every algorithm searches the same position; all enter nodes equally fast, so who needs fewest is home
// first.

import { answers, theBoard, theMenu, usualGame } from "../answers/answers.js";
import { askingForm } from "../library/asking.js";
import "../board/board.js";
import { button, el, field, svg } from "../shell/dom.js";
import * as link from "../shell/link.js";
import { beside } from "../shell/pages.js";
import { column } from "../shell/tables.js";
import { countText, gameTitle } from "../shell/words.js";

/** @import { RaceView, RowView } from "models" */

/** Titles of the algorithms, by name. @typedef {Record<string, string>} Titles */

/** Seconds until the slowest is home. */
const LENGTH = 6;
const CHART = { width: 640, height: 300, left: 70, right: 16, top: 14, bottom: 34 };
const MARKS = ["M-4-4h8v8h-8z", "M0-5l5 9h-10z", "M0 5l5-9h-10z", "M0-5l5 5l-5 5l-5-5z", "M-4-1h8v2h-8z"];
/** Inks and marks there are: the style sheet has as many. */
const LANES = MARKS.length;

/** @param {RowView[]} rows @param {string} algorithm @param {number} depth */
const at = (rows, algorithm, depth) => rows.find((row) => row.algorithm === algorithm && row.depth === depth);

/**
 * Lanes that fill as nodes are entered.
 * @param {RaceView} race
 * @param {number} depth
 * @param {Titles} titles
 */
function lanes({ algorithms, rows }, depth, titles) {
  const most = Math.max(...rows.filter((row) => row.depth === depth).map((row) => row.nodes), 1);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const begun = performance.now();
  const made = algorithms.map((algorithm, number) => {
    const row = at(rows, algorithm, depth);
    const fill = el("span", { class: `fill lane-${number % LANES}` });
    const count = el("span", { class: "entered" });
    const node = el(
      "li",
      {},
      el("span", { class: "name" }, titles[algorithm]),
      count,
      el("span", { class: "lane", "aria-hidden": "true" }, fill),
    );
    return { row, fill, count, node };
  });
  const label = `Nodes entered to depth ${depth}`;
  const list = el(
    "ol",
    { class: "lanes", "aria-label": label },
    made.map(({ node }) => node),
  );
  const draw = () => {
    const run = still ? most : Math.min(most, ((performance.now() - begun) / (LENGTH * 1000)) * most);
    for (const { row, fill, count } of made) {
      const entered = row ? Math.min(row.nodes, Math.round(run)) : 0;
      fill.style.setProperty("--share", String(entered / most));
      count.textContent = !row
        ? "did not finish in time"
        : `${countText(entered)} nodes${entered === row.nodes ? ", home" : ""}`;
    }
    if (run < most && (list.isConnected || performance.now() - begun < 100)) requestAnimationFrame(draw);
  };
  draw();
  return list;
}

/**
 * Nodes by depth on a logarithmic scale: a point is a search, read aloud and chosen to race to that depth.
 * @param {RaceView} race
 * @param {number} depths
 * @param {Titles} titles
 * @param {(depth: number) => void} onchoose
 */
function chart({ algorithms, rows }, depths, titles, onchoose) {
  const { width, height, left, right, top, bottom } = CHART;
  const powers = Math.max(1, Math.ceil(Math.log10(Math.max(...rows.map((row) => row.nodes), 10))));
  const x = (/** @type {number} */ depth) =>
    left + (depths > 1 ? (depth - 1) / (depths - 1) : 0.5) * (width - left - right);
  const y = (/** @type {number} */ nodes) => height - bottom - (Math.log10(nodes) / powers) * (height - top - bottom);
  const grid = [...Array(powers + 1).keys()].map((power) => [
    svg("line", { x1: left, x2: width - right, y1: y(10 ** power), y2: y(10 ** power) }),
    svg("text", { x: left - 8, y: y(10 ** power) + 4, class: "end" }, countText(10 ** power)),
  ]);
  const tick = (/** @type {number} */ depth) => svg("text", { x: x(depth), y: height - 14 }, String(depth));
  const ticks = [...Array(depths).keys()].map((before) => tick(before + 1));
  /** @param {RowView} row @param {number} number */
  const dot = (row, number) =>
    svg(
      "a",
      {
        role: "link",
        tabindex: 0,
        class: "dot",
        transform: `translate(${x(row.depth)} ${y(row.nodes)})`,
        "aria-label": `${titles[row.algorithm]}, depth ${row.depth}: ${countText(row.nodes)} nodes`,
        onclick: () => onchoose(row.depth),
        onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && onchoose(row.depth),
      },
      svg("circle", { r: 11, class: "reach" }),
      svg("path", { d: MARKS[number % LANES] }),
    );
  const lines = algorithms.map((algorithm, number) => {
    const own = rows.filter((row) => row.algorithm === algorithm);
    return svg(
      "g",
      { class: `lane-${number % LANES}` },
      svg("polyline", { points: own.map((row) => `${x(row.depth)},${y(row.nodes)}`).join(" ") }),
      own.map((row) => dot(row, number)),
    );
  });
  const frame = { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Nodes entered by depth" };
  return svg("svg", { class: "chart", ...frame }, svg("g", { class: "grid-lines" }, grid, ticks), lines);
}

const COLUMNS = ["Algorithm", "Nodes", "Leaves", "Cutoffs", "First move", "Branching", "Seconds", "Value"];

/**
 * Counts of a search, as the words of its row; or why it has none.
 * @param {RowView | undefined} row
 * @param {[algorithm: string, depth: number] | undefined} late
 */
function took(row, late) {
  if (!row) return [late ? `did not finish depth ${late[1]} in time` : "…", "", "", "", "", "", ""];
  return [
    countText(row.nodes),
    row.leaves === null ? "not counted" : countText(row.leaves),
    row.cutoffs === null ? "not counted" : countText(row.cutoffs),
    row.first === null ? "" : `${Math.round(row.first * 100)} %`,
    row.branching === null ? "–" : row.branching.toFixed(2),
    row.seconds.toFixed(4),
    row.value,
  ];
}

/** @param {RaceView} race @param {number} depth @param {Titles} titles */
function table({ algorithms, rows, unfinished }, depth, titles) {
  const head = COLUMNS.map((words) => column(words));
  const body = algorithms.map((algorithm, number) => {
    const cells = took(
      at(rows, algorithm, depth),
      unfinished.find(([name]) => name === algorithm),
    );
    return el(
      "tr",
      {},
      el("th", { scope: "row", class: `lane-${number % LANES}` }, titles[algorithm]),
      cells.map((cell) => el("td", {}, cell)),
    );
  });
  return el(
    "div",
    { class: "scrolled", tabindex: 0, role: "region", "aria-label": `Counts at depth ${depth}` },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)),
  );
}

/** Algorithms that may look deeper than asked, where a game's rules see an end before it comes. */
const FURTHER = "pvs";
const isEstimate = (/** @type {RowView} */ { value }) => /^[+-]\d/.test(value);

/**
 * Whether those that came deepest found the same value, in a sentence.
 * @param {RaceView} race
 * @param {Titles} titles
 */
function verdict({ rows }, titles) {
  const deepest = Math.max(...rows.map(({ depth }) => depth));
  const last = rows.filter(({ depth }) => depth === deepest);
  const values = (/** @type {RowView[]} */ some) => new Set(some.map(({ value }) => value));
  const [first, ...more] = last.filter(({ algorithm }) => algorithm !== FURTHER);
  const further = last.find(({ algorithm }) => algorithm === FURTHER);
  if (values(last).size <= 1) return `They agree: ${last[0]?.value}.`;
  if (further && first && values([first, ...more]).size === 1 && [first, further].some(isEstimate)) {
    return `They agree: ${first.value}. One looked further than the depth, to ${further.value}: ${titles[FURTHER]}.`;
  }
  return `They do not agree: ${last.map(({ algorithm, value }) => `${titles[algorithm]} ${value}`).join(", ")}.`;
}

/**
 * The page.
 * @param {HTMLElement} root
 * @param {link.Values} values
 */
export async function race(root, values) {
  const game = values.game ?? (await usualGame());
  const place = { game, start: values.start ?? "", moves: values.moves ? values.moves.split(" ") : [] };
  const depths = Math.max(1, Math.min(60, Number(values.depth ?? 6)));
  const runners = (await theMenu()).algorithms.filter(({ compared }) => compared);
  const titles = Object.fromEntries(runners.map(({ name, title }) => [name, title]));
  let shown = depths;
  /** @type {RaceView | null} */
  let found = null;
  const problem = el("p", { class: "problem", role: "alert" });
  const status = el("p", { class: "standing", role: "status" }, answers.waits);
  const course = el("section", { "aria-label": "Race" });
  const results = el("section", { "aria-label": "Results" });
  const board = el("ply-board");
  const depth = el("input", { type: "number", min: 1, max: 60, value: depths });
  const here = { game, start: place.start, moves: place.moves.join(" ") };
  const draw = () => {
    if (!found?.rows.length) return;
    shown = Math.min(shown, Math.max(...found.rows.map((row) => row.depth)));
    const choose = (/** @type {number} */ chosen) => {
      shown = chosen;
      draw();
    };
    course.replaceChildren(el("h2", {}, `To depth ${shown}`), lanes(found, shown, titles), button("Run again", draw));
    results.replaceChildren(
      el("h2", {}, "What it took"),
      table(found, shown, titles),
      el("h2", {}, "Nodes by depth"),
      chart(found, depths, titles, choose),
    );
  };
  const form = await askingForm(
    { ...values, ...here },
    {
      label: "Which race",
      act: "Race",
      more: [field("Plies ahead", depth)],
      beside: beside("race", here),
    },
    (wanted) => link.go(["race"], { ...wanted, depth: depth.value }),
  );
  root.replaceChildren(
    el(
      "div",
      { class: "story" },
      el("h1", {}, `A race on ${gameTitle((await theMenu()).games, game)}`),
      form,
      problem,
      status,
      el(
        "div",
        { class: "columns aside" },
        course,
        el("section", { class: "side narrow", "aria-label": "Board" }, board),
      ),
      results,
      el(
        "section",
        { class: "runners", "aria-label": "Who runs" },
        el("h2", {}, "Who runs"),
        el(
          "dl",
          {},
          runners.map(({ title, summary }) => [el("dt", {}, title), el("dd", {}, summary)]),
        ),
      ),
    ),
  );
  const algorithms = runners.map(({ name }) => name);
  const asked = answers.ask("race", { ...place, algorithms, depth: depths }, (part) => {
    found = part;
    const done = new Set(part.rows.map((row) => row.algorithm)).size;
    status.textContent = `${done} of ${part.algorithms.length} have run…`;
  });
  const finish = async () => {
    try {
      const drawn = Promise.all([theBoard(game), answers.ask("position", place)]).then(([fixed, position]) =>
        board.show({ board: fixed, position, still: true, label: `Board: ${position.text}` }),
      );
      [found] = await Promise.all([asked, drawn]); // together: of two that fail, neither goes unheard
      status.textContent = ["All have run.", verdict(found, titles), found.why_plain].filter(Boolean).join(" ");
      draw();
    } catch (fault) {
      status.textContent = "";
      problem.textContent = fault.message;
    }
  };
  finish();
  return { close: () => asked.cancel() };
}
