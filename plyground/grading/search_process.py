"""A search in a sandbox of its own, asked over a pipe; its answers and events are claims, checked outside.

The other side is `laws/answering.py`. A search can lie about its answers and its events; it cannot give
points, for the questions, the laws and the report are on this side.
"""

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from secrets import token_hex
from subprocess import DEVNULL, PIPE
from typing import Any

from plyground.errors import BadInput
from plyground.files import bytes_of_file
from plyground.grading.file_uses import SEARCH_MOST, file_with_imports, has_search, player_in
from plyground.laws.answering import SearchReply, SimulationReply
from plyground.laws.searches.recording import ForeignState, FullRecording, MalformedRows, recording_of
from plyground.laws.simulations.games import MOVE_LETTERS, LineQuestion
from plyground.position import Position
from plyground.rules import ONGOING
from plyground.sandbox.sandbox import STRANGER_BOUNDS, Sandbox
from plyground.search.algorithm import Query
from plyground.spec import file_of_user_spec, is_own, name_in_user_file
from plyground.text import visible

SECONDS_A_SEARCH = 120.0
"""Seconds after which the process of one search is ended."""
LONGEST_REPLY = 1 << 22
"""Bytes of an answer; the recording of a thousand nodes has a tenth of that."""
LONGEST_WORDS = 1_000
"""Most characters of a sentence that comes from the process."""
MOST_PARAMETERS = 50
"""Most parameters of a search."""
IS_OVER = "The game is over here, and a move of it is searched."
IS_FOREIGN = "What is searched after it is no position that a move leads to."
IS_PLAYER = (
    "{file} has the player {player}, which chooses moves and gives no values. A grade is for a function, "
    "search(game, observer, state, depth) or search(game, state, simulations); plyground audit and plyground arena "
    "judge a player by its games."
)
END_KEYS = ("", "without end", "too long", "fails", "misreported", "illegal play", "killer", "goes on")
"""Mistakes that may end a search, by their keys in `MISTAKES`."""
END_GRACE = 0.5
"""Seconds for a process to end by itself."""
SECRET_BYTES = 16
"""Bytes of the secret that an answer repeats."""


class SearchGone(BadInput):
    """A search ended its process, or wrote without a question; the message is a sentence."""


