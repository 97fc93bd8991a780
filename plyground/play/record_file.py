"""The one door for files of games and positions: bytes in, games out, each with its faults.

The encoding, the format, the game and its variant are recognised by content; a file's ending and its tags are hints.
Games are read when they are asked for, so a file takes the memory of one game, and a bad game loses only itself.

| format | recognised by | a game is |
|---|---|---|
| WTHOR | the date in its first bytes | an entry of 68 bytes |
| JSON lines | `{"` | what follows a line with `plyground` |
| GGF, OBF | what `naming_formats.py` says, of a game each | what its reader says |
| SGF | `(;` before any tag or number | a pair of outer parentheses |
| PGN, PDN | a tag, a numbered move or a result | tags and moves up to a result or the next tags |
| EPD, FEN | a board of chess in its first line, and others after it | a line |
| lines | each line is a game or a position by itself | a line |
| text | all other | the whole text: moves, a state, a drawing |
"""

import codecs
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice, pairwise
from pathlib import Path

from plyground.board.fen import read_epd
from plyground.errors import BadInput, check_arguments
from plyground.files import WORK_MOST, bytes_of_file, in_file, open_file
from plyground.games import GAMES, AnyGame, game_named
from plyground.play.formats import pgn, sgf, wthor
from plyground.play.formats.naming_formats import NAMING_FORMATS, naming_format
from plyground.play.formats.unread_formats import NOT_READ, unread_format
from plyground.play.game_file import game_in
from plyground.play.notations import (
    GIVEN,
    game_of_named,
    game_of_stones,
    games_by_words,
    is_json,
    is_sgf,
    parse_fen,
    player_tags,
    position_in,
    read_record,
    require_name,
    result_word,
    result_words,
)
from plyground.play.record import UNREADABLE, Record, of_position
from plyground.play.variants import spec_by_tags
from plyground.position import Position
from plyground.text import count_text

RECORD_ENDINGS = (
    ".pgn", ".pdn", ".sgf", ".hsgf", ".ggf", ".obf", ".psq", ".wtb", ".txt", ".epd", ".fen", ".jsonl",
)  # fmt: skip
"""Usual endings of files of games and positions. A file may have any other one."""
STANDARD_INPUT = Path("-")
"""In place of a file: what comes on standard input."""
CHUNK_BYTES = 1 << 20
"""Bytes that are read at a time."""
LIKELY = ("chess", "draughts", "international", "reversi", "connectfour", "kalah", "gomoku", "hex:11", "morris")
"""Games by how seldom a text of another game is one of theirs."""
MOST_COUNTED = 10_000
"""Games that are counted behind one that is shown, to say of how many it is."""
MOVES_TRIED = 40
"""Moves that are read to see which game a record is of."""
_SHOWS_PGN = re.compile(
    r'^\s*\[\s*\w+\s+"|(?<!\S)\d{1,3}\s?(?:\.|…)|^\s*\{|(?<!\S)(?:1-0|0-1|1/2-1/2|½-½|2-0|0-2|\*)\s*\Z', re.MULTILINE
)
_SHOWS_SAN = re.compile(r"(?<!\S)(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|O-O|0-0|[a-h]x[a-h][1-8]|e[45]|d[45])")
_SHOWS_PDN = re.compile(r"(?<!\S)(?:[3-9]|[1-5]\d) ?[-x:] ?\d{1,2}(?!\S)|^\s*[BWxo]:[BWxo]K?\d", re.MULTILINE)
_SHOWS_LARGE_BOARD = re.compile(r"(?<!\d)(?:3[3-9]|4\d|50)(?!\d)")
"""A square that a board of 8 × 8 does not have."""
_CHESS_BOARD = re.compile(r"[pnbrqkPNBRQK1-8]+(?:/[pnbrqkPNBRQK1-8]+){7}[ _]+[wb](?![^\s_])")
_CHARSET = re.compile(rb"CA\[\s*([\w.:-]{1,40})\s*\]")
_REMARK = re.compile(r"(?:^|\s)#.*")


