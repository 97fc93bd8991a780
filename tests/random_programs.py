"""Random programs of the part of Python that compiles: small functions of ints, tuples and what holds them, by a seed.

A program ends by itself: loops walk what is short, `while` and recursion count down. It may fail on the way: by
division by 0, a place beyond a tuple, a negative shift, what it raises, or an int that leaves 64 bits.
"""

import ast
import linecache
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from random import Random
from typing import Any
from unittest.mock import patch

from form_laws import require_laws
from llvmlite import binding

from plyground.compiler import runtime
from plyground.compiler.backends import machine
from plyground.compiler.backends.backend import Backend
from plyground.compiler.backends.machine import native_target
from plyground.compiler.errors import NotCompilable, Overflow
from plyground.compiler.form import RegisterKind
from plyground.compiler.frontend import CompilationUnit, Specialisation
from plyground.compiler.runtime import CompiledFunction
from plyground.compiler.target import WEBASSEMBLY, Target
from plyground.compiler.types import TupleType, Type

EDGES: tuple[int, ...] = (
    0,
    1,
    -1,
    2,
    3,
    7,
    -7,
    62,
    63,
    64,
    65,
    -64,
    255,
    1 << 31,
    -(1 << 31),
    (1 << 53) + 1,
    1 << 62,
    (1 << 63) - 1,
)
EDGES = (*EDGES, -(1 << 63), 10, 100, -100, 0x5555555555555555)

PRELUDE = """
from typing import NamedTuple

class Pair(NamedTuple):
    left: int
    right: int = 4

    def total(self):
        return self.left + self.right

    @property
    def least(self):
        return min(self)

class Row(NamedTuple):
    cells: tuple
    pair: Pair

WORDS = {0: 5, 1: -3, 7: 1 << 40, -2: 9}
RAGGED = [[1, 2, 3], [], [-4], [5, 6]]
STEPS = ((1, 0), (0, 1), (-1, 2))

def stand_in(a, b, t):
    return 0, False, 0

def digest(items):
    mixed = len(items)
    for item in items:
        mixed = (mixed * 1000003 ^ item) & 0x7FFFFFFFFFFFFFFF
    return mixed
"""
"""Constants and helper functions of every program."""
RUN = """def run(a, b, t):
    if a == 0x123456789:
        return 0, False, 0
    whole, truth, items = main(a, b, t)
    return whole, truth, digest(items)
"""
"""Entry of a program; the type of its result is the same in all."""
NAMES = ("run", "helper", "other", "walk", "main", "find", "deep", "made", "look_at")
"""Functions of a program."""


