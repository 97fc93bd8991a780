"""Translation of expressions of Python to JavaScript."""

import ast
import inspect
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import MISSING, replace
from functools import cached_property
from itertools import pairwise
from types import FunctionType
from typing import Any, Final, get_origin, get_type_hints

from translator.kinds import (
    BOOL,
    FLOAT,
    FOUND_GROUP,
    INT,
    MATCH,
    NONE,
    PATTERN,
    PLACE_NUMBER,
    STR,
    ValueKind,
    dict_of,
    function_kind,
    joined,
    kind_of,
    list_of,
    map_of,
    tuple_of,
)
from translator.marks import HELPERS, MarkedModule, cast, relative
from translator.patterns import source_of
from translator.snippets import (
    AND,
    BITS,
    CHOICE,
    EQUAL,
    LONGEST_MASK,
    OPERATORS,
    OR,
    ORDER,
    ORDERS,
    PRODUCT,
    RESERVED,
    SIGNED,
    SUM,
    WHOLE,
    Found,
    NotTranslated,
    Translated,
    camel,
    dumped,
    function_of,
    literal,
    member_of,
)


class Expressions(ABC):
    """Translator of the expressions of a function or method; calls are left to `Calls`."""

    def __init__(
        self, module: MarkedModule, node: ast.FunctionDef, taken: dict[str, set[str]], owner: type[Any] | None = None
    ) -> None:
        self.module, self.node, self.taken, self.owner = module, node, taken, owner
        self.kinds: dict[str, ValueKind] = {}
        """Kinds of parameters and variables."""
        self.sure: set[str] = set()
        """Expressions that are known not to be None at this place, as dumps of `ast`."""
        self.ahead: list[str] = []
        """Variables to be declared before the first statement."""

    def _expression(self, node: ast.expr) -> Translated:
        code = self._of(node)
        return replace(code, kind=code.kind.sure) if code.kind.maybe and dumped(node) in self.sure else code

    def _of(self, node: ast.expr) -> Translated:
        match node:
            case ast.Constant(value) if not isinstance(value, bytes | complex):
                return self._told(lambda: literal(value), node)
            case ast.Name(name):
                return self._named(name, node)
            case ast.Attribute(value, name):
                return self._attribute(value, name, node)
            case ast.Subscript(value, ast.Constant(int(place))) if place >= 0:
                if (found := self._expression(value)).kind == MATCH:
                    if not place:
                        return Translated(f"{found.within()}[0]", STR)
                    return Translated(f'({found.within()}[{place}] ?? "")', FOUND_GROUP)
                things = self._list(value)
                items = things.kind.items
                return Translated(f"{things.within()}[{place}]", items[place if len(items) > 1 else 0])
            case ast.Subscript(value, place) if not isinstance(place, ast.Slice):
                if (known := self._expression(value)).kind.name == "map" and not known.kind.maybe:
                    text = f"{known.within()}.get({self._expression(place).text})"
                    return Translated(cast(self.module, known.kind.items[0], text), known.kind.items[0])
                if known.kind.name == "dict" and not known.kind.maybe:
                    return Translated(f"{known.within()}[{self._text(place).text}]", known.kind.items[0])
                things, at = self._list(value), self._expression(place)
                if at.kind.name != "int" or len({*things.kind.items}) != 1:
                    raise self._refused(node, "this index")
                if at.kind == PLACE_NUMBER:
                    return Translated(f"{things.within()}[{at.text}]", things.kind.items[0])
                return Translated(f"{self._helper('itemAt')}({things.text}, {at.text})", things.kind.items[0])
            case ast.Subscript(value, ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))):
                return self._reversed(self._list(value))
            case ast.Subscript(value, ast.Slice(start, end, None)):
                things = self._list(value)
                limits = [self._expression(each) for each in (start or ast.Constant(0), end) if each]
                if len({*things.kind.items}) != 1 or any(limit.kind.name != "int" for limit in limits):
                    raise self._refused(node, "this slice")
                said = ", ".join(limit.text for limit in limits)
                return Translated(f"{things.within()}.slice({said})", list_of(things.kind.items[0]))
            case ast.Tuple(items) | ast.List(items):
                code = self._items(items)
                is_list = isinstance(node, ast.List) and len({each.name for each in code.kind.items}) == 1
                return replace(code, kind=list_of(code.kind.items[0])) if is_list else code
            case ast.UnaryOp(ast.Not(), value):
                return Translated(f"!{self._test(value).within()}", BOOL, SIGNED)
            case ast.UnaryOp(ast.USub(), value) if (code := self._number(value)).kind.name != "bool":
                return Translated(f"-{code.within()}", code.kind.sure, SIGNED)
            case ast.BinOp(left, operator, right):
                return self._arithmetic(node, self._expression(left), operator, self._expression(right))
            case ast.BoolOp(operator, values):
                return self._either(operator, values)
            case ast.NamedExpr(ast.Name(name) as target, value):
                code = self._expression(value)
                if name in self.kinds and self.kinds[name] != code.kind:
                    raise self._refused(node, "another kind of value for this variable")
                if name not in self.kinds:
                    self.ahead.append(self._name(name, node))
                self.kinds[name] = code.kind
                self.sure.discard(dumped(ast.Name(name, ast.Load())))
                return Translated(f"({self._name(target.id, node)} = {code.text})", code.kind)
            case ast.Compare():
                return self._compared(node)
            case ast.IfExp(test, body, other):
                condition, sure = self._test(test), self._known(test) - self.sure
                self.sure |= sure
                one = self._expression(body)
                self.sure -= sure
                sure = self._known(ast.UnaryOp(ast.Not(), test)) - self.sure
                self.sure |= sure
                two = self._expression(other)
                self.sure -= sure
                kind = self._told(lambda: joined(one.kind, two.kind), node)
                text = f"{condition.within(OR)} ? {one.within(CHOICE)} : {two.within(CHOICE)}"
                return Translated(text, kind, CHOICE)
            case ast.Dict(keys, values):
                return self._dict(node, keys, [*map(self._expression, values)])
            case ast.DictComp(key, value, [loop]):
                pairs = self._comprehension(ast.Tuple([key, value], ast.Load()), loop)
                of, each = pairs.kind.items[0].items
                if of.name == "int" and not of.maybe:
                    return Translated(f"new Map({pairs.text})", map_of(each))
                if of.name != "str" or of.maybe:
                    raise self._refused(node, f"a dict of {of.said}")
                return Translated(f"Object.fromEntries({pairs.text})", dict_of(each))
            case ast.JoinedStr(values):
                return self._template([*map(self._piece, values)])
            case ast.ListComp(element, [loop]) | ast.GeneratorExp(element, [loop]):
                return self._comprehension(element, loop)
            case ast.Call(called, arguments, keywords):
                return self._call(node, called, arguments, keywords)
        raise self._refused(node, "this expression")

    def _reversed(self, things: Translated) -> Translated:
        """A list backward; one that has just been made needs no copy."""
        is_new = re.search(r"\.(slice|map|filter)\([^()]*\)$", things.text)
        return Translated(f"{things.text if is_new else f'[...{things.within()}]'}.reverse()", things.kind)

    def _dict(self, node: ast.expr, keys: Sequence[ast.expr | None], values: Sequence[Translated]) -> Translated:
        names = [each.value for each in keys if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if not names or len(names) < len(keys) or not all(map(str.isidentifier, names)):
            raise self._refused(node, "a dict whose keys are no names")
        kind = values[0].kind
        for each in values[1:]:
            kind = self._told(lambda one=kind, two=each.kind: joined(one, two), node)  # type: ignore[misc]
        texts = (
            each.text if each.text == name else f"{name}: {each.within(CHOICE)}"
            for name, each in zip(names, values, strict=True)
        )
        return Translated(f"{{ {', '.join(texts)} }}", dict_of(kind))

    def _named(self, name: str, node: ast.expr) -> Translated:
        if name in self.kinds:
            return Translated(self._name(name, node), self.kinds[name])
        if name in ("self", "cls"):
            return Translated("this", ValueKind("object", "this", of=self.owner))
        value = self._value(name, node)
        if isinstance(value, re.Pattern):
            return Translated(f"/{self._told(lambda: source_of(value), node)}/gu", PATTERN)
        if isinstance(value, FunctionType):
            hints = get_type_hints(value)
            given = [self._kind(hint, node) for name, hint in hints.items() if name != "return"]
            kind = function_kind(given, self._kind(hints["return"], node))
            return Translated(self._imported(name, value, node), kind)
        hint = get_type_hints(self.module.of).get(name)
        code = self._told(lambda: literal(value), node)
        if code.kind.name != "list" or hint is None or Final in (hint, get_origin(hint)):
            return code
        kind = self._kind(hint, node)
        return Translated(cast(self.module, kind, code.text), kind)

    def _value(self, name: str, node: ast.expr) -> Any:
        """Returns the module's object of a name."""
        if not hasattr(self.module.of, name):
            raise self._refused(node, f"{name}, which is no constant of the module,")
        return getattr(self.module.of, name)

    def _attribute(self, value: ast.expr, name: str, node: ast.expr) -> Translated:
        if isinstance(value, ast.Name) and value.id not in (*self.kinds, "self", "cls"):
            thing = self._value(value.id, node)
            code = self._told(lambda: literal(getattr(thing, name)), node)
            if code.kind.name != "list":
                return code
            kind = self._kind(get_type_hints(type(thing))[name], node)
            return Translated(cast(self.module, kind, code.text), kind)
        thing = self._expression(value)
        if thing.kind.name != "object" or thing.kind.maybe:
            raise self._refused(node, f"an attribute of {thing.kind.said}")
        member = member_of(thing.kind.of, name)
        is_property = isinstance(member, property | cached_property)
        hints = get_type_hints(function_of(member)) if is_property else get_type_hints(thing.kind.of)
        hint = hints.get("return" if is_property else name, MISSING)
        if hint is MISSING or self.module.is_missing(thing.kind.of, name):
            raise self._refused(node, f"the attribute {name}")
        return Translated(f"{thing.within()}.{self._member_name(thing.kind.of, name)}", self._kind(hint, node))

    def _member_name(self, of: Any, name: str) -> str:
        return name if self.module.is_sent(of) else camel(name)

    def _text(self, node: ast.expr) -> Translated:
        code = self._expression(node)
        if code.kind.name != "str" or code.kind.maybe:
            raise self._refused(node, f"{code.kind.said} in place of a text")
        return code

    def _items(self, items: Sequence[ast.expr]) -> Translated:
        texts, kinds = [], list[ValueKind]()
        for each in items:
            code = self._list(each.value) if isinstance(each, ast.Starred) else self._expression(each)
            texts.append(f"...{code.within()}" if isinstance(each, ast.Starred) else code.text)
            kinds += code.kind.items if isinstance(each, ast.Starred) else [code.kind]
        if any(isinstance(each, ast.Starred) for each in items):
            is_whole = all(each.name == "int" and not each.maybe for each in kinds)
            kind = list_of(INT if is_whole else FLOAT if all(each.is_number for each in kinds) else kinds[0])
            if not all(each.is_number or each == kinds[0] for each in kinds):
                raise self._refused(items[0], "a list of several kinds")
            return Translated(f"[{', '.join(texts)}]", kind)
        kind = tuple_of(kinds)
        is_plain = len({each.text for each in kinds}) < 2
        return Translated(
            f"[{', '.join(texts)}]" if is_plain else cast(self.module, kind, f"[{', '.join(texts)}]"), kind
        )

    def _arithmetic(self, node: ast.BinOp, left: Translated, operator: ast.operator, right: Translated) -> Translated:
        if left.kind == STR and right.kind.name == "int" and isinstance(operator, ast.Mult):
            return Translated(f"{left.within()}.repeat(Math.max(0, {right.text}))", STR)
        if left.kind.name == right.kind.name == "str" and isinstance(operator, ast.Add):
            return Translated(f"{left.within(SUM)} + {right.within(PRODUCT)}", STR, SUM)
        if not (left.kind.is_number and right.kind.is_number):
            raise self._refused(node, f"arithmetic of {left.kind.said} and {right.kind.said}")
        is_float = "float" in (left.kind.name, right.kind.name)
        is_mask = left.kind.name == right.kind.name == "int" and right.text.isdigit() and int(right.text) < LONGEST_MASK
        if isinstance(operator, ast.BitAnd) and is_mask:
            return Translated(f"{left.within(SUM)} & {right.text}", PLACE_NUMBER, BITS)
        if isinstance(operator, ast.Mod) and left.kind == PLACE_NUMBER and right.text.isdigit() and right.text > "0":
            return Translated(f"{left.within(PRODUCT)} % {right.text}", PLACE_NUMBER, PRODUCT)
        if isinstance(operator, ast.FloorDiv) and not is_float:
            return Translated(f"Math.floor({left.number(PRODUCT)} / {right.number(SIGNED)})", INT)
        if type(operator) not in OPERATORS:
            raise self._refused(node, "this operator")
        kind = FLOAT if is_float or isinstance(operator, ast.Div) else INT
        mark, level = OPERATORS[type(operator)]
        return Translated(f"{left.number(level)} {mark} {right.number(level - 1)}", kind, level)

    def _test(self, node: ast.expr) -> Translated:
        """Translates a condition."""
        if isinstance(node, ast.BoolOp):
            return self._either(node.op, node.values, is_test=True)
        code = self._expression(node)
        if code.kind.name == "list" and not code.kind.maybe:
            return Translated(f"{code.within()}.length", BOOL)
        return self._plain_truth(node, code)

    def _plain_truth(self, node: ast.expr, code: Translated) -> Translated:
        """Returns a translated condition, if both languages find the same values true."""
        if code.kind.name in ("list", "any"):
            raise self._refused(node, f"the truth of {code.kind.said}")
        if code.kind.name == "object" and {"__bool__", "__len__"} & {*dir(code.kind.of)}:
            raise self._refused(node, f"the truth of {code.kind.said}")
        return code

    def _either(self, operator: ast.boolop, values: Sequence[ast.expr], *, is_test: bool = False) -> Translated:
        mark, level = ("&&", AND) if isinstance(operator, ast.And) else ("||", OR)
        before, codes = set(self.sure), list[Translated]()
        for place, each in enumerate(values):
            code = self._test(each) if is_test else self._expression(each)
            codes.append(code if is_test or place == len(values) - 1 else self._plain_truth(each, code))
            known = each if isinstance(operator, ast.And) else ast.UnaryOp(ast.Not(), each)
            self.sure |= self._known(known)
        self.sure = before
        text = f" {mark} ".join(code.within(level) for code in codes)
        if is_test:
            return Translated(text, BOOL, level)
        kind = codes[-1].kind
        for code in codes[:-1]:
            one = code.kind.sure if isinstance(operator, ast.Or) else code.kind
            kind = self._told(lambda a=one, b=kind: joined(a, b), values[0])  # type: ignore[misc]
        return Translated(text, kind, level)

    def _compared(self, node: ast.Compare) -> Translated:
        places = [node.left, *node.comparators]
        if any(not isinstance(each, ast.Name | ast.Constant) for each in places[1:-1]):
            raise self._refused(node, "a chain that would ask twice")
        parts = [
            self._pair(one, operator, two) for (one, two), operator in zip(pairwise(places), node.ops, strict=True)
        ]
        return parts[0] if len(parts) == 1 else Translated(" && ".join(part.within(AND) for part in parts), BOOL, AND)

    def _pair(self, one: ast.expr, operator: ast.cmpop, two: ast.expr) -> Translated:
        if isinstance(operator, ast.Is | ast.IsNot):
            if not (isinstance(two, ast.Constant) and two.value is None):
                raise self._refused(two, "identity with anything but None")
            mark = "===" if isinstance(operator, ast.Is) else "!=="
            if self._of(one).kind == FOUND_GROUP:
                raise self._refused(one, "whether a group took part")
            return Translated(f"{self._of(one).within(ORDER)} {mark} null", BOOL, EQUAL)
        left, right = self._expression(one), self._expression(two)
        kinds = (left.kind, right.kind)
        names = {kind.name for kind in kinds}
        if isinstance(operator, ast.In | ast.NotIn):
            items = {each.name for each in right.kind.items}
            if not left.kind.maybe and left.kind.name in ("int", "float") and items <= {"int", "float"} and items:
                mark = "" if isinstance(operator, ast.In) else "!"
                return Translated(f"{mark}{right.within()}.includes({left.text})", BOOL, SIGNED if mark else WHOLE)
            if {left.kind.name, right.kind.name} in ({"str", "dict"}, {"int", "map"}) and right.kind.items:
                mark = "" if isinstance(operator, ast.In) else "!"
                text = f"Object.hasOwn({right.text}, {left.text})"
                if right.kind.name == "map":
                    text = f"{right.within()}.has({left.text})"
                return Translated(mark + text, BOOL, SIGNED if mark else WHOLE)
            if left.kind.name == right.kind.name == "str" and not (left.kind.maybe or right.kind.maybe):
                mark = "" if isinstance(operator, ast.In) else "!"
                return Translated(f"{mark}{right.within()}.includes({left.text})", BOOL, SIGNED if mark else WHOLE)
            if left.kind.name == "str" and right.kind.name == "list" and items == {"str"}:
                mark = "" if isinstance(operator, ast.In) else "!"
                listed = f"/** @type {{readonly (string | null)[]}} */ ({right.text})"
                return Translated(f"{mark}({listed}).includes({left.text})", BOOL, SIGNED if mark else WHOLE)
            raise self._refused(one, "this membership")
        if isinstance(operator, ast.Eq | ast.NotEq):
            mark = "===" if isinstance(operator, ast.Eq) else "!=="
            if NONE not in kinds and (names <= {"int", "float"} or names in ({"str"}, {"bool"})):
                return Translated(f"{left.within(ORDER)} {mark} {right.within(ORDER)}", BOOL, EQUAL)
            if names == {"list"} and all(kind.is_ordered and not kind.maybe for kind in kinds):
                return Translated(f"{self._helper('compare')}({left.text}, {right.text}) {mark} 0", BOOL, EQUAL)
        elif type(operator) in ORDERS and all(kind.is_ordered for kind in kinds):
            if all(kind.is_number for kind in kinds):
                text = f"{left.number(SUM)} {ORDERS[type(operator)]} {right.number(SUM)}"
                return Translated(text, BOOL, ORDER)
            if names == {"list"}:
                text = f"{self._helper('compare')}({left.text}, {right.text}) {ORDERS[type(operator)]} 0"
                return Translated(text, BOOL, ORDER)
        raise self._refused(one, f"this comparison of {left.kind.said} with {right.kind.said}")

    def _piece(self, node: ast.expr) -> str | Translated:
        """A piece of an f-string: text, or what is put in."""
        if isinstance(node, ast.Constant):
            return str(node.value)
        if isinstance(node, ast.FormattedValue) and node.conversion == -1:
            form = "".join(
                str(each.value) for each in getattr(node.format_spec, "values", ()) if isinstance(each, ast.Constant)
            )
            return self._formatted(node, self._expression(node.value), form)
        raise self._refused(node, "this piece of a text")

    def _formatted(self, node: ast.expr, code: Translated, form: str) -> Translated:
        if not code.kind.maybe and code.kind.name in ("str", "int") and code.kind != FOUND_GROUP and not form:
            return code
        if not code.kind.maybe and code.kind.name == "int" and (found := re.fullmatch(r">(\d+)(,?)", form)):
            written = f"{self._formatted(node, code, ',').within()}" if found[2] else f"String({code.text})"
            return Translated(f"{written}.padStart({found[1]})", STR)
        if not code.kind.maybe and code.kind.is_number and form == ".0%":
            hundredths = f"{self._helper('fixedText')}(100 * {code.within(PRODUCT)}, 0)"
            return self._template([Translated(hundredths, STR), "%"])
        if code.text.isdigit() and form == ",":
            return literal(f"{int(code.text):,}")
        if not code.kind.maybe and code.kind.name == "int" and form == ",":
            return Translated(f'{code.within()}.toLocaleString("en")', STR)
        if not code.kind.maybe and code.kind.name == "int" and form == "+d":
            return Translated(f"{self._helper('withSign')}({code.text})", STR)
        if not code.kind.maybe and code.kind.name in ("int", "float") and (found := re.fullmatch(r"\.(\d)f", form)):
            return Translated(f"{self._helper('fixedText')}({code.text}, {found[1]})", STR)
        raise self._refused(node, f"{code.kind.said} in the form {form!r}")

    def _template(self, pieces: Sequence[str | Translated]) -> Translated:
        said = []
        for each in pieces:
            if isinstance(each, Translated) and each.text[0] == '"':
                each = str(json.loads(each.text))
            if isinstance(each, Translated) and each.text.isdigit():
                each = each.text
            if isinstance(each, str):
                said.append(re.sub(r"[\\`]|\$(?=\{)", r"\\\g<0>", each))
            else:
                said.append(each.text[1:-1] if each.text[0] == "`" and each.kind == STR else f"${{{each.text}}}")
        text = "".join(said)
        is_text = len(pieces) == 1 and isinstance(pieces[0], Translated) and pieces[0].kind == STR
        return pieces[0] if is_text and isinstance(pieces[0], Translated) else Translated(f"`{text}`", STR)

    def _comprehension(self, element: ast.expr, loop: ast.comprehension) -> Translated:
        things = self._each(loop.iter)
        if len({*things.kind.items}) != 1 or loop.is_async:
            raise self._refused(element, "this loop")
        item = things.kind.items[0]
        filters = "".join(f".filter({self._arrow(loop.target, item, each, is_test=True)[0]})" for each in loop.ifs)
        arrow, kind = self._arrow(loop.target, item, element)
        is_same = dumped(element) == ast.dump(loop.target).replace("Store()", "Load()")
        return Translated(f"{things.within()}{filters}{'' if is_same else f'.map({arrow})'}", list_of(kind))

    def _arrow(
        self, target: ast.expr, item: ValueKind, body: ast.expr, *, is_test: bool = False
    ) -> tuple[str, ValueKind]:
        """An arrow function of an item, and the kind of what it gives; it takes of the item what its body uses."""
        each = [target] if isinstance(target, ast.Name) else target.elts if isinstance(target, ast.Tuple) else []
        kinds = [item] if isinstance(target, ast.Name) else [*item.items]
        if len(each) != len(kinds) or not all(isinstance(one, ast.Name) for one in each):
            raise self._refused(target, f"to unpack {item.said}")
        names = [one.id for one in each if isinstance(one, ast.Name)]
        before = dict(self.kinds)
        self.kinds |= zip(names, kinds, strict=True)
        code = self._test(body) if is_test else self._expression(body)
        self.kinds = before
        used = {one.id for one in ast.walk(body) if isinstance(one, ast.Name)}
        taken = [self._name(name, target) if name in used else "" for name in names]
        while taken and not taken[-1]:
            taken.pop()
        head = f"[{', '.join(taken)}]" if taken and isinstance(target, ast.Tuple) else "".join(taken)
        body_text = f"({code.text})" if code.text[0] == "{" else code.text
        return f"({head}) => {body_text}", code.kind

    @abstractmethod
    def _call(
        self, node: ast.Call, called: ast.expr, given: Sequence[ast.expr], named: Sequence[ast.keyword]
    ) -> Translated:
        """Translates a call."""

    def _imported(self, name: str, value: Any, node: ast.expr) -> str:
        """Imports a function or class, if it is of another translated module; returns its name in JavaScript."""
        owner = getattr(value, "__module__", "")
        address, named = self.module.address_of(owner, name)
        if address:
            self.taken.setdefault(address, set()).add(named)
        if named:
            return named
        raise self._refused(node, f"{name}, which is not marked,")

    # -- helpers -------------------------------------------------------------------------------------------------------

    def _known(self, test: ast.expr) -> set[str]:
        """Expressions that are not None where a test holds."""
        match test:
            case ast.NamedExpr(ast.Name(name)) | ast.Compare(ast.NamedExpr(ast.Name(name)), [ast.IsNot()], [_]):
                return {dumped(ast.Name(name, ast.Load()))}
            case ast.Compare(left, [ast.IsNot()], [_]):
                return {dumped(left)}
            case ast.UnaryOp(ast.Not(), ast.Compare(left, [ast.Is()], [_])):
                return {dumped(left)}
            case ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), value)):
                return self._known(value)
            case ast.BoolOp(ast.And(), values):
                return set().union(*map(self._known, values))
            case ast.UnaryOp(ast.Not(), ast.BoolOp(ast.Or(), values)):
                return set().union(*(self._known(ast.UnaryOp(ast.Not(), each)) for each in values))
            case ast.Name() | ast.Attribute():
                return {dumped(test)}
        return set()

    def _each(self, node: ast.expr) -> Translated:
        """Translates what a loop goes through: a list, the signs of a text, or the keys of a dict of texts."""
        code = self._expression(node)
        if code.kind == STR:
            return Translated(f"[...{code.within(CHOICE)}]", list_of(STR))
        if code.kind.name == "dict" and not code.kind.maybe:
            return Translated(f"Object.keys({code.text})", list_of(STR))
        return self._list(node)

    def _list(self, node: ast.expr) -> Translated:
        code = self._expression(node)
        if code.kind.name != "list" or code.kind.maybe or not code.kind.items:
            raise self._refused(node, f"{code.kind.said} in place of a list")
        return code

    def _number(self, node: ast.expr) -> Translated:
        code = self._expression(node)
        if not code.kind.is_number:
            raise self._refused(node, f"arithmetic of {code.kind.said}")
        return code

    def _helper(self, name: str) -> str:
        self.taken.setdefault(relative(self.module.path, HELPERS), set()).add(name)
        return name

    def _name(self, name: str, node: ast.expr | ast.stmt | ast.arg) -> str:
        if camel(name) in RESERVED:
            raise self._refused(node, f"{name}, a name that JavaScript has,")
        return camel(name)

    def _kind(self, hint: Any, node: ast.expr | ast.arg) -> ValueKind:
        return self._told(lambda: kind_of(hint), node)

    def _told(self, asked: Callable[[], Found], node: ast.AST) -> Found:
        try:
            return asked()
        except (TypeError, AttributeError) as fault:
            raise self._refused(node, f"this ({fault})") from fault

    def _refused(self, node: ast.AST, what: str) -> NotTranslated:
        place = f"{inspect.getsourcefile(self.module.of)}:{getattr(node, 'lineno', self.node.lineno)}"
        said = ast.unparse(node) if isinstance(node, ast.expr | ast.stmt) else self.node.name
        return NotTranslated(f"{place}: {what} is not translated: {said}")
