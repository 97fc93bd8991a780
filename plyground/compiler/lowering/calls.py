"""Lowering of calls of functions, methods and classes."""

import ast
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FunctionType
from typing import Any

from plyground.compiler.form import Operand
from plyground.compiler.liveness import MUTATORS
from plyground.compiler.lowering import library
from plyground.compiler.lowering.arithmetic import INT_BITS
from plyground.compiler.lowering.iteration import IterationLowering
from plyground.compiler.target import Target
from plyground.compiler.types import (
    Closure,
    IntVector,
    KnownObject,
    LazyIterable,
    Method,
    TupleValue,
    TypeMismatch,
    Value,
    type_of,
)

BuiltIn = Callable[["CallLowering", list[Value], dict[str, Value]], Value]
"""Emits a call of a built-in, given its arguments and keywords."""
Intrinsic = Callable[["CallLowering", list[Value]], Value | None]
"""Emits a call in place of a plain function, or returns None where the plain function is compiled."""
LIBRARY: dict[str, Callable[..., Any]] = {
    "insert": library.insert,
    "remove": library.remove,
    "discard": library.discard,
    "index": library.index,
    "count": library.count,
    "reverse": library.reverse,
    "sort": library.sort,
    "pop": library.remove_at,
}
"""Methods of lists and sets, by name, as the plain functions that are compiled for them."""