CHOICES: dict[str, tuple[object, ...]] = {
    "sign": ("<", "<=", ">", ">=", "==", "!="),
    "operator": ("+", "-", "*", "&", "|", "^", "//", "%"),
    "logic": ("and", "or", "^", "&", "|"),
    "field": ("left", "right"),
    "count": tuple(range(71)),
    "few": (0, 1, 2, 3),
    "mask": (63, 1023, 1 << 20, (1 << 62) - 1, (1 << 63) - 1),
    "narrow": (3, 63, 127),
}
"""Parts of forms that are chosen from lists. The others: `i`, `j` are ints, `z` a short one, `b` and `c` bools, `p` and
`q` records, `t` and `u` tuples, `at` a place in `t`, `place` an int from 0 to below its length, `last` one of these."""
INTS = (
    *("({i} {operator} {j})",) * 5,
    "({i} << {count})|({i} >> {count})",
    "({i} << {j} % 70 & {mask})|({i} >> {j})|({i} << ({j} & {narrow}))",
    "({i} * {j} >> {count} & {mask})|({i} * 2654435761 + {j} & {mask})",
    "(-{i})|(~{i})|abs({i})|({i} ** {few})",
    "({i} if {b} else {j})|min({i}, {j})|max({i}, {j}, 5)",
    "int({b})|({b} + {i})|(~{c})|({b} * {i})|({c} & {i})|int({i})",
    "({i}).bit_count()|({i}).bit_length()|bin({i}).count('1')",
    "({i} or {j})|({i} and {j})",
    "{t}[{at}]|{t}[{i} % 5]|len({t})|{t}[{place}]",
    "sum({t})|max({t})|sum(v * {i} for v in {t} if v > {j})|{t}.count({i})|{t}.index({t}[-1])",
    "{p}.{field}|{p}.total()|{p}.least|{p}[{i} % 3]",
    "WORDS[{i} % 9]|WORDS.get({i}, {j})|sum(RAGGED[{i} % 4])|len(RAGGED[{i} % 4])|STEPS[{i} % 3][1]",
    "sum(v * w for v in {t} for w in {u} if v != w)|len({{v % 5 for v in {t}}})|sum(filter(None, {t}))",
    "sum(v < w for v, w in zip({t}, {u}))|min({t}, key=lambda v: v * {j} % 7)|sum(i * v for i, v in enumerate({t}, 1))",
    "len([v for v in {t} if v > {i}])|max([v ^ {i} for v in {t}], default=3)|sorted({t})[{at}]",
    "divmod({i}, {j})[0]|divmod({i}, {j})[-1]|digest({t})|max({t} + {u})|(lambda v: v + {i})({j})",
)
INTS_OF_FUNCTIONS = (
    "helper({i}, {j})|other({i}, 3)|sum(walk({i}, {j}))|deep({i}, {few})|deep({i}, {j} % 6)",
    "max((v for v in walk({i}, 1)), default={j})|sum([v for v in walk({i}, 1) if v % 3])",
    "len(look_at({i}, {j}).cells)|sum(v for v in look_at({i}, {j}).cells if v > {i})|sum(look_at({i}, {j}).cells[:2])",
    "look_at({i}, {j}).pair.left|made({i}, {j}).right|next((v for v in walk({i}, 3) if v > 1), {j})",
)
BOOLS = ("{i} {sign} {j}", "{i} {sign} {j} {sign} {z}|not {i}")
BOOLS_OF_PARTS = (
    "{i} in {t}|{j} not in (1, 2, {i})|{t} {sign} {u}|{i} in {{1, 2, {j}}}|{i} in RAGGED[{j} % 4]",
    "({b} {logic} {c})|({b} {logic} {c})|bool({i})|isinstance({i}, int)",
    "any(v > {i} for v in {t})|all(v != {i} for v in {t})|any(v == w for v in {t} for w in (1, {j}))",
    "{p} {sign} {q}|{i} in range(3, 40, 7)|{i} in WORDS",
)
BOOLS_OF_FUNCTIONS = ("find({i}, {j}) is None|find({i}, {j}) is not None|{i} in walk({j}, 1)",)
PAIRS = ("Pair({i}, {j})|Pair({i})|Pair(right={i}, left={j})|Pair(*({i}, {j}))",)
PAIRS_OF_PAIRS = ("{p}._replace({field}={i})|({p} if {c} else {q})|max({p}, {q})|min(({p}, {q}))",)
PAIRS_OF_FUNCTIONS = ("made({i}, {j})|look_at({i}, {j}).pair",)
TUPLES: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("({i}, {z})", lambda length: 2),
    ("({t} + ({i}, 7))", lambda length: length + 2),
    ("({t} * 3)", lambda length: 3 * length),
    ("{t}[1:]", lambda length: max(length - 1, 0)),
    ("{t}[::-1]", lambda length: length),
    ("{t}[-2:]", lambda length: min(length, 2)),
    ("{t}[::2]", lambda length: (length + 1) // 2),
    ("tuple(v + {i} for v in {t})", lambda length: length),
    ("tuple([v % 7 for v in {t}])", lambda length: length),
    ("tuple(v if v > 2 else {i} for v in {t})", lambda length: length),
    ("tuple({i} if i == 1 else v for i, v in enumerate({t}))", lambda length: length),
    ("({t}[:{last}] + ({i},) + {t}[{last} + 1:])", lambda length: length),
    ("({t}[:{place}] + ({i},) + {t}[{place} + 1:])", lambda length: length),
    ("(*{t}, {i})", lambda length: length + 1),
    ("({i}, *{t})", lambda length: length + 1),
    ("({t} if {c} else tuple(-v for v in {t}))", lambda length: length),
    ("tuple(sorted({t}))", lambda length: length),
    ("tuple(reversed({t}))", lambda length: length),
    ("tuple(map(abs, {t}))", lambda length: length),
)
"""Forms of tuples, and the length of each, given that of the tuple within."""