@dataclass(frozen=True)
class FileGame:
    """A game or position of a file, as the file has it."""

    number: int
    """From 1, in the order of the file."""
    spec: str
    """Name of its game."""
    rules: AnyGame
    written: Record
    """Its tags and moves, which no rule has seen."""
    text: str = ""
    """Its line, in a file that has one in each."""
    line: int = 0
    """Number of that line, from 1."""

    def read(self, *, is_strict: bool = False) -> Record:
        """The record as its rules read it, with its faults.

        Raises:
            BadInput: `is_strict`, and something is wrong; the sentence names the game.
        """
        read = self._read_line_record() if self.text else read_record(self.rules, self.written)
        read.number, read.game = self.number, self.spec
        if is_strict and read.faults:
            raise BadInput(f"{self.title}: {read.faults[0]}")
        return read

    def end(self, game: AnyGame) -> Position:
        """The position after its main line, in a file in which all are of one game.

        Raises:
            BadInput: something is wrong with it, or it is of another game; the sentence names it.
        """
        if type(self.rules) is not type(game):
            raise BadInput(f"{self.title}: this is a game of {self.spec}, and another one is asked for.")
        return self.read(is_strict=True).position(self.rules)

    @property
    def title(self) -> str:
        """Its number and players in a sentence: `game 58 (Ann – Bob)`, `line 3`."""
        if self.text:
            return f"line {self.line}"
        players = [self.written.tags.get(tag, "?") for tag in player_tags(self.rules)]
        return f"game {self.number}" + (f" ({' – '.join(players)})" if set(players) != {"?"} else "")

    def _read_line_record(self) -> Record:
        remarks = list[str]()
        try:
            if "FEN" in self.written.tags:
                here, remarks = parse_fen(self.rules, self.written.tags["FEN"])
            else:
                here = position_in(self.rules, self.text)
        except BadInput as fault:
            return replace(self.written, start=UNREADABLE, faults=[str(fault)])
        return replace(of_position(here), other=self.written.other, tags=self.written.tags, remarks=remarks)


@dataclass(frozen=True)
class ReadingOptions:
    """How games of a file are read."""

    game: AnyGame | None = None
    """Rules of the game that is asked for, where they are at hand."""
    usual: str = ""
    """Game to prefer where several read the content as well."""
    by_lines: bool = False
    """Whether each line of a text is a position of its own, as in lists of openings."""
    is_strict: bool = False
    """Whether a game with a fault raises `BadInput` in its turn."""


_Found = tuple[str, AnyGame, Record, str, int]
"""A game of a file: its game's name and rules, what is written, its line and the number of that."""


