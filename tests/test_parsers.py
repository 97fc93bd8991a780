"""Every parser of text from outside, held to one law by inputs that are nearly right.

The law: a text gives a value, or one of the parser's documented exceptions with a sentence that no terminal obeys, in
bounded time; and what is written of the value is read back as the value. A hundred inputs each at every push, the
same ones; 100,000 each every night. `PLYGROUND_SEED=number` draws those of a night again.
"""

import asyncio
import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from games import random_position
from pydantic import BaseModel, ValidationError

from plyground.arena.entrants import entrants
from plyground.arena.roster import roster_in
from plyground.errors import BadInput
from plyground.games import GAMES, game_named
from plyground.play.game_file import end_line, game_in, to_text
from plyground.play.notations import Pasted, forms, json_lines, parse_pasted
from plyground.players import player_named
from plyground.position import Position
from plyground.text import plain_lines
from plyground.timeouts import TimeLimit
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.operation import Operation
from plyground.web.operations import OPERATIONS
from plyground.web.services import Services
from plyground.wire import messages as m
from plyground.wire.codec import LARGEST_FRAME
from plyground.wire.protocols import PROTOCOLS, codec
from plyground.workers.fair_queue import Asker

FEW, MANY = 100, 100_000
"""Inputs of each parser at every push, and every night."""
AT_MOST = 20.0
"""Seconds of the processor for one input, a hundred times what the slowest takes; what takes more has no bound."""


@dataclass(frozen=True)
class Parser:
    """A parser, and what it is tried with."""

    name: str
    read: Callable[[str], Any]
    seeds: tuple[str, ...]
    """Texts that it reads."""
    write: Callable[[Any], str] | None = None
    """The text of a value, where there is a writer."""
    refuses: tuple[type[Exception], ...] = (BadInput,)
    """Its documented exceptions."""


# -- the table ---------------------------------------------------------------------------------------------------------


def specs() -> Iterator[Parser]:
    """Games and players by their specs."""
    games = ["mnk:5,5,4", "mnk:rows=3,columns=4,k=3,first=o", "gomoku:exact=true", "nim:3/4/5,misere=true"]
    yield Parser("games", game_named, (*(choice.name for choice in GAMES), *games))
    elsewhere = (
        "program[timeout=5,protocol=json]:python player.py",
        "program:sh -c 'exit 1'",
        "connect[restarts=true]:localhost:4000",
        "listen[host=0.0.0.0,start=5]:54321",
    )
    here = (
        "first",
        "random:seed=1",
        "alphabeta:depth=2",
        "level:hard",
        "level:error=0.3",
        "engine:nodes=100,threads=2",
    )
    yield Parser("players", player_named, here)
    yield Parser("external players", player_named, elsewhere, lambda player: str(player.name))


@cache
def _played(spec: str) -> tuple[Position, ...]:
    """The positions of a game at random."""
    return tuple(random_position(game_named(spec), random.Random(spec), 12).steps())


def positions() -> Iterator[Parser]:
    """Positions of every game, in text or as moves."""
    for choice in GAMES:
        played = _played(choice.name)[::4]
        texts = (*(each.text for each in played), *(each.history for each in played))
        yield Parser(
            choice.name, partial(Position.parse, game_named(choice.name)), texts, lambda read: str(read.history)
        )


def moves() -> Iterator[Parser]:
    """Moves of every game."""
    for choice in GAMES:
        here = next(each for each in reversed(_played(choice.name)) if each.outcome is None)
        text = partial(here.game.move_text, here.state)
        yield Parser(choice.name, here.legal, tuple(map(text, here.legal_moves[:20])), text)


def pasted_games() -> Iterator[Parser]:
    """What people paste, of every game, in every notation."""

    def lines(read: Pasted) -> str:
        return json_lines(read.game, read.position, ("human", "engine:time=1"))

    for choice in GAMES:
        texts = tuple(form.text for form in forms(choice.name, _played(choice.name)[:7][-1]))
        yield Parser(choice.name, partial(parse_pasted, choice.name), texts, lines)


def game_files() -> Iterator[Parser]:
    """Games as their files hold them: going on, over, ended by a player, taken back."""

    def read(text: str) -> tuple[str, tuple[str, str], Position]:
        kept = game_in(text.splitlines(), "The file")
        return kept.game, kept.players, kept.position

    def written(kept: tuple[str, tuple[str, str], Position]) -> str:
        game, players, position = kept
        return json_lines(game, position, players)

    half, over = _played("connectfour")[5], _played("tictactoe")[-1]
    games = written(("connectfour", ("human", "first"), half)), written(("tictactoe", ("a", "b"), over))
    ended = to_text(end_line(-1, "x resigns", 0)), to_text({"undo": 2})
    yield Parser("game files", read, (*games, *(games[0] + line for line in ended)), written)


