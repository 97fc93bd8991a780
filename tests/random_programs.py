"""Random programs of the part of Python that compiles: small functions of ints and tuples, by a seed.

A program ends by itself: loops walk what is short, and `while` counts down. It may fail on the way: by division by 0, a
place beyond a tuple, a negative shift, or an int that leaves 64 bits.
"""

import ast
import linecache
from collections.abc import Callable
from random import Random
from typing import Any

from plyground.compiler.errors import Overflow

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


class Programs:
    """Writer of random programs: `main` and the functions it calls."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.ints: list[str] = []
        self.tuples: dict[str, int] = {}
        self.lists: list[str] = []
        self.depth = 0
        self.fresh = 0

    def text(self) -> str:
        """A program."""
        parts = [self._function(name, ("a", "b")) for name in ("helper", "other")]
        parts += [self._generator()]
        parts += [self._function("main", ("a", "b", "t"))]
        return "\n\n".join(parts) + "\n"

    def _function(self, name: str, parameters: tuple[str, ...]) -> str:
        self.name, self.ints = name, [each for each in parameters if each != "t"]
        self.tuples = {"t": 4} if "t" in parameters else {}
        self.lists = []
        lines = [f"def {name}({', '.join(parameters)}):"]
        for _ in range(self.random.randint(1, 5 if name == "main" else 3)):
            lines += self._statement("    ", is_in_loop=False)
        result = self._int(2) if name != "main" else f"({self._int(2)}, {self._bool(1)}, {self._tuple(2)[0]})"
        return "\n".join([*lines, f"    return {result}"])

    def _generator(self) -> str:
        self.name, self.ints, self.tuples, self.lists = "walk", ["a", "b"], {}, []
        lines = ["def walk(a, b):", f"    for i in range({self.random.choice(['3', 'a % 4', '2, 5', '3, 0, -1'])}):"]
        self.ints.append("i")
        lines += [f"        if {self._bool(2)}:", f"            yield {self._int(2)}"]
        if self.random.random() < 0.5:
            lines += [f"    yield {self._int(1)}"]
        return "\n".join(lines)

    def _statement(self, indent: str, is_in_loop: bool) -> list[str]:
        self.depth += 1
        kinds = ["set", "set", "add", "if", "for", "while", "tuple_set", "unpack", "list", "change"]
        kind = self.random.choice(kinds if self.depth < 4 else kinds[:3])
        if is_in_loop and self.random.random() < 0.15:
            lines = [f"{indent}if {self._bool(1)}:", f"{indent}    {self.random.choice(['break', 'continue'])}"]
        else:
            lines = getattr(self, f"_{kind}")(indent)
        self.depth -= 1
        return lines

    def _block(self, indent: str, is_in_loop: bool = False) -> list[str]:
        """Statements whose new names hold within them only: some way may go past."""
        before = list(self.ints), dict(self.tuples), list(self.lists)
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self._statement(indent, is_in_loop)]
        self.ints, self.tuples, self.lists = before
        return lines

    def _new(self) -> str:
        self.fresh += 1
        return f"x{self.fresh}"

    def _set(self, indent: str) -> list[str]:
        value = self._int(3)
        name = self.random.choice([*self.ints, self._new()])
        if name not in self.ints:
            self.ints.append(name)
        return [f"{indent}{name} = {value}"]

    def _add(self, indent: str) -> list[str]:
        name, sign = self.random.choice(self.ints), self.random.choice(["+", "-", "*", "&", "|", "^", "//", "%", ">>"])
        return [f"{indent}{name} {sign}= {self._int(2)}"]

    def _if(self, indent: str) -> list[str]:
        lines = [f"{indent}if {self._bool(2)}:", *self._block(indent + "    ")]
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
        choice = self.random.choice(walked)
        kind = self.random.random()
        before = list(self.ints)
        if kind < 0.2:
            head = f"for {place}, {item} in enumerate({choice}, {self.random.randint(0, 2)}):"
            self.ints += [place, item]
        elif kind < 0.3:
            head = f"for {place}, {item} in zip(range(9), {self._tuple(1)[0]}):"
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
        return [*head, f"{indent}    {count} -= 1", *self._block(indent + "    ", is_in_loop=True)]

    def _unpack(self, indent: str) -> list[str]:
        left, right = self._new(), self._new()
        value = self.random.choice([f"divmod({self._int(1)}, {self._int(1)})", f"({self._int(2)}, {self._int(2)})"])
        self.ints += [left, right]
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
        changes += [f"{name}.insert({self.random.randint(-2, 2)}, {self._int(1)})"]
        return [f"{indent}if {name}:", f"{indent}    {self.random.choice(changes)}"]

    def _int(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.2:
            small = self.random.randint(-9, 40)
            return self.random.choice([*self.ints, *self.ints, str(small), str(self.random.choice(EDGES))])
        one, two = self._int(depth - 1), self._int(depth - 1)
        forms = [f"({one} {sign} {two})" for sign in ("+", "-", "*", "&", "|", "^", "//", "%")]
        forms += [f"({one} << {self.random.randint(0, 70)})", f"({one} >> {self.random.randint(0, 70)})"]
        forms += [f"({one} << {two} % 70 & {self.random.choice([1023, (1 << 63) - 1])})", f"({one} >> {two})"]
        forms += [f"({one} * {two} >> {self.random.randint(0, 40)} & {self.random.choice([63, 1023, 1 << 20])})"]
        forms += [f"({one} * 2654435761 + {two} & {(1 << 62) - 1})", f"(-{one})", f"(~{one})", f"abs({one})"]
        forms += [f"({one} if {self._bool(depth - 1)} else {two})", f"min({one}, {two})", f"max({one}, {two}, 5)"]
        forms += [f"int({self._bool(depth - 1)})", f"({self._bool(depth - 1)} + {one})", f"(~{self._bool(0)})"]
        forms += [f"({one}).bit_count()", f"({one} or {two})", f"({one} and {two})", f"bin({one}).count('1')"]
        whole, length = self._tuple(depth - 1)
        forms += [f"{whole}[{self.random.randint(-length, length - 1)}]", f"{whole}[{one} % 5]", f"len({whole})"]
        forms += [
            f"sum({whole})",
            f"max({whole})",
            f"sum(v * {one} for v in {whole} if v > {two})",
            f"{whole}.count({one})",
        ]
        if self.name == "main":
            forms += [f"helper({one}, {two})", f"other({one}, 3)", f"sum(walk({one}, {two}))"]
            forms += [f"max((v for v in walk({one}, 1)), default={two})", f"sum([v for v in walk({one}, 1) if v % 3])"]
        forms += [f"{name}[-1]" for name in self.lists] + [f"sum({name})" for name in self.lists]
        return self.random.choice(forms)

    def _bool(self, depth: int) -> str:
        one, two = self._int(depth), self._int(depth)
        sign = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        forms = [f"{one} {sign} {two}", f"{one} {sign} {two} {sign} {self._int(0)}", f"not {one}"]
        if depth:
            whole, _ = self._tuple(depth - 1)
            forms += [f"{one} in {whole}", f"{two} not in (1, 2, {one})", f"{whole} {sign} {self._tuple(depth - 1)[0]}"]
            forms += [
                f"({self._bool(depth - 1)} {self.random.choice(['and', 'or', '^', '&', '|'])} {self._bool(depth - 1)})"
            ]
            forms += [f"any(v > {one} for v in {whole})", f"all(v != {one} for v in {whole})"]
        return f"({self.random.choice(forms)})"

    def _tuple(self, depth: int) -> tuple[str, int]:
        if self.tuples and (depth == 0 or self.random.random() < 0.3):
            name = self.random.choice(list(self.tuples))
            return name, self.tuples[name]
        if depth == 0:
            return self.random.choice([("(1, 2, 3)", 3), ("(5, -5)", 2), (f"({self._int(0)}, 4, 4)", 3)])
        whole, length = self._tuple(depth - 1)
        one = self._int(depth - 1)
        forms = [
            (f"({one}, {self._int(0)})", 2),
            (f"({whole} + ({one}, 7))", length + 2),
            (f"({whole} * 3)", 3 * length),
        ]
        forms += [(f"{whole}[1:]", length - 1), (f"{whole}[::-1]", length)] if length > 1 else []
        forms += [(f"tuple(v + {one} for v in {whole})", length), (f"tuple([v % 7 for v in {whole}])", length)]
        forms += [(f"tuple({one} if i == 1 else v for i, v in enumerate({whole}))", length)]
        forms += [(f"({whole}[:{length - 1}] + ({one},) + {whole}[{length}:])", length)]
        return self.random.choice(forms)

    def _tuple_set(self, indent: str) -> list[str]:
        value, length = self._tuple(2)
        name = self._new()
        self.tuples[name] = length
        return [f"{indent}{name} = {value}"]


class _Watched(ast.NodeTransformer):
    """Wraps what reckons in a look whether it stays within 64 bits."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.BinOp | ast.UnaryOp) or (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("abs", "divmod")
        ):
            return ast.copy_location(ast.Call(ast.Name("_watched", ast.Load()), [node], []), node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum":
            return ast.copy_location(ast.Call(ast.Name("_summed", ast.Load()), node.args, []), node)
        if isinstance(node, ast.AugAssign):
            left: Any = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else None
            if left is None and isinstance(node.target, ast.Subscript):
                left = ast.Subscript(node.target.value, node.target.slice, ast.Load())
            value = ast.Call(ast.Name("_watched", ast.Load()), [ast.BinOp(left, node.op, node.value)], [])
            return ast.copy_location(ast.Assign([node.target], value), node)
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
    file = f"<program {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    plain: dict[str, Any] = {}
    exec(compile(text, file, "exec"), plain)
    twin: dict[str, Any] = {"_watched": _watched, "_summed": _summed}
    exec(compile(ast.fix_missing_locations(_Watched().visit(ast.parse(text))), "<twin>", "exec"), twin)
    return plain["main"], twin["main"]


def outcome(function: Callable[..., Any], *args: Any) -> object:
    """What a call gives: its value, or the class of its exception."""
    try:
        return function(*args)
    except Exception as error:
        return type(error)
