"""A base of games in a folder: add files of games, ask by position, tags and result.

A file `base.json` names the parts that the base has; it is replaced when a part is whole, so a kill leaves the base as
it was. A part that is not full is written again with the games that come after it.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from plyground.errors import BadInput, check_arguments
from plyground.files import in_file, parse_json_object, text_of_file
from plyground.files.file_lock import file_lock
from plyground.files.whole_file import UNFINISHED, write_whole
from plyground.gamebase.lines import NumberedLine, line_of, mark_of
from plyground.games import AnyGame, game_named
from plyground.play.notations import player_tags, result_utility
from plyground.play.record_file import ReadingOptions, Records
from plyground.position import Position
from plyground.search.table import hash_of
from plyground.text import count_text

if TYPE_CHECKING:
    from plyground.gamebase.parts import Part

BASE_FILE: Final = "base.json"
"""File with the names of the parts."""
FORM: Final = 1
"""Version of the files."""
PART_PLIES: Final = 1 << 21
"""Plies of a full part."""
SAVE_SECONDS: Final = 60.0
"""Seconds after which games that are read are written, also where they are few."""
UTILITY_BY_RESULT: Final = {"x": 1, "o": -1, "draw": 0}
"""Words for how a game ended, beside those of its records."""


@dataclass(frozen=True)
class Adding:
    """Games that a call has added so far."""

    games: int = 0
    plies: int = 0
    known: int = 0
    """Games that the base had already."""
    faults: tuple[str, ...] = ()
    """A sentence for each game that was left out."""
    bytes_read: int = 0


@dataclass(frozen=True)
class PlayedMove:
    """A move in the games of a base: how often it was made, and how these games ended."""

    move: int
    text: str
    notation: str
    """The move as players of the game write it."""
    played: int
    """Times that it was made; twice in a game that came to the position twice."""
    x: int
    """Times that it was made in games that the first player won."""
    draws: int
    o: int
    rated: int
    """Times that it was made by a player whose rating is known."""
    rating: float | None
    """Average of these ratings."""

    @property
    def score(self) -> float | None:
        """Share of points of the first player, a draw being half a point; None where no result is known."""
        ended = self.x + self.draws + self.o
        return (self.x + self.draws / 2) / ended if ended else None


@dataclass(frozen=True)
class BaseGame:
    """A game of a base that has a position."""

    file: str
    number: int
    """Number of the game in its file, from 1."""
    tags: dict[str, str]
    utility: int | None
    """Utility for the first player; None: unknown."""
    ply: int
    """Plies before the position."""
    end: Position
    """After its main line."""


@dataclass(frozen=True)
class BaseGames:
    """The games of a base that have a position."""

    count: int
    """Number of games that have the position's hash; less those that were replayed and have another position."""
    games: tuple[BaseGame, ...]
    """The first of them, replayed: each has this very position."""