class Records:
    """The games of a file or a text, read one by one each time that they are asked for.

    >>> games = Records.of_text("1. e4 e5 2. Ke3 *\\n\\n1. d4 d5 *")
    >>> [(record.number, record.words(), record.faults[:1]) for record in games][1]
    (2, ['d2d4', 'd7d5'], [])
    >>> games.spec, games.kind, len(games)
    ('chess', 'pgn', 2)
    """

    def __init__(
        self,
        open_chunks: Callable[[], Iterator[bytes]],
        spec: str = "",
        options: ReadingOptions | None = None,
        file: Path | None = None,
    ) -> None:
        """Games of bytes.

        Args:
            open_chunks: opens the bytes and gives them in chunks; called anew for each reading.
            spec: the game, unless the content names another one; empty: it is found by the content.
            options: how they are read.
            file: the file that they are of, for sentences, and for the names beside one of WTHOR.
        """
        self._chunks, self._file, self._options = open_chunks, file, options or ReadingOptions()
        self.bytes_read = 0
        """Bytes that the latest reading has taken so far."""
        self._rules, self._usual = self._options.game, self._options.usual
        self._asked = spec or ("" if self._rules is None else GIVEN)

    @classmethod
    def of_file(cls, file: Path, spec: str = "", options: ReadingOptions | None = None) -> "Records":
        """The games of a file, or of standard input by the name `-`.

        Raises:
            BadInput: the file cannot be read.
        """
        if file == STANDARD_INPUT:
            data = sys.stdin.buffer.read(WORK_MOST) if sys.stdin else b""
            return cls(lambda: iter([data]), spec, options, Path("standard input"))
        open_file(file, WORK_MOST).close()
        ending, options = file.suffix.lower()[1:], options or ReadingOptions()
        usual = next((choice.name for choice in GAMES.shipped if ending and choice.maker().record == ending), "")
        return cls(partial(_chunks_of, file), spec, replace(options, usual=options.usual or usual), file)

    @classmethod
    def of_text(cls, text: str, spec: str = "", options: ReadingOptions | None = None) -> "Records":
        """The games of a text."""
        data = text.encode("utf-8", "surrogatepass")
        return cls(lambda: iter([data]), spec, options)

    # -- recognised by content ------------------------------------------------------------------------------------

    def _open(self) -> Iterator[bytes]:
        self.bytes_read = 0
        for chunk in self._chunks():
            self.bytes_read += len(chunk)
            yield chunk

    @cached_property
    def _head(self) -> bytes:
        return next(self._open(), b"")

    @cached_property
    def encoding(self) -> str:
        """Encoding of the text, by its mark or its bytes; `utf-8` where a part that is none is in Latin-1."""
        for mark, name in _MARKS:
            if self._head.startswith(mark):
                return name
        start = self._head[:4_096]
        for place, name in ((1, "utf-16-le"), (0, "utf-16-be")):
            if start[place::2].count(0) > len(start) // 4 and not wthor.is_wthor(start):
                return name
        if found := _CHARSET.search(start):
            with suppress(LookupError):
                return codecs.lookup(found[1].decode()).name
        return "utf-8"

    @cached_property
    def kind(self) -> str:
        """Format: `wthor`, `jsonl`, `sgf`, `pgn`, `epd`, `lines`, `text`, or one of `NAMING_FORMATS` or `NOT_READ`."""
        if wthor.is_wthor(self._head):
            return "wthor"
        if not self.encoding.startswith("utf-16") and (unread := unread_format(self._head)):
            return unread
        head = _decode(self._head, self.encoding)
        if is_json(head):
            return "jsonl"
        if found := naming_format(head):
            return found.name
        if is_sgf(head):
            return "sgf"
        lines = [line for line in map(_bare, head.splitlines()) if line]
        if lines and _CHESS_BOARD.match(lines[0]) and (len(lines) > 1 or self._options.by_lines or ";" in lines[0]):
            return "epd"
        if self._options.by_lines and not self._usual and not pgn.FIRST_TAG.search(head):
            return "lines"
        return "pgn" if _SHOWS_PGN.search(head) else "text"

    @cached_property
    def spec(self) -> str:
        """Name of the first game's game; of the one that the text is nearest to, where nothing names it.

        Raises:
            BadInput: it is of a game that is not here.
        """
        first = next(iter(self.games()), None)
        return first.spec if first else self._asked or self._usual

    @property
    def rules(self) -> AnyGame:
        """Rules of that game."""
        return self._rules_of(self.spec)

    def _rules_of(self, spec: str) -> AnyGame:
        return self._rules if self._rules is not None and spec == self._asked else game_named(spec)

    # -- the games ------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Record]:
        """Each game as its rules read it.

        Raises:
            BadInput: the file cannot be read; strictly, a game has a fault.
        """
        with self._naming():
            for each in self.games():
                yield each.read(is_strict=self._options.is_strict)

    def __len__(self) -> int:
        """The number of games; their moves are not looked at."""
        return sum(1 for _ in self.games())

    def __getitem__(self, index: int) -> Record:
        """The game at a place, from 0, as its rules read it.

        Raises:
            IndexError: there are fewer.
        """
        with self._naming():
            return self.game_at(index if index >= 0 else index + len(self)).read(is_strict=self._options.is_strict)

    def game_at(self, index: int) -> FileGame:
        """The game at a place, from 0, as the file has it.

        Raises:
            IndexError: there are fewer.
        """
        found = next(islice(self.games(), index, None), None) if index >= 0 else None
        if found is None:
            raise IndexError(f"there are fewer than {index + 1} games")
        return found

    def games(self) -> Iterator[FileGame]:
        """Each game as the file has it, before its rules have seen it.

        Raises:
            BadInput: the content is in no format, or there is no game in it.
        """
        read = {"wthor": self._of_wthor, "jsonl": self._of_json, "sgf": self._of_sgf, "pgn": self._of_pgn}
        read |= {each.name: partial(self._of_named, each.records) for each in NAMING_FORMATS}
        number = 0
        with self._naming():
            if self.kind in NOT_READ:
                raise BadInput(NOT_READ[self.kind])
            for number, found in enumerate(read.get(self.kind, self._of_text)(), start=1):
                yield FileGame(number, *found)
            if not number:
                raise BadInput(
                    "There is no game or position in it: write moves or a state, one a line, or PGN, PDN, SGF or EPD."
                )

    def lazy_games(self) -> Iterator[Callable[[], FileGame]]:
        """A function for each game that parses it, so that some of very many are taken in no time.

        Raises:
            BadInput: the content is in no format, or there is no game in it.
        """
        number = 0
        if self.kind in ("epd", "lines") and self._asked:
            rules = self._rules_of(self._asked)
            for place, line in enumerate(self._text().splitlines(), start=1):
                if bare := "" if line.lstrip().startswith("#") else line.strip():
                    number += 1
                    yield partial(self._parse_line, rules, bare, number, place)
            return
        if self.kind != "pgn":
            yield from (partial(_as_it_is, game) for game in self.games())
            return
        with self._naming():
            for section in self._sections():
                # a part that begins with tags is one game; what is before the first tags may be many, or none
                games = None if section.lstrip().startswith("[") else [*self._of_section(section, self._asked)]
                for at in range(1 if games is None else len(games)):
                    number += 1
                    yield partial(self._parse, section, at, number)
        if not number:
            raise BadInput("There is no game or position in the file.")

    def _parse_line(self, rules: AnyGame, line: str, number: int, place: int) -> FileGame:
        return FileGame(number, *self._of_line(self._asked, rules, _bare(line), place))

    def _parse(self, section: str, at: int, number: int) -> FileGame:
        found = [*self._of_section(section, self._asked)]
        if len(found) <= at:
            raise BadInput(f"Game {number}: there are tags, and no game.")
        return FileGame(number, *found[at])

    def _naming(self) -> AbstractContextManager[None]:
        """Context in which a sentence about the content names its file."""
        return in_file(self._file) if self._file else nullcontext()

    def _of_wthor(self) -> Iterator[_Found]:
        rules = game_named(wthor.RULES_OF)
        names = [_beside(self._file, ending) if self._file else b"" for ending in wthor.NAMES]
        for record in wthor.records(b"".join(self._open()), *names):
            yield wthor.RULES_OF, rules, record, "", 0

    def _of_json(self) -> Iterator[_Found]:
        lines = [line for line in self._text().splitlines() if line.strip()]
        begins = [at for at, line in enumerate(lines) if at == 0 or re.match(r'\s*\{\s*"plyground"', line)]
        for start, end in pairwise([*begins, None]):
            kept = game_in(lines[start:end], "The text")
            record = of_position(kept.position)
            record.tags = dict(zip(player_tags(kept.position.game), kept.players, strict=True))
            record.other = {"why": [kept.why]} if kept.why else {}
            record.result = result_word(kept.position.game, kept.utility)
            record.faults = [kept.cut] if kept.cut else []
            yield kept.game, kept.position.game, record, "", 0

    def _of_sgf(self) -> Iterator[_Found]:
        for record in sgf.records(self._text()):
            try:
                spec, rules = game_of_stones(record, self._asked or self._usual, self._rules)
            except BadInput:  # which the record says when it is read
                spec = self._asked or "hex"
                rules = self._rules_of(spec)
            yield spec, rules, record, "", 0

    def _of_named(self, records: Callable[[str], Iterator[Record]]) -> Iterator[_Found]:
        for record in records(self._text()):
            try:
                spec, rules = game_of_named(record, self._asked, self._rules)
            except BadInput as fault:  # of a kind that is here, on a board that is not
                spec = record.game.partition(":")[0]
                record = replace(record, start=UNREADABLE, faults=[*record.faults, str(fault)])
                rules = self._rules_of(spec)
            yield spec, rules, record, "", 0

    def _of_pgn(self) -> Iterator[_Found]:
        usual = self._asked
        for section in self._sections():
            for found in self._of_section(section, usual):
                yield found
                if not usual and found[2].moves:
                    usual = found[0]

    def _of_section(self, section: str, usual: str) -> Iterator[_Found]:
        """The games of a part of PGN; of the game `usual`, where nothing names another one."""
        likely = usual or self._usual
        is_pdn = self._rules_of(likely).record == "pdn" if likely else _SHOWS_PDN.search(section)
        is_pdn = is_pdn or "[GameType" in section
        for record in pgn.records(section, pgn.RESULTS_OF_PDN if is_pdn else pgn.RESULT_WORDS):
            if record.tags or record.moves or record.comment or record.result:
                spec = self._spec_of(record, usual)
                usual = usual or (spec if record.moves else "")
                yield spec, self._rules_of(spec), record, "", 0

    def _spec_of(self, record: Record, usual: str) -> str:
        """The game of a record of PGN: the one that it names, else the one of the file, else the nearest one."""
        if "Game" in record.tags:
            named = require_name(record.tags["Game"])
            asked = usual.partition(":")[0]
            return usual if named == asked or (usual and game_named(named) == self._rules_of(usual)) else named
        with suppress(BadInput):  # a game that is not here: the record says so when it is read
            named = spec_by_tags(record.tags) or ""
            # A start of Chess960 is chess with an option: the game's own tags say which.
            if named and (":" in named or not (usual and isinstance(self._rules_of(usual), type(game_named(named))))):
                return named
        return usual or nearest_game(record, self._usual)

    def _of_text(self) -> Iterator[_Found]:
        text = self._text()
        if not text.strip():
            return
        lines = [_bare(line) for line in text.splitlines()]
        spec = self._asked or _nearest_of_text(text, lines, self._usual, is_whole=self.kind == "text")
        rules = self._rules_of(spec)
        if self.kind == "text":
            is_one = "\n" not in text.strip() and _is_readable(rules, text)
            games = None if is_one else games_by_words(rules, text)
            if games is None and (whole := _whole(rules, text, lines)):
                games = [whole]
            if games is not None:
                yield from ((spec, rules, game, "", 0) for game in games)
                return
        for number, line in enumerate(lines, start=1):
            if line:
                yield self._of_line(spec, rules, line, number)

    def _of_line(self, spec: str, rules: AnyGame, line: str, number: int) -> _Found:
        fen, operations = read_epd(line) if self.kind == "epd" else ("", {})
        record = Record({"FEN": fen} if operations or _is_fen(fen) else {}, other=operations)
        return spec, rules, record, line, number

    def _text(self) -> str:
        return _decode(b"".join(self._open()), self.encoding)

    def _sections(self) -> Iterator[str]:
        """Parts of the text with whole games, each decoded by itself."""
        if self.encoding != "utf-8":
            return pgn.sections(_decode_chunks(self._open(), self.encoding))
        bytewise = pgn.sections(chunk.decode("latin-1") for chunk in self._open())
        return (_decode(section.encode("latin-1"), "utf-8") for section in bytewise)


