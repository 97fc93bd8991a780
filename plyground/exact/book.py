"""Opening books: exact scores of all positions of a game's first plies, computed once and looked up.

A book is a text file. Its first line is a JSON object with the game, the number of plies, and nodes and seconds spent.
Then follows a line for each unfinished position within that number of plies, one of those that are the same under
symmetry: the state, and its score with perfect play, from the first player's side:

    ......./......./......./......./......./.......:x 1/41        x wins in 41 plies; 3: by 3
    ......./......./......./......./......./..x....:o 0           draw

One book is shipped with a game where it takes hours to make; a deeper one, or one of another game, is made by
`plyground book` and found by the fingerprint of the game's rules.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zlib import crc32

from platformdirs import user_data_path

from plyground.compiled.fingerprint import rules_fingerprint
from plyground.errors import BadInput
from plyground.exact.lookup import Lookup
from plyground.exact.tables.reading import Tables, asked_folders, tables_of
from plyground.files import WORK_MOST, parse_json_object, text_of_file
from plyground.files.whole_file import write_whole
from plyground.games import game_named
from plyground.position import Position
from plyground.rules import ONGOING, Game, own_rules
from plyground.score import Score, counted_plies

SHIPPED_BOOKS = ("connectfour",)
"""Games whose book comes with the package, each in its usual size."""
BOOK_SUFFIX = ".book"


# The line is read as JSON and written as it is: fields are only added, with a default, so that older books stay
# readable.
@dataclass(frozen=True)
class Head:
    """Head of a book: its game and its cost."""

    game: str
    """The game's name and options."""
    plies: int
    """The last ply with positions in the book; all earlier plies have theirs too."""
    positions: int = 0
    """Number of positions of the last ply: each was solved, and those before follow from them."""
    nodes: int = 0
    seconds: float = 0.0
    """Processor time."""
    rules: str = ""
    """Fingerprint of the rules; empty in a book that is shipped, which every version of Python reads."""


@dataclass(frozen=True)
class Book(Lookup):
    """The exact scores of the first plies of a game."""

    game: Game[Any]
    head: Head
    scores: dict[str, Score] = field(repr=False)
    """Scores by the state in text, one of those that are the same under symmetry; from the first player's side."""

    @property
    def title(self) -> str:
        """Name of the book for people."""
        return f"the opening book of {counted_plies(self.head.plies)}"

    def score(self, state: Any) -> Score | None:
        """Score of a state; None if the book lacks it."""
        utility = self.game.outcome(state)
        # A book has no finished positions: the rules know their values.
        if utility != ONGOING:
            return Score.over(utility)
        # The scores are looked up by text, not state: a book has thousands of texts to parse, of which few are asked
        # for.
        return self.scores.get(self.game.text(self.game.canonical(state)))

    def write(self, file: Path) -> None:
        """Write the book to a file, whole or not at all."""
        file.parent.mkdir(parents=True, exist_ok=True)
        rows = "".join(f"{text} {score_word(score)}\n" for text, score in self.scores.items())
        # The checksum is of the rows alone, for it stands in the head itself.
        head = asdict(self.head) | {"check": crc32(rows.encode())}
        write_whole(file, f"{json.dumps(head)}\n{rows}")


def score_word(score: Score) -> str:
    """An exact score as a word; `parse_score_word` reads it."""
    return f"{score.utility}" if score.plies is None else f"{score.utility}/{score.plies}"


def parse_score_word(word: str) -> Score:
    """The exact score that a word means.

    Raises:
        ValueError: the word is no score.
    """
    utility, _, plies = word.partition("/")
    return Score(int(utility), int(plies) if plies else None)


def read_book(file: Any, game: Game[Any]) -> Book:
    """Read a book of a game.

    Args:
        file: a path, or a file of the package.
        game: the rules; the book must be of them.

    Raises:
        BadInput: the file cannot be read, or is no book.
    """
    # A file of the package may have no path, as in a zip, and needs no guard against its size.
    text = text_of_file(file, WORK_MOST) if isinstance(file, Path) else file.read_text(encoding="utf-8")
    try:
        head, _, lines = text.partition("\n")
        known = parse_json_object(head)
        about = Head(**{"rules": "", **{each.name: known[each.name] for each in fields(Head) if each.name in known}})
        scores = {text: parse_score_word(word) for text, word in map(str.split, lines.splitlines())}
        if known.get("check", crc32(lines.encode())) != crc32(lines.encode()):  # books that are shipped have none
            raise ValueError("it is damaged")
    except (ValueError, KeyError, TypeError) as fault:
        raise BadInput(f"{file} is no opening book of plyground ({fault}).") from None
    # Fingerprints depend on the version of Python, so a shipped book has none: it belongs to shipped rules, which its
    # tests hold it to.
    if about.rules not in ("", rules_fingerprint(game)):
        raise BadInput(f"{file} is the book of {about.game} by other rules than these, or by another Python.")
    return Book(game, about, scores)


def user_book_file(game: Game[Any]) -> Path:
    """File of a game's book made on this machine."""
    return user_data_path("plyground") / "books" / f"{rules_fingerprint(game)}{BOOK_SUFFIX}"


def shipped_book_file(name: str) -> Any:
    """File of a game's book in the package."""
    return files("plyground").joinpath(f"data/books/{name}{BOOK_SUFFIX}")


def book_of(position: Position) -> Lookup | None:
    """Exact knowledge of a position and those after it: the tablebases of its game, made here or in folders that
    `add_folder` names; else its deepest book, made here or shipped; or None.

    They leave the moves before out. So where one more repetition would end the game, nothing is known: elsewhere who
    can force a win comes to no position twice on the way, and more repetitions only make more draws.
    """
    # Empty in a game without repetitions, whose book is therefore always asked.
    return None if position.last_times() else _book_of(own_rules(position.game), asked_folders())


@lru_cache(maxsize=32, typed=True)
def _book_of(game: Game[Any], folders: tuple[str, ...]) -> Lookup | None:
    # A tablebase is asked before a book: it has every position, the book only those of the first plies.
    if (not game.repetition or game.repetition_is_draw) and (tables := tables_of(game, folders)):
        return Tables(tables)
    books = list(_books(game))
    return max(books, key=lambda book: book.head.plies, default=None)


def _books(game: Game[Any]) -> Iterator[Book]:
    # Equal rules, options included: Connect Four of another size has no shipped book.
    for name in SHIPPED_BOOKS:
        rules = game_named(name)
        if type(rules) is type(game) and rules == game and (file := shipped_book_file(name)).is_file():
            yield read_book(file, game)
    # A book leaves out how a position came about, so a game that may cycle has none.
    if not game.repetition and (own := user_book_file(game)).is_file():
        yield read_book(own, game)
