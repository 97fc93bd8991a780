// The page where the rules of a game are written and played at once: Python reads, checks and compiles them in a worker
// of this page, and the game's own page is shown beside them.

import { button, el, field, refill, select } from "../shell/dom.js";
import { save } from "../shell/files.js";
import { keep, readStored } from "../shell/storage.js";
import { RulesField } from "./field.js";
import { gamePage } from "./gamepage.js";
import { PythonHost } from "./host.js";
import { linkOf, read } from "./link.js";

/** @import { Frame } from "./gamepage.js" */
/** @import { Part } from "./host.js" */
/** @import { Rules } from "./link.js" */
/** @import { PythonFile } from "./fetching.js" */

/**
 * Data in the page's document (`plyground/publish/editor.py`).
 * @typedef {object} Brought
 * @property {string} from Address of Pyodide's files, maybe beside the page.
 * @property {string} host Name of the host that sends them, for a sentence.
 * @property {PythonFile[]} files
 * @property {string} zip
 * @property {string} version Pyodide's.
 * @property {Frame} frame
 * @property {(Rules & { title: string })[]} examples
 */

const [NOW, BEFORE] = ["rules", "rules before"];
const [FETCHING, READING] = ["Python is being fetched…", "Reading the rules…"];
const JAVASCRIPT = { type: "text/javascript" };
const place = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {Brought} */
const brought = JSON.parse(place("brought").textContent ?? "");
const { files, zip, frame, examples, version } = brought;
const from = new URL(brought.from, document.baseURI).href;
const megabytes = Math.round(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6);

/** @type {Rules} */
let rules = readStored(NOW, examples[0]);
/** Name of the shown game, which is played again if a file has several. */
let game = "";

const rulesField = new RulesField();
const status = el("p", { class: "status", role: "status" });
const progress = el("progress", { "aria-label": "Python is being fetched", max: 1, value: 0 });
const faults = el("div", { id: "faults", class: "faults", role: "alert" });
const notes = el("div", { class: "notes" });
const printed = el("pre", { tabIndex: 0, "aria-label": "What the rules print" });
const output = el("details", { class: "printed", hidden: true, open: true }, el("summary", {}, "Printed"), printed);
const games = el("div", { class: "games" });
const shown = el("div", { class: "shown" });
const link = el("input", { readOnly: true, "aria-label": "Link to these rules" });
const linked = el("p", { class: "linked", hidden: true }, link);
const before = el("p", { class: "before", hidden: true });

const host = new PythonHost(
  () => new Worker(URL.createObjectURL(new Blob([place("python").textContent ?? ""], JAVASCRIPT))),
  { from, files, zip },
  {
    onShare: (share) => {
      progress.hidden = share >= 1;
      progress.value = share;
      if (share >= 1) say("Python has come, and starts…");
    },
    onReady: () => {
      progress.hidden = true;
      say(stop.hidden ? "Python is there." : READING);
    },
    onLoss: (what) => {
      progress.hidden = true;
      say("");
      tell([{ line: null, sentence: `Python cannot be loaded from ${brought.host}: ${what}. Play tries it again.` }]);
      running(false);
    },
    part: take,
    onEnd: (why) => {
      running(false);
      if (!why) return;
      tell([{ line: null, sentence: why }]);
      say("");
    },
  },
);

/** @param {string} words */
const say = (words) => (status.textContent = words);

/** Show the faults, each beside its line. @param {{ sentence: string, line: number | null }[]} found */
function tell(found) {
  const lines = found.flatMap(({ line }) => line ?? []);
  rulesField.mark(lines);
  if (lines.length) rulesField.show(lines[0]);
  shown.classList.toggle("old", found.length > 0);
  refill(
    faults,
    found.map(({ sentence, line }) =>
      el(
        "p",
        { class: "fault" },
        line !== null && button(`Line ${line}`, () => rulesField.enter(line), { class: "quiet" }),
        sentence,
      ),
    ),
  );
}

/** Show a part of the answer. @param {Part} part */
function take(part) {
  if (part.games) {
    game = part.game;
    const choose = select(
      part.games.map((/** @type {string} */ name) => [name, name]),
      game,
      { onchange: () => play((game = choose.value)) },
    );
    refill(games, part.games.length > 1 && field("Game", choose));
    say("Compiling…");
  } else if (part.module) {
    show(gamePage(frame, /** @type {any} */ (part)));
    say("Here it is. Its laws are being checked…");
  } else if (part.faults) {
    tell(part.faults);
    say("");
  } else if (part.said) {
    say(`Checked: ${part.said}.`);
    refill(
      notes,
      part.notes.map((/** @type {string} */ note) => el("p", { class: "hint" }, note)),
    );
  } else if ("printed" in part) {
    output.hidden = !part.printed;
    printed.textContent = part.printed;
  }
}