def _as_it_is(game: FileGame) -> FileGame:
    return game


@check_arguments
def read_records(path: Path | str, spec: str = "", *, strict: bool = False) -> Records:
    """The games of a file, one by one, checked by their rules, with variations, comments and clocks.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "game.pgn").write_text("1. e4 e5 (1... c5) 2. Nf3 *")
    ...     (record,) = read_records(Path(folder) / "game.pgn")
    >>> len(record.moves), len(record.main_line()), record.faults
    (4, 3, [])

    Args:
        path: the file, or `-` for standard input: PGN, PDN, SGF, WTHOR, EPD, a saved game, or moves.
        spec: the game; by default the one that the file names, or whose moves they are.
        strict: raise at the first game that has a fault, instead of telling of it in `faults`.

    Raises:
        BadInput: the file cannot be read, or is in no notation.
    """
    return Records.of_file(Path(path), spec, ReadingOptions(is_strict=strict))


def file_games(
    files: Iterable[Path], spec: str = "", options: ReadingOptions | None = None
) -> Iterator[tuple[Path, FileGame]]:
    """The games of several files, one after the other, each with its file.

    Raises:
        BadInput: a file cannot be read, or is in no notation; the sentence names it.
    """
    for file in files:
        for each in Records.of_file(file, spec, options).games():
            yield file, each


