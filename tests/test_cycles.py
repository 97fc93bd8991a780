"""Games in which states come again: what a repetition is worth is known to every part, and nothing is valued wrongly.

The twin here plays every game to its end, history and all; where that is too much, values are passed from state to
state until none changes.
"""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import pytest
from cycles import Morris, MorrisState, Walk, WalkState
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tries import tries

import plyground as pg
from plyground.compiled.kernel import Kernel
from plyground.engine.selective import new_thinker
from plyground.engine.thinker import SearchSettings
from plyground.exact.solver import Solver
from plyground.exact.source import MoveRequest
from plyground.exact.sweep import Census, Sweep, TooManyStates
from plyground.microscope.tree import record
from plyground.microscope.why import why
from plyground.players import First
from plyground.score import ESTIMATES, FINAL, Score, final
from plyground.search.algorithm import of_function
from plyground.search.proof import Cycles

# -- what a repetition is ---------------------------------------------------------------------------------------------


def test_a_search_asks_what_the_game_answers() -> None:
    """States that remember those before them hide no optional question from a user's search: noise, check and passes
    are the game's; a pass is the other player's turn, and no repetition.
    """
    seen: dict[str, object] = {}

    def asking(game: Any, observer: Any, state: Any, depth: int) -> tuple[int, int]:
        passed = game.pass_turn(state)
        seen.update(
            noisy=[game.is_noisy(state, move) for move in game.moves(state)],
            forced=game.is_forced(state),
            has=(game.has_noise, game.has_pass),
            turn=(game.to_move(state), game.to_move(passed), game.outcome(passed)),
        )
        return 0, next(game.moves(state))

    for moves in ("e4 d5", "e4 f6 Qh5"):  # a capture is there; check
        here = pg.Position.parse(pg.Chess(), moves)
        chess, state = here.game, here.state
        pg.search(here, of_function(asking, "asking"), 1)
        passed = chess.pass_turn(state)
        assert seen == {
            "noisy": [chess.is_noisy(state, move) for move in chess.moves(state)],
            "forced": chess.is_forced(state),
            "has": (1, 1),
            "turn": (chess.to_move(state), chess.to_move(passed), pg.ONGOING),
        }
        assert any(seen["noisy"]) == (moves == "e4 d5") and seen["forced"] == (moves != "e4 d5")  # type: ignore[arg-type]


@pytest.mark.parametrize(("times", "said"), [(2, "repetition"), (3, "threefold repetition")])
def test_a_game_ends_when_a_state_has_come_so_often(times: int, said: str) -> None:
    """The start counts; nothing can be played then; undoing makes it go on; the words say how it ended."""
    position = pg.Position.initial(Walk(repetition=times))
    for _ in range(times - 1):
        assert position.outcome is None
        position = position.play(0).play(0)
    assert (position.outcome, position.legal_moves, position.result) == (0, (), f"draw by {said}")
    assert position.undo().outcome is None and position.undo().play(0).result == position.result
    assert pg.Position.parse(position.game, "0" + " 0" * len(position.moves)).outcome == 0
    with pytest.raises(pg.BadInput, match=f"The game is over: draw by {said}"):
        position.play(0)


def test_the_rules_come_before_repetition() -> None:
    """A game that ends by its rules ends so, and is not said to end by repetition."""
    position = pg.Position.initial(Walk()).play(0).play(1)
    assert position.outcome == 1 and "repetition" not in position.result


def test_a_match_ends_by_repetition() -> None:
    """The referee asks the position."""
    result = pg.play_match(pg.Position.initial(Walk(repetition=3)), (First(), First()))
    assert (result.utility, result.why, len(result.position.moves)) == (0, "draw by threefold repetition", 4)


@dataclass(frozen=True)
class Shame(Walk):
    """Who brings a state about again has lost."""

    def repetition_value(self, state: WalkState) -> int:
        return 1 if self.to_move(state) == pg.MAX else -1


@dataclass(frozen=True)
class Passing(Walk):
    """A pass leads to some node of the other player, and evaluations mean nothing: judgements are often wrong."""

    def evaluate(self, state: WalkState) -> int:
        return state.node * 77 % 201 - 100

    def pass_turn(self, state: WalkState) -> WalkState:
        for node in range(len(self.owners)):
            if self.owners[node] != self.owners[state.node]:
                return WalkState(node)
        return state


