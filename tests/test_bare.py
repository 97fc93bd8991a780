"""Scripts without what is only for readers mean what they meant, as a parser of the whole language reads them."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from plyground.publish import minify
from plyground.publish.page import OF_SOME_GAMES
from plyground.web.server.bundle import STATIC, alone, text_of, uncommented

pytestmark = pytest.mark.process
HERE = Path(__file__).resolve().parent / "javascript"
TRICKY = r"""
// a comment; `it` doesn't "end"
const half = (a, b) => a / b / 2; /* one more */ const no = /[/"'`]\/{2}/gu.test("a // b"); // behind
let text = `one ${half(1, { a: `two  ${"}"} {` }.a)}
  two // no comment ${ 1 + +text } \` \${no}`
const next = -half(- -1, +1) + +2 - -3; let i = 0
i++
++i
const shapes = { "a b": 'it\'s "so"', 3.5: 1. , async *walk() { yield* [/=/, /}/]; } }
class Box { #it = 1; static has(box) { return #it in box } get it() { return this.#it } }
function isQuoted(text) { return /['`]/.test(text) }
shapes.const = 1
if (i) /re/.exec(""); else { throw new Error(`${i}`) }
for (const each of /a b/.source) if (each in shapes) continue
else delete shapes[each]
const after = typeof /x/ === "object" ? .5 : i
[after].map(String)
const quoted = function (text) { return isQuoted(text) }
[quoted].map(String)
const named = function* walk() {}
const box = new class { call(text) { return text } }
const one = (1000), two = (one?.toFixed)
(2)
let three = (one?.constructor).name, four = 0x10 + 20_000 + 0.5 + 0.09
const five = new Map(), six = new Map().size, seven = new Map()
seven.set((five), (six, four)), i++
let eight = (await five ?? (two || three)), nine = (one + 1) * 2
for (let ten = 0, all = [[1, 2], ...(nine ? [] : [])]; ten < 2; ten++) { let eleven = (-ten) ** 2 } let twelve
const arrow = (a, b) => ({ a, b }), other = (a) => ((a, i)), last = !(one in seven) === ((i) => i)(i)
if (i) { let i = 1; i++ } else { let i = 2 }
const end = 10n ** 2000n
"""


def read(*scripts: str) -> list[str]:
    """The scripts as they are parsed."""
    node = shutil.which("node")
    if not node or not (HERE / "node_modules").is_dir():
        pytest.skip("node is not installed, or `npm ci` has not been run in tests/javascript")
    command, given = [node, str(HERE / "parsed.mjs")], json.dumps(scripts)
    done = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_scripts_mean_the_same() -> None:
    """All that a page holds; and it is half as long, or leaving things out is not worth it."""
    names = "published.js", "worker/worker.js", "lesson/publishedlesson.js", "worker/running.js", "unpacking.js"
    for name, without in (*((name, ()) for name in names), ("worker/worker.js", OF_SOME_GAMES.values())):
        whole = alone(STATIC, name, without)
        short = minify.script(whole)
        before, after = read(whole, short)
        modules = re.findall(r"^// ([\w/]+\.js)$", whole, re.M)
        written = sum(len(text_of(STATIC, each)) for each in modules)
        assert before == after and len(short) < 0.6 * written, name


def test_comments_mean_nothing() -> None:
    """A module without its block comments is the same, line for line."""
    texts = [file.read_text(encoding="utf-8") for file in sorted(STATIC.glob("**/*.js"))]
    short = [uncommented(text) for text in texts]
    assert read(*texts) == read(*short)
    assert [text.count("\n") for text in texts] == [text.count("\n") for text in short]


def test_what_is_tricky_means_the_same() -> None:
    """Templates in templates, slashes that divide and that do not, signs after signs, lines that end statements."""
    short = minify.script(TRICKY)
    before, after = read(TRICKY, short)
    assert before == after
    assert "comment;" not in short and "behind" not in short and "two  ${" in short
