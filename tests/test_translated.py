"""Translated functions give the same results in JavaScript; unknown constructs are refused."""

import importlib.util
import itertools
import json
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import translated
from translated import FLAG
from translator.marks import MarkedModule, read_marks, sources
from translator.snippets import NotTranslated
from translator.translating import javascript

from plyground.engine import move_grades
from plyground.errors import BadInput
from plyground.score import Chance, Score, best_first, best_of, judge_move

SRC = Path(__file__).resolve().parent.parent / "page" / "src"
INTS = (-8, -7, -1, 0, 1, 2, 7, 12)
LISTS: tuple[list[int], ...] = ([], [0], [1, 2], [1, 2, 3], [2])
THINGS = [("a", 4), ("b", 5), ("c", 1), ("d", 9), ("e", 8), ("f", 0)]
CASES: dict[str, Sequence[tuple[Any, ...]]] = {
    "floor_division": [(one, two) for one in INTS for two in INTS if two],
    "precedence": [*itertools.product(INTS, INTS)],
    "from_the_end": [([5, 6, 7], place) for place in range(-3, 3)],
    "truths": [*itertools.product(["", "a"], LISTS, [None, 0, 3])],
    "either": [*itertools.product(["", "a"], [None, 0, 3])],
    "chained": [*itertools.product(INTS, INTS, INTS)],
    "equality": [*itertools.product(LISTS, LISTS, [None, "", "a", "b"])],
    "tuples": [*itertools.product([(1, 2.5), (1, -0.5), (0, 9.0)], repeat=2)],
    "ranked": [(THINGS,), ([],), (THINGS[::-1],)],
    "reversed_ranks": [(THINGS,), ([],), (THINGS[::-1],)],
    "formats": [(each / 16, number) for each in range(-40, 41) for number in (-3, 0, 4)],
    "filled": [(3, "$&`", "\\n"), (0, "", "x")],
    "first_of": [(0.7,), (0.5,), (0.2,), (0.0,)],
    "branches": [(number,) for number in INTS],
    "pairs": [(number,) for number in INTS],
    "bounds": [(0.5,), (100.0,), (-3.25,)],
    "loops": [*itertools.product([[1, -2, 3], [0], [5, 5, 5, 5]], [0, 2])],
    "of_lists": [(each,) for each in LISTS],
    "changed": [("a.ba.",), ("aa",), ("",)],
    "slices": [*itertools.product(LISTS, range(-3, 4), range(-3, 4))],
    "while_loops": [*itertools.product([[1, -2, 3, 4, 5], *LISTS], INTS)],
    "bits": [(number,) for number in (*INTS, FLAG, FLAG + 3, -FLAG, 2**40 + 5, -(2**40) - 5)],
    "kept_lists": [(number,) for number in INTS],
    "sent": [*itertools.product(["", "a"], LISTS)],
    "of_texts": [*itertools.product([[], ["a"], ["", "b", "a"]], ["a", "b", "c"])],
    "sums": [(each,) for each in LISTS],
    "sets": [(each,) for each in [*LISTS, [3, -1, 3, 2, 2, 3]]],
    "patterns": [
        *itertools.product(
            ["a", "a1", "A1", "b7/", "c9", "x*y is -3 x is +4,x is", "12 {3} a!? {!}", "q is/12", ""],
            [["x", "x*y"], ["q", "[", "a b"]],
        )
    ],
    "texts": [*itertools.product(["", "aba xa", "a,b,,", " \t\x1c\x85a\u2003\ufeffb 😀", "İx Ba"], ["ab", "", "😀A"])],
    "places": [("a",), ("b",), ("bc",), ("",)],
    "maps": [(each,) for each in [*LISTS, [3, 1, 3, 2]]],
    "pairs_of": [*itertools.product([*LISTS, [5, 1, 3]], [[], ["a"], ["b", "a", "c"]])],
    "ranks": [*itertools.product([[3], [5, 2, -4, 2], [1, 13, 11]], [0, -1])],
    "generators": [*itertools.product(LISTS, [0, 1, 5])],
    "states": [*itertools.product([[[1, 2], [1], [1, 2], [12]], [[3], [3]]], [0, 1, -1])],
    "spelled": [([],), ([97, 0x1F600],)],
    "refused": [(number,) for number in INTS],
    "functions": [(each,) for each in LISTS],
}
"""Arguments of each function of `translated`."""
REFUSED = {
    "return one % 3": "this operator",
    "return one ** 2": "this operator",
    "return abs(one) % len([one])": "this operator",
    "return re.compile('a.c').finditer('abc')": "would mean something else",
    "return re.compile('[0-9]$').finditer('abc')": "would mean something else",
    "return re.compile(r'\\d').finditer('abc')": "would mean something else",
    "return re.compile('(?P<a>b)').finditer('abc')": "would mean something else",
    "return re.compile('a*+b').finditer('abc')": "would mean something else",
    "return re.compile('a').search('abc')": "search of a regular expression",
    "return re.compile('a').sub('$&', 'abc')": "sub of a regular expression",
    "return [f'{each[1]}' for each in re.compile('(a)').finditer('a')]": "in the form",
    "return [each[1] is None for each in re.compile('(a)').finditer('a')]": "whether a group took part",
    "return re.compile('a').fullmatch('a')[0]": "fullmatch of a regular expression",
    "return [each for each in set([one])]": "in place of a list",
    "return set([one]) == set([one])": "this comparison",
    "return {one: 2 for one in [one]} == {}": "a dict whose keys",
    "return one << 2": "this operator",
    "compare = one\n    return compare": "a name that JavaScript has",
    "return one(2)": "a call of a variable",
    "return sum([one / 2])": "this call",
    "return int(one / 2)": "this call",
    "return round(one / 2)": "round",
    "return f'{one / 3}'": "in the form",
    "return f'{one / 2:,}'": "in the form",
    "return one & one": "this operator",
    "return [one].index([one])": "no one kind",
    "return {'a': one}.pop('a')": "the method pop",
    "return len([*zip([one], [one])])": "this call",
    "return one & 4294967296": "this operator",
    "return [one][::2]": "this expression",
    "return {str(one): one}[one]": "a dict whose keys",
    "return {'a': one}[one]": "in place of a text",
    "raise KeyError('no')": "no constant of the module",
    "return f'{one > 2}'": "in the form",
    "return f'{one!r}'": "this piece",
    "return one is one": "identity",
    "return one == (one > 2)": "this comparison",
    "return one == '1'": "this comparison",
    "return 'a' < 'b'": "this comparison",
    "return {one: 2}": "a dict whose keys",
    "return 'one'[:1]": "in place of a list",
    "return [one] or [2]": "the truth",
    "return unknown": "unknown",
    "return 9007199254740993": "no constant",
    "while one:\n        one = 0\n    else:\n        one = 1\n    return one": "this statement",
    "new = one\n    return new": "a name that JavaScript has",
    "things = [one]\n    for each in things:\n        things.append(each)\n    return one": "a loop that changes",
    "for each in [one]:\n        two = each\n    return each": "a loop that changes",
    "things = [one]\n    things[-1] = 2\n    return one": "this index",
    "global other\n    return one": "this statement",
}
"""Bodies of a function of `one`, an int, and what is said of them."""
WRONG = """import re
from plyground.in_pages import in_pages

@in_pages
def wrong(one: int) -> int:
    {body}
"""
"""A module with such a function."""
ALL = (
    Score(0), Score(3), Score(-2), Score(1, plies=0), Score(1, plies=5), Score(1, plies=6), Score(-1, plies=1),
    Score(-1, plies=4), Score(2, bound=True), Score(-3, bound=True), Score(points=0), Score(points=7), Score(points=-7),
    Score(1), Score(1, within=5), Score(-1, within=3),
    Score(points=40, chance=Chance(0.625, "+0.4 pawns")), Score(points=-3, chance=Chance(0.125, "−1")),
    Score(share=0.0), Score(share=0.5), Score(share=0.545),
)  # fmt: skip
"""Scores of every kind."""

