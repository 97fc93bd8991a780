"""A game and a search become machine code. The only module that knows Numba.

How it works, in the order of the code below:

1. *Constants.* In compiled code a game (or any `Constant`) is a type of its own, named after its fingerprint, with no
   data. Its methods resolve to functions compiled for that type, its int and tuple fields to constants. Methods of
   NamedTuples resolve likewise.
2. *Copies.* A plain function is copied with the globals it uses; functions among them become compiled copies, tuples
   of ints become constant arrays. Nothing that a game or a search says is decorated or changed.
3. *Cache.* Each compiled entry is a file named by the fingerprints of all it was made from, so that a new process
   finds it and a changed rule, option, search or helper never does. (Numba's own cache watches only the file of the
   entry, and refuses to load at all when one of its entries names a class that is gone.)
"""

import builtins
import hashlib
import inspect
import operator
import platform
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, cast

import llvmlite.binding as llvm_binding
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, errors, imputils, types
from numba.core.typing import templates
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from plyground.blame import is_own
from plyground.board import bits
from plyground.compiled import borrowed, cache
from plyground.compiled.fingerprint import FOREIGN, fingerprint, is_foreign, names_in, used_globals
from plyground.rules import Constant
from plyground.search.memory import Memory, prefetch

# Numba is untyped; its own values are Any throughout this module.
Numba = Any

# -- 1. constants -----------------------------------------------------------------------------------------------------


_constants: dict[str, Constant] = {}


class ConstantType(types.Opaque):
    """The Numba type of one constant object: only the fingerprint; the object itself stays in this process."""

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        super().__init__(name=f"Constant<{fingerprint}>")

    @property
    def object(self) -> Constant:
        return _constants[self.fingerprint]

    @property
    def instance_class(self) -> type:
        return type(self.object)


register_model(ConstantType)(models.OpaqueModel)
_constant_types: dict[Constant, ConstantType] = {}


@typeof_impl.register(Constant)
def _typeof_constant(constant: Constant, context: Numba) -> ConstantType:
    if constant not in _constant_types:
        mark = fingerprint(constant)
        _constants[mark] = constant
        _constant_types[constant] = ConstantType(mark)
    return _constant_types[constant]


@unbox(ConstantType)
def _unbox_constant(kind: Numba, value: Numba, c: Numba) -> NativeValue:
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _ConstantAttributes(templates.AttributeTemplate):
    key = ConstantType

    def generic_resolve(self, kind: ConstantType, name: str) -> Numba:
        if method := _method(kind, name):
            return _bound(kind, name, method)
        try:
            return numba.typeof(_constant(getattr(kind.object, name)))
        except (AttributeError, ValueError):
            return None


@lower_getattr_generic(ConstantType)
def _lower_constant(context: Numba, builder: Numba, kind: ConstantType, value: Numba, name: str) -> Numba:
    if _method(kind, name):
        return context.get_dummy_value()
    constant = _constant(getattr(kind.object, name))
    return context.get_constant_generic(builder, numba.typeof(constant), constant)


@infer_getattr
class _TupleMethods(templates.AttributeTemplate):
    key = types.BaseNamedTuple

    def generic_resolve(self, kind: Numba, name: str) -> Numba:
        method = _method(kind, name)
        return _bound(kind, name, method) if method else None


def _method(kind: Numba, name: str) -> FunctionType | None:
    """A method that can be compiled; what every NamedTuple has of its own (`_replace`) cannot."""
    member = inspect.getattr_static(kind.instance_class, name, None)
    return member if isinstance(member, FunctionType) and not hasattr(_BareTuple, name) else None


_lowered: set[tuple[type, str]] = set()


class _BareTuple(NamedTuple):
    """A NamedTuple with nothing but what all have."""


def _bound(kind: Numba, name: str, method: FunctionType) -> Numba:
    """The type of `object.method`: a call of the compiled method with the object put first."""
    dispatcher = types.Dispatcher(_compiled(method))

    class Template(templates.AbstractTemplate):
        key = (type(kind), name)

        def generic(self, args: Numba, kws: Numba) -> Numba:
            return dispatcher.get_call_type(self.context, (kind, *args), kws).as_method()

    if Template.key not in _lowered:
        _lowered.add(Template.key)
        family = ConstantType if isinstance(kind, ConstantType) else types.BaseNamedTuple
        lower_builtin(Template.key, family, types.VarArg(types.Any))(_lower_method(name))
    return types.BoundFunction(Template, kind)


