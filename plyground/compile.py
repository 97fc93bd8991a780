"""A game and a search become machine code. The only module that knows Numba.

How it works, in the order of the code below:

1. *Fingerprint.* A game (or any `Constant`) is known by a hash of all that its answers depend on: the bytecode of its
   methods, its fields, and, followed through globals, every function and constant they use.
2. *Constants.* In compiled code the object is a type of its own, named after the fingerprint, with no data. Its
   methods resolve to functions compiled for that type, its int and tuple fields to constants. Methods of NamedTuples
   resolve likewise.
3. *Copies.* A plain function is copied with the globals it uses; functions among them become compiled copies, tuples
   of ints become constant arrays. Nothing that a game or a search says is decorated or changed.
4. *Library.* The finished code is optimised once more with its recursion opened (`llvm.py`).
5. *Cache.* Each compiled entry is a file named by the fingerprints of all it was made from, so that a new process
   finds it and a changed rule, option, search or helper never does. (Numba's own cache watches only the file of the
   entry, and refuses to load at all when one of its entries names a class that is gone.)
"""

import builtins
import hashlib
import inspect
import operator
import os
import pickle
import platform
import re
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import llvmlite.binding as llvm_binding
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, compiler, imputils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager
from numba.core.typing import templates
from numba.cpython.unsafe.tuple import tuple_setitem
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
from platformdirs import user_cache_path

from plyground import bits
from plyground.llvm import open_recursion
from plyground.memory import Memory, prefetch
from plyground.rules import Constant

# Numba is untyped; its own values are Any throughout this module.
Numba = Any

# -- 1. fingerprint ---------------------------------------------------------------------------------------------------


_FOREIGN = {*sys.stdlib_module_names, "numpy", "numba"} - {"__main__"}
"""Modules whose code is not a game's or a search's, and not followed."""


def fingerprint(thing: object) -> str:
    """A hash of everything that the compiled form of a function or a `Constant` depends on."""
    return hashlib.sha256("\n".join(_describe(thing, {})).encode()).hexdigest()[:32]


def _describe(thing: object, seen: dict[int, tuple[int, object]]) -> Iterator[str]:
    """Lines that differ whenever two things would compile differently.

    `seen` cuts cycles: the place of each thing by its id, and the thing itself, so that no id is used twice.
    """
    if isinstance(thing, bool | int | float | complex | str | bytes | None):
        yield repr(thing)
        return
    if id(thing) in seen:
        yield f"seen {seen[id(thing)][0]}"
        return
    seen[id(thing)] = len(seen), thing
    match thing:
        case tuple() | list():
            yield f"{type(thing).__qualname__} {len(thing)}"
            for item in thing:
                yield from _describe(item, seen)
        case set() | frozenset():
            yield f"{type(thing).__qualname__} {sorted(map(repr, thing))}"
        case dict():
            yield from _describe(tuple(thing.items()), seen)
        case np.ndarray():
            yield f"array {thing.dtype} {thing.shape} {thing.tobytes().hex()}"
        case CodeType():
            yield f"code {thing.co_code.hex()} {thing.co_names} {thing.co_varnames}"
            yield f"{thing.co_freevars} {thing.co_cellvars}"
            yield from _describe(thing.co_consts, seen)
        case FunctionType() | type() if _is_foreign(thing):
            yield f"{thing.__module__}.{thing.__qualname__}"
        case FunctionType():
            yield f"function {thing.__qualname__}"
            yield from _describe((thing.__code__, thing.__defaults__, thing.__kwdefaults__), seen)
            for cell in thing.__closure__ or ():
                yield from _describe(cell.cell_contents, seen)
            for name, value in _used_globals(thing):
                yield f"global {name}"
                yield from _describe(value, seen)
        case type():
            yield f"class {thing.__qualname__} {getattr(thing, '_fields', '')}"
            yield from _describe(thing.__bases__, seen)
            yield from _describe_members(thing, seen)
        case Constant():
            yield from _describe(type(thing), seen)
            slots = [name for owner in type(thing).__mro__ for name in getattr(owner, "__slots__", ())]
            fields = getattr(thing, "__dict__", {}) | {name: getattr(thing, name) for name in slots}
            for name, value in sorted(fields.items()):
                if not isinstance(inspect.getattr_static(type(thing), name, None), cached_property):  # it follows
                    yield f"field {name}"
                    yield from _describe(value, seen)
        case _:
            yield f"{type(thing).__module__}.{type(thing).__qualname__} {getattr(thing, '__name__', '')}"


