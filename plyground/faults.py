"""Classification of exceptions: an error in a game's rules, in a user's search, or in plyground."""

import ast
import dis
import errno
import linecache
import os
import sysconfig
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from types import FrameType
from typing import Any

from plyground.errors import ADDRESS, BadInput, GameFault, InputRequested
from plyground.rules import Game

_PACKAGE = f"{Path(__file__).parent}{os.sep}"
_GAMES = f"{_PACKAGE}games{os.sep}"
_SEARCHES = f"{_PACKAGE}search{os.sep}"
_COMPILED = f"{_PACKAGE}compiled{os.sep}code.py"
_LIBRARY_PATHS = (_PACKAGE, "<frozen ", *(f"{sysconfig.get_path(name)}{os.sep}" for name in ("stdlib", "purelib")))
_DEEP_CALLS = 100
"""Nested calls of searches above which a `RecursionError` is the search's own, not a rule's."""


class RuleFailed(GameFault):
    """A rule ended in an error; the sentence names the rule, its file and line."""


class TooDeep(GameFault):
    """A search reached Python's recursion limit."""


def game_fault(error: BaseException) -> GameFault | None:
    """Returns the error as a sentence if it was raised while a game answered a question; else None."""
    if isinstance(error, GameFault):
        return error
    if isinstance(error, BadInput) or not isinstance(error, Exception):
        return None
    calls = _calls_in(error)
    if (
        isinstance(error, RecursionError)
        and sum(frame.f_code.co_filename.startswith(_SEARCHES) for frame, _ in calls) > _DEEP_CALLS
    ):
        return TooDeep("The search looks deeper than plain Python can: ask for fewer plies, or for rules that compile.")
    # The outermost rule that was asked: its author knows the question, and the innermost line below it is where it went
    # wrong.
    asked = ((place, _rule_name(calls, place)) for place in range(len(calls)))
    start, rule = next(((place, rule) for place, rule in asked if rule), (0, None))
    if rule is None:
        return None
    # `Game`'s defaults say in their message what has to be defined.
    if isinstance(error, NotImplementedError) and str(error):
        return RuleFailed(str(error))
    own = _user_calls(calls[start:])
    where = f"{Path(own[-1][0].f_code.co_filename).name}, line {own[-1][1]}: " if own else ""
    return RuleFailed(f"{where}{rule} fails: {error_words(error)}.")


def machine_fault(error: BaseException) -> BadInput | None:
    """Returns the error as a sentence if the machine has no more room, memory, files or threads; else None."""
    said = str(error)
    # Each in the form in which the system tells it: an exception of Python, a number of an error, or the words of a
    # library that could not be mapped.
    is_memory = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
    is_memory |= isinstance(error, RuntimeError) and "start new thread" in said
    is_memory |= isinstance(error, ImportError) and "failed to map segment" in said
    if is_memory:
        return BadInput("There is not enough memory: end other programs, or ask for less at a time.")
    if isinstance(error, OSError) and error.errno in _REFUSED:
        return BadInput(f"{error.filename or 'The output, or a file,'} cannot be used: {error.strerror}.")
    return None


_REFUSED = {getattr(errno, name, None) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EMFILE", "ENFILE")}


def is_shipped(game: Game[Any]) -> bool:
    """Whether a game's rules are plyground's own, not a user's."""
    return type(game).__module__.startswith("plyground.games.")


def own_fault(error: BaseException, search: Callable[..., Any]) -> BadInput | None:
    """Returns the error as a sentence with its line if it was raised in a user's search; else None."""
    file = search.__code__.co_filename
    lines = [line for frame, line in _calls_in(error) if frame.f_code.co_filename == file]
    if not lines or type(error).__module__.startswith("plyground."):
        return None
    return BadInput(f"{Path(file).name}, line {lines[-1]}: {search.__name__} fails: {error_words(error)}.")


def error_words(error: BaseException) -> str:
    """Class and message of an error, without addresses of objects."""
    return ADDRESS.sub("", f"{type(error).__name__}: {error}").rstrip(": .")


def user_place(at: BaseException | FrameType) -> str | None:
    """The innermost file and line of user code or a game, in an error's traceback or a frame and its callers."""
    if isinstance(at, BaseException):
        calls = _calls_in(at)
    else:
        calls, frame = [], at
        while frame:
            calls.insert(0, (frame, frame.f_lineno))
            frame = frame.f_back  # type: ignore[assignment]
    own = _user_calls(calls)
    return f"{Path(own[-1][0].f_code.co_filename).name}, line {own[-1][1]}" if own else None


def endless_place(error: BaseException) -> str | None:
    """File and line of the loop in which user code or a game was stopped because it did not end; as `user_place`.

    Where in a loop a call is stopped depends on Python's version, so the loop's first line is given: of the innermost
    `while` round the line, else of the outermost `for`. Without a loop it is the line itself.
    """
    own = _user_calls(_calls_in(error))
    if not own:
        return None
    frame, line = own[-1]
    file, first = frame.f_code.co_filename, frame.f_code.co_firstlineno
    try:
        # From the line cache, which holds notebooks' cells too, and what the file was when it was read.
        tree = ast.parse("".join(linecache.getlines(file, frame.f_globals)))
    except (SyntaxError, ValueError):  # the file has changed since
        tree = ast.Module([], [])
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While | ast.For)]
    around = [node for node in loops if first <= node.lineno <= line <= (node.end_lineno or 0)]  # outermost first
    whiles = [node for node in around if isinstance(node, ast.While)]
    line = whiles[-1].lineno if whiles else around[0].lineno if around else line
    return f"{Path(file).name}, line {line}"


