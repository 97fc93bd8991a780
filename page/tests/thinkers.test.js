// Tests of the page's own workers: a level's move is there in time, whatever they do.

import assert from "node:assert/strict";
import { test } from "node:test";

import { settled } from "./connection.js";
import { Thinkers } from "../src/answers/thinkers.js";

/** A worker that answers nothing, unless it is told how; the first one that is started waits for no search. */
class Silent {
  /** @type {((message: any) => unknown) | null} */
  static swift = null;
  /** @type {Silent[]} */
  static all = [];

  /** @type {(event: any) => void} */
  onmessage = () => {};
  onerror = () => {};
  /** @type {any[]} */
  asked = [];
  isSwift = !Silent.all.length;

  constructor() {
    Silent.all.push(this);
  }

  postMessage(/** @type {any} */ message) {
    if (!message.op) return;
    this.asked.push(message);
    const ok = this.isSwift && Silent.swift?.(message);
    if (ok) queueMicrotask(() => this.onmessage({ data: { id: message.id, ok } }));
  }

  terminate() {}
}

/** @param {typeof Silent.swift} swift */
async function held(swift) {
  Object.assign(Silent, { swift, all: [] });
  const operations = [
    { name: "reply", stream: true, swift: false },
    { name: "position", stream: false, swift: true },
  ];
  const start = () => /** @type {any} */ (new Silent());
  const module = Promise.resolve(/** @type {any} */ ({}));
  const thinkers = new Thinkers({ known: {}, operations, facts: { spec: "line" }, start, module });
  await settled();
  return thinkers;
}

const REPLY = { game: "line", start: "", moves: ["a"], player: "level:easy,seed=7" };

test("a level moves by a glance where its worker says nothing", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const thinkers = await held(({ args }) => ({ move: args.player, report: null }));
  const reply = thinkers.ask("reply", REPLY, null);
  await settled();
  mock.timers.tick(3000);
  assert.equal((await reply).move, "level:easy,seed=7,time=0.001");
});

test("so does one that waits behind other searches, after the time that it was given", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const thinkers = await held(() => ({ move: "b", report: null }));
  for (let searches = 0; searches < 3; searches++) void thinkers.ask("reply", { ...REPLY, player: "perfect" }, null);
  const reply = thinkers.ask("reply", { ...REPLY, player: "level:best,time=9" }, null);
  let isThere = false;
  void reply.then(() => (isThere = true));
  await settled();
  mock.timers.tick(10_900);
  await settled();
  assert.equal(isThere, false);
  mock.timers.tick(100);
  assert.equal((await reply).move, "b");
});

test("where nothing answers it is said so, that another may be asked", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const thinkers = await held(null);
  const reply = thinkers.ask("reply", REPLY, null);
  reply.catch(() => {});
  await settled();
  mock.timers.tick(3000);
  await settled();
  mock.timers.tick(500);
  await assert.rejects(reply, { status: 503 });
});
