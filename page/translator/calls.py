"""Translation of calls: built-in functions, methods, classes, and other translated functions."""

import ast
import builtins
import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from string import Formatter
from time import perf_counter
from types import ModuleType
from typing import Any, get_type_hints

from translator.expressions import Expressions
from translator.kinds import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    MATCH,
    PATTERN,
    PLACE_NUMBER,
    STR,
    ValueKind,
    joined,
    list_of,
    map_of,
    tuple_of,
)
from translator.marks import cast
from translator.patterns import source
from translator.snippets import CHOICE, PRODUCT, SUM, Translated, camel, function_of, literal, member_of

KNOWN = (
    dict,
    float,
    pairwise,
    *(
        abs,
        all,
        any,
        bool,
        chr,
        enumerate,
        filter,
        int,
        len,
        list,
        math.exp,
        max,
        min,
        next,
        range,
        replace,
        reversed,
        sorted,
    ),
    *(perf_counter, round, set, str, sum, tuple, zip),
)
"""Built-in functions that are translated."""


TEXT_METHODS = {
    "endswith": ("endsWith", 1),
    "index": ("indexOf", 1),
    "lower": ("toLowerCase", 0),
    "startswith": ("startsWith", 1),
    "upper": ("toUpperCase", 0),
}
"""Methods of texts by their names in JavaScript, and how many arguments they take, all of them texts."""