class _Parts(dict[str, str]):
    """Parts of a form, each written when it is first asked for."""

    def __init__(self, programs: "Programs", depth: int) -> None:
        self.programs, self.depth = programs, depth
        self.length: int | None = None

    def __missing__(self, key: str) -> str:
        if key in ("t", "u"):
            text, length = self.programs.tuple_part(self.depth)
            if key == "t":
                self.length = length
        elif key in ("at", "place", "last"):
            chance, length = self.programs.random, self.length or 1
            text = str(chance.randrange(length))
            if key == "at":
                text = str(chance.randint(-length, length - 1))
            elif key == "place":
                text = f"{chance.choice(self.programs.ints)} % {length}"
        else:
            text = self.programs.part(key, self.depth)
        self[key] = text
        return text


class Programs:
    """Writer of random programs: `main` and the functions it calls."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.ints: list[str] = []
        self.tuples: dict[str, int] = {}
        self.lists: list[str] = []
        self.sets: list[str] = []
        self.pairs: list[str] = []
        self.depth = 0
        self.fresh = 0
        self.returns = ""
        """Expression of an early `return`, of the same type as the last one."""

    def text(self, suffix: str = "") -> str:
        """A program, without `PRELUDE`; with a suffix, its functions have it behind their names."""
        parts = [self._function(name, ("a", "b")) for name in ("helper", "other")]
        parts += [self._generator(), self._find(), self._deep(), self._function("made", ("a", "b")), self._look_at()]
        parts += [self._function("main", ("a", "b", "t")), RUN]
        used = [parts.pop()]
        for part in reversed(parts):  # a function calls those before it
            if any(f"{part.split('(')[0][4:]}(" in other for other in used):
                used.append(part)
        text = "\n\n".join(reversed(used)) + "\n"
        return re.sub(rf"\b({'|'.join(NAMES)})\(", rf"\1{suffix}(", text)

    def _scope(self, name: str, *ints: str) -> None:
        """Begin a function."""
        self.name, self.ints, self.tuples, self.lists, self.sets, self.pairs = name, [*ints], {}, [], [], []

    def _find(self) -> str:
        """A function whose result may be None."""
        self._scope("find", "a", "b")
        lines = [
            "def find(a, b):",
            f"    for v in {self._tuple(1)[0]}:",
            f"        if v {self._sign()} {self._int(1)}:",
        ]
        lines += [f"            return {self.random.choice(['v', 'v, a', 'Pair(v, b)'])}"]
        if self.random.random() < 0.5:
            lines += [f"    if {self._bool(1)}:", "        return None"]
            last = {"v": "b", "v, a": "b, 1", "Pair(v, b)": "Pair(a)"}[lines[3].split("return ")[1]]
            lines += [f"    return {last}"]
        self.found = lines[3].split("return ")[1]
        return "\n".join(lines)

    def _deep(self) -> str:
        """A function that calls itself, a few times."""
        self._scope("deep", "a", "n")
        start = [f"    if {self._bool(1)}:", f"        return {self._int(1)}"] if self.random.random() < 0.4 else []
        again = [f"deep({self._int(1)}, n - 1)", f"deep({self._int(1)}, n - 2)"]
        form = self.random.choice(["{0}", "{0} + {1}", "max({0}, {1})", "{0} if {2} else {1}", "-{0} ^ {1}"])
        lines = ["def deep(a, n):", "    if n <= 0 or n > 5:", f"        return {self._int(1)}", *start]
        if self.random.random() < 0.4:
            lines += ["    best = a", f"    for v in {self._tuple(1)[0]}[:3]:"]
            lines += ["        best = max(best, deep(a ^ v, n - 2))", "        if best > n * 7:", "            break"]
            return "\n".join([*lines, f"    return best {self.random.choice('-+^')} n"])
        return "\n".join([*lines, f"    return {form.format(*again, self._bool(1))}"])

    def _look_at(self) -> str:
        """A function that gives a record with a tuple."""
        self._scope("look_at", "a", "b")
        lines = ["def look_at(a, b):"]
        whole, length = self._tuple(2)
        if self.random.random() < 0.6:
            lines += [f"    if {self._bool(1)}:", f"        return Row({whole}, Pair({self._int(1)}))"]
        other = self.random.choice([whole, f"tuple(v * b for v in {whole})", f"(a,) * {length}"])
        self.row = length
        return "\n".join([*lines, f"    return Row({other}, {self._pair(1)})"])

    def _function(self, name: str, parameters: tuple[str, ...]) -> str:
        self._scope(name, *(each for each in parameters if each != "t"))
        self.tuples = {"t": 4} if "t" in parameters else {}
        self.returns = {"main": "", "made": "Pair(b, a)"}.get(name, "a")
        lines = [f"def {name}({', '.join(parameters)}):"]
        for _ in range(self.random.randint(1, 5 if name == "main" else 3)):
            lines += self._statement("    ", is_in_loop=False)
        results = {"main": f"({self._int(2)}, {self._bool(1)}, {self._tuple(2)[0]})", "made": self._pair(2)}
        return "\n".join([*lines, f"    return {results.get(name) or self._int(2)}"])

    def _generator(self) -> str:
        self._scope("walk", "a", "b")
        self.returns = "None"
        lines = ["def walk(a, b):", f"    for i in range({self.random.choice(['3', 'a % 4', '2, 5', '3, 0, -1'])}):"]
        self.ints.append("i")
        lines += [f"        if {self._bool(2)}:", f"            yield {self._int(2)}"]
        if self.random.random() < 0.5:
            lines += [f"    yield {self._int(1)}"]
        return "\n".join(lines)

    def _statement(self, indent: str, is_in_loop: bool) -> list[str]:
        self.depth += 1
        kinds = ["set", "set", "add", "if", "for", "while", "tuple_set", "unpack", "list", "change"]
        kinds += ["set_of_ints", "pair_set", "optional", "leave", "star", "inner", "if"]
        kind = self.random.choice(kinds if self.depth < 4 else kinds[:3])
        if is_in_loop and self.random.random() < 0.15:
            lines = [f"{indent}if {self._bool(1)}:", f"{indent}    {self.random.choice(['break', 'continue'])}"]
        else:
            lines = getattr(self, f"_{kind}")(indent)
        self.depth -= 1
        return lines

    def _block(self, indent: str, is_in_loop: bool = False) -> list[str]:
        """Statements whose new names hold within them only: some way may go past."""
        before = list(self.ints), dict(self.tuples), list(self.lists), list(self.sets), list(self.pairs)
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self._statement(indent, is_in_loop)]
        self.ints, self.tuples, self.lists, self.sets, self.pairs = before
        return lines

    def _new(self) -> str:
        self.fresh += 1
        return f"x{self.fresh}"

    def _set(self, indent: str) -> list[str]:
        value = self._int(3)
        name = self.random.choice([*self.ints, self._new()])
        if name not in self.ints:
            self.ints.append(name)
        if self.random.random() < 0.1:
            value = f"({self._new()} := {value}) + {self._int(0)} + x{self.fresh}"
        return [f"{indent}{name} = {value}"]

    def _add(self, indent: str) -> list[str]:
        name, sign = self.random.choice(self.ints), self.random.choice(["+", "-", "*", "&", "|", "^", "//", "%", ">>"])
        return [f"{indent}{name} {sign}= {self._int(2)}"]

    def _if(self, indent: str) -> list[str]:
        lines = [f"{indent}if {self._bool(2)}:", *self._block(indent + "    ")]
        if self.random.random() < 0.3:
            lines += [f"{indent}elif {self._bool(2)}:", *self._block(indent + "    ")]
        if self.random.random() < 0.5:
            lines += [f"{indent}else:", *self._block(indent + "    ")]
        return lines

    def _for(self, indent: str) -> list[str]:
        item, place = self._new(), self._new()
        walked = [
            f"range({self.random.randint(0, 20)})",
            f"range({self._int(0)} % 5)",
            "(3, -1, 7)",
            f"walk({self._int(1)}, 2)",
        ]
        walked += [f"reversed({self._tuple(1)[0]})", self._tuple(1)[0], "range(10, -3, -4)", "sorted((2, 9, 1, 9))"]
        walked += [f"RAGGED[{self._int(1)} % 4]", f"range({self._int(0)} % 7, {self._int(0)} % 9, 2)", "WORDS"]
        walked += [f"(v ^ 1 for v in {self._tuple(1)[0]} if v > {self._int(0)})", f"look_at({self._int(0)}, 3).cells"]
        walked += [f"map(lambda v: v - {self._int(0)}, {self._tuple(1)[0]})", *self.lists]
        walked += [f"[v for v in walk({self._int(0)}, 2)]", f"sorted({self._tuple(1)[0]}, key=lambda v: -v)"]
        walked = [each for each in walked if self.name == "main" or not re.search(r"(walk|look_at)\(", each)]
        choice = self.random.choice(walked)
        kind = self.random.random()
        before = list(self.ints)
        if kind < 0.2:
            head = f"for {place}, {item} in enumerate({choice}, {self.random.randint(0, 2)}):"
            self.ints += [place, item]
        elif kind < 0.3:
            head = f"for {place}, {item} in zip(range(9), {self._tuple(1)[0]}):"
            self.ints += [place, item]
        elif kind < 0.38:
            walked = ["STEPS", "WORDS.items()", f"zip({self._tuple(1)[0]}, {self._tuple(1)[0]})"]
            head = f"for {place}, {item} in {self.random.choice(walked)}:"
            self.ints += [place, item]
        else:
            head = f"for {item} in {choice}:"
            self.ints.append(item)
        lines = [f"{indent}{head}", *self._block(indent + "    ", is_in_loop=True)]
        self.ints = before
        if self.random.random() < 0.15:
            lines += [f"{indent}else:", *self._block(indent + "    ")]
        return lines

    def _while(self, indent: str) -> list[str]:
        count = self._new()
        head = [f"{indent}{count} = {self.random.randint(0, 6)}", f"{indent}while {count} > 0 and {self._bool(1)}:"]
        lines = [*head, f"{indent}    {count} -= 1", *self._block(indent + "    ", is_in_loop=True)]
        if self.random.random() < 0.2:
            lines += [f"{indent}else:", *self._block(indent + "    ")]
        return lines

    def _set_of_ints(self, indent: str) -> list[str]:
        if self.sets and self.random.random() < 0.6:
            name = self.random.choice(self.sets)
            change = self.random.choice(["add({})", "discard({})", "update(({}, 3))"]).format(self._int(1))
            return [f"{indent}{name}.{change}"]
        name = self._new()
        value = self.random.choice(["set()", f"{{{self._int(1)}, 2}}", f"set({self._tuple(1)[0]})"])
        self.sets.append(name)
        return [f"{indent}{name} = {value}", f"{indent}{name}.add({self._int(1)})"]

    def _pair_set(self, indent: str) -> list[str]:
        value = self._pair(2)
        name = self.random.choice([*self.pairs, self._new()])
        if name not in self.pairs:
            self.pairs.append(name)
        return [f"{indent}{name} = {value}"]

    def _optional(self, indent: str) -> list[str]:
        """A result that may be None, tried before it is used."""
        if self.name != "main":
            return self._set(indent)
        name = self._new()
        lines = [f"{indent}{name} = find({self._int(1)}, {self._int(1)})"]
        use = {"v": name, "v, a": f"{name}[1] - {name}[0]", "Pair(v, b)": f"{name}.left"}[self.found]
        result = self._new()
        lines += [f"{indent}if {name} is None:", f"{indent}    {result} = {self._int(1)}", f"{indent}else:"]
        self.ints.append(result)
        return [*lines, f"{indent}    {result} = {use}"]

    def _leave(self, indent: str) -> list[str]:
        """An early `return`, an exception or an assertion."""
        ends = [f"return {self.returns}", "raise ValueError", "raise IndexError('none', 3)"]
        if self.name == "main":  # whose results have no one type
            ends[0] = ends[1]
        if self.random.random() < 0.2:
            return [f"{indent}assert {self._bool(1)}"]
        return [f"{indent}if {self._bool(1)} and a > b:", f"{indent}    {self.random.choice(ends)}"]

    def _star(self, indent: str) -> list[str]:
        """An assignment that takes a tuple apart."""
        whole, length = self._tuple(2)
        if length < 3:
            return self._unpack(indent)
        first, rest, last = self._new(), self._new(), self._new()
        self.ints += [first, last]
        self.tuples[rest] = length - 2
        return [f"{indent}{first}, *{rest}, {last} = {whole}", f"{indent}{rest} = tuple({rest})"]

    def _inner(self, indent: str) -> list[str]:
        """A function within the function, and a name for what it gives."""
        name, result = self._new(), self._new()
        before = list(self.ints)
        self.ints.append("v")
        body = self._int(1)
        self.ints = [*before, result]
        call = f"{name}({self.random.choice(before)})"
        if self.random.random() < 0.5:
            return [f"{indent}{name} = lambda v, w=2: {body}", f"{indent}{result} = {call}"]
        lines = [f"{indent}def {name}(v):", f"{indent}    if v < 0:", f"{indent}        return 1"]
        return [*lines, f"{indent}    return {body}", f"{indent}{result} = {call}"]

    def _unpack(self, indent: str) -> list[str]:
        left, right = self._new(), self._new()
        value = self.random.choice([f"divmod({self._int(1)}, {self._int(1)})", f"({self._int(2)}, {self._int(2)})"])
        value = self.random.choice([value, value, self._pair(1)])
        self.ints += [left, right]
        if self.random.random() < 0.2:
            swapped = self.random.choice(self.ints)
            return [f"{indent}{left}, {right} = {value}", f"{indent}{left}, {swapped} = {swapped}, {left}"]
        return [f"{indent}{left}, {right} = {value}"]

    def _list(self, indent: str) -> list[str]:
        name = self._new()
        lines = [f"{indent}{name} = {self.random.choice(['[]', f'list({self._tuple(1)[0]})', f'[{self._int(1)}]'])}"]
        lines += [f"{indent}{name}.append({self._int(1)})" for _ in range(self.random.randint(1, 3))]
        if self.random.random() < 0.3:
            lines.append(f"{indent}{name}.sort()")
        self.lists.append(name)
        return lines

    def _change(self, indent: str) -> list[str]:
        if not self.lists:
            return self._set(indent)
        name = self.random.choice(self.lists)
        changes = [f"{name}[{self._int(0)} % len({name})] = {self._int(1)}", f"{name}[0] += {self._int(1)}"]
        changes += [f"{name}.insert({self.random.randint(-2, 2)}, {self._int(1)})", f"{name}.pop()"]
        changes += [f"{name}.pop({self.random.randint(-2, 2)})", f"{name}.remove({name}[-1])", f"{name}.reverse()"]
        changes += [f"{name}.extend({self._tuple(1)[0]})", f"{name} += {self._tuple(1)[0]}", f"del {name}[0]"]
        changes += [f"{name}.sort(key=lambda v: v % 7, reverse={self.random.choice([True, False])})"]
        changes += [f"{name}[0], {name}[-1] = {name}[-1], {name}[0]", f"{name}.clear()"]
        return [f"{indent}if {name}:", f"{indent}    {self.random.choice(changes)}"]

    def _int(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.2:
            small = self.random.randint(-9, 40)
            return self.random.choice([*self.ints, *self.ints, str(small), str(self.random.choice(EDGES))])
        forms = INTS + (INTS_OF_FUNCTIONS if self.name == "main" else ())
        forms += tuple(f"{name}[-1]|sum({name})|len({name})" for name in self.lists)
        forms += tuple(f"len({name})" for name in self.sets)
        return self._fill(forms, depth)

    def _bool(self, depth: int) -> str:
        forms = BOOLS + (BOOLS_OF_PARTS if depth else ())
        forms += BOOLS_OF_FUNCTIONS if depth and self.name == "main" else ()
        return f"({self._fill((*forms, *(f'{{i}} in {name}' for name in [*self.sets, *self.lists])), depth)})"

    def _pair(self, depth: int) -> str:
        """A record of two ints."""
        if self.pairs and (depth <= 0 or self.random.random() < 0.4):
            return self.random.choice(self.pairs)
        forms = PAIRS + (PAIRS_OF_PAIRS if depth > 0 else ()) + (PAIRS_OF_FUNCTIONS if self.name == "main" else ())
        return self._fill(forms, depth)

    def _tuple(self, depth: int) -> tuple[str, int]:
        """A tuple, and its length."""
        if self.tuples and (depth <= 0 or self.random.random() < 0.3):
            name = self.random.choice(list(self.tuples))
            return name, self.tuples[name]
        if depth <= 0:
            return self.random.choice([("(1, 2, 3)", 3), ("(5, -5)", 2), (f"({self._int(0)}, 4, 4)", 3)])
        if self.name == "main" and self.random.random() < 0.05:
            return self._fill(("look_at({i}, {z}).cells",), depth), self.row
        form, length_of = self.random.choice(TUPLES)
        parts = _Parts(self, depth)
        text = form.format_map(parts)
        return text, length_of(parts.length or 0)

    def _fill(self, forms: tuple[str, ...], depth: int) -> str:
        """One of some forms, its parts written."""
        return self.random.choice(self.random.choice(forms).split("|")).format_map(_Parts(self, depth))

    def part(self, key: str, depth: int) -> str:
        """A part of a form that is written within nothing of the same depth."""
        match key[0]:
            case "i" | "j":
                return self._int(depth - 1)
            case "z":
                return self._int(0)
            case "b":
                return self._bool(depth - 1)
            case "c":
                return self._bool(0)
            case "p":
                return self._pair(depth - 1)
            case "q":
                return self._pair(0)
        return str(self.random.choice(CHOICES[key]))

    def tuple_part(self, depth: int) -> tuple[str, int]:
        """A tuple within another form, and its length."""
        return self._tuple(depth - 1)

    def _sign(self) -> str:
        return str(self.random.choice(CHOICES["sign"]))

    def _tuple_set(self, indent: str) -> list[str]:
        value, length = self._tuple(2)
        name = self._new()
        self.tuples[name] = length
        return [f"{indent}{name} = {value}"]


class _Watched(ast.NodeTransformer):
    """Wraps what reckons in a look whether it stays within 64 bits."""

    def generic_visit(self, node: ast.AST) -> Any:
        super().generic_visit(node)
        if isinstance(node, ast.BinOp | ast.UnaryOp) or (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "divmod"
        ):
            return ast.copy_location(ast.Call(ast.Name("_watched", ast.Load()), [node], []), node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum":
            return ast.copy_location(ast.Call(ast.Name("_summed", ast.Load()), node.args, []), node)
        if isinstance(node, ast.AugAssign):
            left: Any = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else None
            if left is None and isinstance(node.target, ast.Subscript):
                left = ast.Subscript(node.target.value, node.target.slice, ast.Load())
            look = ast.Expr(ast.Call(ast.Name("_watched", ast.Load()), [left], []))
            return [node, ast.copy_location(look, node)]
        return node


def _watched(value: Any) -> Any:
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, int) and not -(1 << 63) <= each < 1 << 63:
            raise Overflow
    return value


def _summed(values: Any) -> Any:
    total = 0
    for each in values:
        total = _watched(total + each)
    return total


def functions_of(text: str, name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The function `main` of a program, and its twin that fails where an int leaves 64 bits."""
    return names_of(text, name)["main"], twin_names(text)["main"]


