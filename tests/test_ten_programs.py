"""The ten programs of bench/LIBRARY.md run, and give what they say."""

import sys
from pathlib import Path

import pytest

import plyground as pg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
import ten

SMALL = [pg.Position.initial("tictactoe"), pg.Position.parse("tictactoe", "b2 a2")]


@pytest.mark.nightly
def test_the_ten_programs_run(tmp_path: Path) -> None:
    """At the size of a test; each gives something."""
    assert len(ten.PROGRAMS) == 10
    sizes = {"many": (SMALL,), "in_threads": (SMALL,), "recorded": (tmp_path / "game.jsonl",)}
    for program, _ in ten.PROGRAMS:
        assert program(*sizes.get(program.__name__, ())) is not None, program.__name__
    assert ten.recorded(tmp_path / "again.jsonl").why
    assert len(ten.many(SMALL)) == 2
