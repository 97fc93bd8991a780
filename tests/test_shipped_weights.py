"""Weights that are shipped: what they are, that they are of today's rules, and the players that use them."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from games import random_states
from waiting import LIMIT

import plyground as pg
from plyground.board.bits import flat
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.learning.learned import Learned
from plyground.learning.network import network_of
from plyground.learning.shipped import SHIPPED, shipped_file, shipped_weights
from plyground.learning.weights_file import playouts_hash
from plyground.players import HARMLESS, PLAYERS
from plyground.search.evaluations import evaluations
from plyground.search.memory import new_memory, write_state
from plyground.search.observer import Counting
from plyground.spec import Family
from plyground.web.views.positions import menu

MOST = 2 << 20
"""Bytes of all files together, at most."""
ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-c", "from plyground.__main__ import main; main()"]


@pytest.mark.compiled
@pytest.mark.parametrize("spec", SHIPPED)
def test_shipped_weights_are_of_the_rules_as_they_are(spec: str) -> None:
    """A change of rules, board or evaluation would ship stale weights; so would one of the network's shape. What is
    shipped won its test, and the documents say how to make it again."""
    game, weights = game_named(spec), shipped_weights(game_named(spec))
    assert weights.game == spec and weights.made["playouts"] == playouts_hash(game)
    assert weights.network == network_of(game)
    assert weights.strength["decision"] == "H1" and weights.strength["interval"][0] > 0
    assert weights.made["command"] in (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")


def test_shipped_weights_are_small() -> None:
    """All together; and the folder has no file that the list lacks."""
    folder = ROOT / "plyground" / "data" / "weights"
    assert sorted(each.name for each in folder.iterdir()) == sorted(shipped_file(spec).name for spec in SHIPPED)
    assert sum(each.stat().st_size for each in folder.iterdir()) <= MOST


def test_a_changed_rule_has_another_hash() -> None:
    """Also a changed evaluation alone."""
    game = game_named("connectfour:5,4,3")

    class Other(type(game)):  # type: ignore[misc]
        """The game with another evaluation."""

        def evaluate(self, state: Any) -> int:
            """One point more."""
            return int(super().evaluate(state)) + 1

    hashes = [playouts_hash(each) for each in (game, game_named("connectfour:5,4,4"), Other(5, 4, 3))]
    assert len(set(hashes)) == 3 and playouts_hash(game_named("connectfour:5,4,3")) == hashes[0]


@pytest.mark.compiled
@pytest.mark.parametrize("spec", SHIPPED)
def test_shipped_weights_evaluate_the_same_at_both_speeds(spec: str) -> None:
    """Positions of random games."""
    learned: AnyGame = Learned(spec)
    states = random_states(learned, 100)
    width = len(flat(states[0]))
    words, values = new_memory(width * len(states)), new_memory(len(states))
    for place, state in enumerate(states):
        write_state(words, width * place, state)
    run = kernel(evaluations, learned)
    run(Counting.fresh(), states[0], words, values, len(states))
    assert run.why_plain is None
    assert list(values) == [learned.evaluate(state) for state in states] and len(set(values)) > 50


@pytest.mark.parametrize("family", [PLAYERS, HARMLESS], ids=["anybody", "a visitor"])
def test_players_search_by_the_shipped_weights(family: Family[pg.Player]) -> None:
    """The move is that of a search of `Learned`; a game without shipped weights is refused, with a list of those that
    have some."""
    spec = SHIPPED[0]
    position, learned = pg.Position.initial(spec), Learned[Any](spec)
    player = family.named("engine:nodes=300,eval=learned")
    assert player.choose(position, None) == family.named("engine:nodes=300").choose(position.under(learned), None)
    assert player.name == "engine:nodes=300,eval=learned"
    assert pickle.loads(pickle.dumps(learned)) == learned and len(pickle.dumps(learned)) < 100_000
    for other in ("tictactoe", "connectfour:5,4,3"):
        with pytest.raises(BadInput, match=f"^No learned evaluation is shipped for .* but for {SHIPPED[0]}"):
            player.choose(pg.Position.initial(other), None)


def test_the_page_names_a_player_with_them() -> None:
    """Among all kinds of players, with the games; a visitor may choose it."""
    titles = {each.spec: each.title for each in menu().kinds}
    assert all(spec in titles["engine:eval=learned"] for spec in SHIPPED)
    assert HARMLESS.named("engine:eval=learned").name == "engine:time=1,eval=learned"


@pytest.mark.process
def test_a_game_without_shipped_weights_is_refused_in_a_sentence() -> None:
    """On the command line, with exit code 2."""
    words = [*COMMAND, "play", "tictactoe", "--x", "engine:depth=1,eval=learned", "--o", "random", "--json"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=LIMIT, check=False)
    assert done.returncode == 2 and "No learned evaluation is shipped" in done.stderr and "Traceback" not in done.stderr