class CallLowering(IterationLowering):
    """Emits calls, and methods of built-in types."""

    built_ins: Mapping[Any, BuiltIn] = {}
    intrinsics: Mapping[Any, Intrinsic] = {}
    target: Target

    def call_specialisation(self, function: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Call the specialisation of a function for these arguments."""
        raise NotImplementedError

    def is_lazy(self, function: FunctionType) -> bool:
        """Whether a function returns an iterable that is inlined where it is walked."""
        raise NotImplementedError

    def lower_call(self, node: ast.Call) -> Value:
        function = self.lower_expr(node.func)
        args = self.lower_elements(node.args)
        if any(each.arg is None for each in node.keywords):
            self.refuse("passes arguments by **; write them out")
        keywords = {each.arg: self.lower_expr(each.value) for each in node.keywords if each.arg}
        self.note_line(node)
        return self.call_value(function, args, keywords)

    def call_value(self, function: Value, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Emit a call of a function, method or class."""
        match function:
            case Method(function=str() as name, owner=owner):
                return self.call_method(owner, name, args, keywords)
            case Method(function=inner, owner=owner):
                return self.call_value(KnownObject(inner), [owner, *args], keywords)
            case Closure():
                return self.inline_function(function, args, keywords)
            case KnownObject(value=FunctionType() as plain):
                # First what has a form of its own; then generators, which become the loops that walk them; then
                # functions of values that no parameter can hold, which are inlined; else a call.
                if (intrinsic := self.intrinsics.get(plain)) and (result := intrinsic(self, args)) is not None:
                    return result
                if self.is_lazy(plain):
                    return self.make_lazy("generator", plain, args, keywords)
                if not all(map(_has_type, [*args, *keywords.values()])):
                    return self.inline_function(plain, args, keywords)
                return self.call_specialisation(plain, args, keywords)
            case KnownObject(value=type() as cls):
                return self.construct_instance(cls, args, keywords)
            case KnownObject(value=thing):
                if hasattr(thing, "__func__") and hasattr(thing, "__self__"):
                    return self.call_value(KnownObject(thing.__func__), [KnownObject(thing.__self__), *args], keywords)
                if thing in self.built_ins:
                    return self.built_ins[thing](self, args, keywords)
                if isinstance(thing, BuiltinFunctionType):
                    self.refuse(f"calls {thing.__name__}, which compiled rules do not have")
        self.refuse(f"calls {self.describe(function)}, which is no function of plain rules")

    def inline_function(self, function: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Inline a function in the place of its call."""
        frame, node = self.new_function_frame(function)
        key = self.new_temporary()

        def bind_result(value: Value) -> None:
            self.bindings[key] = value

        self.inline_body(frame, node, args, keywords, bind_result)
        return self.bindings.pop(key)

    def bind_parameters(self, node: Any, frame: Any, args: list[Value], keywords: dict[str, Value]) -> None:
        """Bind the parameters of a function to arguments, in its frame."""
        is_inner = frame.parent is not None
        for name, value in self.match_arguments(node, frame.function, args, keywords, is_inner).items():
            self.bindings[frame.number, name] = value

    def match_arguments(
        self, node: Any, function: Any, args: list[Value], keywords: dict[str, Value], is_inner: bool = False
    ) -> dict[str, Value]:
        """Match the arguments of a call to parameters by name, defaults included."""
        spec = node.args
        name = getattr(node, "name", "lambda")
        parameters = [each.arg for each in [*spec.posonlyargs, *spec.args]]
        found = dict(zip(parameters, args, strict=False))
        if spec.vararg:
            found[spec.vararg.arg] = self.make_tuple(args[len(parameters) :])
        elif len(args) > len(parameters):
            self.refuse(f"calls {name} with {len(args)} arguments; it takes {len(parameters)}")
        if twice := sorted(keywords.keys() & found.keys()):
            self.emit_fault(TypeError, f"{name} gets {twice[0]} twice")
        found |= keywords
        known = [*parameters, *(each.arg for each in spec.kwonlyargs)]
        if unknown := [each for each in keywords if each not in known]:
            self.refuse(f"calls {name} with {unknown[0]}=, which it does not take")
        # Defaults of a function in another are in its syntax tree; those of a loaded one are values already.
        if is_inner:
            nodes = dict(zip(parameters[len(parameters) - len(spec.defaults) :], spec.defaults, strict=True))
            defaults = {each: self.lower_expr(value) for each, value in nodes.items() if each not in found}
        else:
            values = function.__defaults__ or ()
            known_values = dict(zip(parameters[len(parameters) - len(values) :], values, strict=True))
            known_values |= function.__kwdefaults__ or {}
            defaults = {each: KnownObject(value) for each, value in known_values.items()}
        for each in known:
            if each not in found:
                if each not in defaults:
                    self.refuse(f"calls {name} without {each}")
                found[each] = defaults[each]
        return found

    # -- classes ------------------------------------------------------------------------------------------------------

    def construct_instance(self, cls: type, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Emit a call of a class."""
        if cls in self.built_ins:
            return self.built_ins[cls](self, args, keywords)
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            fields = list(cls._fields)
            if twice := sorted(keywords.keys() & set(fields[: len(args)])):
                self.emit_fault(TypeError, f"{cls.__name__} gets {twice[0]} twice")
            found = dict(zip(fields, args, strict=False)) | keywords
            for field, default in cls._field_defaults.items():  # type: ignore[attr-defined]
                found.setdefault(field, KnownObject(default))
            if len(args) > len(fields) or set(found) != set(fields):
                self.refuse(f"makes a {cls.__name__} without all its fields, {', '.join(fields)}")
            return self.make_tuple([self.require_storable(found[field]) for field in fields], cls)
        if all(isinstance(each, KnownObject) for each in [*args, *keywords.values()]) and issubclass(
            cls, BaseException
        ):
            return KnownObject(cls(*[each.value for each in args if isinstance(each, KnownObject)]))
        self.refuse(f"makes a {cls.__name__}, which compiled rules do not know")

    def require_storable(self, value: Value) -> Value:
        """Refuse values that no NamedTuple may hold: lists, which may change later, and iterables."""
        if isinstance(value, LazyIterable):
            # A state is a value: what could change later, or be walked once only, is none.
            self.refuse("puts a generator into a state; make a tuple of it")
        if isinstance(value, IntVector) and value.shape != "tuple":
            self.refuse(f"puts a {value.shape} into a state; make a tuple of it")
        return value

    # -- methods of tuples, lists and ints ----------------------------------------------------------------------------

    def call_method(self, owner: Value, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Emit a call of a method that Python itself defines."""
        owner = self.require_value(owner)
        if isinstance(owner, KnownObject) and all(isinstance(each, KnownObject) for each in args):
            # All is known, so Python computes it; a list that changes is memory and no constant.
            is_plain = name != "_replace" and name not in MUTATORS
            if is_plain and isinstance(owner.value, int | str | tuple | dict | list):
                try:
                    result = getattr(owner.value, name)(*[each.value for each in args if isinstance(each, KnownObject)])
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    self.emit_fault(type(error), *error.args)
                is_view = isinstance(owner.value, dict) and name in ("items", "keys", "values")
                return KnownObject(tuple(result) if is_view else result)
        if isinstance(owner, KnownObject) and isinstance(owner.value, dict) and name == "get":
            default = args[1] if len(args) > 1 else KnownObject(None)
            return self.emit_conditional(
                self.emit_membership(args[0], owner), lambda: self.look_up_key(owner.value, args[0]), lambda: default
            )
        if name == "_replace":
            return self.replace_fields(owner, keywords)
        if name == "bit_count" and self.is_int(owner):
            return self.emit_op("ones", self.emit_magnitude(owner))
        if name == "bit_length" and self.is_int(owner):
            return self.emit_op("sub", INT_BITS, self.emit_op("zeros_above", self.emit_magnitude(owner)))
        if isinstance(owner, LazyIterable) and owner.kind == "bin":
            if name == "count" and isinstance(args[0], KnownObject) and args[0].value == "1":
                return self.emit_op("ones", self.emit_magnitude(owner.parts[0]))
            self.refuse("works with text; of bin(x) compiled rules know .count('1') only")
        if name in ("count", "index") and not isinstance(owner, IntVector) and self.is_sequence(owner):
            return self.count_item(owner, args[0]) if name == "count" else self.find_item(owner, args[0])
        if isinstance(owner, IntVector):
            return self.call_vector_method(owner, name, args, keywords)
        self.refuse(f"uses .{name} of {self.describe(owner)}, which has no compiled form")

    def replace_fields(self, owner: Value, fields: dict[str, Value]) -> Value:
        """Emit `_replace` of a NamedTuple."""
        cls: type = tuple
        if isinstance(owner, TupleValue | KnownObject):
            cls = owner.cls if isinstance(owner, TupleValue) else type(owner.value)
        names: tuple[str, ...] = getattr(cls, "_fields", ())
        if unknown := [each for each in fields if each not in names]:
            self.refuse(f"replaces {unknown[0]}, which a {cls.__name__} does not have")
        items = dict(zip(names, self.items_of(owner), strict=True))
        items |= {name: self.require_storable(value) for name, value in fields.items()}
        return self.make_tuple(items.values(), cls)

    def count_item(self, sequence: Value, item: Value) -> Value:
        total: Value = KnownObject(0)
        for each in self.items_of(sequence):
            total = self.emit_binary(ast.Add, total, self.emit_comparison(ast.Eq, item, each))
        return total

    def find_item(self, sequence: Value, item: Value) -> Value:
        """Emit a search for the index of an item; a fault where it is not contained."""
        items = self.items_of(sequence)

        def search_from(place: int) -> Value:
            if place == len(items):
                self.emit_fault(ValueError, "the value is not in the tuple")
            same = self.emit_comparison(ast.Eq, items[place], item)
            return self.emit_conditional(same, lambda: KnownObject(place), lambda: search_from(place + 1))

        return search_from(0)

    def emit_magnitude(self, value: Value) -> Operand:
        """Emit the absolute value of an int, as 64 bits without a sign."""
        operand = self.int_operand(value)
        # The least int is its own negative; read without a sign that is 2**63, as it should be.
        minus = self.emit_op("sub", 0, operand)
        return self.emit_op("select", self.emit_op("lt", operand, 0), minus, operand)

    def call_vector_method(self, vector: IntVector, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
        if vector.shape == "tuple":
            self.refuse(f"uses .{name} of a tuple whose length is not known")
        if (vector.shape, name) in (("list", "append"), ("set", "add")):
            self.add_item(vector, args[0])
            return KnownObject(None)
        if (vector.shape, name) in (("list", "extend"), ("set", "update")):
            self.iterate(args[0], set(), lambda item: self.add_item(vector, item))
            return KnownObject(None)
        if name == "clear":
            self.emit_store(vector.address, 0, 0)
            return KnownObject(None)
        if name == "copy":
            return self.make_vector(vector, vector.shape, vector.length)
        if name == "pop" and not args and vector.shape == "list" and vector.length is None:
            count = self.emit_load(vector.address, 0)
            self.emit_fault_if(self.emit_op("eq", count, 0), IndexError, "pop from empty list")
            item = self.emit_load(vector.address, count)
            self.emit_store(vector.address, 0, self.emit_op("sub", count, 1))
            return item
        if name == "sort" and keywords:
            self.sort_by_key(vector, keywords)
            return KnownObject(None)
        if name not in LIBRARY or (name == "pop" and vector.shape == "set"):
            self.refuse(f"uses .{name} of a {vector.shape}, which has no compiled form")
        return self.call_specialisation(LIBRARY[name], [vector, *args], {})

    def sort_by_key(self, vector: IntVector, keywords: dict[str, Value]) -> None:
        """Emit a sort with `key=` or `reverse=`, by a list of the items' keys."""
        key = keywords.get("key", KnownObject(None))
        is_reversed = self.emit_truth(keywords.get("reverse", KnownObject(False)))
        is_bare = isinstance(key, KnownObject) and key.value is None
        address = self.allocate_slot(vector.capacity + 1)
        self.emit_store(address, 0, 0)
        # Python computes all keys before it sorts, each once.
        keys = IntVector(address, vector.capacity)
        self.iterate(
            vector, set(), lambda item: self.append_item(keys, item if is_bare else self.call_value(key, [item], {}))
        )
        # The sort knows by the type whether the length is fixed; the keys, appended one by one, become of the same
        # type.
        sized = IntVector(address, vector.capacity, "list", vector.length)
        self.call_specialisation(library.sort_by, [vector, sized, is_reversed], {})


def _has_type(value: Value) -> bool:
    try:
        type_of(value)
    except TypeMismatch:
        return False
    return True