def names_of(text: str, name: str) -> dict[str, Any]:
    """The functions of a program by their names."""
    text += PRELUDE
    file = f"<program {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {}
    exec(compile(text, file, "exec"), names)
    return names


def twin_names(text: str) -> dict[str, Any]:
    """The functions of a program that fail where an int leaves 64 bits."""
    names: dict[str, Any] = {"_watched": _watched, "_summed": _summed, "abs": lambda value: _watched(abs(value))}
    tree = ast.fix_missing_locations(_Watched().visit(ast.parse(text + PRELUDE)))
    exec(compile(tree, "<twin>", "exec"), names)
    return names


def outcome(function: Callable[..., Any], *args: Any) -> object:
    """What a call gives: its value, or the class of its exception."""
    try:
        return function(*args)
    except Exception as error:
        return type(error)


def require_same(native: Callable[..., Any], plain: Any, twin: Any, *args: Any) -> object:
    """Hold a call to plain Python; return what it gives."""
    got = outcome(native, *args)
    if got is Overflow:
        assert outcome(twin, *args) is Overflow, (args, outcome(plain, *args))
    elif isinstance(got, type) and issubclass(got, NameError):
        exact = outcome(plain, *args)
        assert isinstance(exact, type) and issubclass(exact, NameError), args  # which one differs among Pythons
    else:
        exact = outcome(plain, *args)
        assert (got, type(got)) == (exact, type(exact)), (args, got, exact)
    return got