/** Show a game's page. @param {string} html */
function show(html) {
  const framed = el("iframe", { title: `The game ${game}` });
  const file = { name: `${rules.file.replace(/\.py$/, "")}.html`, text: html };
  refill(
    shown,
    framed,
    el(
      "div",
      { class: "part-actions" },
      button("Save this page", () => save(file)),
      el("span", { class: "hint" }, "One file that plays and analyses the game anywhere, without a network."),
    ),
  );
  // written into the frame, it has this page's address: of one at an address of its own, a page on a disk would allow
  // no link
  const inside = framed.contentDocument;
  inside?.open();
  inside?.write(html);
  inside?.close();
  // on a phone the game is below the fold; the page scrolls only after a key or a click
  const isBelow = shown.getBoundingClientRect().top > innerHeight * 0.9;
  if (isBelow && navigator.userActivation?.hasBeenActive) shown.scrollIntoView();
}

/** @param {boolean} isOn */
function running(isOn) {
  stop.hidden = !isOn;
}

/** Read the rules as they are now, and show the game. @param {string} [wanted] Its name in the file. */
function play(wanted = game) {
  tell([]);
  refill(notes);
  output.hidden = true;
  running(true);
  say(host.isReady ? READING : FETCHING);
  host.ask({ ...rules, game: wanted });
}

/** Other rules; those that were there can be brought back. @param {Rules} other */
function open(other) {
  const old = rules;
  rules = other;
  game = "";
  tell([]);
  refill(games);
  rulesField.put(other.text);
  keep(NOW, rules);
  if (old.text !== other.text && !examples.some(({ text }) => text === old.text)) offer(old);
}

/** Offer rules that were there before. @param {Rules | null} old */
function offer(old) {
  keep(BEFORE, old);
  before.hidden = !old;
  if (!old) return;
  const back = () => {
    offer(null);
    open(old);
  };
  refill(
    before,
    button(`Bring ${old.file} back`, back, { class: "quiet" }),
    el("span", { class: "hint" }, "It was here before."),
  );
}

/** @param {File | undefined} file */
async function takeFile(file) {
  if (file) open({ file: file.name.replace(/[^\w.-]+/g, "_").replace(/(\.\w*)?$/, ".py"), text: await file.text() });
}

/** The link of the rules, shown, and copied where the browser lets us. */
async function share() {
  const address = await linkOf(rules);
  link.value = address;
  linked.hidden = false;
  link.select();
  const isCopied = await navigator.clipboard?.writeText(address).then(
    () => true,
    () => false,
  );
  say(isCopied ? "The link is copied: who opens it has these rules." : "Copy the link: who opens it has these rules.");
}

const stop = button("Stop", () => host.stop("Stopped."), { hidden: true });
const chooser = el("input", { type: "file", accept: ".py,text/x-python,text/plain", hidden: true });
chooser.addEventListener("change", () => takeFile(chooser.files?.[0]).then(() => (chooser.value = "")));
const example = select([["", "Examples…"], ...examples.map(({ title }, at) => [String(at), title])], "", {
  "aria-label": "Examples",
  onchange: () => {
    const chosen = examples[Number(example.value)];
    example.value = "";
    open({ file: chosen.file, text: chosen.text });
    play("");
  },
});

refill(
  place("page"),
  el(
    "section",
    { class: "rules-part", "aria-label": "Rules" },
    el(
      "div",
      { class: "part-actions" },
      example,
      button("Open…", () => chooser.click()),
      chooser,
      button("Save", () => save({ name: rules.file, text: rules.text })),
      button("Link", share),
    ),
    before,
    rulesField.node,
    el(
      "div",
      { class: "part-actions" },
      button("Play", () => play(), { class: "primary", title: "Ctrl+Enter" }),
      stop,
      games,
      status,
    ),
    progress,
    linked,
    faults,
    output,
    notes,
    el("p", { id: "keys", class: "hint" }, "Ctrl+Enter plays. Tab indents; Escape, then Tab, leaves the field."),
    el(
      "p",
      { class: "hint" },
      `The rules stay in this browser, which runs them itself, and are sent nowhere. For that it fetches Python ` +
        `(Pyodide ${version}, ${megabytes} MB, once) from ${brought.host}.`,
    ),
  ),
  el("section", { class: "game-part", "aria-label": "Game" }, shown),
);
rulesField.area.addEventListener("input", () => keep(NOW, (rules = { ...rules, text: rulesField.area.value })));
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  play();
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  takeFile(event.dataTransfer.files[0]);
});
rulesField.begin(rules.text);
offer(readStored(BEFORE, /** @type {Rules | null} */ (null)));
host.load();
read().then((found) => {
  if (!found) {
    play();
    return;
  }
  open(found);
  history.replaceState(null, "", location.href.split("#")[0]); // what is typed from now on is there after a reload
  say("These rules are from a link: Play runs them in this browser.");
});