@dataclass(frozen=True)
class Counted(Walk):
    """It is drawn after so many plies, which are counted in the state, and no part of what comes again."""

    def repetition_key(self, state: WalkState) -> WalkState:
        return WalkState(state.node % 10)

    def play(self, state: WalkState, move: int) -> WalkState:
        return WalkState(self.edges[state.node % 10][move] + (state.node // 10 + 1) * 10)

    def moves(self, state: WalkState) -> Any:
        for move in Walk.moves(self, self.repetition_key(state)):
            yield move

    def to_move(self, state: WalkState) -> int:
        return self.owners[state.node % 10]

    def outcome(self, state: WalkState) -> int:
        return 0 if state.node >= 70 else Walk.outcome(self, self.repetition_key(state))


def test_what_comes_again_may_be_a_part_of_the_state() -> None:
    """A counter keeps no game from ending by repetition, for the position, for the engine and for textbook searches."""
    start = pg.Position.initial(Counted(repetition=3))
    assert start.play(0).play(0).play(0).play(0).result == "draw by threefold repetition"
    assert pg.check(start.game, games=5).ok
    for algorithm in ("minimax", "alphabeta", "ordered", "pvs"):
        assert pg.search(start, algorithm, 3).score == Score(0)


# -- random graphs against the twin that plays all games ---------------------------------------------------------------


def truth(position: pg.Position) -> int:
    """The value of a position by all games from it, as the referee would end them."""
    if position.outcome is not None:
        return final(position.outcome, 0)
    best = max if position.to_move == pg.MAX else min
    return best(farther(truth(position.play(move))) for move in position.legal_moves)


def farther(value: int) -> int:
    """A value a ply before."""
    return value - 1 if value >= ESTIMATES else value + 1 if value <= -ESTIMATES else value


def value_of(score: Score) -> int:
    """The value of an exact score with its plies."""
    assert score.utility is not None and not score.bound
    return final(score.utility, score.plies or 0)


@st.composite
def walks(
    draw: st.DrawFn, kind: type[Walk] = Walk, times: tuple[int, ...] = (2, 3), worth: tuple[int, ...] = (0,)
) -> Walk:
    """A random graph of up to six nodes, two moves at each, some of them ends."""
    size = draw(st.integers(2, 6))
    node = st.integers(0, size - 1)
    edges = [(draw(node), draw(node)) if index == 0 or draw(st.booleans()) else (-1, -1) for index in range(size)]
    owners = tuple(draw(st.integers(0, 1)) for _ in range(size))
    ends = tuple(draw(st.integers(-2, 2)) for _ in range(size))
    return kind(tuple(edges), owners, ends, draw(st.sampled_from(times)), draw(st.sampled_from(worth)))


def played(draw: st.DataObject, game: Walk) -> pg.Position:
    """An unfinished position of the game, with the states of up to three plies before it."""
    position = pg.Position.initial(game)
    for _ in range(draw.draw(st.integers(0, 3))):
        after = position.play(draw.draw(st.sampled_from(position.legal_moves)))
        if after.outcome is not None:
            break
        position = after
    return position


@given(walks())
@settings(max_examples=tries(300))
def test_retrograde_analysis_agrees_with_all_games(game: Walk) -> None:
    """Of every state that can come about, taken for the first: who wins, by how much, and in how many plies."""
    sweep = Sweep(pg.Position.initial(game))
    sweep.list()
    sweep.value()
    for node in range(len(game.edges)):
        if WalkState(node) in sweep:
            score = sweep.score(WalkState(node))
            assert score is not None and value_of(score) == truth(pg.Position(game, WalkState(node)))


@given(walks(), st.data())
@settings(max_examples=tries(200), suppress_health_check=[HealthCheck.too_slow])
def test_solving_counts_the_history(game: Walk, data: st.DataObject) -> None:
    """What came before a position may end the game: its value, that of each move, and best play are those of the
    game as it stands."""
    position = played(data, game)
    solution = pg.solve(position)
    assert value_of(solution.score) == truth(position)
    assert {move: value_of(score) for move, score in solution.moves} == {
        move: farther(truth(position.play(move))) for move in position.legal_moves
    }
    line = position
    for move in solution.variation:
        assert farther(truth(line.play(move))) == truth(line)
        line = line.play(move)


KINDS = [walks(), walks(times=(2,), worth=(-1, 1)), walks(Shame, times=(2,)), walks(Passing)]


@pytest.mark.parametrize("every_move", [False, True])
@pytest.mark.parametrize("kind", KINDS, ids=["draw", "worth something", "shame", "passing"])
def test_the_engine_is_never_wrong_where_it_is_certain(kind: st.SearchStrategy[Walk], every_move: bool) -> None:
    """With one table for all depths, in which no value stays that was true on one line only: each score that is exact
    is right, and its plies are; so is who wins, where only that is known."""

    @given(kind, st.data())
    @settings(max_examples=tries(120), suppress_health_check=[HealthCheck.too_slow], database=None)
    def holds(game: Walk, data: st.DataObject) -> None:
        position = played(data, game)
        thinker = new_thinker(position, pg.Limit(), SearchSettings(1, 1, selective=not every_move))
        for report in islice(thinker.reports(16, MoveRequest()), 16):
            for move, score in report.moves:
                right = farther(truth(position.play(move)))
                if score.certain:
                    assert value_of(score) == right, (report, position.history)
                elif score.winner is not None:
                    assert (right > 0) == (score.winner == pg.MAX) and right

    holds()


INTERACTING = [
    Walk(
        ((9, 8), (1, 3), (-1, -1), (8, 4), (2, 9), (2, 11), (10, 4), (-1, -1), (2, 9), (3, 1), (8, 1), (10, 6)),
        (1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1),
        (-1, -1, 1, 1, 0, 1, 1, -1, -1, 0, 0, 1),
        repetition=3,
    ),
    Walk(
        ((0, 6), (6, 7), (1, 9), (8, 1), (3, 1), (2, 2), (4, 8), (-1, -1), (7, 4), (6, 7)),
        (1, 1, 1, 1, 0, 1, 0, 1, 0, 0),
        (-1, 1, -1, 0, 1, -1, 0, -1, 1, 0),
        repetition=3,
    ),
    Shame(((4, 4, 1), (4, 3, 4), (4, 4, 4), (1, 3, 3), (1, 0, 0)), (0, 1, 0, 0, 1), (-1, 1, 1, -1, 1)),
]
"""Graphs in which a search goes wrong that keeps in its table what was true on one line only."""


@pytest.mark.parametrize("game", INTERACTING, ids=["a win missed", "a loss missed", "who repeats loses"])
def test_what_was_true_on_one_line_is_not_kept(game: Walk) -> None:
    """The draw by repetition of one line, or its loss, does not come back on another line through the table."""
    position = pg.Position.initial(game)
    sweep = Sweep(position)
    sweep.list()
    sweep.value()
    right = sweep.score(position.state) or Score.of(truth(position))
    for report in new_thinker(position, pg.Limit(), SearchSettings(1, 1, False)).reports(14, MoveRequest()):
        assert not report.score.exact or report.score.utility == right.utility


@given(walks(Shame, times=(2,)))
@settings(max_examples=tries(200))
def test_what_depends_on_the_line_is_not_told_of_a_state(game: Walk) -> None:
    """Where a repetition is a loss for who brings it about, a sweep tells who wins without one, and no more."""
    sweep = Sweep(pg.Position.initial(game))
    sweep.list()
    sweep.value()
    for node in range(len(game.edges)):
        if WalkState(node) in sweep and (score := sweep.score(WalkState(node))) is not None:
            right = truth(pg.Position(game, WalkState(node)))
            assert (Score.of(right).utility if right else 0) == score.utility


@given(walks(), st.data())
@settings(max_examples=tries(100), suppress_health_check=[HealthCheck.too_slow])
def test_textbook_searches_see_a_repetition(game: Walk, data: st.DataObject) -> None:
    """So deep that every line ends, they find the value of the position as it stands, but not of a threefold one."""
    position = played(data, replace(game, repetition=2))
    for algorithm in ("minimax", "alphabeta", "ordered"):
        assert value_of(pg.search(position, algorithm, 8).score) == truth(position)


# -- Three Men's Morris, whole -----------------------------------------------------------------------------------------


def passed_on(game: Morris) -> dict[MorrisState, int]:
    """The value of every state: each takes the best of those after it, again and again until none changes."""
    first = game.initial()
    after: dict[MorrisState, list[MorrisState]] = {}
    left = [first]
    while left:
        state = left.pop()
        if state not in after:
            over = game.outcome(state) != pg.ONGOING
            after[state] = [] if over else [game.play(state, move) for move in game.moves(state)]
            left += after[state]
    values = {state: 0 if following else final(game.outcome(state), 0) for state, following in after.items()}
    while True:
        best = {
            state: (max, min)[state.turn](farther(values[child]) for child in following) if following else values[state]
            for state, following in after.items()
        }
        if best == values:
            return values
        values = best


@pytest.mark.parametrize("placed", [True, False])
def test_three_mens_morris_whole(placed: bool) -> None:
    """All states, each with its value, as values passed on from state to state say; and the counts of them."""
    game = Morris(placed=placed)
    right = passed_on(game)
    sweep = Sweep(pg.Position.initial(game), reduced=False)
    sweep.list()
    sweep.value()
    found = {state: sweep.score(state) for state in right}
    assert {state: value_of(score) for state, score in found.items() if score} == right
    x, o = sum(value > 0 for value in right.values()), sum(value < 0 for value in right.values())
    longest = max(-abs(value) % FINAL for value in right.values())
    assert sweep.census() == Census(len(right), x, o, len(right) - x - o, longest)


def test_all_states_of_tic_tac_toe_are_listed() -> None:
    """5,478, as is published, and with the known values: a game that cannot cycle is a game like any other."""
    game = pg.MNK(3, 3, 3)
    sweep = Sweep(pg.Position.initial(game), reduced=False)
    sweep.list()
    sweep.value()
    assert sweep.census().states == 5478 and sweep.score(game.initial()) == Score(0)
    won = sweep.score(pg.Position.parse(game, "a1 a2 b2").state)
    assert won is not None and (won.utility, won.plies) == (1, 4)


# -- who uses it ------------------------------------------------------------------------------------------------------

WON = pg.Position.initial(Morris(placed=True))


def test_perfect_wins_and_the_engine_knows() -> None:
    """The perfect player wins what is won, in as many plies as it has to; thinking tells every move for certain."""
    report = [*pg.think(WON, pg.Limit(time=60), every_move=True)][-1]  # a quarter of it is for listing all states
    assert report.certain and {score.text() for _, score in report.moves} == {"x wins in 5 plies", "draw"}
    result = pg.play_match(WON, (pg.player_named("perfect"), pg.player_named("perfect")))
    assert result.utility == 1 and len(result.position.moves) == 5


def test_monte_carlo_search_ends_in_a_game_that_cycles() -> None:
    """Its tree ends where a state comes again, and its games at a number of plies; what it is certain of is right."""
    assert pg.simulate(WON, pg.Limit(nodes=2_000)).score.winner == pg.MAX
    never = pg.Position.initial(Walk(((1, 1), (0, 0), (-1, -1))))
    assert pg.simulate(never, pg.Limit(nodes=50)).score == Score(0)
    endless = pg.Position.initial(Morris())
    assert pg.simulate(endless, pg.Limit(nodes=200)).score.share is not None


def test_a_recorded_search_shows_a_repetition_as_a_leaf() -> None:
    """With what it is worth, and why."""
    tree = record(pg.Position.initial(Walk()), "minimax", 3)
    leaf = tree.node_at("0 0")
    assert (tree.kind[leaf], tree.value[leaf]) == ("leaf", 0)
    assert why(tree, leaf) == "The game is over: draw by repetition."
    tree = record(pg.Position.initial(Walk(repetition=3)), "minimax", 4)
    twice = [node for node in range(len(tree.kind)) if tree.kind[node] == "leaf" and "come before" in why(tree, node)]
    assert twice and all(tree.value[node] == 0 for node in twice)


def test_proof_number_search_says_what_it_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one sentence that names what can, before anything is compiled for it."""
    monkeypatch.setattr(Kernel, "prepare", lambda *_: pytest.fail("it compiles first"))
    with pytest.raises(Cycles, match="solve and pvs"):
        pg.search(WON, "proof")


def test_too_many_states_are_one_sentence_and_solving_goes_on(tmp_path: Any) -> None:
    """With how many there was room for; what was listed is kept, and taken up with more room."""
    solver = Solver(pg.Position.initial(Morris()), table=1)
    with pytest.raises(TooManyStates, match=r"more than [0-9,]+ states, which is what 1 MiB hold"):
        solver.solve()
    file = tmp_path / "kept.bin"
    solver.keep(file)
    other = Solver(pg.Position.initial(Morris()), table=64)
    assert other.take_up(file) and 0 < other.nodes == solver.nodes
    solution = other.solve()
    assert solution.score == Score(0) and solution.census and solution.census.states == other.nodes == 5466


def test_where_all_states_are_too_many_fewer_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of those that are the same under symmetry: of Three Men's Morris, which x wins from the centre."""
    monkeypatch.setattr("plyground.exact.sweep._sweeps", {})
    start = pg.Position.initial(pg.game_named("threemorris"))
    fewer, whole = Solver(start, table=1).solve(), pg.solve(start)
    assert (whole.reduced, fewer.reduced) == (False, True)
    assert whole.score == fewer.score == Score(1, plies=9) and whole.moves == fewer.moves
    assert fewer.census and whole.census and fewer.census.states < whole.census.states == 5390


@pytest.mark.compiled
def test_king_and_rook_win_in_sixteen_moves() -> None:
    """At the most, as Ströhlein found in 1970: with the lone king to move, 32 plies."""
    position = pg.Position.parse(pg.game_named("chess"), "8/8/8/8/8/2k5/8/K6R_w_-_-_0_1")
    sweep = Sweep(position, reduced=True)
    sweep.list()
    sweep.value()
    census = sweep.census()
    assert (census.o, census.longest) == (0, 32)