def remedy(error: BaseException) -> str:
    """Advice to append to an error's message where that does not say what to do; usually empty.

    An error of a `raise` statement may have any words, so what Python itself raises is known by its instruction.
    """
    match error, _instruction(error):
        case RecursionError(), _:
            right = "a function calls itself without an end"
        case InputRequested(), _:
            right = "rules read no input; plyground play asks for moves"
        case SystemExit(), _:
            right = "a rule returns an answer, and ends no program"
        case (FrozenInstanceError(), _) | (AttributeError(), "STORE_ATTR"):
            right = "games and states never change: play makes a new state"
        case TypeError(), "STORE_SUBSCR" | "DELETE_SUBSCR":
            right = "tuples never change: make a new one (plyground.board.bits.with_word)"
        case TypeError(), instruction if instruction != "RAISE_VARARGS" and "unhashable type" in str(error):
            right = "states are tuples of ints, all the way down"
        case TypeError(), instruction if (
            instruction != "RAISE_VARARGS" and "multiple values for argument 'owner'" in str(error)
        ):
            right = "the first word of a Piece is its owner, as in Piece('x', 'king')"
        case _:
            return ""
    return f"; {right}"


def _instruction(error: BaseException) -> str:
    """Name of the instruction of Python that raised an error; empty if none did."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] if trace and trace.tb_lasti >= 0 else ""


def place_of_definition(game: Game[Any], question: str) -> str | None:
    """File and line where a game defines a question; None if it inherits it."""
    rule = getattr(type(game), question, None)
    code = getattr(rule, "__code__", None)
    return f"{Path(code.co_filename).name}, line {code.co_firstlineno}" if code and is_own(code.co_filename) else None


def is_own(file: str) -> bool:
    """Whether a file is a game's or a user's, not another of this package or of a library."""
    return file.startswith(_GAMES) or not file.startswith(_LIBRARY_PATHS)


def _user_calls(calls: list[tuple[FrameType, int]]) -> list[tuple[FrameType, int]]:
    """The calls of user code or a game; constructors that `dataclass` makes for the package are in no file of its."""
    return [
        (frame, line)
        for frame, line in calls
        if is_own(frame.f_code.co_filename)
        and not (frame.f_code.co_filename == "<string>" and frame.f_globals["__name__"].startswith("plyground."))
    ]


def _rule_name(calls: list[tuple[FrameType, int]], place: int) -> str | None:
    """Name of the rule that a call runs, plain or as compiled code reports its errors; None if it runs none."""
    frame = calls[place][0]
    code = frame.f_code
    if place and calls[place - 1][0].f_code.co_filename == _COMPILED:
        return code.co_name if is_own(code.co_filename) else None
    game = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
    if not isinstance(game, Game):
        return None
    if hasattr(Game, code.co_name):
        return code.co_name
    rules = (name for name in dir(Game) if getattr(getattr(type(game), name, None), "__code__", None) is code)
    return next(rules, None)  # a lambda


def _calls_in(error: BaseException) -> list[tuple[FrameType, int]]:
    calls, trace = [], error.__traceback__
    while trace:
        calls.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return calls
