"""Games that are ended before their rules end them, and games written down with clocks and scores."""

import io
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

import plyground as pg
from plyground.arena.adjudication import Adjudication
from plyground.arena.report.game_records import game_records
from plyground.arena.results import Played
from plyground.arena.store import Store
from plyground.errors import BadInput
from plyground.play.ending import Ending
from plyground.play.move_note import MoveEvaluation, MoveNote, note_of
from plyground.play.record_file import read_records
from plyground.score import Score

LONG = "connectfour"


class Sure(pg.Player):
    """A player that moves to the left and says the same of every move."""

    def __init__(self, points: int | None, name: str) -> None:
        self.name, self._points = name, points

    def choose(self, position: pg.Position, seconds: float | None) -> int:
        self._move_evaluation = None if self._points is None else MoveEvaluation(Score(points=self._points), 3)
        return position.legal_moves[0]


def plays(one: int | None, other: int | None, **rules: Any) -> Played:
    """The first game of two who say this of every move, for the first player."""
    players = {"one": Sure(one, "one"), "other": Sure(other, "other")}
    first, _ = pg.arena(players, LONG, games=2, **rules)
    return first


def test_both_have_to_agree() -> None:
    """A draw and a win come at the very ply that the rule says, and not where one of the two sees it otherwise."""
    whole = plays(9, 9)
    drawn = plays(9, -9, draw=(4, 9, 0))
    assert (len(drawn.moves), drawn.utility) == (4, 0) and "adjudicated: both scores were within 9" in drawn.why
    assert len(plays(9, -9, draw=(4, 9, 11)).moves) == 11
    assert plays(9, -9, draw=(4, 8, 0)).moves == plays(None, 9, draw=(4, 9, 0)).moves == whole.moves
    lost = plays(-400, -500, resign=(6, 400))
    assert (len(lost.moves), lost.utility, lost.fault) == (6, -1, None) and lost.why.startswith("Yellow wins, adj")
    assert plays(500, -500, resign=(2, 400)).moves == plays(500, 399, resign=(2, 400)).moves == whole.moves


def test_what_is_known_is_the_value() -> None:
    """The utility of each game that is ended by what is known is its position's value, and most games are ended so."""
    game, ended = pg.MNK(), 0
    for played in pg.arena({"one": "random", "other": "first"}, game, games=10, solved=True):
        position = pg.Position.parse(game, " ".join(played.moves))
        ended += position.outcome is None
        assert played.utility is not None and pg.solve(position).score.utility == played.utility, played
    assert ended > 5


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"draw": (1, 5, 0)}, "--draw 1,5,0: the first number, of plies, is at least 2"),
        ({"resign": (4, -1)}, "--resign 4,-1: "),
        ({"solved": True, "format": "class"}, "A class is marked by how games end"),
    ],
)
def test_rules_that_make_none(rules: dict[str, Any], words: str) -> None:
    """One sentence."""
    with pytest.raises(BadInput, match=words):
        pg.arena(["first", "random"], "tictactoe", **rules)


def test_other_rules_are_another_arena(tmp_path: Path) -> None:
    """The rules are part of an arena's id and are shown with its limits; without any its id is as before."""
    base: dict[str, Any] = {"database": f"sqlite:///{tmp_path / 'games.db'}"}
    more: list[dict[str, Any]] = [{}, {"solved": True}]
    found = [pg.arena(["first", "random"], "tictactoe", **base, **rules) for rules in more]
    assert found[0].id != found[1].id and "adjudication" not in found[0].recipe
    assert found[1].stored_arena.limits == "known positions adjudicated" == Adjudication(solved=True).text
    for each in found:
        each.close()


def test_notes_are_kept(tmp_path: Path) -> None:
    """Every kind of score comes back from its word, and from the database; games of before have none."""
    scores = [Score(points=-3), Score(share=0.25), Score(1, plies=5), Score(-2, bound=True), Score(0)]
    for score in scores:
        note = MoveNote(0.25, 59.75, MoveEvaluation(score, 7))
        assert note_of(note.text()) == note
    url = f"sqlite:///{tmp_path / 'games.db'}"
    league = pg.arena(["alphabeta:depth=1", "first"], "tictactoe", games=2, database=url).play()
    with closing(Store(url)) as store:
        found = store.games(league.id)
    assert [len(each.notes) for each in found] == [len(each.moves) for each in found]
    assert {note.evaluation is None for note in found[0].notes[::2]} == {False}
    assert {note.evaluation for note in found[0].notes[1::2]} == {None}
    league.close()