def _describe_members(owner: type, seen: dict[int, tuple[int, object]]) -> Iterator[str]:
    for name, value in sorted(vars(owner).items()):
        code = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", None) or value
        if isinstance(code, FunctionType) or not name.startswith("__"):
            yield f"member {name}"
            yield from _describe(code, seen)


def _is_foreign(thing: FunctionType | type) -> bool:
    """Whether something comes from Python or its libraries for numbers, not from a game or a search."""
    root = (thing.__module__ or "").split(".")[0]
    return root in _FOREIGN


def _used_globals(function: FunctionType) -> Iterator[tuple[str, object]]:
    """The globals that a function names, and of a module named among them the members used, as `module.member`."""
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            if isinstance(value, ModuleType):
                for member in sorted(_names(function.__code__)):
                    if hasattr(value, member):
                        yield f"{name}.{member}", getattr(value, member)


def _names(code: CodeType) -> set[str]:
    inner = [_names(const) for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*inner)


# -- 2. constants -----------------------------------------------------------------------------------------------------


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


# -- 3. copies --------------------------------------------------------------------------------------------------------


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
    bits.with_word: tuple_setitem,
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
        _copies[mark] = numba.njit(nogil=True, pipeline_class=_Pipeline)(copy)  # before its names: it may call itself
        for name, value in _used_globals(function):
            if "." not in name:
                names[name] = _constant(value, _names(function.__code__))
    return _copies[mark]


def _constant(value: object, used: set[str] = frozenset()) -> object:  # type: ignore[assignment]
    """What stands for a global or a field in compiled code."""
    match value:
        case FunctionType() if value in _TWINS:
            return _TWINS[value]
        case FunctionType() if not _is_foreign(value):
            return _compiled(value)
        case ModuleType() if value.__name__.split(".")[0] not in _FOREIGN:
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


# -- 4. library -------------------------------------------------------------------------------------------------------

# Every function is optimised alone before it is put into its callers. A loop whose length only the caller knows would
# by then be unrolled for a length of any size, and never again, when it is known, be written out.
llvm_binding.set_option("plyground", "-unroll-runtime=false")


class _Library(JITCodeLibrary):
    """A piece of compiled code whose recursion is opened once."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == llvm_binding.Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = llvm_binding.Linkage.internal  # its callers are all here, so it can change
        super()._optimize_final_module()
        if opened := open_recursion(str(self._final_module)):
            self._final_module = llvm_binding.parse_assembly(opened)
            manager, builder = self._codegen._module_pass_manager()
            manager.run(self._final_module, builder)


class _Pipeline(compiler.CompilerBase):
    """Numba's own passes, writing into a library of ours."""

    def define_pipelines(self) -> list[PassManager]:
        if self.state.library is None:
            self.state.library = _Library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            self.state.library.enable_object_caching()
        return [compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)]


# -- 5. cache ---------------------------------------------------------------------------------------------------------

_CACHE_FORMAT = 2
_FILES_AT_MOST = 500


def cache_folder() -> Path:
    """Where compiled code is kept: `PLYGROUND_CACHE`, or the user's cache folder."""
    return Path(os.environ.get("PLYGROUND_CACHE") or user_cache_path("plyground"))


class _Cache:
    """Compiled entries as files, in the form Numba's dispatcher asks for. A file that cannot be used is no file."""

    def __init__(self, mark: str, name: str) -> None:
        self.mark, self.name = mark, name

    def _file(self, signature: Numba, target: Numba) -> Path:
        kinds = signature.args if hasattr(signature, "args") else signature
        parts = [_CACHE_FORMAT, numba.__version__, platform.python_version(), target.codegen().magic_tuple(), self.mark]
        parts += [(str(kind), [fingerprint(owner) for owner in _classes(kind)]) for kind in kinds]
        key = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return cache_folder() / f"{self.name}-{key}.bin"

    def load_overload(self, signature: Numba, target: Numba) -> Numba:
        try:
            payload = pickle.loads(self._file(signature, target).read_bytes())
            target.refresh()
            return compiler.CompileResult._rebuild(target, *payload)
        except Exception:  # unreadable, half written, of another machine: compile afresh
            return None

    def save_overload(self, signature: Numba, result: Numba) -> None:
        if result.library.has_dynamic_globals:  # it holds an address of this process
            return
        file = self._file(signature, result.target_context)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
                part.write(pickle.dumps(result._reduce(), protocol=pickle.HIGHEST_PROTOCOL))
            Path(part.name).replace(file)
            _prune(file.parent)
        except OSError:  # a full or read-only disk costs speed, nothing else
            return