@dataclass(frozen=True)
class ChosenGame:
    """A game of one of several files."""

    file: Path
    game: FileGame
    count: int
    """Games of all the files; of very many only those up to `MOST_COUNTED` behind it."""

    def read(self, *, is_strict: bool = False) -> Record:
        """The record as its rules read it.

        Raises:
            BadInput: none of it can be read; or `is_strict`, and something is wrong.
        """
        with in_file(self.file):
            read = self.game.read(is_strict=is_strict)
            if read.faults and not read.main_line():
                raise BadInput(read.faults[-1])
        return read


def chosen_game(
    files: Sequence[Path], number: int, spec: str = "", options: ReadingOptions | None = None
) -> ChosenGame:
    """The game of some number, from 1, counted through all files.

    Raises:
        BadInput: there are fewer games, or a file cannot be read.
    """
    count, found, named = 0, None, ", ".join(map(str, files))
    for file, each in islice(file_games(files, spec, options), max(number, 1) + MOST_COUNTED):
        count += 1
        found = (file, each) if count == number else found
    if found:
        return ChosenGame(*found, count)
    raise BadInput(f"--number {number}: {named} has {count_text(count, 'game')}.")


# -- bytes -------------------------------------------------------------------------------------------------------------

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
"""Byte order marks and their encodings."""


