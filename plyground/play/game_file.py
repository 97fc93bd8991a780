"""A game on disk: one JSON object a line, so that lines on disk stay whole if the process is killed.

| line | keys |
|---|---|
| first | `plyground`: 1, the version of this schema; `game`: its spec; `players`: [x, o]; `start`: the state in text |
| a move | `ply`: from 1; `player`: `x` or `o`; `move`: in text; `seconds`: what it took |
| a taking back | `undo`: plies |
| last | `utility`: for x; `why`: in words; `fault`: `x`, `o` or null; `ending`: its kind, of `Ending` |

A game without its last line was left unfinished and can go on. A file of an older version is read as well: its lines
are brought to this one, a version at a time (`FILE_MIGRATIONS`).
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

from plyground.errors import BadInput, TooNew, check_arguments
from plyground.files import in_file, text_of_file
from plyground.files.whole_file import append, write_whole
from plyground.games import game_named
from plyground.play.ending import Ending
from plyground.position import Position
from plyground.text import plain, plain_lines

VERSION = 1
SPEC, MOST_TEXT = 200, 100_000
"""Characters of a game's spec and of any other text, at most."""
Line = dict[str, Any]
FILE_MIGRATIONS: dict[int, Callable[[list[Line]], list[Line]]] = {}
"""For each version a function from the lines of a file of that version to those of the next one."""


def head_line(game: str, position: Position, players: tuple[str, str]) -> Line:
    """The first line: a game's spec, its players' and where it starts."""
    return {
        "plyground": VERSION,
        "game": game,
        "players": list(players),
        "start": position.start_text or position.game.text(position.start),
    }


def move_line(position: Position, move: int, seconds: float) -> Line:
    """A move made in a position."""
    name = position.game.marks[position.to_move]
    text = position.game.move_text(position.state, move)
    return {"ply": len(position.moves) + 1, "player": name, "move": text, "seconds": round(seconds, 6)}


def move_lines(position: Position) -> list[Line]:
    """The moves that led to a position; how long each took is not known."""
    return [move_line(step, move, 0.0) for step, move in zip(position.steps(), position.moves, strict=False)]


def end_line(utility: int | None, why: str, fault: int | None, ending: Ending = Ending.UNKNOWN) -> Line:
    """The last line."""
    return {"utility": utility, "why": why, "fault": None if fault is None else "xo"[fault], "ending": ending.value}


def to_text(line: Line) -> str:
    """A line as it stands in a file."""
    return json.dumps(line, ensure_ascii=False) + "\n"


class GameFile:
    """Writes a game as it is played; each line is on disk before the next move is asked for.

    A line that cannot be written leaves the file whole up to the line before, and is written with the next one.
    """

    def __init__(self, file: FileIO, on_failure: Callable[[str], None] | None = None) -> None:
        """Write to the end of a file.

        Args:
            file: opened unbuffered, so that nothing of a line that failed is written later.
            on_failure: called with a sentence when lines cannot be written any more, and when they can again; the game
                goes on meanwhile. Without it `BadInput` is raised.
        """
        self._file = file
        self._on_failure = on_failure
        self._unwritten = b""
        """Lines that could not be written yet."""

    @classmethod
    @check_arguments
    def begin(
        cls,
        path: Path | str,
        game: str,
        position: Position,
        players: tuple[str, str],
        on_failure: Callable[[str], None] | None = None,
    ) -> "GameFile":
        """Start a file, replacing one that is there; `on_failure` as for the constructor, once it has begun.

        Raises:
            BadInput: the file cannot be written.
        """
        if os.path.isdir(path):  # noqa: PTH112  Path.is_dir raises for a name that is too long
            raise BadInput(f"{path} is a folder: name a file to keep the game in.")
        path = Path(path)
        lines = [head_line(game, position, players), *move_lines(position)]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # The head is written whole, under another name first: a kill here leaves the old file. Later lines are
            # appended.
            write_whole(path, "".join(map(to_text, lines)))
            return cls(path.open("ab", buffering=0), on_failure)
        except OSError as fault:
            raise BadInput(f"{path} cannot be written: {fault.strerror}.") from None

    @check_arguments
    def move(self, position: Position, move: int, seconds: float) -> None:
        """Note a move made in a position."""
        self._write(move_line(position, move, seconds))

    @check_arguments
    def undo(self, plies: int) -> None:
        """Note that plies were taken back."""
        self._write({"undo": plies})

    @check_arguments
    def end(self, utility: int | None, why: str, fault: int | None = None, ending: Ending = Ending.UNKNOWN) -> None:
        """Note the end, with the player at fault, 0 or 1, or None, and its kind.

        Raises:
            BadInput: there is no such player.
        """
        if fault not in (None, 0, 1):
            raise BadInput(f"fault={fault}: 0 or 1, or None.")
        self._write(end_line(utility, why, fault, ending))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def is_whole(self) -> bool:
        """Whether every line so far is on disk."""
        return not self._unwritten

    def _write(self, *lines: Line) -> None:
        was_whole = self.is_whole
        # Together with those that failed before, so that the file never has a gap.
        self._unwritten += "".join(map(to_text, lines)).encode()
        try:
            # `sync` calls fsync: a move that a player has seen is on disk even if the power is cut.
            append(self._file, self._unwritten, sync=True)
        except OSError as fault:
            if self._on_failure is None:
                raise BadInput(f"{self._file.name} cannot be written: {fault.strerror}.") from None
            if was_whole:
                self._on_failure(f"{self._file.name} cannot be written ({fault.strerror}): the game is not saved.")
            return
        self._unwritten = b""
        if not was_whole and self._on_failure:
            self._on_failure(f"{self._file.name} can be written again: the game is saved.")


