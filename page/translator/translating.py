"""Translator of marked Python, pure functions and frozen dataclasses, to JavaScript, by `ast`.

It knows a small part of Python, by the kinds of values that type hints tell, and refuses the rest with file and line.
What it translates means the same in both languages, within these bounds: ints are below 2^53, an infinite or no number
is not printed, zero has no sign, and where Python raises an exception, JavaScript may go on. Checks of what people give
(`__post_init__`, the decorators of `UNCHECKED`) are Python's alone.
"""

import ast
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from functools import cached_property
from typing import Any, TypeGuard, TypeVar, get_type_hints

from translator.calls import Calls
from translator.kinds import PLACE_NUMBER, function_kind, joined, kind_of
from translator.marks import MarkedModule, kind_text, said_of
from translator.snippets import CHOICE, OPERATORS, Translated, camel, dumped, function_of, literal

UNCHECKED = ("cached_property", "check_arguments", "classmethod", "dataclass", "in_pages", "lru_cache", "property")
"""Decorators that the translation leaves out: they check arguments, remember results, or say what kind of member it
is."""


DECLARED = " // declared"
"""End of a line that only the type checker needs; no page has it."""


def javascript(module: MarkedModule) -> str:
    """A module in JavaScript.

    Raises:
        NotTranslated: something marked is beyond the translator.
    """
    taken: dict[str, set[str]] = {}
    parts = [f"export const {name} = {literal(getattr(module.of, name)).text};\n" for name in module.constants()]
    for node in module.tree.body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name not in module.marks:
            continue
        mark = module.marks[node.name]
        if mark.sent_as:
            continue
        if isinstance(node, ast.FunctionDef):
            parts.append(f"{Function(module, node, taken).text('export function ')}\n")
        elif mark.members:
            parts.append(_base(module, node, taken))
        elif getattr(getattr(module.of, node.name), "_is_protocol", False):
            parts.append(_protocol(module, node))
        else:
            parts.append(_class(module, node, taken))
    imports = "".join(
        f'import {{ {", ".join(sorted(names))} }} from "{address}";\n' for address, names in sorted(taken.items())
    )
    says = inspect.getdoc(module.of) or ""
    head = f"// Made from {module.of.__name__.replace('.', '/')}.py: {says.partition(chr(10))[0]}\n\n"
    return f"{head}{imports}\n" + "\n".join(parts)


def _class(module: MarkedModule, node: ast.ClassDef, taken: dict[str, set[str]]) -> str:
    made = getattr(module.of, node.name)
    hints = get_type_hints(made)
    members = [each for each in fields(made) if not module.is_left_out(made, each.name)]
    known = ", ".join(
        f"{camel(each.name)}{'' if _is_needed(each) else '?'}: {said_of(module, hints[each.name])}" for each in members
    )
    lines = [f"/** @param {{{{ {known} }}}} known */", "constructor(known) {", "Object.assign(this, known);", "}"]
    for each in members:
        name, said = camel(each.name), f"/** @type {{{said_of(module, hints[each.name])}}} */"
        if _is_needed(each):
            lines[:0] = [said, f"{name} = /** @type {{any}} */ (undefined);{DECLARED}"]
        else:
            default = "new Map()" if each.default_factory is dict else literal(each.default).text
            lines[:0] = [said, f"{name} = {default};"]
    for part in node.body:
        if not isinstance(part, ast.FunctionDef) or part.name.startswith("__"):
            continue
        if not module.is_left_out(made, part.name):
            lines.append(Function(module, part, taken, made).text(""))
    return f"{_documented(node)}export class {node.name} {{\n" + "\n".join(lines) + "\n}\n"


def _base(module: MarkedModule, node: ast.ClassDef, taken: dict[str, set[str]]) -> str:
    """Marked members of a class, for a subclass that is written by hand; that one sets the others."""
    made, chosen = getattr(module.of, node.name), module.marks[node.name].members
    members = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
    lines = [Function(module, members[name], taken, made).text("") for name in chosen]
    hints = get_type_hints(made)
    for name in members:
        if isinstance(made.__dict__[name], property | cached_property) and name not in chosen:
            hints[name] = get_type_hints(function_of(made.__dict__[name]))["return"]
    used = {each.attr for name in chosen for each in ast.walk(members[name]) if _is_own_attribute(each)}
    for name in sorted(used & {*members} - {*chosen, *hints}):
        told = get_type_hints(function_of(made.__dict__[name]))
        given = " ".join(
            f"@param {{{said_of(module, hint)}}} {name}" for name, hint in told.items() if name != "return"
        )
        taken_as = ", ".join(camel(each) for each in told if each != "return")
        lines[:0] = [
            f"/** {given} @returns {{{said_of(module, told['return'])}}} */{DECLARED}",
            f"{camel(name)}({taken_as}) {{ return /** @type {{any}} */ ([{taken_as}]); }}{DECLARED}",
        ]
    for name in sorted(used & {*hints} - {*chosen}):
        said = f"/** @type {{{said_of(module, hints[name])}}} */{DECLARED}"
        lines[:0] = [said, f"{camel(name)} = /** @type {{any}} */ (undefined);{DECLARED}"]
    return f"{_documented(node)}export class {node.name} {{\n" + "\n".join(lines) + "\n}\n"


