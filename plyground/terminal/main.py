"""The terminal: thin, it parses, calls and prints. One file for each kind of verb."""

import io
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Annotated

import typer

from plyground.errors import BadInput
from plyground.faults import game_fault, machine_fault
from plyground.search.observer import Stopped
from plyground.terminal.arguments import INTERRUPTED, explaining_plain_speed
from plyground.terminal.board import err, out
from plyground.terminal.help_layout import Menu, Verb, help_width

VERBS = {
    "web": "serving",
    "fleet": "serving",
    "play": "playing",
    "replay": "playing",
    "analyse": "thinking",
    "search": "thinking",
    "perft": "thinking",
    "review": "reviewing",
    "tree": "looking",
    "compare": "looking",
    "quiz": "looking",
    "solve": "solving",
    "book": "solving",
    "verify": "solving",
    "uci": "speaking",
    "ugi": "speaking",
    "gtp": "speaking",
    "gomocup": "speaking",
    "kgp": "speaking",
    "tablebase": "tabulating",
    "base": "basing",
    "label": "labelling",
    "learn": "learning",
    "audit": "auditing",
    "grade": "grading",
    "gradebook": "grading",
    "arena": "competing",
    "connector": "connecting",
    "join": "connecting",
    "wire-check": "connecting",
    "check": "listing",
    "games": "listing",
    "bench": "measuring",
    "publish": "publishing",
    "bot": "publishing",
    "compile": "compiling",
}
"""The verbs in the order of the help, each with its file in `verbs`, where the function has its name. A command imports
the file of its own verb: all of them take as long as the rest of the start.
"""

ENDING_SIGNALS = [signal.SIGTERM] if sys.platform == "win32" else [signal.SIGTERM, signal.SIGHUP]
"""Signals that end a verb as Ctrl-C does, with exit codes of their own: 143, and 129 of a terminal that is closed."""
_signals: list[signal.Signals] = []


def _say_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        out.print(f"plyground {version('plyground')}", markup=False)
        raise typer.Exit


def _add_tables(folders: list[str]) -> list[str]:
    if folders:
        from plyground.exact.tables.reading import add_folder

        for folder in reversed(folders):
            add_folder(folder)
    return folders


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    tablebase: Annotated[
        list[str],
        typer.Option(
            callback=_add_tables, help="Ask the tablebase of this folder or URL too; may be given several times."
        ),
    ] = [],  # noqa: B006  # Typer copies it
) -> None:
    """What may stand before the verb."""


def command_line(*verbs: str) -> typer.Typer:
    """The command with some of its verbs; by default with all."""
    app = typer.Typer(
        cls=Menu,
        help="Two-player games of perfect information: play, analyse, search. Without a command: web. "
        "The options of a command: plyground help COMMAND.",
        context_settings={
            "help_option_names": ["-h", "--help"],
            "terminal_width": help_width(),  # Typer's own least is 50
        },
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_options)
    for verb in verbs or VERBS:
        file = import_module(f"plyground.terminal.verbs.{VERBS[verb]}")
        app.command(verb, cls=Verb)(getattr(file, verb.replace("-", "_")))
    return app


def main() -> None:
    """Run the command line; bad input ends it with one sentence and exit code 2."""
    # A console of Windows, or a pipe in the C locale, may lack the signs of boards.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console without our signs shows ?, and goes on
    for each in ENDING_SIGNALS:
        if signal.getsignal(each) == signal.SIG_DFL:  # else it is ignored, as nohup has it
            signal.signal(each, _end_by_signal)
    try:
        with explaining_plain_speed():
            words = sys.argv[1:] or ["web"]
            if words[0] == "help":
                words = [*words[1:], "--help"]
            # One verb alone is imported, if the first word is one: all of them would double the start.
            completes = "_PLYGROUND_COMPLETE" in os.environ  # so a shell asks for words that would follow
            app = command_line(*[word for word in words[:1] if word in VERBS and not completes])
            # Errors come here and not to click, which would print its own form with its own exit
            # codes.
            code = app(words, prog_name="plyground", standalone_mode=False)
            if sys.stdout:
                sys.stdout.flush()  # here a disk that is full can still be told
        if code == INTERRUPTED:  # Typer hands back the exit code, also of Ctrl-C
            _end_stopped()
        _exit(code if isinstance(code, int) else 0)
    except BadInput as fault:
        _fail(str(fault), 2)
    except (typer.Abort, KeyboardInterrupt, Stopped):
        _end_stopped()
    except BrokenPipeError:  # the reader has gone, so an error message has no reader either
        # 128 + SIGPIPE (13), as shells count a command that a signal ended.
        _exit(141)
    except Exception as fault:
        if _signals:  # ending, it wrote to a terminal that is closed
            _end_stopped()
        if hasattr(fault, "format_message"):  # click's own: a wrong option, a missing argument
            is_early = getattr(fault, "option_name", "") == "--tablebase"
            why = "--tablebase stands before the verb: plyground --tablebase FOLDER VERB …" if is_early else ""
            _fail(why or str(fault.format_message()), 2)
        # A user's rule or a full disk is a sentence; what is left is a fault of ours, and keeps its
        # trace.
        if own := game_fault(fault) or machine_fault(fault):
            _fail(str(own), 2)
        raise


def _end_by_signal(number: int, frame: FrameType | None) -> None:
    """Handle a signal as Ctrl-C would be handled now: verbs, servers and searches end in ways of their own."""
    _signals.append(signal.Signals(number))
    # The handler is asked for now: asyncio and the server put handlers of their own in its place while they run.
    interrupt = signal.getsignal(signal.SIGINT)
    (interrupt if callable(interrupt) else signal.default_int_handler)(signal.SIGINT, frame)


def _end_stopped() -> None:
    if _signals:
        _fail(f"stopped by {_signals[0].name}.", 128 + _signals[0])
    _fail("stopped.", INTERRUPTED)


def _fail(sentence: str, code: int) -> None:
    with suppress(OSError):  # the terminal may be closed
        err.print(f"plyground: {sentence}", markup=False)
    _exit(code)


def _exit(code: int) -> None:
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:  # Python would try again, and complain
            # Without this Python flushes once more at its exit, fails again and turns the exit code
            # into 120.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    # Where Ctrl-C came within `exec` of a text, as dataclasses run one when a module is loaded, Python notes it and
    # ends by the signal, not with our code. Another text clears the note (CPython's pythonrun.c, `run_eval_code_obj`).
    exec("")
    sys.exit(code)