def _classes(kind: Numba) -> Iterator[type]:
    """The NamedTuple classes in a Numba type; their names and fields are in its text, their methods are not."""
    if isinstance(kind, types.BaseNamedTuple):
        yield kind.instance_class
    for part in getattr(kind, "types", ()):
        yield from _classes(part)


def _prune(folder: Path) -> None:
    files = sorted(folder.glob("*.bin"), key=lambda file: file.stat().st_mtime)
    for file in files[:-_FILES_AT_MOST]:
        file.unlink(missing_ok=True)


# -- the front door ---------------------------------------------------------------------------------------------------


class CannotCompile(Exception):
    """A rule or search has no compiled form. The message is one plain sentence that names the line and the reason."""


class Compiled:
    """A search as machine code for one game: called with the search's arguments after the game.

    Compiled, or found on disk, at the first call. It releases Python's lock while it runs.

    Raises:
        CannotCompile: at the first call with arguments of their types, for a game or search that has no compiled form.
    """

    def __init__(self, function: FunctionType, game: Constant) -> None:
        self._function, self._game = function, game
        self._entry = _compiled(function)
        self._starts: dict[tuple[type, ...], Callable[..., Any]] = {}
        if not isinstance(self._entry._cache, _Cache):
            self._entry._cache = _Cache(fingerprint(function), function.__name__)

    def __call__(self, *args: object) -> Any:
        kinds = tuple(map(type, args))
        if kinds not in self._starts:
            self.prepare(*args)
        return self._starts[kinds](self._game, *args)

    def prepare(self, *args: object) -> None:
        """Compile for arguments like these, without running anything."""
        signature = tuple(numba.typeof(arg) for arg in (self._game, *args))
        try:
            self._entry.compile(signature)
        except Exception as fault:  # Numba reports what it cannot compile in many ways
            raise CannotCompile(explain(fault, _rule_asked(self._function, self._game))) from None
        # Numba's own dispatcher looks through every argument at each call, which takes as long as a small search.
        self._starts[tuple(map(type, args))] = self._entry.overloads[signature].entry_point

    @property
    def from_disk(self) -> bool:
        """Whether its code was found on disk rather than compiled by this process."""
        return sum(self._entry._cache_hits.values()) > 0


_PLACE = re.compile(r'(?:File "|\bat )([^"\n]+?\.py)(?:", line | \()(\d+)')
"""A file and line in Numba's account, which goes from the innermost call outward."""

_LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib"))

_REASONS = (
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
    (r"build_set|reflected set|\bset\b", "uses a set; a bitboard (an int with a bit for each member) does its work"),
    (
        r"pyobject|object mode|type of variable '([^']+)' cannot be determined",
        "uses a value whose kind only Python knows",
    ),
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
    rules = [getattr(type(game), name, None) for name in _names(function.__code__)]
    rules = [rule for rule in rules if isinstance(rule, FunctionType)]
    if len(rules) != 1:
        return "One of the rules"
    return f"{Path(rules[0].__code__.co_filename).name}, line {rules[0].__code__.co_firstlineno} or below"


def explain(fault: BaseException, otherwise: str) -> str:
    """Why something does not compile, as one sentence that names the file and line: no word of Numba's.

    `otherwise` is the place to name when the fault names none.
    """
    message = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    places = [place for place in _PLACE.findall(message) if not place[0].startswith(_LIBRARIES)]
    where = f"{Path(places[0][0]).name}, line {places[0][1]}" if places else otherwise
    for pattern, words in _REASONS:
        if match := re.search(pattern, message):
            return f"{where}: {words.format(*(group for group in match.groups() if group))}."
    return f"{where}: does what compiled rules cannot do; they know ints, tuples and NamedTuples of ints."