class SearchProcess:
    """A search that another process loads and runs.

    Args:
        search: `path/to/file.py:function`, or the name of a search of plyground.
        games: names of games that it may be asked about, beside those of plyground.
        others: files of other people, which it may not import.

    Raises:
        BadInput: it cannot be loaded.
    """

    def __init__(self, search: str, games: Sequence[str] = (), others: Collection[Path] = ()) -> None:
        self._search, self._until = search, time.monotonic() + SECONDS_A_SEARCH
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        if is_own(search):
            _require_readable(file_of_user_spec(search))
        sees = [
            file
            for each in (search, *games)
            if is_own(each)
            for file in file_with_imports(file_of_user_spec(each), others)
        ]
        command = [sys.executable, "-P", "-m", "plyground.laws.answering", _absolute(search), *map(str, sees)]
        # Its standard error goes nowhere: no grade rests on it, and a pipe that no one reads would stop a search that
        # prints.
        self._process = Sandbox(command, STRANGER_BOUNDS, sees=sees, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        try:
            threading.Thread(target=self._listen, name="plyground grade", daemon=True).start()
            self.name = search
            self.takes, self.takes_simulations = self._hello()
        # Also on Ctrl-C: the caller has no object yet that it could close.
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process with all that it has started: first by the end of its input."""
        assert self._process.process.stdin is not None
        with suppress(OSError):
            self._process.process.stdin.close()
        self._process.wait(END_GRACE)
        self._process.end()

    def _hello(self) -> tuple[tuple[str, ...], bool]:
        """Names of the search's parameters, and whether it is a Monte Carlo search.

        Raises:
            BadInput: it cannot be loaded.
        """
        secret = token_hex(SECRET_BYTES)
        hello = self._exchange(secret, secret)
        if "refused" in hello:
            file = file_of_user_spec(self._search)
            player = player_in(file)
            if player and (not has_search(file) or name_in_user_file(self._search) == player):
                raise BadInput(IS_PLAYER.format(file=file, player=player))
            raise BadInput(f"{hello['refused']}".replace(f"{file.absolute()}", f"{file}")[:LONGEST_WORDS])
        takes = hello.get("takes")
        if not isinstance(takes, list) or not all(isinstance(each, str) for each in takes):
            raise self._explain_end()
        return tuple(each[:LONGEST_WORDS] for each in takes[:MOST_PARAMETERS]), hello.get("takes_simulations") is True

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Context in which it can be asked."""
        yield

    def reply(self, game: str, query: Query, most: int, *, recorded: bool, anew: bool = True) -> SearchReply:
        """Run the search on a question.

        Raises:
            SearchGone: it has ended, or says something else than an answer.
        """
        secret = token_hex(SECRET_BYTES)
        said = self._exchange(
            {
                "secret": secret,
                "game": _absolute(game),
                "position": Position(query.game, query.state).text,
                "depth": query.depth,
                "prefer_shorter": query.prefer_shorter,
                "window": [query.alpha, query.beta],
                "most": most,
                "recorded": recorded,
                "anew": anew,
            },
            secret,
        )
        try:
            return _read_reply(said, query, most, recorded=recorded)
        except (ArithmeticError, LookupError, TypeError, ValueError, MalformedRows):
            raise self._explain_end() from None

    def walk(self, asked: LineQuestion) -> SimulationReply:
        """Run a Monte Carlo search on a question.

        Raises:
            SearchGone: it has ended, or says something else than an answer.
        """
        secret = token_hex(SECRET_BYTES)
        said = self._exchange({"secret": secret, "walk": asdict(asked)}, secret)
        try:
            return _read_walk(said, asked)
        except (LookupError, TypeError, ValueError, MalformedRows):
            raise self._explain_end() from None

    def _exchange(self, message: object, secret: str) -> dict[str, Any]:
        """The answer to a message.

        Raises:
            SearchGone: there is none.
        """
        assert self._process.process.stdin is not None
        # Before the question: an answer to a question that was not put yet can only be made up.
        if not self._lines.empty():
            raise SearchGone("It writes to the grader unasked.")
        with suppress(OSError):  # it has ended, as the answer tells
            self._process.process.stdin.write(json.dumps(message).encode() + b"\n")
        try:
            # One deadline for all questions of a search: a class of forty ends after a time that can be told.
            line = self._lines.get(timeout=max(self._until - time.monotonic(), 0.001))
            said = json.loads(line)
        except queue.Empty:
            raise SearchGone(f"It was not graded after {SECONDS_A_SEARCH:g} seconds: does it ever end?") from None
        except (ValueError, RecursionError):
            raise self._explain_end() from None
        # A new secret for each message, repeated by the loader: a line without it was written by the search itself.
        if not isinstance(said, dict) or said.get("secret") != secret:
            raise SearchGone("It writes to the grader unasked.")
        return said

    def _explain_end(self) -> SearchGone:
        """The error that says why there is no answer."""
        self._process.wait(1.0)
        if excess := self._process.excess:
            return SearchGone(f"{excess[0].upper()}{excess[1:]}.")
        if self._process.exit_code is None:
            return SearchGone("It writes to the grader what is no answer.")
        return SearchGone(f"It ended the process that graded it (exit code {self._process.exit_code}).")

    def _listen(self) -> None:
        """Reader thread: lines until the output ends, which is an empty line; a line that is too long ends it."""
        assert self._process.process.stdout is not None
        with self._process.process.stdout as stdout, suppress(OSError, ValueError):
            rest = b""
            while data := stdout.read(1 << 16):
                *whole, rest = (rest + data).split(b"\n")
                for line in whole:
                    self._lines.put(line)
                # The process is a stranger's: neither one endless line nor many lines may fill the grader's memory.
                if len(rest) > LONGEST_REPLY or self._lines.qsize() > 2:
                    self._process.ask_end()
                    break
        self._lines.put(b"")


def _require_readable(file: Path) -> None:
    """Check that the process can be asked to load a file; if there is none, the process says so.

    Raises:
        BadInput: its name is none that a message can have, or it is no file, cannot be read, or is too large.
    """
    try:
        f"{file}".encode()
    except UnicodeEncodeError:
        raise BadInput(f"{visible(f'{file}')}: its name is no text in UTF-8, so rename it.") from None
    if os.path.lexists(file):
        bytes_of_file(file, SEARCH_MOST)


def _absolute(search: str) -> str:
    """The name of a search or a game with the absolute path of its file."""
    if not is_own(search):
        return search
    file = file_of_user_spec(search)
    if file.suffix != ".py":
        return search.replace(f"{file}", f"{file.absolute()}")
    return f"{file.absolute()}:{name_in_user_file(search)}"


def _read_walk(said: dict[str, Any], asked: LineQuestion) -> SimulationReply:
    """Read an answer of a Monte Carlo search; nothing in it is believed unchecked.

    Raises:
        LookupError, TypeError, ValueError, MalformedRows: it is none.
    """
    lines, move, ended = said["lines"], said["move"], said["ended"]
    known = MOVE_LETTERS[: asked.width or len(MOVE_LETTERS)]
    plies = range(len(asked.turns) if asked.width else 1, len(asked.turns) + 1)
    if type(move) not in (int, type(None)) or ended not in END_KEYS:
        raise MalformedRows
    if not all(len(line) in plies and set(line) <= {*known} for line in lines):
        raise MalformedRows
    return SimulationReply(tuple(lines), move, ended, f"{said['words']}"[:LONGEST_WORDS], said["is_played_on"] is True)


def _read_reply(said: dict[str, Any], query: Query, most: int, *, recorded: bool) -> SearchReply:
    """Read an answer; nothing in it is believed unchecked.

    Raises:
        ArithmeticError, LookupError, TypeError, ValueError, MalformedRows: it is none.
    """
    answer, words, nodes = said["answer"], f"{said['said']}"[:LONGEST_WORDS], int(said["nodes"])
    ended, reason = f"{said['ended']}", f"{said['words']}"[:LONGEST_WORDS]
    if ended not in END_KEYS:
        raise MalformedRows
    if answer is not None:
        value, move = answer
        if type(value) is not int or type(move) is not int:
            raise MalformedRows
        answer = value, move
    if not recorded:
        return SearchReply(answer, words, ended, reason, nodes)
    # More nodes than the other side was told to stop at: the recording is made up.
    if len(said["rows"][0]) > most:
        raise MalformedRows
    try:
        # States are made anew from moves by the rules of this side; none that the process names is ever passed to a
        # rule.
        recording = recording_of(said["rows"], query.game, query.state)
    except ForeignState as fault:
        read: FullRecording = fault.args[0]
        above: int = fault.args[1]
        is_over = above >= 0 and query.game.outcome(read.nodes[above].state) != ONGOING
        key, seen = ("goes on", IS_OVER) if is_over else ("other position", IS_FOREIGN)
        return SearchReply(answer, words, key, seen, len(read.nodes), read, above)
    return SearchReply(answer, words, ended, reason, nodes, recording)
