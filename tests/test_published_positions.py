"""Texts from elsewhere in a published page: positions in FEN, records in PGN and SGF; their twin is Python's reader."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from answering import Answers, Refused

import plyground as pg
from plyground.play.notations import forms, parse_pasted

pytestmark = [pytest.mark.compiled, pytest.mark.process, pytest.mark.nightly]
"""The games that have such texts are compiled by night."""
WRONG = {
    "chess": [
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "4k3/8/8/4p3/8/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
        "4k3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 2000 1",
        "4k3/8/8/8/8/8/8/4K9 w - - 0 1",
    ],
    "gardner": ["rnbqk/ppppp/5/PPPPP/RNBQK w K - 0 1", "rnbqk/ppppp/5/PPPPP/RNBQK w - e3 0 1"],
    "draughts": ["B:W33:B1", "B:W5,K5:B1", "B:W2:B1", "B:W13-25:B1", "B:W1:W2", "B:W20,a:B1"],
}


def walked(game: pg.Game[object], number: int) -> Iterator[pg.Position]:
    """Unfinished positions of random games."""
    chance = random.Random(7)
    for _ in range(number):
        here = pg.Position.initial(game)
        for _ in range(chance.randrange(100)):
            after = here.play(chance.choice(here.legal_moves))
            if after.outcome is not None:
                break
            here = after
        yield here


@pytest.mark.parametrize("name", WRONG)
def test_positions_in_fen(name: str, tmp_path: Path) -> None:
    """They are Python's: the text, the legal moves, and what follows; a link has them; wrong ones get a sentence."""
    game = pg.game_named(name)
    passing = ["rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1"] if name == "chess" else []
    with Answers(name, tmp_path) as worker:
        for text in [*(game.fen(here.state) for here in walked(game, 30)), *passing]:
            text = text.removesuffix(" 1") + " 14" if name != "draughts" else text
            wanted = pg.Position.starting(game, text)
            found = worker.ask("edit", text=text)
            assert (found["text"], found["moves"]) == (wanted.text, [])
            assert found["legal"] == list(wanted.legal_texts)
            move = found["legal"][-1]
            after = worker.ask("position", start=found["start"], moves=[move])
            assert (after["text"], after["start"]) == (wanted.play(move).text, found["start"])
            assert (after["start"], after["plies_before"]) == (wanted.start_text, wanted.plies_before)
            forms_of = worker.ask("notations", start=found["start"], moves=[move])["forms"]
            written = {form["name"]: form["text"] for form in forms_of}
            expected = {form.name: form.text for form in forms(name, wanted.play(move))}
            assert [written[each] for each in ("moves", "numbered")] == [expected["moves"], expected["numbered"]]
            for each in (f"{text} 1. {move}", written["moves"], written["numbered"]):
                read = worker.ask("edit", text=each)
                assert (read["start"], read["moves"]) == (found["start"], [move])
            assert name == "draughts" or written["fen"] == expected["fen"]
        for text in WRONG[name]:
            with pytest.raises(Refused) as refused:
                worker.ask("edit", text=text)
            with pytest.raises(pg.BadInput) as fault:
                game.parse_state(text)
            assert str(refused.value) == str(fault.value)


def test_a_record_from_a_position(tmp_path: Path) -> None:
    """PGN with the tags SetUp and FEN begins there."""
    text = '[SetUp "1"]\n[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. a8=Q+ Kf7 {on} (1... Kd7) 2. Qb7+ *'
    with Answers("chess", tmp_path) as worker:
        found = worker.ask("edit", text=text)
        assert (
            found["moves"] == ["a7a8q", "e8f7", "a8b7"] and found["text"] == parse_pasted("chess", text).position.text
        )


@pytest.mark.parametrize(("name", "number", "size"), [("hex", 11, 5), ("gomoku", 4, 15)])
def test_a_record_in_sgf(name: str, number: int, size: int, tmp_path: Path) -> None:
    """Its main line is what Python reads; one of another game or board, or with stones set before, is refused."""
    head = f"(;FF[4]GM[{number}]SZ[{size}]PB[Ann \\] B]C[a (nice\\) game];"
    text = head + "B[ab];W[c3]C[why (;B[aa\\])](;B[bb];W[resign])(;B[cc]))"
    with Answers(name, tmp_path) as worker:
        assert worker.ask("edit", text=text)["moves"] == parse_pasted(name, text).position.words == ["a2", "c3", "b2"]
        for wrong in (
            text.replace(f"GM[{number}]", "GM[1]"),
            text.replace(f"SZ[{size}]", "SZ[9]"),
            text.replace("PB", "AB"),
        ):
            with pytest.raises(Refused):
                worker.ask("edit", text=wrong)