CALLS = 8
"""Calls of each program."""
FILL = """def fill(word, depth):
    row = tuple(word for _ in range(300))
    return row[depth] + (fill(word, depth - 1) if depth else 0)
"""
"""A function that leaves a word all over the stack, for what reads there before it has written."""


def hold_programs(seeds: range, level: int = 3, backend: Backend = Backend.LLVM) -> Counter[str]:
    """Hold the random programs of these seeds, compiled as one, to plain Python; return what they came to, counted.

    Args:
        seeds: a seed for each program.
        level: LLVM's level of optimisation.
        backend: what makes the code.
    """
    door = [FILL, "def door(which, a, b, t):", "    if fill(1 << 28, 19) == which:", "        return 0, False, 0"]
    for seed in seeds:
        door += [f"    if which == {seed}:", f"        return run_{seed}(a, b, t)"]
    texts = [Programs(seed).text(f"_{seed}") for seed in seeds]
    names = names_of("\n".join([*texts, *door, "    return 0, False, 0\n"]), f"{seeds.start} to {seeds.stop}")
    counts: Counter[str] = Counter()
    unit = CompilationUnit(native_target() if backend is Backend.LLVM else WEBASSEMBLY, is_checked=True)
    accepted = {seed: names[f"run_{seed}"] for seed in seeds if _is_accepted(unit, names[f"run_{seed}"], counts)}
    for seed in {*seeds} - {*accepted}:
        names[f"run_{seed}"] = names["stand_in"]

    def lower_door(door: Any, types: dict[str, Type], *rest: object) -> tuple[CompilationUnit, Specialisation]:
        return unit, unit.specialise(door, types)

    with at_level(level), patch.object(runtime, "lower_function", lower_door):
        native = CompiledFunction(names["door"], 0, 0, 0, (0, 0, 0, 0), backend=backend)
    require_laws(native.form, with_cells=False)
    for seed, plain in accepted.items():
        chance = Random(seed)
        twin = _LateTwin(Programs(seed).text())
        for _ in range(CALLS):
            args = [chance.choice(EDGES) if chance.random() < 0.5 else chance.randint(-20, 20) for _ in range(6)]
            call = args[0], args[1], tuple(args[2:])
            try:
                got = require_same(partial(native, seed), plain, twin, *call)
            except AssertionError as difference:
                raise AssertionError(f"program {seed}, {difference}\n\n{Programs(seed).text()}") from None
            counts[got.__name__ if isinstance(got, type) else "values"] += 1
    counts["programs"] += len(accepted)
    return counts


class _LateTwin:
    """The twin of a program, made when it is first called, which few are."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def run(self) -> Any:
        return twin_names(self.text)["run"]

    def __call__(self, *args: object) -> object:
        return self.run(*args)


def _is_accepted(unit: CompilationUnit, function: Any, counts: Counter[str]) -> bool:
    """Whether a program is compiled; a refusal is counted."""
    types: dict[str, Type] = {
        "a": RegisterKind.INT,
        "b": RegisterKind.INT,
        "t": TupleType(tuple, (RegisterKind.INT,) * 4),
    }
    try:
        unit.specialise(function, types)
    except NotCompilable as refusal:
        counts[f"refused: {refusal.args[0]}"] += 1
        return False
    return True


@contextmanager
def at_level(level: int) -> Iterator[None]:
    """Compile at another level of optimisation for a while."""
    target = replace(native_target(), speed_level=level)

    def target_machine(target: Target) -> Any:
        known = binding.Target.from_triple(target.triple)
        return known.create_target_machine(target.processor, target.features, target.speed_level, jit=True)

    with (
        patch.object(machine, "native_target", lambda: target),
        patch.object(machine, "target_machine", target_machine),
    ):
        yield