@dataclass(frozen=True)
class KeptGame:
    """A game as a file keeps it."""

    game: str
    """Spec of the game."""
    players: tuple[str, str]
    position: Position
    """After the last move that was kept."""
    why: str | None
    """Sentence on its end; None if it was left unfinished."""
    cut: str | None
    """Sentence on the file's last line, if that was cut off; all lines before it were read."""
    ending: Ending | None = None
    """Kind of its end; `Ending.UNKNOWN` in a file of an earlier version, None if it was left unfinished."""
    utility: int | None = None
    """Utility of its end for the first player; None if it was left unfinished, or none is written."""


@check_arguments
def read_game(path: Path | str) -> KeptGame:
    """The game that a file keeps.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "game.jsonl"
    ...     GameFile.begin(path, "tictactoe", Position.parse("tictactoe", "b2 a1"), ("person", "engine")).close()
    ...     kept = read_game(path)
    >>> kept.players, kept.ending
    (('person', 'engine'), None)

    A last line that is not whole is left out, and named in `cut`: it was being written when the writer died.

    Raises:
        BadInput: the file keeps no game, or a line of it cannot be right.
        TooNew: a later plyground has kept it.
    """
    with in_file(Path(path)):
        return game_in(text_of_file(Path(path), errors="replace").splitlines(), str(path))


def game_in(texts: list[str], path: str) -> KeptGame:
    """Read a game from lines of text; `path` is their name in errors. Raises as `read_game`."""
    lines, cut = _parse_lines(texts, path)
    version = lines[0].get("plyground") if lines else None
    # Not `isinstance`: True is an int, too.
    if type(version) is not int or version < 1:
        raise BadInput(f'{path} is no saved game: its first line would say "plyground": {VERSION}.')
    if version > VERSION:
        raise TooNew(f"The game in {path}", version, VERSION)
    for older in range(version, VERSION):
        lines = FILE_MIGRATIONS[older](lines)
    head = lines[0]
    try:
        game, start = _field_text(head, "game", SPEC), _field_text(head, "start")
        x, o = map(plain, head["players"])
    except (KeyError, TypeError, ValueError):
        raise BadInput(f"{path}, line 1 lacks the game, its start or its players.") from None
    position = Position.parse(game_named(game), start)
    why, ending, utility = None, None, None
    for number, line in enumerate(lines[1:], start=2):
        try:
            if "undo" in line:
                position = position.undo(_plies(line["undo"]))
            elif "move" in line:
                position = position.play(_field_text(line, "move"))
            else:
                why, ending = plain_lines(_field_text(line, "why")), Ending(str(line.get("ending")))
                utility = written if isinstance(written := line.get("utility"), int) else None
        except KeyError as fault:
            raise BadInput(f"{path}, line {number} cannot be right: it lacks {fault}.") from None
        except BadInput as fault:
            raise BadInput(f"{path}, line {number} cannot be right: {fault}") from None
    return KeptGame(game, (x, o), position, why, cut, ending, utility)


def _field_text(line: Line, key: str, longest: int = MOST_TEXT) -> str:
    """A text of a line.

    Raises:
        KeyError: the line has none of that name.
        BadInput: it is no text, or longer than any is.
    """
    if not isinstance(line[key], str) or len(line[key]) > longest:
        raise BadInput(f"{key} is a text of at most {longest:,} characters.")
    return str(line[key])


def _plies(count: object) -> int:
    if type(count) is not int:
        raise BadInput("undo is a number of plies.")
    return count


def _parse_lines(texts: list[str], path: str) -> tuple[list[Line], str | None]:
    """Parse lines of JSON. Returns the whole ones, and a sentence on the last one if it is cut off."""
    lines: list[Line] = []
    for number, text in enumerate(texts, start=1):
        try:
            line = json.loads(text)
            lines.append(line if isinstance(line, dict) else {})
        except (ValueError, RecursionError):  # the latter for brackets inside each other by the thousand
            # Only the last line can have been cut by a kill; a damaged line in the middle is something else.
            if number < len(texts) or number == 1:
                raise BadInput(f"{path}, line {number} is not JSON: is it a game that plyground kept?") from None
            return lines, f"{path}, line {number} is cut off: the game is whole up to there."
    return lines, None
