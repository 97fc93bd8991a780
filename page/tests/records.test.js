// Texts of other programs, before they are sent.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MORE } from "../src/library/records.js";
import { Connection } from "./connection.js";

test("one game that no message holds is refused with a sentence, and not sent", async () => {
  const connection = new Connection();
  const place = /** @type {HTMLElement} */ ({});
  // fewer than 60,000 characters: in JSON each line break is two bytes, as each umlaut is in UTF-8
  for (const text of [`1. e4 {${"ä".repeat(40_000)}} e5`, `1. e4 {${"\n".repeat(40_000)}} e5`]) {
    assert.ok(text.length < 60_000);
    await assert.rejects(MORE.read({ game: "chess", text }, "chess", place), /more than 60,000 bytes.*80,01\d/);
  }
  assert.deepEqual(connection.asked, []);
});