class GameBase:
    """Games of one game in a folder of Parquet files, asked by position, tags and result.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "games.pgn").write_text("1. d4 d5 2. c4 1-0\\n\\n1. c4 d5 2. d4 *")
    ...     base = GameBase(Path(folder) / "base", "chess")
    ...     added = base.add([Path(folder) / "games.pgn"])
    ...     counts = [(each.notation, each.played, each.x) for each in base.moves_at("d4")]
    ...     found = base.games_at("d4 d5 c4")
    >>> added.games, counts, found.count, found.games[1].number
    (2, [('d5', 1, 1)], 2, 2)

    Positions are the same by whatever moves they came about. They are found by a hash of 64 bits: were it random, a
    position that is in none of n positions would be taken for one of them once in 2**64 / n questions. Games that are
    shown are replayed, and counted moves are legal.
    """

    @check_arguments
    def __init__(self, folder: Path | str, game: str = "") -> None:
        """The base of a folder, which need not be there yet.

        Args:
            folder: the folder.
            game: its game; by default that of the base that is there.

        Raises:
            BadInput: it is of another game or version, or pyarrow is not installed.
        """
        import plyground.gamebase.parts  # noqa: F401  # before anything else: it says so where pyarrow is missing

        self.folder = Path(folder)
        self._opened = dict[Any, "Part"]()
        about = self._contents()
        if not about and not game:
            raise BadInput(f"There is no base of games in {folder}: name its game, and add files to it.")
        self.spec = game or about["game"]
        self.game: AnyGame = game_named(self.spec)
        if about and about["start"] != _start_mark(self.game):
            said = f"of {about['game']}" if about["game"] != self.spec else "by other rules or another version"
            raise BadInput(f"{self.folder} has a base {said}, not of {self.spec}: name another folder.")

    def _contents(self) -> dict[str, Any]:
        file = self.folder / BASE_FILE
        if not os.path.lexists(file):
            return {}
        with in_file(file):
            try:
                found = parse_json_object(text_of_file(file))
                form = found["base"]
            except (ValueError, KeyError):
                raise BadInput("It is no base of games.") from None
            if form != FORM:
                raise BadInput(f"It is a base of form {form}, and this plyground reads form {FORM}.")
            try:
                found["start"], found["parts"] = int(found["start"]), [(*each,) for each in found["parts"]]
            except (ValueError, KeyError, TypeError):
                raise BadInput("It is no base of games.") from None
        return found

    @property
    def _parts(self) -> list["Part"]:
        """The parts that the base has now: another process may add to it."""
        from plyground.gamebase.parts import Part

        rows = self._contents().get("parts", ())
        self._opened = {row: self._opened.get(row) or Part(self.folder, *row) for row in rows}
        return [*self._opened.values()]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Context in which an error of a file of the base is one of input."""
        try:
            yield
        except BadInput:
            raise
        except (OSError, ValueError) as fault:  # Arrow's errors are of these kinds
            raise BadInput(f"The base in {self.folder} cannot be read: {fault}") from None

    def __len__(self) -> int:
        """The number of games."""
        return sum(part.games for part in self._parts)

    def __repr__(self) -> str:
        return f"<GameBase of {self.spec} in {self.folder}: {count_text(len(self), 'game')}>"

    @property
    def plies(self) -> int:
        """Moves of all games."""
        return sum(part.plies for part in self._parts)

    # -- adding ---------------------------------------------------------------------------------------------------

    @check_arguments
    def add(self, files: Iterable[Path | str], told: Callable[[Adding], None] | None = None) -> Adding:
        """Add the games of files: PGN, PDN, SGF, WTHOR, saved games of the page and of arenas.

        A game that is there already, with the same tags and moves, is not added again, so the same call goes on after
        one that was ended. A game with a fault is left out.

        Args:
            files: the files.
            told: called after each game.

        Raises:
            BadInput: a file cannot be read, the base cannot be written, or another process writes it.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise BadInput(f"{self.folder} cannot be written: {fault.strerror}.") from None
        busy = BadInput(f"Another process adds to {self.folder}: wait for it, or name another folder.")
        with file_lock(self.folder / "lock", lambda _: busy, ""):
            self._clear()
            return self._add([Path(file) for file in files], told or _tell_nobody)

    def _add(self, files: list[Path], told: Callable[[Adding], None]) -> Adding:
        from plyground.gamebase.parts import Pending

        with self._reading():
            names, keys = player_tags(self.game), {key for part in self._parts for key in part.known_keys()}
        games = plies = known = before = 0
        faults, pending, saved = list[str](), Pending(len(self)), time.monotonic()
        try:
            for file in files:
                times = Counter[int]()
                records = Records.of_file(file, self.spec, ReadingOptions(game=self.game))
                for each in records.games():
                    try:
                        if each.rules != self.game:
                            raise BadInput(f"{each.title}: this is a game of {each.spec}, not of {self.spec}.")
                        line = line_of(each)
                    except BadInput as fault:
                        faults.append(f"{file}, {fault}")
                        continue
                    key = _key_of(line, 0)
                    times[key] += 1
                    if times[key] > 1:  # a file may have a game several times
                        key = _key_of(line, times[key])
                    if key in keys:
                        known += 1
                    else:
                        keys.add(key)
                        pending.add(line, str(file), each.number, names, key)
                        games, plies = games + 1, plies + len(line.moves)
                    told(Adding(games, plies, known, tuple(faults[-1:]), before + records.bytes_read))
                    if pending.plies >= PART_PLIES or time.monotonic() - saved > SAVE_SECONDS:
                        pending, saved = self._save(pending), time.monotonic()
                before += records.bytes_read
        finally:  # also after Ctrl-C: nothing of what was read is lost
            self._save(pending)
        return Adding(games, plies, known, tuple(faults), before)

    def _save(self, pending: Any) -> Any:
        """Write the games that were read, and begin anew."""
        from plyground.gamebase.parts import Pending, write_part

        if not pending.games:
            return pending
        parts = [*self._parts]
        last = parts.pop() if parts and parts[-1].plies < PART_PLIES else None
        with self._reading():
            parts.append(write_part(self.folder, token_hex(4), pending, last))
        rows = [[part.name, part.first, part.games, part.plies] for part in parts]
        about = {"base": FORM, "game": self.spec, "start": _start_mark(self.game), "parts": rows}
        write_whole(self.folder / BASE_FILE, json.dumps(about) + "\n")
        self._clear()
        return Pending(len(self))

    def _clear(self) -> None:
        """Delete files of parts that the base does not have: replaced ones, and those of a process that was killed."""
        kept = {file for part in self._parts for file in part.files}
        for file in [*self.folder.glob("*.parquet"), *self.folder.glob(f"*{UNFINISHED}")]:
            if file not in kept:
                with suppress(OSError):  # on Windows, while another process reads it
                    file.unlink(missing_ok=True)

    # -- asking ---------------------------------------------------------------------------------------------------

    @check_arguments
    def moves_at(
        self, position: Position | str, *, tags: Mapping[str, str] | None = None, result: str = ""
    ) -> list[PlayedMove]:
        """The moves that were made in a position, those made most often first.

        Args:
            position: the position, or its text.
            tags: only games each of whose tags has this text in it: `{"White": "carlsen", "Date": "2026"}`.
            result: only games that ended so: `x`, `o`, `draw`, or a word of the game's records, `1-0`.

        Raises:
            BadInput: the position cannot be read or is of another game, there is no such result, or the base cannot be
                read.
        """
        from plyground.gamebase.parts import count_by_move

        here = self._position(position)
        with self._reading():
            rows = [found for _, found in self._rows(here, ("move", "utility", "rating"), tags, result)]
            counts = count_by_move(rows) if rows else []
        legal, game = {*self.game.moves(here.state)}, self.game
        found = list[PlayedMove]()
        for move, played, x, draws, o, rated, total in counts:
            if move in legal:  # else it is of another position with the same hash
                words = game.move_text(here.state, move), game.notation_text(here.state, move)
                average = total / rated if rated else None
                found.append(PlayedMove(move, *words, played, x, draws, o, rated, average))
        return sorted(found, key=lambda each: (-each.played, each.move))

    @check_arguments
    def games_at(
        self, position: Position | str, *, tags: Mapping[str, str] | None = None, result: str = "", limit: int = 10
    ) -> BaseGames:
        """The games that have a position, those added first before others.

        Args:
            position, tags, result: as in `moves_at`.
            limit: most games that are replayed and returned; all are counted.

        Raises:
            BadInput: as in `moves_at`.
        """
        from plyground.gamebase.parts import first_plies

        here, count, games = self._position(position), 0, list[BaseGame]()
        wanted = self.game.repetition_key(here.state)
        with self._reading():
            for part, rows in self._rows(here, ("ply", "utility"), tags, result):
                plies = first_plies(rows)
                count += len(plies)
                numbers = [*plies][: max(limit - len(games), 0)]
                for row in part.game_rows(numbers) if numbers else ():
                    found = self._game_of(row, plies[row["game"]])
                    if self.game.repetition_key(found.end.states[found.ply]) == wanted:
                        games.append(found)
                    else:  # another position with the same hash
                        count -= 1
        return BaseGames(count, tuple(games))

    def _game_of(self, row: dict[str, Any], ply: int) -> BaseGame:
        end = Position.starting(self.game, row["start"])
        for move in row["moves"]:
            end = end.after(move)
        return BaseGame(row["file"], row["number"], json.loads(row["tags"]), row["utility"], ply, end)

    def _position(self, position: Position | str) -> Position:
        here = Position.parse(self.game, position) if isinstance(position, str) else position
        if here.game != self.game:
            raise BadInput(f"The position is of {here.game!r}, and the base of {self.game!r}.")
        return here

    def _rows(
        self, here: Position, columns: tuple[str, ...], tags: Mapping[str, str] | None, result: str
    ) -> Iterator[tuple["Part", Any]]:
        """The rows of a position in each part."""
        from plyground.gamebase.parts import select_rows

        sign, mark = self._sign(result), mark_of(here)
        for part in self._parts:
            rows = part.rows(mark, ("game", *columns))
            if len(rows):
                numbers = part.matching(dict(tags), player_tags(self.game)) if tags else None
                yield part, select_rows(rows, sign, numbers)

    def _sign(self, result: str) -> int | None:
        if not result:
            return None
        sign = UTILITY_BY_RESULT.get(result, result_utility(self.game, result))
        if sign is None:
            raise BadInput(f"{result!r} is no result: write x, o or draw, or a result as records have it.")
        return sign


def _tell_nobody(adding: Adding) -> None:
    pass


def _start_mark(game: AnyGame) -> int:
    """Hash of the initial position and of those after its moves, by which a base of other rules is known."""
    start = game.initial()
    after = [game.play(start, move) for move in game.moves(start)]
    return hash_of(tuple(hash_of(game.repetition_key(state)) for state in (start, *after)))


def _key_of(line: NumberedLine, time: int) -> int:
    """Hash of a game's tags and moves, by which it is known again; `time` is which of its file's equal games it is."""
    text = json.dumps([sorted(line.tags.items()), line.result, line.start, time])
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8)
    digest.update(line.moves.tobytes())
    return int.from_bytes(digest.digest(), "little", signed=True)
