"""Queries to rules in Prolog or GDL by a running SWI-Prolog: a line for a question, lines of answers.

`prolog_answers.pl` stands on the other side. A program that answers late, ends or is interrupted is closed, and the
next question starts it again, so that nothing is ever read as the answer to another question.
"""

import os
import queue
import shutil
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

from plyground.errors import BadInput, GameFault, clause_of
from plyground.sandbox.bubblewrap import confines_programs
from plyground.sandbox.program_clock import CLOCK_SLICE, ProgramClock
from plyground.sandbox.sandbox import Sandbox

ANSWERING_FILE = Path(__file__).with_name("prolog_answers.pl")
SWIPL = "swipl"
NOT_INSTALLED = "Rules in Prolog are asked of SWI-Prolog, and there is no swipl on the path: see swi-prolog.org."
MOST_RUNNING = 4
"""Programs that are kept running for later questions, of different files."""
STACK_MIB = 256
"""Mebibytes of the stacks of Prolog, after which it says that a recursion has no end."""
TERM_WIDTH, MESSAGE_WIDTH = 60, 400
"""Characters of a position, and of a message of Prolog, in a sentence; the rest is left out."""
ENDED = b""
"""In place of a line: the program writes no more."""

Row = list[str]


class PrologProgram:
    """A file of rules and the SWI-Prolog that answers for it, which is started at the first question."""

    def __init__(self, language: str, file: Path, seconds: float) -> None:
        """Nothing is started yet.

        Args:
            language: `prolog` or `gdl`.
            file: the rules.
            seconds: the program's own seconds (`ProgramClock`) that loading them, or an answer, may take.
        """
        self._language, self._file, self._seconds = language, file, seconds
        self._lock = threading.RLock()
        self._program: Sandbox | None = None
        self._process = 0
        """The process that started it; a fork of it has a program of its own."""
        self._is_out_of_step = False
        """Whether the program may still write the rest of an answer, or has not loaded its rules."""
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def ask(self, question: str, text: str = "") -> list[Row]:
        """Rows of the answer to one of the questions of `prolog_answers.pl`, each a list of words.

        Raises:
            GameFault: the rules fail, take too long or end the program; a sentence that says which rule.
            BadInput: there is no SWI-Prolog, or no such file.
        """
        with self._lock:
            try:
                if self._program is None or self._process != os.getpid():
                    self._start()
                assert self._program is not None and self._program.process.stdin is not None
                with suppress(OSError):  # it has ended, as the answer tells
                    self._program.process.stdin.write(f"{question}\t{text}\n".encode())
                return self._read_answer(f"for {_beginning(text, TERM_WIDTH)}" if text else "")
            except BaseException as fault:
                if not isinstance(fault, GameFault) or self._is_out_of_step:
                    self.close()
                raise

    def close(self) -> None:
        """End the program."""
        with self._lock:
            program, self._program = self._program, None
            if program is not None and self._process == os.getpid():
                assert program.process.stdin is not None
                with suppress(OSError):
                    program.process.stdin.close()
                program.end()

    def _start(self) -> None:
        if shutil.which(SWIPL) is None:
            raise BadInput(NOT_INSTALLED)
        if not self._file.is_file():
            raise BadInput(f"There is no file {self._file} any more.")
        # `-f none` loads no init file of the user's, whose output would be read as an answer; `-t
        # halt(1)` ends Prolog where it would otherwise ask at a prompt.
        limited = [SWIPL, "-q", "-f", "none", f"--stack-limit={STACK_MIB}m"]
        file = self._file.absolute()
        command = [*limited, "-g", "serve", "-t", "halt(1)", str(ANSWERING_FILE), "--", self._language, str(file)]
        pipe = subprocess.PIPE
        lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._lines = lines
        sees = [file.parent] if confines_programs() else None
        # Error output goes to nowhere: answers carry their faults on standard output, and a pipe
        # that nothing reads would fill and stop the program.
        self._program = program = Sandbox(command, sees=sees, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        # A forked worker inherits the object but not the reading thread, and both processes would
        # read from one pipe; so a fork starts a program of its own.
        self._process = os.getpid()
        output = program.process.stdout
        assert output is not None

        def listen() -> None:
            with output, suppress(OSError, ValueError):
                rest = b""
                while data := os.read(output.fileno(), 65_536):
                    *whole, rest = (rest + data).split(b"\n")
                    for line in whole:
                        lines.put(line)
            lines.put(ENDED)

        threading.Thread(target=listen, name="plyground prolog", daemon=True).start()
        self._read_answer("while it is loaded")

    def _read_answer(self, when: str) -> list[Row]:
        """Rows up to the line `end`."""
        rows: list[Row] = []
        assert self._program is not None
        clock: ProgramClock | None = None
        self._is_out_of_step = True
        while True:
            try:
                line = self._lines.get(timeout=min(CLOCK_SLICE, self._seconds))
            except queue.Empty:
                clock = clock or ProgramClock(self._program)  # not before: most answers come sooner than one is made
                if clock.total() > self._seconds:
                    raise self._rules_fault(f"it has not answered after {self._seconds:g} seconds", when) from None
                continue
            if line == ENDED:
                self._program.wait(1.0)
                raise self._rules_fault(self._program.excess or "it ended SWI-Prolog, which rules must not", when)
            word, *others = line.decode("utf-8", "replace").split("\t")
            if word == "end":
                break
            rows.append([word, *others])
        self._is_out_of_step = False
        if rows and rows[0][0] == "fault":
            _, rule, said = rows[0]
            if rule == "loading":
                self._is_out_of_step = True  # it is loaded anew, once it is mended
                raise self._rules_fault(f"it cannot be loaded: {said}", "")
            if rule == "position":
                raise BadInput(said)
            raise self._rules_fault(f"{said}" if rule == "rules" else f"{rule}: {said}", when)
        return rows

    def _rules_fault(self, said: str, when: str) -> GameFault:
        about = f", {when}" if when else ""
        return GameFault(f"{self._file.name}{about}: {_beginning(clause_of(said), MESSAGE_WIDTH)}.")


def _beginning(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[:width]}…"


class PrologPrograms:
    """Running programs by file; an object, because a game's fingerprint does not follow what changes in objects."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str, float], PrologProgram] = {}
        self._choosing = threading.Lock()

    def find(self, language: str, file: str, version: str, seconds: float) -> PrologProgram:
        """The program of a file, the same one for the same `version` of the file's content.

        The `MOST_RUNNING` that were asked last are kept.
        """
        key = (language, file, version, seconds)
        with self._choosing:
            self._kept[key] = found = self._kept.pop(key, None) or PrologProgram(language, Path(file), seconds)
            left = [self._kept.pop(each) for each in [*self._kept][:-MOST_RUNNING]]
        for each in left:
            each.close()
        return found


PROGRAMS = PrologPrograms()
