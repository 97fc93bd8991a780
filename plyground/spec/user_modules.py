"""Modules made of users' files.

A file is read once for as long as it and the files beside it that it imports stay the same. So two things named in one
file belong to the same classes, and what is compiled for one serves the other. A file imports another one beside it as
a program does that Python is started with, but by a module name of its own: two folders may each have a `pieces.py`.

Another process, perhaps on another machine, makes the same modules from the same text (`sources`, `adopt`): an object
that is pickled by the name of its class is found there, also where the file has been saved again meanwhile.
"""

import builtins
import hashlib
import os.path
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from plyground.errors import BadInput, InputRequested, no_input, sentence_of
from plyground.files import bytes_of_file, text_of_file
from plyground.timeouts import TimeExceeded, TimeLimit

# Generous, for a file may import a large library first.
LOADING_SECONDS = 30.0
"""Seconds of the processor that loading a file may take."""
RESERVED_MODULES = sys.stdlib_module_names | {"plyground"}
"""Modules that no file beside another one hides."""
_PLAYS = "what plays or searches belongs below if __name__ == '__main__':"
_PREFIX = "plyground_own_"


@dataclass
class _FileReading:
    """A file that was read."""

    text: bytes
    module: ModuleType
    beside: list[Path] = field(default_factory=list)
    """The files beside it that it has imported."""
    is_adopted: bool = False
    """Whether another process sent the text, so that the file of this machine does not count."""


class _CannotLoad(BadInput):
    """A file cannot be loaded; the sentence names it and the line."""


class _RelativeImport(ImportError):
    """A file imports from its package, and has none."""


_readings: dict[Path, _FileReading] = {}
"""By their absolute paths, in the order in which they were completed: what is imported comes first."""
_importable: frozenset[Path] | None = None
"""Files beside others that may be imported, by their absolute paths; None: all."""
# Reentrant: a file that is read imports others, which are read by the same thread.
_lock = threading.RLock()
_numbers = count(1)


def module_of(file: Path, *, anew: bool = False) -> ModuleType:
    """A user's file as a module.

    Args:
        file: its path.
        anew: whether it shares nothing with other readings, for what remembers something, as players do.

    Raises:
        BadInput: there is no such file, or it cannot be loaded.
    """
    path = _absolute(file)
    with _lock:
        is_current = not anew and _is_current(path)
        if not is_current and not os.path.isfile(file):  # noqa: PTH113  Path.is_file raises for a name that is too long
            raise BadInput(f"There is no file {file}: name what is your own as path/to/file.py:name.")
        readings = {} if anew else _readings
        if not is_current:
            with TimeLimit(LOADING_SECONDS) as limit, _discarded_output():
                _FileReader(readings, limit).read(path, file)
        return readings[path].module


def files_read(file: Path) -> list[Path]:
    """A file, and the files beside it that it imported when it was last read."""
    found = [_absolute(file)]
    for path in found:
        found += [each for each in (_readings[path].beside if path in _readings else ()) if each not in found]
    return found


def sources() -> tuple[tuple[Path, bytes], ...]:
    """Files that this process has read, each with its text; imported files come before their importers."""
    with _lock:
        return tuple((path, reading.text) for path, reading in _readings.items())


def adopt(files: Iterable[tuple[Path, bytes]]) -> None:
    """Make the modules of another process's `sources`.

    Raises:
        BadInput: one of them cannot be loaded here.
    """
    with _lock, TimeLimit(LOADING_SECONDS) as limit, _discarded_output():
        for path, text in files:
            if path not in _readings or _readings[path].text != text:
                _FileReader(_readings, limit).read(path, path, text)
            _readings[path].is_adopted = True


def import_only(files: Iterable[Path]) -> None:
    """Let files that are read from now on import of the files beside them only these, by their absolute paths."""
    global _importable
    _importable = frozenset(files)


def _absolute(file: Path) -> Path:
    return Path(os.path.abspath(file))  # noqa: PTH100  a link stays: it is beside the files beside it


def _is_current(path: Path, asked: frozenset[Path] = frozenset()) -> bool:
    """Whether the last reading of a file is that of its text, and of the files that it imports."""
    reading = _readings.get(path)
    if reading is None or reading.is_adopted or path in asked:
        return reading is not None
    try:
        is_same = reading.text == bytes_of_file(path)
    except BadInput:
        return False
    return is_same and all(_is_current(each, asked | {path}) for each in reading.beside)


