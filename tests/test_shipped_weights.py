"""Weights that are shipped: what they are, that they are of today's rules, and the players that use them."""

import json
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
from plyground.exact.book import book_of
from plyground.exact.sweep import small_sweep
from plyground.games import AnyGame, game_named
from plyground.learning.learned_rules import Learned
from plyground.learning.network import network_of
from plyground.learning.shipped_weights import LEARNED, OWN, SHIPPED_WEIGHTS, shipped_file, shipped_weights
from plyground.learning.weights_file import playouts_hash
from plyground.players import HARMLESS, PLAYERS
from plyground.protocols.dialogue import Budget
from plyground.protocols.engine_side import Answerer
from plyground.rules import own_rules
from plyground.search.evaluations import evaluations
from plyground.search.memory import new_memory, write_state
from plyground.search.observer import Counting
from plyground.spec import Family
from plyground.web.views.models import Named
from plyground.web.views.module_facts import module
from plyground.web.views.positions import menu

MOST = 120_000
"""Bytes of a file, at most: a published page grows by about as many."""
ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-c", "from plyground.__main__ import main; main()"]


@pytest.mark.compiled
@pytest.mark.parametrize("spec", SHIPPED_WEIGHTS)
def test_shipped_weights_are_of_the_rules_as_they_are(spec: str) -> None:
    """A change of rules, board or evaluation would ship stale weights; so would one of the network's shape. What is
    shipped won its test, and the documents say how to make it again."""
    game, weights = game_named(spec), shipped_weights(game_named(spec))
    assert weights.game == spec and weights.made["playouts"] == playouts_hash(game)
    assert weights.network == network_of(game, large="--large" in weights.made["command"])
    assert weights.strength["decision"] == "H1" and weights.strength["interval"][0] > 0
    assert weights.made["command"] in (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")


def test_shipped_weights_are_small() -> None:
    """Each of them; and the folder has no file that the list lacks."""
    folder = ROOT / "plyground" / "data" / "weights"
    assert sorted(each.name for each in folder.iterdir()) == sorted(shipped_file(spec).name for spec in SHIPPED_WEIGHTS)
    assert max(each.stat().st_size for each in folder.iterdir()) <= MOST


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
@pytest.mark.parametrize("spec", SHIPPED_WEIGHTS)
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
    spec = SHIPPED_WEIGHTS[0]
    position, learned = pg.Position.initial(spec), Learned[Any](spec)
    player = family.make("engine:nodes=300,eval=learned")
    assert player.choose(position, None) == family.make("engine:nodes=300").choose(position.under(learned), None)
    assert player.name == "engine:nodes=300,eval=learned"
    assert pickle.loads(pickle.dumps(learned)) == learned and len(pickle.dumps(learned)) < 100_000
    for other in ("tictactoe", "connectfour:5,4,3"):
        with pytest.raises(BadInput, match=f"^No learned evaluation is shipped for .* but for {SHIPPED_WEIGHTS[0]}"):
            player.choose(pg.Position.initial(other), None)


@pytest.mark.parametrize("family", [PLAYERS, HARMLESS], ids=["anybody", "a visitor"])
def test_the_engine_searches_by_them_unless_told_otherwise(family: Family[pg.Player]) -> None:
    """In games that have some; levels and textbook searches keep the game's own evaluation, and `eval=own` names it."""

    def chosen(player: str, position: pg.Position) -> tuple[int, pg.Score]:
        found = family.make(player)
        if reports := [*found.think(position, None)]:
            return reports[-1].move, reports[-1].score
        move, evaluation = found.choose(position, None), found.move_evaluation
        assert evaluation is not None
        return move, evaluation.score

    here = pg.Position.initial("kalah")
    learned = here.under(Learned("kalah"))
    of_engine = chosen("engine:nodes=300", here)
    assert of_engine == chosen("engine:nodes=300,eval=learned", here) == chosen("engine:nodes=300", learned)
    assert of_engine[1] != chosen("engine:nodes=300,eval=own", here)[1]
    assert chosen("engine:nodes=300,eval=own", learned) == chosen("engine:nodes=300,eval=own", here)
    for player in ("alphabeta:3", "level:best,nodes=300,seed=1"):
        assert chosen(player, here) == chosen(f"{player},eval=own", here) != chosen(f"{player},eval=learned", here)
    smaller = pg.Position.initial("kalah:4,3")
    assert chosen("engine:nodes=300", smaller) == chosen("engine:nodes=300,eval=own", smaller)


def test_programs_of_the_field_get_the_same_engine() -> None:
    """As UCI's side and the others have it, where no file of weights is named, with its own evaluation if that is."""
    found: dict[str, pg.Score] = {}
    for evaluation in ("", LEARNED, OWN):
        mind, reports = Answerer(PLAYERS.make, evaluation=evaluation), list[pg.Report]()
        mind.choose(pg.Position.initial("breakthrough"), Budget(nodes=200), on_report=reports.append)
        found[evaluation] = reports[-1].score
    assert found[""] == found[LEARNED] != found[OWN]


def test_what_is_known_exactly_is_known_under_any_evaluation() -> None:
    """The opening book of Connect Four has the rules, whatever the evaluation; and states are listed once for all."""
    here = pg.Position.initial("connectfour")
    known = book_of(here)
    assert known is not None and book_of(here.under(Learned("connectfour"))) is known
    assert own_rules(Learned("connectfour")) == here.game == own_rules(here.game)
    *_, report = pg.think(here.under(Learned("connectfour")), pg.Limit(time=1))
    assert report.score == pg.Score(1, 41)
    end = pg.Position.starting("draughts", "W:WK1:BK32")
    listed = small_sweep(end, 60)
    assert listed is not None and small_sweep(end.under(Learned("draughts")), 60) is listed


def test_the_page_names_a_player_without_them() -> None:
    """Among all kinds of players, with the games; a visitor may choose it, or say what is usual."""
    titles = {each.spec: each.title for each in menu().kinds}
    assert all(spec in titles["engine:eval=own"] for spec in SHIPPED_WEIGHTS)
    for evaluation in (OWN, LEARNED):
        name = f"engine:eval={evaluation}"
        assert HARMLESS.make(name).name == f"engine:time=1,eval={evaluation}"


@pytest.mark.compiled
@pytest.mark.process
@pytest.mark.parametrize(("game", "players"), [("kalah", ["engine"]), ("tictactoe", [])])
def test_a_page_asks_the_server_for_replies_by_them(game: str, players: list[str]) -> None:
    """A module has the game's own evaluation, so its facts say that the engine of the server is another."""
    (found,) = module(Named(game=game))
    facts = found.code[found.code.rindex(b"facts{") + len("facts") :]
    assert json.loads(facts).get("elsewhere", []) == players


@pytest.mark.process
def test_a_game_without_shipped_weights_is_refused_in_a_sentence() -> None:
    """On the command line, with exit code 2."""
    words = [*COMMAND, "play", "tictactoe", "--x", "engine:depth=1,eval=learned", "--o", "random", "--json"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=LIMIT, check=False)
    assert done.returncode == 2 and "No learned evaluation is shipped" in done.stderr and "Traceback" not in done.stderr