def _chunks_of(file: Path) -> Iterator[bytes]:
    with open_file(file, WORK_MOST) as source:
        try:
            while chunk := source.read(CHUNK_BYTES):
                yield chunk
        except OSError as fault:
            raise BadInput(f"{file} cannot be read: {fault.strerror}.") from None


def _decode_chunks(chunks: Iterable[bytes], encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        yield decoder.decode(chunk)


def _decode(data: bytes, encoding: str) -> str:
    """Text of bytes: UTF-8, or else Latin-1, as the standard of PGN has it."""
    if encoding != "utf-8":
        return data.decode(encoding, "replace").removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        if fault.reason == "unexpected end of data" and len(data) - fault.start < 4:
            return data[: fault.start].decode("utf-8-sig")  # a chunk ends within a sign
        return data.removeprefix(codecs.BOM_UTF8).decode("latin-1")


def _beside(path: Path, ending: str) -> bytes:
    """The file of names beside a file, if there is one."""
    try:
        found = sorted(each for each in path.parent.iterdir() if each.suffix.upper() == f".{ending}")
    except OSError:  # its folder can be entered, but not listed
        return b""
    # Files of WTHOR share one `WTHOR.JOU`; a file of names of its own comes first.
    own = [each for each in found if each.stem.upper() == path.stem.upper()] or found
    return bytes_of_file(own[0]) if own else b""


def _is_fen(line: str) -> bool:
    """Whether a line is a position of chess alone, without moves behind it."""
    return _CHESS_BOARD.match(line) is not None and len(line.split()) in (4, 5, 6)


def _bare(line: str) -> str:
    """A line without what follows a `#`."""
    return _REMARK.sub("", line).strip()


# -- which game --------------------------------------------------------------------------------------------------------


def nearest_game(record: Record, usual: str = "") -> str:
    """The game whose rules read the most moves of a record; of several the first of `usual`, the likely ones, all."""
    best, most = "", 0
    head = replace(record, moves=record.moves[:MOVES_TRIED], faults=[], remarks=[])
    if not record.moves and "FEN" not in record.tags:
        return usual or LIKELY[0]
    for name in _candidates(usual):
        read = read_record(game_named(name), head)
        count = sum(not move.is_unread for move in read.moves)
        count += read.start != UNREADABLE and "FEN" in record.tags
        if not read.faults and count:
            return name
        if count > most:
            best, most = name, count
    return best or _by_shape(" ".join(move.word for move in head.moves)) or usual or LIKELY[0]


def _candidates(usual: str) -> dict[str, None]:
    likely = dict.fromkeys([*filter(None, [usual]), *LIKELY])
    known = {name.partition(":")[0] for name in likely}
    return likely | dict.fromkeys(choice.name for choice in GAMES.shipped if choice.name not in known)


def _by_shape(words: str) -> str:
    """The game whose notation words have, where no rules read them."""
    if _SHOWS_PDN.search(words):
        return "international" if _SHOWS_LARGE_BOARD.search(words) else "draughts"
    return "chess" if _SHOWS_SAN.search(words) else ""


def _nearest_of_text(text: str, lines: list[str], usual: str, *, is_whole: bool) -> str:
    """The game of a text without tags: the first that reads the whole text or its first line, else the nearest one."""
    first = next(filter(None, lines), "")
    for part in (text, first) if is_whole else (first,):
        if _CHESS_BOARD.match(part):
            return "chess"
        for name in _candidates(usual):
            if _is_readable(game_named(name), part):
                return name
    return _by_shape(first) or nearest_game(next(pgn.records(text)), usual)


def _is_readable(rules: AnyGame, text: str) -> bool:
    """Whether a text is a position or a game of some rules, without a fault."""
    try:
        position_in(rules, text)
    except BadInput:
        return False
    return True


def _whole(rules: AnyGame, text: str, lines: list[str]) -> Record | None:
    """A text as one game; None where it is none, and its first line is."""
    try:
        return of_position(position_in(rules, text))
    except BadInput as fault:
        first, *others = [line for line in lines if line] or [""]
        if others and _is_readable(rules, first):
            return None
        record = next(pgn.records(text, result_words(rules)))
        if read_record(rules, record).main_line():
            return record
        return replace(record, start=UNREADABLE, faults=[str(fault)])