class Calls(Expressions):
    """Translator of expressions with calls."""

    def _call(
        self, node: ast.Call, called: ast.expr, given: Sequence[ast.expr], named: Sequence[ast.keyword]
    ) -> Translated:
        keywords = {each.arg: each.value for each in named if each.arg}
        if len(keywords) < len(named):
            raise self._refused(node, "arguments that are not named one by one")
        if isinstance(called, ast.Attribute):
            of = vars(self.module.of).get(called.value.id) if isinstance(called.value, ast.Name) else None
            value = getattr(of, called.attr, None) if isinstance(of, ModuleType) else None
            if isinstance(value, type):
                return self._made(node, value, value.__name__, given, keywords)
            if value in (re.compile, re.escape) and len(given) == 1 and not keywords:
                return self._pattern(given[0]) if value is re.compile else self._escaped(given[0])
            return self._method(node, called, given, keywords)
        if isinstance(called, ast.Subscript) and ast.unparse(called).startswith("list[") and not given:
            return Translated("[]", self._kind(self._evaluated(called), node))
        if isinstance(called, ast.Subscript) and ast.unparse(called).startswith("dict[") and not given:
            kind = self._kind(self._evaluated(called), node)
            return Translated("new Map()" if kind.name == "map" else cast(self.module, kind, "{}"), kind)
        if not isinstance(called, ast.Name):
            raise self._refused(node, "this call")
        if (held := self.kinds.get(called.id)) is not None:
            if held.name != "function" or held.maybe or named:
                raise self._refused(node, "a call of a variable")
            text = ", ".join(self._expression(each).text for each in given)
            return Translated(f"{self._name(called.id, node)}({text})", held.items[0])
        if called.id == "cls" and self.owner:
            return self._made(node, self.owner, "this", given, keywords)
        value = vars(self.module.of).get(called.id, getattr(builtins, called.id, None))
        if value in KNOWN:
            return self._known_call(node, value, given, keywords)
        if isinstance(value, type) and self.module.is_sent(value):
            return self._made(node, value, called.id, given, keywords)
        name = self._imported(called.id, value, node)
        if isinstance(value, type):
            return self._made(node, value, name, given, keywords)
        if value is None:
            raise self._refused(node, "this call")
        kind = self._kind(get_type_hints(value)["return"], node)
        return Translated(f"{name}({self._given(node, value, given, keywords)})", kind)

    def _pattern(self, node: ast.expr) -> Translated:
        """Translates an expression that is compiled where it is used: an f-string, whose pieces are escaped texts."""
        pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
        said: list[str | Translated] = []
        for each in pieces:
            piece = self._piece(each)
            said.append(self._told(lambda one=piece: source(one), node) if isinstance(piece, str) else piece)  # type: ignore[misc]
        return Translated(f'new RegExp({self._template(said).text}, "gu")', PATTERN)

    def _escaped(self, node: ast.expr) -> Translated:
        return Translated(f"{self._helper('escapeForRegExp')}({self._text(node).text})", STR)

    def _known_call(
        self, node: ast.Call, value: Any, given: Sequence[ast.expr], named: Mapping[str, ast.expr]
    ) -> Translated:
        if value is next and len(given) == 2 and not named:
            found, default = self._expression(given[0]), self._expression(given[1])
            if found.kind.name == "list" and not found.kind.items[0].maybe:
                kind = self._told(lambda: joined(found.kind.items[0], default.kind), node)
                return Translated(f"({found.within()}[0] ?? {default.within()})", kind)
        if value is sorted and len(given) == 1 and isinstance(key := named.get("key"), ast.Lambda) and len(named) <= 2:
            things, back = self._each(given[0]), named.get("reverse")
            if len({*things.kind.items}) == 1 and (back is None or isinstance(back, ast.Constant)):
                arrow, ranked = self._arrow(ast.Name(key.args.args[0].arg), things.kind.items[0], key.body)
                if ranked.is_ordered and not ranked.maybe:
                    mark = ", true" if isinstance(back, ast.Constant) and back.value else ""
                    text = f"{self._helper('sortedBy')}({things.text}, {arrow}{mark})"
                    return Translated(text, list_of(things.kind.items[0]))
        if value is sorted and len(given) == 1 and not named:
            things = self._expression(given[0])
            each = things.kind.items[0] if len(things.kind.items) == 1 else ANY
            if things.kind.name in ("list", "set") and each.is_ordered and not each.maybe:
                return Translated(f"{self._helper('sortedBy')}({things.text}, (each) => each)", list_of(each))
        if (
            value is zip
            and len(given) == 2
            and isinstance(strict := named.get("strict"), ast.Constant)
            and strict.value
        ):
            one, two = map(self._list, given)
            if len({*one.kind.items}) == len({*two.kind.items}) == 1:
                pair = tuple_of((one.kind.items[0], two.kind.items[0]))
                return Translated(f"{self._helper('zip')}({one.text}, {two.text})", list_of(pair))
        if value is pairwise and len(given) == 1 and isinstance(given[0], ast.Name):
            things = self._list(given[0])
            if len(things.kind.items) == 1:
                pairs = f"{self._helper('zip')}({things.text}.slice(0, -1), {things.text}.slice(1))"
                return Translated(pairs, list_of(tuple_of(things.kind.items * 2)))
        if value is replace and len(given) == 1 and named:
            thing = self._expression(given[0])
            changes = ", ".join(self._member(thing.kind.of, name, each) for name, each in named.items())
            if self.module.is_sent(thing.kind.of):
                return Translated(f"{{ ...{thing.within()}, {changes} }}", thing.kind)
            return Translated(f"{self._helper('copyWith')}({thing.text}, {{ {changes} }})", thing.kind)
        if named:
            raise self._refused(node, "this call")
        if value in (any, all) and len(given) == 1 and isinstance(given[0], ast.GeneratorExp):
            return self._every(given[0], value)
        if value is reversed and len(given) == 1:
            return self._reversed(self._list(given[0]))
        if value is sum and len(given) == 1:
            things = self._expression(given[0])
            if things.kind.items in ((INT,), (PLACE_NUMBER,)):
                return Translated(f"{things.within()}.reduce((sum, one) => sum + one, 0)", INT)
        if value is filter and len(given) == 2 and isinstance(given[0], ast.Constant) and given[0].value is None:
            things = self._list(given[1])
            if [each.name for each in things.kind.items] == ["str"]:
                return Translated(f"{things.within()}.filter(Boolean)", things.kind)
        if value is len and isinstance(given[0], ast.Name) and given[0].id not in self.kinds:
            return literal(len(self._value(given[0].id, node)))
        if value is perf_counter:
            return Translated("performance.now() / 1000", FLOAT, PRODUCT)
        codes = [self._expression(each) for each in given]
        kinds = [code.kind for code in codes]
        if value is dict and [kind.name for kind in kinds] == ["map"]:
            return Translated(f"new Map({codes[0].text})", kinds[0])
        if value is dict and len(codes) == 1 and [each.name for each in kinds[0].items[0].items[:1]] == ["int"]:
            return Translated(f"new Map({codes[0].text})", map_of(kinds[0].items[0].items[1]))
        if value in (list, tuple) and len(codes) == 1 and kinds[0].name == "list" and len(kinds[0].items) == 1:
            is_new = isinstance(given[0], ast.GeneratorExp)
            return Translated(codes[0].text if is_new else f"[...{codes[0].within()}]", list_of(kinds[0].items[0]))
        if value is range and len(codes) == 2 and isinstance(given[0], ast.Constant) and kinds[1].name == "int":
            return Translated(
                f"{self._helper('countUp')}({codes[1].text}).slice({codes[0].text})", list_of(PLACE_NUMBER)
            )
        if value is range and len(codes) == 2 and all(kind.name == "int" and not kind.maybe for kind in kinds):
            count = f"{codes[1].within(SUM)} - {codes[0].within(PRODUCT)}"
            text = f"{self._helper('countUp')}({count}).map((each) => each + {codes[0].within(PRODUCT)})"
            return Translated(text, list_of(INT))
        if value is enumerate and len(codes) == 1 and kinds[0].name == "list" and len({*kinds[0].items}) == 1:
            return Translated(
                f"{self._helper('enumerate')}({codes[0].text})", list_of(tuple_of((PLACE_NUMBER, kinds[0].items[0])))
            )
        if value is range and len(codes) == 1 and kinds[0].name == "int":
            return Translated(f"{self._helper('countUp')}({codes[0].text})", list_of(PLACE_NUMBER))
        if value is round and len(codes) == 2 and kinds[0].name == "float" and codes[1].text.isdigit():
            return Translated(f"{self._helper('roundHalfEven')}({codes[0].text}, {codes[1].text})", FLOAT)
        if value is chr and len(codes) == 1 and kinds[0].name == "int":
            return Translated(f"String.fromCodePoint({codes[0].text})", STR)
        if value is str and len(codes) == 1 and kinds[0].name == "int":
            return Translated(f"String({codes[0].text})", STR)
        if value in (min, max) and len(codes) == 1 and [each.name for each in kinds[0].items] in (["int"], ["float"]):
            text = f"{codes[0].within()}.reduce((one, other) => Math.{value.__name__}(one, other))"
            return Translated(text, kinds[0].items[0])
        if value is set and [kind.name for kind in kinds] == ["list"] and kinds[0].items in ((INT,), (STR,)):
            return Translated(f"[...new Set({codes[0].text})]", ValueKind("set", "never", kinds[0].items))
        is_text = [(kind.name, kind.maybe) for kind in kinds] == [("str", False)]
        if value is list and is_text:
            return Translated(f"[...{codes[0].within(CHOICE)}]", list_of(STR))
        if value is len and is_text:
            return Translated(f"[...{codes[0].within(CHOICE)}].length", INT)
        if value is int and is_text:
            return Translated(f"Number({codes[0].text})", INT)
        if value is len and kinds[0].name == "map":
            return Translated(f"{codes[0].within()}.size", INT)
        if value is len and kinds[0].name in ("list", "set"):
            return Translated(f"{codes[0].within()}.length", INT)
        if value is float and len(codes) == 1 and kinds[0] in (INT, PLACE_NUMBER):
            return replace(codes[0], kind=FLOAT)
        if value is int and kinds[0].name == "bool":
            return Translated(f"Number({codes[0].text})", INT)
        if all(kind.name in ("int", "float") for kind in kinds):
            kind = FLOAT if FLOAT in [each.sure for each in kinds] else INT
            names: dict[Any, str] = {abs: "abs", min: "min", max: "max", math.exp: "exp"}
            is_several = value in (min, max)
            if value in names and (len(codes) > 1) == is_several:
                kind = FLOAT if value is math.exp else kind
                return Translated(f"Math.{names[value]}({', '.join(code.text for code in codes)})", kind)
        raise self._refused(node, "this call")

    def _every(self, node: ast.GeneratorExp, value: Any) -> Translated:
        """Whether any or all of a list are true."""
        loop = node.generators[0]
        things = self._each(loop.iter)
        if len(node.generators) > 1 or len({*things.kind.items}) != 1:
            raise self._refused(node, "this loop")
        item = things.kind.items[0]
        filters = "".join(f".filter({self._arrow(loop.target, item, each, is_test=True)[0]})" for each in loop.ifs)
        arrow = self._arrow(loop.target, item, node.elt, is_test=True)[0]
        return Translated(f"{things.within()}{filters}.{'some' if value is any else 'every'}({arrow})", BOOL)

    def _method(
        self, node: ast.Call, called: ast.Attribute, given: Sequence[ast.expr], named: Mapping[str, ast.expr]
    ) -> Translated:
        if isinstance(called.value, ast.Name) and called.value.id not in (*self.kinds, "self", "cls"):
            value = self._value(called.value.id, called)
            if isinstance(value, type):
                name = self._imported(called.value.id, value, node)
                function = function_of(value.__dict__[called.attr])
                kind = self._kind(get_type_hints(function)["return"], node)
                return Translated(
                    f"{name}.{camel(called.attr)}({self._given(node, function, given, named, skip=1)})", kind
                )
        thing = self._expression(called.value)
        if thing.kind.name == "str" and called.attr == "format" and not given:
            return self._filled(node, called.value, named)
        if thing.kind.name == "pattern" and not named:
            return self._matching(node, called.attr, thing, given)
        if thing.kind.name == "str" and called.attr == "split" and len(given) < 2 and not named:
            if not given:
                return Translated(f"{self._helper('wordsOf')}({thing.text})", list_of(STR))
            if isinstance(given[0], ast.Constant) and given[0].value:
                return Translated(f"{thing.within()}.split({self._text(given[0]).text})", list_of(STR))
        if thing.kind.name == "str" and called.attr in TEXT_METHODS and not named:
            method, count = TEXT_METHODS[called.attr]
            if len(given) == count:
                said = ", ".join(self._text(each).text for each in given)
                kinds = {"index": INT, "startswith": BOOL, "endswith": BOOL}
                return Translated(f"{thing.within()}.{method}({said})", kinds.get(called.attr, STR))
        if thing.kind.name == "str" and called.attr == "rstrip" and not given and not named:
            return Translated(f"{thing.within()}.trimEnd()", STR)
        if thing.kind.name == "str" and called.attr == "join" and len(given) == 1 and not named:
            things = self._list(given[0])
            if [each.name for each in things.kind.items] == ["str"] and not things.kind.items[0].maybe:
                return Translated(f"{things.within()}.join({thing.text})", STR)
        if thing.kind.name in ("dict", "map") and called.attr == "get" and len(given) in (1, 2) and not named:
            other = self._expression(given[1]) if len(given) > 1 else literal(None)
            kind = self._told(lambda: joined(thing.kind.items[0], other.kind), node)
            item = f".get({self._expression(given[0]).text})"
            if thing.kind.name == "dict":
                item = f"[{self._text(given[0]).text}]"
            return Translated(f"({thing.within()}{item} ?? {other.within()})", kind)
        if thing.kind.name == "list" and called.attr == "index" and len(given) == 1 and not named:
            found = self._expression(given[0])
            if len(thing.kind.items) == 1 and thing.kind.is_ordered:
                self._told(lambda: joined(thing.kind.items[0], found.kind), node)
                return Translated(f"{self._helper('placeOf')}({thing.text}, {found.text})", PLACE_NUMBER)
        if thing.kind.name == "list" and called.attr == "count" and thing.kind.items == (ANY,):
            return Translated(f"{self._helper('countOf')}({thing.text}, {self._expression(given[0]).text})", INT)
        if thing.kind.name == "map" and called.attr == "values" and not given:
            return Translated(f"[...{thing.within()}.values()]", list_of(thing.kind.items[0]))
        if thing.kind.name == "dict" and called.attr == "values" and not given:
            return Translated(f"Object.values({thing.text})", list_of(thing.kind.items[0]))
        if thing.kind.name == "str" and called.attr == "replace" and len(given) == 2 and not named:
            old, new = map(self._expression, given)
            if old.kind.name == new.kind.name == "str" and old.text != '""':
                put = new.text if new.text[0] == '"' and "$" not in new.text else f"() => {new.text}"
                return Translated(f"{thing.within()}.replaceAll({old.text}, {put})", STR)
        if thing.kind.name == "object" and not thing.kind.maybe and member_of(thing.kind.of, called.attr):
            function = function_of(member_of(thing.kind.of, called.attr))
            hint = get_type_hints(function)["return"]
            kind = ANY if hint in getattr(thing.kind.of, "__parameters__", ()) else self._kind(hint, node)
            text = f"{thing.within()}.{camel(called.attr)}({self._given(node, function, given, named, skip=1)})"
            return Translated(text, kind)
        raise self._refused(node, f"the method {called.attr} of {thing.kind.said}")

    def _matching(self, node: ast.Call, asked: str, pattern: Translated, given: Sequence[ast.expr]) -> Translated:
        """What is asked of a regular expression; one that stands where it is used has slashes."""
        is_constant = pattern.text[0] == "/"
        text = self._text(given[-1])
        if asked == "finditer" and len(given) == 1:
            return Translated(f"[...{text.within()}.matchAll({pattern.text})]", list_of(MATCH))
        if asked == "findall" and len(given) == 1 and is_constant and not re.search(r"(?<!\\)\((?!\?)", pattern.text):
            return Translated(f"[...{text.within()}.matchAll({pattern.text})].map(([word]) => word)", list_of(STR))
        if asked == "sub" and len(given) == 2 and isinstance(given[0], ast.Constant):
            new = self._text(given[0]).text
            if not {*"$\\"} & {*new}:
                return Translated(f"{text.within()}.replace({pattern.text}, {new})", STR)
        if asked == "fullmatch" and len(given) == 1 and is_constant:
            expression = f"/^(?:{pattern.text[1:-3]})$/u"
            return Translated(f"{expression}.exec({text.text})", replace(MATCH, maybe=True))
        raise self._refused(node, f"{asked} of a regular expression")

    def _filled(self, node: ast.Call, form: ast.expr, named: Mapping[str, ast.expr]) -> Translated:
        """Translates `format` of a constant template."""
        if not (isinstance(form, ast.Attribute) and isinstance(form.value, ast.Name)):
            raise self._refused(node, "a template that is no constant")
        pieces: list[str | Translated] = []
        for text, name, spec, _ in Formatter().parse(getattr(self._value(form.value.id, node), form.attr)):
            pieces.append(text)
            if name is not None:
                pieces.append(self._formatted(node, self._expression(named[name]), spec or ""))
        return self._template(pieces)

    def _made(
        self, node: ast.Call, of: type[Any], name: str, given: Sequence[ast.expr], named: Mapping[str, ast.expr]
    ) -> Translated:
        values = dict(named)
        if getattr(of, "__pydantic_root_model__", False) and len(given) == 1:
            return replace(self._expression(given[0]), kind=self._kind(of, node))
        if is_dataclass(of):
            values = dict(zip((each.name for each in fields(of)), given, strict=False)) | values
        elif given:
            raise self._refused(node, "arguments without names")
        kept = {each: value for each, value in values.items() if not self.module.is_left_out(of, each)}
        text = ", ".join(self._member(of, each, value) for each, value in kept.items())
        kind = self._kind(of, node)
        return Translated(f"{{ {text} }}" if self.module.is_sent(of) else f"new {name}({{ {text} }})", kind)

    def _member(self, of: Any, name: str, value: ast.expr) -> str:
        """An attribute and its value, in an object."""
        code, name = self._expression(value), self._member_name(of, name)
        if self.module.is_sent(of) and "readonly " in code.kind.text:
            kind = replace(code.kind, text=code.kind.text.replace("readonly ", ""))
            code = Translated(cast(self.module, kind, code.text), kind)
        is_object = self.module.is_sent(of) and code.kind.name == "map"  # JSON has no other dicts
        text = f"Object.fromEntries({code.text})" if is_object else code.text
        return text if text == name else f"{name}: {text}"

    def _evaluated(self, node: ast.expr) -> Any:
        """A type that is written in an expression."""
        return self._told(lambda: eval(ast.unparse(node), vars(self.module.of)), node)

    def _given(
        self,
        node: ast.Call,
        function: Callable[..., Any],
        given: Sequence[ast.expr],
        named: Mapping[str, ast.expr],
        skip: int = 0,
    ) -> str:
        """Translates the arguments of a call, in the order of the parameters."""
        parameters = [*inspect.signature(function).parameters][skip:]
        values = {**dict(zip(parameters, given, strict=False)), **named}
        last = max((parameters.index(name) for name in values), default=-1)
        wanted = parameters[: last + 1]
        return ", ".join(self._expression(values[name]).text if name in values else "undefined" for name in wanted)