class _FileReader:
    """Reads a file, and the files beside it that it imports."""

    def __init__(self, readings: dict[Path, _FileReading], limit: TimeLimit) -> None:
        self._readings, self._limit = readings, limit
        self._depth = 0
        """Files that are being read; a file that another one imports has no time of its own."""
        self._begun = set[Path]()
        """Files that were read now, or are being read: two may import each other."""

    def read(self, path: Path, named: Path, text: bytes | None = None) -> ModuleType:
        """Run a file as a module.

        Args:
            path: its absolute path.
            named: the path as its user wrote it.
            text: its text; by default what stands in the file.

        Raises:
            BadInput: it cannot be loaded.
        """
        # The same name for the same path in every process, by which pickled objects find their class.
        name = f"{_PREFIX}{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
        if self._readings is not _readings:
            name = f"{name}_{next(_numbers)}"
        module = ModuleType(name)
        module.__file__, module.__package__ = str(path), ""
        # Taken out first, so that a file that imports itself in a circle does not find its own last reading.
        before, old = sys.modules.get(name), self._readings.pop(path, None)
        self._depth += 1
        try:
            reading = _FileReading(bytes_of_file(path) if text is None else text, module)
            self._readings[path] = reading
            self._begun.add(path)
            sys.modules[name] = module  # dataclasses look there
            vars(module)["__builtins__"] = vars(builtins) | {"__import__": self._importing(path, reading)}
            # Without this module's `__future__` imports, which would change what the file means.
            code = compile(reading.text, str(path), "exec", dont_inherit=True)
            if self._depth == 1:
                self._limit(exec, code, vars(module))
            else:
                exec(code, vars(module))
            self._readings[path] = self._readings.pop(path)  # after all that it imports
        except BaseException as fault:
            self._readings.pop(path, None)
            if old:
                self._readings[path] = old
            if before:
                sys.modules[name] = before
            if isinstance(fault, _CannotLoad) or not isinstance(fault, Exception | SystemExit | TimeExceeded):
                raise
            raise _CannotLoad(_sentence(fault, path, named)) from None
        finally:
            self._depth -= 1
            if self._readings is not _readings:
                sys.modules.pop(name, None)
        return module

    def _importing(self, path: Path, reading: _FileReading) -> Callable[..., Any]:
        """The function behind `import` in a file: as Python's, and it finds the files beside that one."""

        def importing(
            name: str,
            names: Mapping[str, object] | None = None,
            local: Mapping[str, object] | None = None,
            wanted: Sequence[str] | None = (),
            level: int = 0,
        ) -> Any:
            # A file beside, for a plain name alone: `import a.b` is a package, and packages are installed.
            beside = path.with_name(f"{name}.py")
            is_own = name.isidentifier() and name not in RESERVED_MODULES and self._is_there(beside)
            if level and not (level == 1 and is_own):
                raise _RelativeImport("a file of your own belongs to no package")
            if not is_own:
                return builtins.__import__(name, names, local, wanted or (), level)
            if beside not in reading.beside:
                reading.beside.append(beside)
            if not self._depth:  # a rule imports it when it is asked
                return module_of(beside)
            if beside in self._begun or (self._readings is _readings and _is_current(beside)):
                return self._readings[beside].module
            return self.read(beside, beside)

        return importing

    def _is_there(self, path: Path) -> bool:
        if _importable is not None and path not in _importable:
            return False
        # Adopted files count although they need not exist on this machine.
        return path in self._readings or path.is_file()


def _sentence(fault: BaseException, path: Path, named: Path) -> str:
    """Sentence why a file cannot be loaded, with its line."""
    lines = [line for name, line in _traceback_places(fault) if Path(name) == path]
    line = fault.lineno if isinstance(fault, SyntaxError) else next(iter(lines), None)
    where = f"line {line}: " if line else ""
    return sentence_of(f"{named} cannot be loaded: {where}{_what_is_wrong(fault, path)}")


def _what_is_wrong(fault: BaseException, path: Path) -> str:
    """Clause about a fault in loading a file, with the remedy where the fault does not name it."""
    if isinstance(fault, TimeExceeded):
        return f"after {LOADING_SECONDS:g} seconds it is still not loaded; {_PLAYS}"
    said = f"{type(fault).__name__}: {fault.msg if isinstance(fault, SyntaxError) else fault}".rstrip(": .")
    if isinstance(fault, SystemExit):
        return f"it ends the program ({said}); {_PLAYS}"
    if isinstance(fault, InputRequested):
        return f"it asks for input; {_PLAYS}"
    if isinstance(fault, ModuleNotFoundError):
        top = (fault.name or "").partition(".")[0]
        if path.with_name(top).is_dir():
            return f"{said}; of your own files those right beside {path.name} are found, not those in a folder there"
        if _importable is not None:
            return f"{said}; a file that is graded imports none beside it that is another person's, or a link"
        return f"{said}; install it, or look how it is written (a file of your own stands beside {path.name})"
    name = fault.name if isinstance(fault, ImportError) else None
    if name in sys.stdlib_module_names and path.with_name(f"{name}.py").is_file():
        return f"{said}; {name} is a module of Python's own: give {name}.py another name"
    if isinstance(fault, _RelativeImport):
        return f"{said}; write import name for name.py beside {path.name}"
    if isinstance(fault, SyntaxError | ValueError) and not _is_text(path):
        return f"{said}; a Python file is text, in UTF-8"
    return said


@contextmanager
def _discarded_output() -> Iterator[None]:
    """Context without standard input, in which printed text goes to the error output."""
    with no_input(), redirect_stdout(sys.stderr):
        yield


def _is_text(file: Path) -> bool:
    """Whether a file can be Python: text in UTF-8, without null bytes."""
    try:
        return "\0" not in text_of_file(file)
    except BadInput:
        return False


def _traceback_places(fault: BaseException) -> list[tuple[str, int]]:
    """File and line of each call in a traceback, the innermost first."""
    found, trace = list[tuple[str, int]](), fault.__traceback__
    while trace:
        found.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return found[::-1]
