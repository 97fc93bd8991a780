"""An audit proves what it says: every way to beat a player is found, and a certificate stands without the player."""

import json
import sys
from pathlib import Path

import pytest

import plyground as pg
from plyground.audit import Audit, audit, verify, write

pytestmark = pytest.mark.once
TICTACTOE = pg.Position.initial(pg.MNK())
EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "players"


def audited(player: str, seat: int = 1, budget: int = 10_000) -> Audit:
    """A player of tic-tac-toe under audit."""
    return audit("tictactoe", TICTACTOE, seat, lambda: pg.player_named(player), budget=budget)


def lines_against(player: pg.Player, seat: int, position: pg.Position) -> list[tuple[int, int]]:
    """The obvious twin: play every game to its end, sharing nothing; each game's length and utility."""
    if position.outcome is not None:
        return [(len(position.moves), position.outcome)]
    moves = (player.choose(position, None),) if position.to_move == seat else position.legal_moves
    return [end for move in moves for end in lines_against(player, seat, position.play(move))]


@pytest.mark.parametrize(
    ("spec", "seat"), [("alphabeta:depth=2", 1), ("alphabeta:depth=2", 0), ("first", 1), ("alphabeta:9", 1)]
)
def test_every_game_is_counted(spec: str, seat: int) -> None:
    """As many games, and as many lost ones, as playing them all one by one; the first listed is a shortest."""
    found = audited(spec, seat)
    ends = lines_against(pg.player_named(spec), seat, TICTACTOE)
    lost = [length for length, utility in ends if utility * (1 - 2 * seat) < 0]
    assert (found.games, found.lost) == (len(ends), len(lost))
    assert [len(loss.moves) for loss in found.losses] == sorted(lost)
    assert found.verdict == ("loses" if lost else "never loses")
    for loss in found.losses:
        assert pg.Position.parse(pg.MNK(), " ".join(loss.moves)).outcome == (1 if seat else -1)


def test_the_wrong_move_and_what_would_have_held() -> None:
    """Depth 2 goes wrong when x takes an edge and the opposite corner; the listed moves hold, by the exact value."""
    loss = audited("alphabeta:depth=2").losses[0]
    assert loss.wrong is not None and loss.moves[loss.wrong - 1] not in loss.held
    before = pg.Position.parse(pg.MNK(), " ".join(loss.moves[: loss.wrong - 1]))
    scores = {
        before.game.move_text(before.state, move): score
        for move, score in [*pg.think(before, every_move=True)][-1].moves
    }
    assert {move for move, score in scores.items() if score.winner is None} == set(loss.held)
    assert scores[loss.moves[loss.wrong - 1]].winner == 0


def test_lots_and_budgets() -> None:
    """A player that draws lots gets no certificate; a budget too small is said honestly; failing is losing."""
    assert audited("random").verdict == "draws lots" and audited("random:seed=1").verdict == "draws lots"
    assert audited("alphabeta:9", budget=50).verdict == "not refuted"
    assert audited("program:true").verdict == "loses"


def test_a_certificate_stands_alone(tmp_path: Path) -> None:
    """It is re-checked without the player; a changed reply, count or verdict is found out."""
    file = tmp_path / "certificate.json"
    write(audited("alphabeta:9"), file)
    assert verify(file).verdict == "never loses"
    document = json.loads(file.read_text(encoding="utf-8"))
    text = next(iter(document["replies"]))
    changes: list[dict[str, object]] = [{"games": 1}, {"verdict": "loses"}, {"replies": {}}]
    changes.append({"replies": document["replies"] | {text: "zz"}})
    for change in changes:
        file.write_text(json.dumps(document | change), encoding="utf-8")
        with pytest.raises(pg.BadInput):
            verify(file)
    file.write_text("{", encoding="utf-8")
    with pytest.raises(pg.BadInput, match="no certificate"):
        verify(file)


def test_a_program_is_audited_and_resumed() -> None:
    """A program over pipes: the same answer as its twin in plyground; known replies are not asked again."""
    command = f"program:{sys.executable} {EXAMPLES / 'first.py'} o x"
    asked: dict[str, str] = {}
    start = pg.Position.parse(pg.MNK(), "")
    part = audit("tictactoe", start, 1, lambda: pg.player_named(command), budget=12, on_reply=asked.__setitem__)
    assert part.verdict in ("not refuted", "loses") and len(asked) == 12
    twin = audited("first")
    known = twin.replies
    whole = audit("tictactoe", start, 1, lambda: pg.player_named("program:false"), known=known)
    assert (whole.games, whole.lost) == (twin.games, twin.lost)
    assert all(known[text] == move for text, move in asked.items())