def _lower_method(name: str) -> Callable[..., Numba]:
    def lower(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        method = _method(signature.args[0], name)
        assert method is not None
        call = context.get_function(types.Dispatcher(_compiled(method)), signature)
        result = call(builder, args)
        context.add_linking_libs(getattr(call, "libs", ()))
        return imputils.impl_ret_new_ref(context, builder, signature.return_type, result)

    return lower


# A block of ints shared with Python is an address.


class MemoryType(types.Type):
    """The Numba type of a `Memory`: its address."""

    def __init__(self) -> None:
        super().__init__(name="Memory")


_MEMORY = MemoryType()


@register_model(MemoryType)
class _MemoryModel(models.PrimitiveModel):
    def __init__(self, manager: Numba, kind: Numba) -> None:
        super().__init__(manager, kind, ir.IntType(64).as_pointer())


@typeof_impl.register(memoryview)
def _typeof_memory(memory: Memory, context: Numba) -> MemoryType:
    return _MEMORY


@unbox(MemoryType)
def _unbox_memory(kind: Numba, value: Numba, c: Numba) -> NativeValue:
    buffer = c.pyapi.alloca_buffer()
    failed = cgutils.is_not_null(c.builder, c.pyapi.get_buffer(value, buffer))
    first = c.builder.bitcast(buffer, ir.IntType(64).as_pointer().as_pointer())  # of a Py_buffer: where its data lie
    return NativeValue(c.builder.load(first), is_error=failed, cleanup=lambda: c.pyapi.release_buffer(buffer))


@intrinsic
def _read(typing: Numba, memory: Numba, index: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.load(builder.gep(args[0], [args[1]]))

    return types.int64(_MEMORY, types.int64), code


@intrinsic
def _write(typing: Numba, memory: Numba, index: Numba, value: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        builder.store(args[2], builder.gep(args[0], [args[1]]))
        return context.get_dummy_value()

    return types.none(_MEMORY, types.int64, types.int64), code


@intrinsic
def _prefetch(typing: Numba, memory: Numba, index: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64).as_pointer(), flag, flag, flag])
        hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(hint, [builder.gep(args[0], [args[1]]), flag(0), flag(3), flag(1)])  # to read; keep; data
        return context.get_dummy_value()

    return types.none(_MEMORY, types.int64), code


@overload(operator.getitem)
def _memory_getitem(memory, index):  # type: ignore[no-untyped-def]  # Numba compares signatures
    return (lambda memory, index: _read(memory, index)) if isinstance(memory, MemoryType) else None


@overload(operator.setitem)
def _memory_setitem(memory, index, value):  # type: ignore[no-untyped-def]  # as above
    return (lambda memory, index, value: _write(memory, index, value)) if isinstance(memory, MemoryType) else None


# -- 2. copies --------------------------------------------------------------------------------------------------------


@intrinsic
def _trailing_zeros(typing: Numba, value: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.cttz(args[0], cgutils.true_bit)

    return types.int64(types.int64), code


@intrinsic
def _ones(typing: Numba, value: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


@intrinsic
def _nth(typing: Numba, value: Numba, place: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        word = ir.IntType(64)
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word]))
        alone = builder.call(deposit, [builder.shl(ir.Constant(word, 1), args[1]), args[0]])
        return builder.cttz(alone, cgutils.true_bit)

    return types.int64(types.int64, types.int64), code


@intrinsic
def _with_word(typing: Numba, words: Numba, index: Numba, word: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        room = cgutils.alloca_once_value(builder, args[0])
        builder.store(args[2], builder.gep(room, [args[1].type(0), args[1]], inbounds=True))
        return builder.load(room)

    return words(words, types.int64, words.dtype), code


@intrinsic
def _mixed(typing: Numba, left: Numba, right: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        word = ir.IntType(64)
        product = builder.mul(builder.xor(*args), ir.Constant(word, 0x9E3779B97F4A7C15))
        return builder.xor(product, builder.lshr(product, ir.Constant(word, 32)))

    return types.int64(types.int64, types.int64), code


@intrinsic
def _flat(typing: Numba, state: Numba) -> Numba:
    kind = types.UniTuple(types.int64, len(_ints(state)))

    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        words = _values(context, builder, signature.args[0], args[0])
        return context.make_tuple(builder, kind, words)

    return kind(state), code


def _ints(kind: Numba) -> list[Numba]:
    """The types of the ints in a tuple, those of tuples in it as well."""
    if not isinstance(kind, types.BaseTuple):
        return [kind]
    return [part for field in kind.types for part in _ints(field)]


def _values(context: Numba, builder: Numba, kind: Numba, value: Numba) -> list[Numba]:
    if not isinstance(kind, types.BaseTuple):
        return [context.cast(builder, value, kind, types.int64)]
    fields = zip(kind.types, cgutils.unpack_tuple(builder, value), strict=True)
    return [word for field, part in fields for word in _values(context, builder, field, part)]


_TWINS: dict[object, Numba] = {
    bits.lowest: _trailing_zeros,
    bits.count: _ones,
    bits.with_word: _with_word,
    bits.mixed: _mixed,
    bits.flat: _flat,
    prefetch: _prefetch,
}
if llvm_binding.get_host_cpu_features().get("bmi2"):
    _TWINS[bits.nth] = _nth  # elsewhere its loop is compiled, whose end no processor can foresee
_WORDS_AT_MOST = 8
"""A tuple of at most this many ints stays a tuple in compiled code (a board of 19 x 19 needs seven words); a longer one
becomes an array, because Numba indexes tuples by trying each index in turn."""

_copies: dict[str, Numba] = {}


def _compiled(function: FunctionType) -> Numba:
    """The compiled copy of a plain function, the same one for the same code."""
    mark = fingerprint(function)
    if mark not in _copies:
        names: dict[str, object] = {"__builtins__": builtins, "__name__": function.__module__}
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__qualname__ = f"{function.__name__}_{mark[:12]}"  # in the symbol: same name, same code
        _copies[mark] = numba.njit(**borrowed.options())(copy)  # before its names: it may call itself
        for name, value in used_globals(function):
            if "." not in name:
                names[name] = _constant(value, names_in(function.__code__))
    return _copies[mark]


def _constant(value: object, used: set[str] = frozenset()) -> object:  # type: ignore[assignment]
    """What stands for a global or a field in compiled code."""
    match value:
        case FunctionType() if value in _TWINS:
            return _TWINS[value]
        case FunctionType() if not is_foreign(value):
            return _compiled(value)
        case ModuleType() if value.__name__.split(".")[0] not in FOREIGN:
            stand_in = ModuleType(value.__name__)
            for name in used:
                if hasattr(value, name):
                    setattr(stand_in, name, _constant(getattr(value, name), used))
            return stand_in
        case tuple() if type(value) is tuple and value and _is_table(value):
            return np.array(value)
    return value


def _is_table(value: tuple[object, ...]) -> bool:
    """Whether a tuple of ints, or of rows of ints, is a table to look things up in, not the few words of a board."""
    rows = [item if isinstance(item, tuple) else (item,) for item in value]
    alike = len({len(row) for row in rows}) == 1 and all(type(item) is int for row in rows for item in row)
    return alike and sum(map(len, rows)) > _WORDS_AT_MOST


# -- 3. cache ---------------------------------------------------------------------------------------------------------

_CACHE_FORMAT = 3


class _Cache:
    """Compiled entries as files, in the form Numba's dispatcher asks for. A file that cannot be used is no file."""

    failed: str | None = None
    """Why the last code could not be kept, in a sentence; None if it could."""

    def __init__(self, mark: str, name: str) -> None:
        self.mark, self.name = mark, name

    def _named(self, signature: Numba, target: Numba) -> str:
        kinds = signature.args if hasattr(signature, "args") else signature
        parts = [_CACHE_FORMAT, numba.__version__, platform.python_version(), borrowed.machine(target)]
        parts += [borrowed.why_slow, self.mark]
        parts += [(str(kind), [fingerprint(owner) for owner in _classes(kind)]) for kind in kinds]
        key = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return f"{self.name}-{key}"

    def load_overload(self, signature: Numba, target: Numba) -> Numba:
        try:
            code = cache.read(self._named(signature, target))
            return borrowed.read(target, code) if code else None
        except Exception:  # unreadable, half written, of another machine: compile afresh
            return None

    def save_overload(self, signature: Numba, result: Numba) -> None:
        try:
            if code := borrowed.written(result):
                cache.write(self._named(signature, result.target_context), code)
        except Exception as fault:  # the code is there and right: a full disk, or a change in Numba, costs speed only
            said = f"{type(fault).__name__}: {fault}".rstrip(": ")
            _Cache.failed = f"Compiled code cannot be kept in {cache.folder()} ({said}): every process compiles again."


def _classes(kind: Numba) -> Iterator[type]:
    """The NamedTuple classes in a Numba type; their names and fields are in its text, their methods are not."""
    if isinstance(kind, types.BaseNamedTuple):
        yield kind.instance_class
    for part in getattr(kind, "types", ()):
        yield from _classes(part)


# -- the front door ---------------------------------------------------------------------------------------------------


class CannotCompile(Exception):
    """A rule or search has no compiled form. The message is one plain sentence that names the line and the reason."""


class Compiled:
    """A search as machine code for one game: called with the search's arguments after the game.

    Compiled, or found on disk, at the first call. It releases Python's lock while it runs.

    Raises:
        CannotCompile: at the first call with arguments of their types, for a game or search that has no compiled form.
    """

    def __init__(self, function: Callable[..., Any], game: Constant) -> None:
        if numba.config.DISABLE_JIT:
            raise CannotCompile("NUMBA_DISABLE_JIT is set, so searches run as plain Python.")
        self._function, self._game = cast(FunctionType, function), game
        self._entry = _compiled(self._function)
        borrowed.keep_on_disk(self._entry, _Cache(fingerprint(function), function.__name__))
        self._starts: dict[tuple[type, ...], Callable[..., Any]] = {}
        self._signatures: list[Numba] = []

    def __call__(self, *args: object) -> Any:
        self.prepare(*args)
        return self._starts[tuple(map(type, args))](self._game, *args)

    def is_ready(self, *args: object) -> bool:
        """Whether it has been prepared for arguments like these."""
        return tuple(map(type, args)) in self._starts

    def prepare(self, *args: object) -> None:
        """Compile for arguments like these, without running anything; nothing is done twice."""
        if (kinds := tuple(map(type, args))) in self._starts:
            return
        try:
            signature = tuple(numba.typeof(arg) for arg in (self._game, *args))
        except ValueError:
            raise CannotCompile(
                f"A state of {type(self._game).__name__} holds what compiled rules do not know; "
                "they know ints below 2**63, tuples and NamedTuples of ints."
            ) from None
        try:
            # The code itself: Numba's dispatcher would look through every argument at each call, which takes as long
            # as a small search.
            self._starts[kinds] = self._entry.compile(signature)
            self._signatures.append(signature)
        except AUTHORS as fault:
            raise CannotCompile(explain(fault, _rule_asked(self._function, self._game))) from None

    @property
    def from_disk(self) -> bool:
        """Whether its code was found on disk rather than compiled by this process."""
        return all(borrowed.found_on_disk(self._entry, signature) for signature in self._signatures)

    @property
    def is_opened(self) -> bool:
        """Whether there is recursion in its code that was opened (`llvm.py`)."""
        return all(borrowed.is_opened(self._entry.overloads[signature]) for signature in self._signatures)

    @property
    def why_slow(self) -> str | None:
        """Why it is slower than it could be, or compiled again by every process, in a sentence; None if neither."""
        return borrowed.why_slow or borrowed.why_closed or _Cache.failed


AUTHORS = (errors.NumbaError, errors.UnsupportedBytecodeError)
"""What Numba raises for a text that it cannot type or lower. Anything else is a fault of Numba's or ours."""

_PLACE = re.compile(r'(?:File "|\b(?:at|from) )([^"\n]+?\.py)(?:", line | \()(\d+)')
"""A file and line in Numba's account, which goes from the innermost call outward."""

_REASONS = (
    (r"global name 'super'", "uses super(); put what both classes do into a function beside them, and call that"),
    (r"YIELD_FROM", "uses yield from; write for move in …: yield move"),
    (
        r"getitem\([^\n]*slice<",
        "takes a slice whose length no one knows beforehand; plyground.board.bits.with_word(cells, place, value) "
        "gives one with another value at a place",
    ),
    (r"yield in a closure", "uses a generator within an expression; write a for loop"),
    (r"re-entrant|runaway recursion", "calls itself in a way that never ends, or before it has ever returned a value"),
    (r"Cannot resolve setattr", "changes an attribute; games and states never change, play makes a new state"),
    (r"exception_match|Exception matching", "uses except; ask beforehand, with if"),
    (
        r"No implementation of function Function\(<class 'tuple'>\)",
        "makes a tuple whose length no one knows beforehand; plyground.board.bits.with_word(cells, place, value) "
        "gives one with another value at a place",
    ),
    (r"_replace|_make|_asdict", "uses _replace or the like; make a new state with all its fields instead"),
    (
        r"Untyped global name '([^']+)'",
        "uses {0}, which is neither an int, a tuple of ints, nor a function of plain rules",
    ),
    (r"global name '([^']+)' is not defined|NameError: name '([^']+)'", "uses the name {0}, which is defined nowhere"),
    (
        r"Unknown attribute '([^']+)' of type Constant",
        "uses self.{0}, which is neither an int, a tuple of ints nor a method",
    ),
    (r"Unknown attribute '([^']+)'", "uses .{0}, which ints, tuples and states do not have"),
    (r"unicode_type|Literal\[str\]", "works with text, and compiled rules know only ints and tuples of ints"),
    (r"build_map|DictType|\bdict\b|Dict\(", "uses a dict, and compiled rules know only ints and tuples of ints"),
    (r"build_set|reflected set|\bset\(", "uses a set; a bitboard (an int with a bit for each member) does its work"),
    (
        r"pyobject|object mode|type of variable '([^']+)' cannot be determined",
        "uses a value whose kind only Python knows",
    ),
    (r"Can't unify return type", "returns values of two kinds"),
    (r"Cannot unify ([^\n]+?) and ([^\n]+?) for", "gives one name values of two kinds ({0} and {1})"),
    (r"float64", "makes a fraction; // divides ints without one"),
    (
        r"No implementation of function Function\(<[^>]*?([\w.]+)(?: at [^>]*)?>\)",
        "calls {0} with values it does not take here",
    ),
    (r"SETUP_|yield|async|with statement|try", "uses a statement that compiled rules do not have"),
)


def _rule_asked(function: FunctionType, game: Constant) -> str:
    """Where to look when Numba does not say: the rule that a function asks for, if it asks for one only."""
    rules = [getattr(type(game), name, None) for name in names_in(function.__code__)]
    rules = [rule for rule in rules if isinstance(rule, FunctionType)]
    if len(rules) != 1:
        return "One of the rules"
    return f"{Path(rules[0].__code__.co_filename).name}, line {rules[0].__code__.co_firstlineno} or below"


def explain(fault: BaseException, otherwise: str) -> str:
    """Why something does not compile, as one sentence that names the file and line: no word of Numba's.

    `otherwise` is the place to name when the fault names none.
    """
    message = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    places = [place for place in _PLACE.findall(message) if is_own(str(Path(place[0]).resolve()))]
    where = f"{Path(places[0][0]).name}, line {places[0][1]}" if places else otherwise
    for pattern, words in _REASONS:
        if match := re.search(pattern, message):
            return f"{where}: {words.format(*(group for group in match.groups() if group))}."
    return f"{where}: does what compiled rules cannot do; they know ints, tuples and NamedTuples of ints."