def rosters(folder: Path) -> Iterator[Parser]:
    """Files that list an arena's players."""
    file = folder / "class.toml"

    def read(text: str) -> object:
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        return entrants(roster_in(file).entrants)

    texts = (
        '[program]\ntimeout = 5\nmemory = 0x1000\n[[player]]\nname = "Ann"\nspec = "program:python ann.py"\n'
        '[[player]]\nname = "Bob"\nspec = "program[timeout=7]:python bob.py"\nprotocol = "json"\n',
        '[mcts]\nsimulations = 100\n[[player]]\nspec = "mcts:seed=1"\n[[player]]\nspec = "level:easy"\nseed = 4\n',
        'player = [{spec = "first"}, {name = "A", spec = "alphabeta:2", seed = 3}]\n',
    )
    yield Parser("rosters", read, texts)


SAID: tuple[m.Message, ...] = (
    m.Hello(name="Ann", room="blue", side="x"),
    m.PositionMessage("xo./.../...:x"),
    m.Move("b2"),
    m.Move("2,1"),
    m.Resign(),
    m.ResultMessage(-1, 'o wins: "it\'s 5\\3"'),
    m.FaultMessage("client", "Line 1:\nwrong"),
    m.Ping("7", answer=True),
)
STREAMS: dict[str, tuple[str, ...]] = {
    "terms": ("2,1\n", "[5, 3].\n", "% a.\nmove( b2 /* c. */ ).\n", "f(0'., \"a. b\", 'it''s').\n", "room('a').\n"),
    "xml": (
        '<message><general application="chat"><say to="all">hi <b/></say></general></message>',
        "<!-- <message> --><?x ?><message><move text='&lt;&#233;'/></message >",
    ),
    "json": ('{"general": {"application": "a", "term": "f(\\u00e9)"}}\n', '{"hello": {"version": 1}}\n'),
}


def streams(protocol: str) -> Iterator[Parser]:
    """Messages in a protocol."""

    def written(messages: Sequence[m.Message]) -> str:
        return b"".join(map(codec(protocol).write, messages)).decode()

    seeds = (*STREAMS.get(protocol, ()), *(written([message]) for message in SAID), written(SAID))
    yield Parser(protocol, partial(_heard, protocol), seeds, written)


def _heard(protocol: str, text: str) -> list[m.Message]:
    """The messages of a stream, which are the same however it is cut."""
    data = text.encode("utf-8", "surrogatepass")
    reader = codec(protocol)
    frames = reader.feed(data)
    if len(data) <= LARGEST_FRAME:
        bytewise = codec(protocol)
        assert [frame for byte in data for frame in bytewise.feed(bytes([byte]))] == frames
    return [reader.read(frame) for frame in frames]


AT = {"game": "tictactoe", "start": "", "moves": ["b2", "a1"]}
FILE = '{"plyground": 1, "game": "nim", "players": ["a", "b"], "start": "3/4/5:x"}\n{"move": "1-1"}\n'
ROWS: list[dict[str, Any]] = [
    {"move": "b2", "after": -1, "glyphs": [1]},
    {"move": "a1", "after": 0},
    {"move": "c3", "after": 0},
]
RUN: dict[str, dict[str, Any]] = {
    "board": AT,
    "position": AT,
    "notations": AT,
    "edit": AT | {"text": FILE},
    "record": AT | {"text": FILE},
}
RUN |= {"record_file": AT | {"moves": ROWS, "tags": {"X": "Ann"}, "comment": "a"}}
"""Operations that need no process, and what they are asked."""
ASKED = AT | {
    **{"id": "abcdefgh12", "seat": "a", "seats": ["a"], "ply": 1, "move": "b2", "player": "level:easy", "text": "a"},
    **{"me": "a", "teacher": "a", "lesson": "01", "number": 1, "answer": "in 5", "nodes": [0, 1], "what": "undo"},
    **{"form": "json", "algorithm": "pvs", "algorithms": ["pvs"], "seconds": 1, "depth": 3, "name": "Ann"},
    **{"file": "minimax.py", "code": "pass", "lessons": {"2-minimax": {"solved": [1], "points": {"1": 50}}}},
}
"""What the others are asked: of these, what each takes."""
OTHERWISE = {"pair": ASKED | {"form": "swiss"}, "why_not": ASKED | {"path": [4]}}
"""Arguments of operations in which a word has another meaning."""


RUNNERS: list[asyncio.Runner] = []
"""The event loop of a house: its workers belong to one."""


def bodies(services: Services) -> Iterator[Parser]:
    """Bodies of every operation; those that need no process are run as well."""

    def read(operation: Operation[Any], text: str) -> BaseModel:
        args: BaseModel = operation.args.model_validate_json(text.encode("utf-8", "surrogatepass"))
        if operation.name in RUN:
            try:
                found = RUNNERS[-1].run(operation.last(services, args, Asker()))
                assert found and found.model_dump_json()
            except ValidationError as fault:
                raise AssertionError("raised by the operation, not by its body") from fault
        return args

    asked = RUN | OTHERWISE
    for operation in OPERATIONS:
        taken = operation.args.model_fields
        body = {key: value for key, value in asked.get(operation.name, ASKED).items() if key in taken}
        refuses = (ValidationError, BadInput)
        yield Parser(
            operation.name,
            partial(read, operation),
            (json.dumps(body),),
            lambda args: str(args.model_dump_json()),
            refuses,
        )