pytestmark = pytest.mark.process


def node(folder: Path, modules: dict[str, str], script: str, given: Any) -> Any:
    """Returns the output of a script in Node, with modules in its folder."""
    program = shutil.which("node")
    if not program:
        pytest.skip("node is not installed")
    modules = {"package.json": '{"type": "module"}', "main.js": script, **modules}
    for name in ("python.js", "refused.js"):
        modules[f"worker/{name}"] = (SRC / "worker" / name).read_text(encoding="utf-8")
    for name, text in modules.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [program, str(folder / "main.js")], input=json.dumps(given), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


TRANSLATED = javascript(read_marks("translated"))
"""What is made of `translated`."""
READ = 'import { readFileSync } from "node:fs";\nconst given = JSON.parse(readFileSync(0, "utf8"));\n'


def test_constructs(tmp_path: Path) -> None:
    """Every function of `translated` gives the same in both languages, for all arguments."""
    script = f"""{READ}import * as made from "./made/translated.js";
    const camel = (name) => name.replace(/_([a-z])/g, (_, sign) => sign.toUpperCase());
    const asked = (name, each) => {{
      try {{ return made[camel(name)](...each); }} catch (fault) {{ return [fault.constructor.name, fault.message]; }}
    }};
    const found = Object.entries(given).map(([name, cases]) => [name, cases.map((each) => asked(name, each))]);
    console.log(JSON.stringify(Object.fromEntries(found)));"""
    found = node(tmp_path, {"made/translated.js": TRANSLATED}, script, CASES)
    for name, cases in CASES.items():
        assert found[name] == [answer(name, each) for each in cases], name


class Three:
    """A class of each language's own."""

    first = 3
    rest = [1, -9]  # noqa: RUF012

    def plus(self, number: int, is_twice: bool) -> int | None:
        """A sum; None below 0."""
        total = self.first + (2 if is_twice else 1) * number
        return None if total < 0 else total


