// Tests of the choice between the server and the page's own workers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Connection, settled } from "./connection.js";
import { Nearby } from "../src/answers/nearby.js";

test("the module is asked for once the first reply is there", async () => {
  const server = new Connection();
  const near = { operations: [], players: ["level"], withheld: [], table: 8, seconds: 60 };
  server.known = { menu: () => ({ games: [], players: [], near }) };
  const way = new Nearby(/** @type {any} */ (server));
  way.ask("reply", { game: "line", player: "level:easy" }, null);
  await settled();
  assert.deepEqual(server.names, ["reply"]);
  await server.last("reply").answer({ move: "a", report: null, saved: null });
  await settled();
  assert.deepEqual(server.names, ["reply", "module"]);
});
