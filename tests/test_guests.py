"""Games of OpenSpiel's as ours, ours as games of OpenSpiel and of PettingZoo, and two games held against each other."""

import asyncio
import importlib.util
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from programs import installed, played

import plyground as pg
from plyground.board.bits import size
from plyground.board.signs import signs
from plyground.engine.run import search
from plyground.errors import BadInput
from plyground.games.mnk import MNKState
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.operations import BY_NAME
from plyground.web.services import Services
from plyground.workers.fair_queue import Asker

JAVA = Path(__file__).resolve().parent.parent / "examples" / "java"
HAS_OPENSPIEL = importlib.util.find_spec("pyspiel") is not None
needs_openspiel = pytest.mark.skipif(not HAS_OPENSPIEL, reason="OpenSpiel has no wheels for this system")

GUESTS = [
    ("tictactoe", "tic_tac_toe"),
    ("connectfour", "connect_four"),
    ("breakthrough:6,6", "breakthrough(rows=6,columns=6)"),
    ("hex:5", "hex(board_size=5)"),
    pytest.param("reversi:8", "othello", marks=pytest.mark.nightly),  # it takes three seconds
]


@needs_openspiel
@pytest.mark.parametrize(("ours", "theirs"), GUESTS)
def test_two_implementations_agree(ours: str, theirs: str) -> None:
    """Ours and OpenSpiel's: the same numbers of games, moves, turns and ends."""
    found = pg.hold_against(pg.game_named(ours), pg.game_named(f"openspiel:{theirs}"), games=2)
    assert found.ok, found.difference
    assert found.games == 2 and len(found.perft) >= 3 and found.plies > 10


@needs_openspiel
@pytest.mark.parametrize("theirs", ["tic_tac_toe", "connect_four", "hex(board_size=5)", "othello", "nine_mens_morris"])
def test_a_guest_keeps_the_laws(theirs: str) -> None:
    """It is a game like any other, and is said to run plain."""
    game = pg.game_named(f"openspiel:{theirs}")
    verdict = pg.check(game, games=1)
    assert verdict.ok and not verdict.compiled, verdict.faults
    here = pg.Position.initial(game).play(next(iter(game.moves(game.initial()))))
    assert pg.Position.parse(game, here.text).state == here.state
    assert pg.Position.parse(game, here.history).state == here.state


@pytest.mark.compiled
@needs_openspiel
def test_a_guest_is_searched_plain_and_says_so() -> None:
    """As any game without a compiled form."""
    report = search(pg.Position.initial(pg.game_named("openspiel:tic_tac_toe")), "alphabeta", 4)
    assert report.why_plain and "OpenSpiel" in report.why_plain