def _is_own_attribute(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _protocol(module: MarkedModule, node: ast.ClassDef) -> str:
    """A protocol, which only the type checker knows: the members of a class that JavaScript has by hand."""
    made = getattr(module.of, node.name)
    members = {name: kind_of(hint) for name, hint in get_type_hints(made).items()}
    for name in (part.name for part in node.body if isinstance(part, ast.FunctionDef)):
        hints = get_type_hints(function_of(made.__dict__[name]))
        given, kind = [kind_of(hint) for each, hint in hints.items() if each != "return"], kind_of(hints["return"])
        members[name] = kind if isinstance(made.__dict__[name], property) else function_kind(given, kind)
    said = ", ".join(f"{camel(name)}: {kind_text(module, kind)}" for name, kind in members.items())
    return _documented(node, f"@typedef {{{{ {said} }}}} {node.name}")


def _is_needed(member: "Field[Any]") -> bool:
    return member.default is member.default_factory is MISSING


def _documented(node: ast.FunctionDef | ast.ClassDef, *more: str) -> str:
    said = (ast.get_docstring(node) or "").partition("\n\n")[0].split("\n")
    return "\n".join(["/**", *(f" * {line.strip()}" for line in said), *(f" * {line}" for line in more), " */\n"])


class Function(Calls):
    """A function or a method to be translated."""

    def __init__(
        self, module: MarkedModule, node: ast.FunctionDef, taken: dict[str, set[str]], owner: type[Any] | None = None
    ) -> None:
        super().__init__(module, node, taken, owner)
        self.is_kept = self._has("cached_property")
        self.is_property = self.is_kept or self._has("property")
        self.is_static = self._has("classmethod")
        self.hints = self._told(lambda: get_type_hints(self._object()), node)

    def _has(self, decorator: str) -> bool:
        return any(isinstance(each, ast.Name) and each.id == decorator for each in self.node.decorator_list)

    def _object(self) -> Any:
        if self.owner is None:
            return getattr(self.module.of, self.node.name)
        return function_of(self.owner.__dict__[self.node.name])

    def text(self, begin: str) -> str:
        """The function in JavaScript."""
        for each in self.node.decorator_list:
            called = each.func if isinstance(each, ast.Call) else each
            if not (isinstance(called, ast.Name) and called.id in UNCHECKED):
                raise self._refused(each, "this decorator")
        parameters, notes = [], []
        names = {each.__name__ for each in _variables_of(self.hints)}
        notes += [f"@template {name}" for name in sorted(names)]
        for argument, default in _parameters(self.node, self.owner is not None):
            name = self._name(argument.arg, argument)
            kind = self._kind(self.hints.get(argument.arg), argument)
            self.kinds[argument.arg] = kind
            said = said_of(self.module, self.hints[argument.arg])
            notes.append(f"@param {{{said}}} {f'[{name}]' if default else name}")
            parameters.append(f"{name} = {self._expression(default).text}" if default else name)
        given = self.hints["return"]
        notes.append(f"@returns {{{'void' if given is type(None) else said_of(self.module, given)}}}")
        is_generator = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(self.node))
        begin = begin.replace("function", "function*") if is_generator else begin
        mark = (
            "*" if is_generator and self.owner else "get " if self.is_property else "static " if self.is_static else ""
        )
        body = self._block(self.node.body)
        declared = f"let {', '.join(self.ahead)};\n" if self.ahead else ""
        name = camel(self.node.name) if self.owner else self._name(self.node.name, self.node)
        head = f"{_documented(self.node, *notes)}{begin}{mark}{name}({', '.join(parameters)})"
        if self.is_kept:
            return f'{head} {{\nreturn {self._helper("once")}(this, "{name}", () => {{\n{declared}{body}}});\n}}'
        return f"{head} {{\n{declared}{body}}}"

    # -- statements ----------------------------------------------------------------------------------------------------

    def _block(self, body: Sequence[ast.stmt]) -> str:
        before = set(self.sure)
        lines = [self._statement(each, body) for each in body]
        self.sure = before
        return "".join(lines)

    def _is_all(self, name: str, block: Sequence[ast.stmt]) -> bool:
        """Whether a variable stands in one block only."""
        return _count(name, block) == _count(name, self.node.body)

    def _statement(self, node: ast.stmt, block: Sequence[ast.stmt]) -> str:
        match node:
            case ast.Expr(ast.Constant(str())):
                return ""
            case ast.Expr(ast.Call(ast.Attribute(value, "append"), [item], [])):
                things, code = self._expression(value), self._expression(item)
                if things.kind.name != "list" or len(things.kind.items) != 1:
                    raise self._refused(node, f"to append to {things.kind.said}")
                return f"{things.within()}.push({code.text});\n"
            case ast.Expr(ast.Yield(value)) if value is not None:
                return f"yield {self._expression(value).text};\n"
            case ast.Expr(ast.YieldFrom(value)):
                return f"yield* {self._list(value).text};\n"
            case ast.Expr(ast.Call() as call):
                return f"{self._expression(call).text};\n"
            case ast.Return(None):
                return "return;\n"
            case ast.Assign([ast.Subscript(value, place)], item) if not isinstance(place, ast.Slice):
                held, at = self._expression(value), self._expression(place)
                if held.kind.name == "map" and at.kind.name == "int":
                    return f"{held.within()}.set({at.text}, {self._expression(item).text});\n"
                if held.kind.name == "dict" and at.kind.name == "str":
                    return f"{held.within()}[{at.text}] = {self._expression(item).text};\n"
                things = self._list(value)
                if at.kind != PLACE_NUMBER or len(things.kind.items) != 1:
                    raise self._refused(node, "this index")
                return f"{things.within()}[{at.text}] = {self._expression(item).text};\n"
            case ast.For(target, things, body, []):
                return self._loop(node, target, things, body)
            case ast.While(test, body, []):
                self.sure -= {dumped(ast.Name(name, ast.Load())) for name in _assigned_in(body)}
                condition, known = self._test(test).text, self._known(test) - self.sure
                self.sure |= known
                inside = self._block(body)
                self.sure -= known
                return f"while ({condition}) {{\n{inside}}}\n"
            case ast.Break():
                return "break;\n"
            case ast.Continue():
                return "continue;\n"
            case ast.Raise(ast.Call(ast.Name("ValueError"), [words]), None):
                return f"throw new RangeError({self._expression(words).text});\n"
            case ast.Raise(ast.Call(ast.Name(name), [words]), None):
                fault = self._imported(name, self._value(name, words), words)
                return f"throw new {fault}({self._expression(words).text});\n"
            case ast.AugAssign(ast.Name(name) as target, operator, value):
                added = self._expression(ast.BinOp(ast.Name(name, ast.Load()), operator, value))
                self._assigned(target, added, block)
                mark = OPERATORS[type(operator)][0] if type(operator) in OPERATORS else ""
                return f"{self._name(name, node)} {mark}= {self._expression(value).number(CHOICE)};\n"
            case ast.Return(value) if value is not None:
                return f"return {self._expression(value).text};\n"
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values) and all(
                isinstance(each, ast.Name) and each.id not in self.kinds and self._is_all(each.id, block)
                for each in names
            ):
                pairs = zip(names, values, strict=True)
                return "".join([self._assigned(each, self._expression(value), block) for each, value in pairs])
            case ast.Assign([target], value):
                return self._assigned(target, self._expression(value), block)
            case ast.AnnAssign(ast.Name(name), annotation, value) if value is not None:
                hint = self._told(lambda: eval(ast.unparse(annotation), vars(self.module.of)), annotation)
                is_new = name not in self.kinds and self._is_all(name, block)
                self.kinds[name] = self._kind(hint, annotation)
                if not is_new:
                    raise self._refused(node, "a type for a variable that is not new")
                said = said_of(self.module, hint)
                return f"/** @type {{{said}}} */\nlet {self._name(name, node)} = {self._expression(value).text};\n"
            case ast.If(test, body, other):
                condition, known = self._test(test).text, self._known(test)
                self.sure |= known
                inside = self._block(body)
                self.sure -= known
                rest = ""
                if len(other) == 1 and isinstance(other[0], ast.If):
                    rest = f" else {self._statement(other[0], other).rstrip()}"
                elif other:
                    rest = f" else {{\n{self._block(other)}}}"
                elif isinstance(body[-1], ast.Return | ast.Raise):
                    self.sure |= self._known(ast.UnaryOp(ast.Not(), test))
                if not rest and inside.count("\n") == 1 and not inside.startswith("let "):
                    return f"if ({condition}) {inside}"
                return f"if ({condition}) {{\n{inside}}}{rest}\n"
        raise self._refused(node, "this statement")

    def _loop(self, node: ast.For, target: ast.expr, things: ast.expr, body: Sequence[ast.stmt]) -> str:
        code = self._each(things)
        each = [target] if isinstance(target, ast.Name) else target.elts if isinstance(target, ast.Tuple) else []
        names = [one.id for one in each if isinstance(one, ast.Name)]
        item = code.kind.items[0]
        kinds = [item] if isinstance(target, ast.Name) else [*item.items]
        if len({*code.kind.items}) != 1 or not len(kinds) == len(names) == len(each):
            raise self._refused(node, f"a loop over {code.kind.said}")
        self.sure -= {dumped(ast.Name(name, ast.Load())) for name in _assigned_in(body)}
        taken = {one.id for one in ast.walk(things) if isinstance(one, ast.Name)}
        changed = [one.func.value for part in body for one in ast.walk(part) if _is_append(one)]  # type: ignore[attr-defined]
        if not all(self._is_all(name, [node]) for name in names) or taken & {getattr(one, "id", "") for one in changed}:
            raise self._refused(node, "a loop that changes its list, or whose variable is used elsewhere,")
        self.kinds |= zip(names, kinds, strict=True)
        said = ", ".join(self._name(name, node) for name in names)
        said = said if isinstance(target, ast.Name) else f"[{said}]"
        return f"for (const {said} of {code.text}) {{\n{self._block(body)}}}\n"

    def _assigned(self, target: ast.expr, value: Translated, block: Sequence[ast.stmt]) -> str:
        names = [target] if isinstance(target, ast.Name) else target.elts if isinstance(target, ast.Tuple) else []
        if not names or not all(isinstance(each, ast.Name) for each in names):
            raise self._refused(target, "this target of an assignment")
        kinds = [value.kind]
        if isinstance(target, ast.Tuple):
            if value.kind.name != "list" or len(value.kind.items) not in (1, len(names)):
                raise self._refused(target, f"to unpack {value.kind.said}")
            kinds = [*value.kind.items] * (len(names) if len(value.kind.items) == 1 else 1)
        new = [each for each in names if isinstance(each, ast.Name) and each.id not in self.kinds]
        for each, kind in zip(names, kinds, strict=True):
            assert isinstance(each, ast.Name)
            self.sure.discard(dumped(each))
            known = self.kinds.get(each.id, kind)
            self.kinds[each.id] = self._told(lambda one=known, other=kind: joined(one, other), each)  # type: ignore[misc]
        places = [self._name(each.id, each) for each in names if isinstance(each, ast.Name)]
        said = f"[{', '.join(places)}]" if isinstance(target, ast.Tuple) else places[0]
        if new and (len(new) < len(names) or not all(self._is_all(each.id, block) for each in new)):
            self.ahead += [self._name(each.id, each) for each in new]
            new = []
        return f"{'let ' if new else ''}{said} = {value.text};\n"


def _parameters(node: ast.FunctionDef, is_method: bool) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Parameters with their defaults; those by keyword come last."""
    arguments = node.args
    places = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(places) - len(arguments.defaults)) + [*arguments.defaults]
    yield from [*zip(places, defaults, strict=True)][int(is_method) :]
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


def _variables_of(hints: Mapping[str, Any]) -> set[TypeVar]:
    found: set[TypeVar] = set()
    for hint in hints.values():
        found |= {hint} if isinstance(hint, TypeVar) else {*getattr(hint, "__parameters__", ())}
    return found


def _assigned_in(body: Sequence[ast.stmt]) -> set[str]:
    """Names that are assigned in statements."""
    every = (each for part in body for each in ast.walk(part))
    return {each.id for each in every if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _is_append(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"


def _count(name: str, body: Sequence[ast.stmt]) -> int:
    """Returns the number of uses of a name in statements."""
    return sum(isinstance(each, ast.Name) and each.id == name for node in body for each in ast.walk(node))
