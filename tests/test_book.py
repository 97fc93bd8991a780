"""Opening books: the same values as solving, kept, taken up again, and asked before a search."""

from itertools import islice
from pathlib import Path

import pytest

from plyground.compiled.clock import Limit
from plyground.engine.think import think
from plyground.errors import BadInput
from plyground.exact.book import Book, book_of, read_book
from plyground.exact.book_writer import Author
from plyground.exact.solver import Solver, solve
from plyground.games import game_named
from plyground.players import player_named
from plyground.position import Position

SMALL = "connectfour:4,3,3"


def written(file: Path, plies: int, spec: str = SMALL) -> Book:
    """The book of a small game, made to its end."""
    for _ in Author(spec, game_named(spec), plies, file, table=4).write():
        pass
    return read_book(file, game_named(spec))


def test_values(tmp_path: Path) -> None:
    """Every score of a book is the one that solving finds, distance and all."""
    book = written(tmp_path / "small.book", 3)
    for text, score in book.scores.items():
        here = Position(book.game, book.game.parse_state(text))
        assert Solver(here, prefer_shorter=True, every_move=False, book=False, table=4).solve().score == score, text


def test_taken_up(tmp_path: Path) -> None:
    """What is stopped goes on: nothing is solved twice, and a line that was cut short is solved again."""
    file, game = tmp_path / "small.book", game_named(SMALL)
    first = Author(SMALL, game, 4, file, table=4)
    done = list(islice(first.write(), 9))
    with first.part.open("a") as part:
        part.write("\n..../...")
    second = Author(SMALL, game, 4, file, table=4)
    assert second.solved_count == 9
    assert not set(done) & set(second.write())
    assert read_book(file, game).scores == written(tmp_path / "other.book", 4).scores
    assert not second.part.exists()


def test_deeper(tmp_path: Path) -> None:
    """A book of more plies begins with the one that is there."""
    file = tmp_path / "small.book"
    shallow = written(file, 2)
    deep = written(file, 3)
    assert deep.head.plies == 3 and shallow.scores.items() <= deep.scores.items()


def test_refused(tmp_path: Path) -> None:
    """A file of another game is not written over, and a game in which states come again needs no book."""
    file = tmp_path / "small.book"
    written(file, 1)
    with pytest.raises(BadInput, match="is the book of connectfour:4,3,3 by other rules"):
        Author("connectfour:5,4", game_named("connectfour:5,4"), 1, file)
    file.with_name("other.book.part").write_text("rules of another file\n......./a 1 2 3\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"other\.book\.part has positions by other rules"):
        written(tmp_path / "other.book", 1)
    with pytest.raises(BadInput, match="can come again"):
        Author("chess", game_named("chess"), 1, file)
    file.write_text("no book")
    with pytest.raises(BadInput, match="no opening book"):
        read_book(file, game_named(SMALL))


# -- the book that is shipped ------------------------------------------------------------------------------------------

FOUR = Position.initial(game_named("connectfour"))


def test_published() -> None:
    """The first moves of Connect Four, as published: a player is told at once what every one is worth."""
    solution = solve(FOUR, prefer_shorter=True)
    scores = {FOUR.game.move_text(FOUR.state, move): score.text() for move, score in solution.moves}
    ends = {"a": "o wins in 40 plies", "b": "o wins in 42 plies", "c": "draw", "d": "x wins in 41 plies"}
    assert scores == ends | {"e": "draw", "f": ends["b"], "g": ends["a"]}
    assert (solution.nodes, solution.score.text()) == (0, "x wins in 41 plies")
    assert "opening book" in solution.source


def test_asked_first() -> None:
    """Thinking, `perfect` and a level ask the book; a search to a depth, and other rules, do not."""
    report = [*think(FOUR, every_move=True, lines=3)][-1]
    assert report.certain and report.nodes == 0 and "opening book" in report.source
    assert len(report.lines) == 3 and report.lines[0] == report.variation
    for name in ("perfect", "engine:time=1", "level:error=0"):
        assert FOUR.game.move_text(FOUR.state, player_named(name).choose(FOUR, None)) == "d"
    assert [*think(FOUR, Limit(depth=2))][-1].nodes > 0
    assert book_of(Position.initial(game_named("connectfour:first=o"))) is None


def test_mirrored() -> None:
    """A position and its mirror image have the same score; the book holds one of them."""
    book = book_of(FOUR)
    assert isinstance(book, Book)
    scores = [book.score(FOUR.play(move).state) for move in "abcdefg"]
    assert None not in scores and scores == scores[::-1]
    assert len(book.scores) >= 5