@needs_openspiel
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("kuhn_poker", "there is chance"),
        ("goofspiel", "players move at the same time"),
        ("nonsense", "has no game 'nonsense'"),
        ("breakthrough(cols=6)", "Unknown parameter 'cols'"),
    ],
)
def test_what_cannot_be_a_guest(name: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Is said in one sentence, and OpenSpiel's own is not beside it."""
    with pytest.raises(pg.BadInput, match=said.replace("(", r"\(")):
        pg.game_named(f"openspiel:{name}")
    assert capfd.readouterr().err == ""


@dataclass(frozen=True)
class OneMore(pg.MNK):
    """Tic-tac-toe in which a corner counts for nobody: the game goes on where it should end."""

    def outcome(self, state: object) -> int:
        ends = super().outcome(state)  # type: ignore[arg-type]
        return pg.ONGOING if ends == 1 and self.text(state)[0] == "x" and list(self.moves(state)) else ends  # type: ignore[arg-type]


def test_the_first_difference_is_said() -> None:
    """With the moves that lead to it, and what each game says."""
    found = pg.hold_against(pg.MNK(), OneMore(), names=("right", "wrong"), games=50)
    assert not found.ok and "After " in found.difference
    assert "right ends with 1, and wrong goes on" in found.difference
    fewer = pg.hold_against(pg.MNK(3, 3, 3), pg.MNK(3, 4, 3), names=("small", "large"))
    assert fewer.difference.startswith("perft 1 is 9 in small and 12 in large")
    assert "d1, d2, d3 only in large" in fewer.difference


SCRAMBLED = (5, 0, 2, 1, 6, 4)
"""Our moves, at the places of theirs."""


class Scrambled(pg.MNK):
    """Tic-tac-toe with other names, other numbers and another order of moves, and by default the same rules."""

    def moves(self, state: MNKState) -> Iterator[int]:
        free = set(super().moves(state))
        yield from (100 + place for place, cell in enumerate(SCRAMBLED) if cell in free)

    def play(self, state: MNKState, move: int) -> MNKState:
        return super().play(state, SCRAMBLED[move - 100])

    def move_signs(self, state: MNKState, move: int) -> Iterator[int]:
        yield from signs(f"m{move}")


class ScrambledTwice(Scrambled):
    """The same, but who has begun moves twice."""

    def to_move(self, state: MNKState) -> int:
        return 0 if sum(map(size, (state.mine, state.theirs))) == 1 else super().to_move(state)


def test_moves_are_matched_by_the_positions_they_lead_to() -> None:
    """Without names that fit, equal games agree and different ones do not."""
    found = pg.hold_against(pg.MNK(2, 3, 2), Scrambled(2, 3, 2), games=1)
    assert found.ok and found.by == "positions" and found.games == 1, found.difference
    other = pg.hold_against(pg.MNK(2, 3, 2), ScrambledTwice(2, 3, 2), games=1, by="positions")
    assert not other.ok and "moves matched by positions" in other.difference


@pytest.mark.nightly
@needs_openspiel
def test_a_chain_of_jumps_may_be_several_moves() -> None:
    """Checkers there and draughts here have the same perft counts by turns; no rule is blamed for the names."""
    found = pg.hold_against(pg.game_named("draughts"), pg.game_named("openspiel:checkers"), games=1)
    assert found.ok and found.perft[-1] == (7361, 7361)


@pytest.mark.nightly
@needs_openspiel
@pytest.mark.parametrize(
    ("ours", "theirs"), [("chess", "chess"), ("morris", "nine_mens_morris"), ("pentago", "pentago")]
)
def test_no_rule_is_blamed_for_its_notation(ours: str, theirs: str) -> None:
    """Games whose notations differ agree, or could not be compared but by perft."""
    found = pg.hold_against(pg.game_named(ours), pg.game_named(f"openspiel:{theirs}"), games=1)
    assert found.ok and found.plies, found.difference


def test_who_begins_and_how_moves_are_written_may_differ() -> None:
    """The same game by another player first, by the order of its moves, or by a function of one's own."""
    other = pg.MNK(first="o")
    assert pg.hold_against(pg.MNK(), other, games=5).ok
    for by in ("order", "number", lambda text: text.upper()):
        assert pg.hold_against(pg.MNK(), other, games=5, by=by).ok
    with pytest.raises(pg.BadInput, match="by text, mirror, number, order, positions"):
        pg.hold_against(pg.MNK(), other, by="sense")


# -- ours as theirs, by their own conformance tests -------------------------------------------------------------------

OURS = ["tictactoe", "connectfour:5,4", "kalah:3,2", "threemorris"]


@needs_openspiel
@pytest.mark.parametrize("name", OURS)
def test_openspiel_takes_our_games(name: str) -> None:
    """OpenSpiel's own test plays them at random, copies, undoes by replaying, and asks for all that it may ask."""
    import pyspiel

    from plyground.interop.openspiel import openspiel_game

    pyspiel.random_sim_test(openspiel_game(name), num_sims=3, serialize=False, verbose=False)
    by_name = pyspiel.load_game(f"plyground(game={name.replace(',', ';')})")
    state = by_name.new_initial_state()
    assert not state.is_terminal() and state.legal_actions() == sorted(
        pg.Position.initial(pg.game_named(name)).legal_moves
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", OURS)
def test_pettingzoo_takes_our_games(name: str) -> None:
    """PettingZoo's own test of an environment whose agents take turns."""
    pettingzoo_test = pytest.importorskip("pettingzoo.test", reason="PettingZoo is not made for this Python")
    from plyground.interop.pettingzoo import environment

    pettingzoo_test.api_test(environment(pg.game_named(name)), num_cycles=200)
    env = environment(pg.game_named(name), render_mode="ansi")
    env.reset()
    assert env.render() == pg.Position.initial(pg.game_named(name)).text
    with pytest.raises(pg.BadInput, match="action_mask"):
        env.step(-1)


@pytest.mark.process
def test_rules_and_a_player_in_java() -> None:
    """The example's rules are those of Connect Four by name, and its program plays a game by UGI."""
    installed("java")
    found = pg.hold_against(pg.game_named("connectfour:4,4,3"), pg.game_named(f"{JAVA / 'guest.py'}:Guest"), games=2)
    assert found.ok and len(found.perft) >= 3, found.difference
    result = played(f"ugi:java {JAVA / 'Guest.java'}", "alphabeta:depth=4", "connectfour:4,4,3")
    assert result.fault is None and result.utility is not None, result.why


def test_a_server_has_no_guests() -> None:
    """A visitor could name one that takes all memory or reads a file, as a game, or in a text that names its game."""

    async def ask(op: str, **args: object) -> None:
        with closing(Services(SavedGames(GameStore("sqlite://")))) as services:
            await BY_NAME[op].last(services, BY_NAME[op].args.model_validate(args), Asker())

    guest = "openspiel:mnk(m=100000,n=100000,k=3)"
    for op, args in (
        ("create", {"game": guest}),
        ("position", {"game": f" {guest}"}),
        ("record", {"game": "tictactoe", "text": f'[Game "{guest}"]\n\n1. b2 *'}),
    ):
        with pytest.raises(BadInput, match="games of other libraries are for commands"):
            asyncio.run(ask(op, **args))