def test_protocols(tmp_path: Path) -> None:
    """What is asked of an object by a protocol is asked of a class that JavaScript has by hand; no page has the
    protocol."""
    script = """import { summed } from "./made/translated.js";
    class Three {
      first = 3;
      get rest() { return [1, -9]; }
      plus(number, isTwice) { const sum = 3 + (isTwice ? 2 : 1) * number; return sum < 0 ? null : sum; }
    }
    console.log(JSON.stringify(summed(new Three())));"""
    assert (
        node(tmp_path, {"made/translated.js": TRANSLATED}, script, None) == translated.summed(Three()) == [3, 1, -9, 5]
    )
    members = "first: number, rest: (number)[], plus: (a: number, b: boolean) => number | null"
    assert f"@typedef {{{{ {members} }}}} Numbered" in TRANSLATED and "Numbered" not in re.sub(
        r"(?s)/\*.*?\*/", "", TRANSLATED
    )


def test_members(tmp_path: Path) -> None:
    """Members that are chosen of a class stand in a class that one by hand extends; that one sets the others."""
    script = """import * as made from "./made/translated.js";
    class Walk extends made.Walk { first = 2; *steps() { yield 3; yield this.first; } }
    console.log(JSON.stringify([new Walk().longest, new Walk().ways]));"""
    walk, text = translated.Walk(2), {"made/translated.js": TRANSLATED}
    assert node(tmp_path, text, script, None) == [walk.longest, list(walk.ways)] == [3, [3, 2]]
    assert "unused" not in TRANSLATED


def answer(name: str, given: tuple[Any, ...]) -> Any:
    """What JSON makes of a function's answer, or of its refusal."""
    try:
        return json.loads(json.dumps(getattr(translated, name)(*given), default=vars))
    except BadInput as fault:
        return ["Refused", str(fault)]
    except ValueError as fault:
        return ["RangeError", str(fault)]


@pytest.mark.parametrize("body", REFUSED)
def test_refusals(body: str, tmp_path: Path) -> None:
    """Unknown constructs are refused, with file and line."""
    module = read(tmp_path / f"refused{abs(hash(body))}.py", WRONG.format(body=body))
    with pytest.raises(NotTranslated) as refused:
        javascript(MarkedModule(module.__name__))
    assert REFUSED[body] in str(refused.value)
    assert str(refused.value).startswith(f"{module.__file__}:{7 if 'things' in body else 6}: ")


def read(file: Path, text: str) -> ModuleType:
    """Returns a module with this source."""
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_scores(tmp_path: Path) -> None:
    """All that is said of scores, alone and beside each other, is the same in both languages."""
    script = f"""{READ}import {{ bestFirst, bestOf, judgeMove, Score }} from "./made/score.js";
    import {{ gradeMove, lostText }} from "./made/engine/move_grades.js";
    const scores = given.map((known) => new Score(known));
    const players = [0, 1];
    const alone = scores.map((each) => [each.text(["White", "Black"]), each.exact, each.certain, each.winner,
      players.map((one) => [each.brief(one), each.expectedResult(one), each.worth(one), each.order(one).slice(0, 3)])]);
    const pairs = scores.flatMap((one) => scores.flatMap((two) => players.map((player) => {{
      const found = gradeMove(one, two, player);
      const {{ gave, text }} = judgeMove(one, two, player);
      const {{ grade, kind, loss, exact }} = found;
      return [gave, text, grade, kind, loss, exact, lostText(found, one, two, player, ["White", "Black"])];
    }})));
    const all = scores.map((each, place) => [place, each]);
    const ranks = players.map((one) => [bestOf(all, one), bestFirst(all, one)]);
    console.log(JSON.stringify([alone, pairs, ranks]));"""
    modules = {each.path: javascript(each) for each in map(read_marks, sources())}
    given = [vars(each) | {"chance": each.chance and vars(each.chance)} for each in ALL]
    names = ("White", "Black")
    alone = [
        [
            *(each.text(names), each.exact, each.certain, each.winner),
            [
                [each.brief(one), each.expected_result(one), [*each.worth(one)], [*each.order(one)[:3]]]
                for one in (0, 1)
            ],
        ]
        for each in ALL
    ]
    pairs = []
    for one, two, player in itertools.product(ALL, ALL, (0, 1)):
        found, verdict = move_grades.grade_move(one, two, player), judge_move(one, two, player)
        lost = move_grades.lost_text(found, one, two, player, names)
        pairs.append([verdict.gave, verdict.text, found.grade, found.kind, found.loss, found.exact, lost])
    ranks = [[best_of(enumerate(ALL), one), best_first(enumerate(ALL), one)] for one in (0, 1)]
    assert node(tmp_path, modules, script, given) == [alone, pairs, ranks]


def test_accuracies(tmp_path: Path) -> None:
    """Accuracies are equal, as far as the exponential function is that of the machine."""
    script = f"""{READ}import {{ accuracyOf }} from "./made/engine/move_grades.js";
    console.log(JSON.stringify(given.map(accuracyOf)));"""
    losses = [each / 20 for each in range(21)]
    modules = {each.path: javascript(each) for each in map(read_marks, sources())}
    for one, other in zip(node(tmp_path, modules, script, losses), map(move_grades.accuracy_of, losses), strict=True):
        assert math.isclose(one, other, abs_tol=1e-12)