TABLE: dict[str, Callable[[Path, Services], Iterator[Parser]]] = {
    "specs": lambda *_: specs(),
    "positions": lambda *_: positions(),
    "moves": lambda *_: moves(),
    "pasted games": lambda *_: pasted_games(),
    "game files": lambda *_: game_files(),
    "rosters": lambda folder, _: rosters(folder),
    "bodies": lambda _, services: bodies(services),
    **{protocol: lambda *_, protocol=protocol: streams(protocol) for protocol in PROTOCOLS},
}


@pytest.fixture
def services() -> Iterator[Services]:
    """The services of the operations, with an in-memory database."""
    with asyncio.Runner() as runner, closing(Services(SavedGames(GameStore("sqlite://")))) as made:
        RUNNERS[:] = [runner]
        yield made


# -- inputs that are nearly right --------------------------------------------------------------------------------------

ODD = (
    *"[](){}<>,.;:=/|\\'\"`~@#%&*+-_^$!? \t\r\n\0",
    *("\x1b[2J", "\x1b]0;pwned\x07", "\x9b1m", "\x7f", "\u202e", "\u2028", "\u00a0", "\ud800", "\\ud800", "\\u001b"),
    *("²", "٣", "1_0", "-0", "+1", "1e999", "NaN", "0x10", "99999999999999999999", "é", "ß", "İ", "\uff1d", "😀"),
    *("null", "true", "{}", "[]", "''", '""', ".py:", "]:", "<!--", "-->", "<?", "/*", "*/", "<message>", "\\", "0'"),
)  # fmt: skip
HUGE = ("9" * 5_000, "0x" + "f" * 5_000, "[" * 3_000, '{"a":' * 3_000, "(" * 3_000, "<a>" * 100, "a" * 300, " " * 3_000)


def changed(chance: random.Random, seeds: tuple[str, ...]) -> str:
    """A text that a parser reads, with a few changes."""
    text = chance.choice(seeds)
    for _ in range(chance.choice((0, 1, 1, 1, 2, 2, 3, 5))):
        start, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        end = min(end, start + chance.choice((1, 3, 40)))
        piece = text[start:end]
        match chance.randrange(7):
            case 0:
                piece = ""
            case 1:
                piece *= chance.choice((2, 2, 3, 50))
            case 2:
                piece = chance.choice(ODD)
            case 3:
                piece += chance.choice(ODD)
            case 4:
                piece = chance.choice(HUGE) if chance.random() < 0.1 else piece[::-1]
            case 5:
                other = chance.choice(seeds)
                begin = chance.randrange(len(other) + 1)
                piece = other[begin : begin + chance.choice((1, 5, 80))]
            case _:
                piece = "".join(chr(max(ord(sign) + chance.choice((-1, 1, 32)), 0)) for sign in piece)
        text = text[:start] + piece + text[end:]
    return text


def law(parser: Parser, text: str) -> None:
    """A value that is read back as it was written, or a sentence."""
    try:
        value = parser.read(text)
    except parser.refuses as fault:
        if isinstance(fault, BadInput):
            assert str(fault) and plain_lines(str(fault)) == str(fault)
            str(fault).encode()
        return
    if parser.write:
        assert parser.read(parser.write(value)) == value


def held(parsers: tuple[Parser, ...], seed: int, count: int) -> None:
    """Hold parsers to the law with as many inputs in all; a failure shows the input."""
    chance = random.Random(seed)
    for parser in parsers:
        for text in parser.seeds:
            assert parser.read(text) is not None
    with TimeLimit(AT_MOST) as patience:
        for number in range(count):
            parser = chance.choice(parsers)
            text = changed(chance, parser.seeds)
            try:
                patience(law, parser, text)
            except BaseException as fault:
                fault.add_note(f"Input {number} of seed {seed}, {parser.name}: {text!r:.3000}")
                raise


@pytest.mark.parametrize("name", TABLE)
def test_parsers(name: str, seed: int, tmp_path: Path, services: Services) -> None:
    """A value that is read back, or a sentence: for a hundred inputs."""
    held(tuple(TABLE[name](tmp_path, services)), seed, FEW)


@pytest.mark.nightly
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("name", TABLE)
def test_parsers_by_night(name: str, seed: int, tmp_path: Path, services: Services) -> None:
    """The same for 100,000 inputs of each parser."""
    held(tuple(TABLE[name](tmp_path, services)), seed + 1, MANY)