def test_games_are_read_by_others_and_by_us(tmp_path: Path) -> None:
    """Python-chess reads players, result, cause, clocks and scores of what was played; our own reader the same."""
    league = pg.arena(
        {"one": "alphabeta:depth=1", "other": "random"}, "chess", games=2, random_plies=3, clock=60, resign=(4, 150)
    ).play()
    text = game_records(league.stored_arena, league.games)
    (tmp_path / "games.pgn").write_text(text)
    ours, source = read_records(tmp_path / "games.pgn"), io.StringIO(text)
    for played, record in zip(league.games, ours, strict=True):
        game = chess.pgn.read_game(source)
        assert game and not game.errors
        heads, nodes = game.headers, list(game.mainline())
        assert (heads["White"], heads["Black"]) == (played.task.x, played.task.o)
        assert heads["Result"] == record.result == {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[played.utility or 0]
        assert heads["Termination"] in ("normal", "adjudication")
        assert " ".join(nodes[-1].comment.split()).endswith(played.why)
        assert game.board().fullmove_number == 2  # three plies came before
        assert [node.move.uci() for node in nodes] == list(played.moves) == record.words()
        for node, note in zip(nodes, played.notes, strict=True):
            assert node.clock() == pytest.approx(note.left, abs=1e-3)
            assert node.emt() == pytest.approx(note.seconds, abs=1e-3)
            said, told = note.evaluation, node.eval()
            assert (told is None) == (said is None)
            if told and said and said.score.points is not None:
                assert told.white().score() == said.points and node.eval_depth() == said.depth


def test_records_say_names_units_and_dates_as_their_readers_do() -> None:
    """Winners by the names of the game; `[%eval]` is points alone, so a share of simulations is words; SGF's dates
    have hyphens, and its results say time, resignation and forfeit.
    """
    league = pg.arena(["perfect", "mcts:simulations=50"], "kalah:3,2", games=2, jobs=1).play()
    text = " ".join(game_records(league.stored_arena, league.games).split())
    assert "South wins by 4 South wins by 4} 1-0" in text and "x wins" not in text
    assert "South scores" in text and "[%eval" not in text
    (played, *_) = league.games
    ends = Score(4, plies=5), Score(1, plies=5), Score(points=7)
    notes = tuple(MoveNote(0, None, MoveEvaluation(score, 9)) for score in ends)
    text = " ".join(game_records(league.stored_arena, [replace(played, notes=notes)]).split())
    assert "South wins by 4 in 5 plies" in text and "[%eval #3,9]" in text and "[%eval 7,9]" in text
    league = pg.arena(["first", "random"], "hex:3", games=2, jobs=1).play()
    assert f"DT[{league.stored_arena.created[:10]}]" in game_records(league.stored_arena, league.games)
    for ending, word in (("late", "B+T"), ("resignation", "B+R"), ("illegal", "B+F"), ("adjudication", "B+")):
        ended = replace(league.games[0], utility=1, ending=Ending(ending))
        assert f"RE[{word}]" in game_records(league.stored_arena, [ended])


def test_every_game_writes_what_it_reads(tmp_path: Path) -> None:
    """Draughts as PDN, Hex as SGF, Connect Four as PGN with its name: the same moves, and a result that is not the
    board's.
    """
    for spec, ending in (("draughts", "pdn"), ("hex:5", "sgf"), ("connectfour", "pgn")):
        league = pg.arena(["first", "random"], spec, games=2, plies=1).play()
        games = [replace(each, moves=each.moves[:6], utility=-1, why="White is gone") for each in league.games[:2]]
        file = tmp_path / f"games.{ending}"
        file.write_text(game_records(league.stored_arena, games))
        found = read_records(file, spec)
        assert [record.words() for record in found] == [list(each.moves) for each in games], spec
        assert len({record.result for record in found}) == 1 and found[0].result not in ("*", ""), spec
