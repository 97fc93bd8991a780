"""No face says a false word: sentences, marks and verdicts of terminal, page and review against the exact values."""

import random
import re
from typing import Any

import pytest
from games import games, random_position
from tries import tries

import plyground as pg
from plyground.engine.review import ReviewedMove
from plyground.engine.review import review as reviewed
from plyground.engine.run import search, simulate
from plyground.exact.solver import solve
from plyground.play.player import Quit
from plyground.score import FINAL, Score, best_of, final, judge_move
from plyground.terminal.human import Human
from plyground.terminal.verbs.thinking import analyse
from plyground.web.views import models, positions

SLOW = {"threemorris"}
"""Games that plain Python would take seconds for."""
GAMES = [
    pytest.param("tictactoe", marks=pytest.mark.compiled, id="tictactoe compiled"),  # the others run plain
    *(pytest.param(name, marks=pytest.mark.compiled if name in SLOW else ()) for name in games("late")),
]
MOST_STATES = 400
"""Random games are looked at from where no more can follow."""
MOST_THAT_CYCLE = 4_000
"""The same where states come again: in Three Men's Morris, a state leads to most others once the men stand."""

LONGEST_END = 5
"""Plies of a random game that are looked at where states come again: after each of them all are valued anew."""


class Truth:
    """The slow, obvious twin: what every state is worth, by minimax over every line."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self._known: dict[Any, int] = {}

    def of(self, position: pg.Position) -> int:
        """What a position is worth as the game stands."""
        return self._cycling(position) if self.game.repetition else self.value(position.state)

    def value(self, state: Any) -> int:
        """On the scale of `score.py`, plies counted from the state, in a game in which none comes again."""
        if state not in self._known:
            utility = self.game.outcome(state)
            if utility != pg.ONGOING:
                return final(utility, 0)
            if len(self._known) > MOST_STATES:
                raise TooMany
            values = [self.value(self.game.play(state, move)) for move in self.game.moves(state)]
            best = max(values) if self.game.to_move(state) == pg.MAX else min(values)
            self._known[state] = farther(best)
        return self._known[state]

    def _cycling(self, position: pg.Position) -> int:
        """Where states come again, which is a draw, by what has come before too."""
        if position.outcome is not None:
            return final(position.outcome, 0)
        drawn, best = position.last_times(), (max, min)[position.to_move]
        after = [position.play(move).state for move in position.legal_moves]
        if any((state, drawn) not in self._known for state in after):
            self._pass_on(list(after), drawn)
        return best(farther(self._known[state, drawn]) for state in after)

    def _pass_on(self, left: list[Any], drawn: tuple[Any, ...]) -> None:
        """Each state takes the best of those after it, again and again until none changes; some are drawn ends."""
        after: dict[Any, list[Any]] = {}
        values: dict[Any, int] = {}
        while left:
            state = left.pop()
            if state not in after:
                utility = self.game.outcome(state)
                values[state] = 0 if utility == pg.ONGOING else final(utility, 0)
                ends = utility != pg.ONGOING or self.game.repetition_key(state) in drawn
                after[state] = [] if ends else [self.game.play(state, move) for move in self.game.moves(state)]
                left += after[state]
            if len(after) > MOST_THAT_CYCLE:
                raise TooMany
        changed = True
        while changed:
            best = {
                state: (max, min)[self.game.to_move(state)](farther(values[each]) for each in following)
                for state, following in after.items()
                if following
            }
            changed = any(values[state] != value for state, value in best.items())
            values |= best
        self._known |= {(state, drawn): value for state, value in values.items()}

    def of_move(self, position: pg.Position, move: int) -> int:
        """What a move is worth, plies counted from before it."""
        return farther(self.of(position.play(move)))


def farther(value: int) -> int:
    """A value a ply before."""
    return value - _sign(value)


class TooMany(Exception):
    """The position is not late enough."""


def utility_of(value: int) -> int:
    """For x."""
    return round(value / FINAL)


ESTIMATE = re.compile(r"\(estimate\)$|of simulations$| \d+ %(?: \((?:[+-][\d.]+|0|0\.0) \w+\))?$")


def is_true(text: str, value: int, names: tuple[str, str] = ("x", "o"), *, sure: bool = False) -> bool:
    """Whether a sentence on sides of these names holds of a value; a `sure` one leaves nothing open but the plies."""
    if ESTIMATE.search(text):
        return not sure
    utility = utility_of(value)
    if text == "draw":
        return utility == 0
    sides = "|".join(map(re.escape, names))
    said = re.fullmatch(rf"({sides}) (?:wins|has won)(?: by (\d+)( or more)?)?(?: in (\d+) pl(?:y|ies))?", text)
    assert said, text
    winner, margin, more, plies = said.groups()
    won = utility if winner == names[0] else -utility
    if plies and int(plies) != abs(utility) * FINAL - abs(value):
        return False
    if more:
        return not sure and won >= int(margin)
    return won == int(margin or 1) or (won >= 1 and not (sure or margin or plies))


def late_games(name: str, games: int, seed: int) -> list[tuple[Truth, pg.Position]]:
    """Ends of random games, as far back as everything that can follow is known."""
    found = []
    truth = Truth(pg.game_named(name))
    for game in range(games):
        chance = random.Random(f"{name} {game + seed}")
        position = random_position(truth.game, chance)
        steps = list(position.steps())
        first = len(steps) - 1
        while first > max(0, len(position.moves) - LONGEST_END if truth.game.repetition else 0):
            try:
                truth.of(pg.Position(truth.game, steps[first - 1].state))
            except TooMany:
                break
            first -= 1
        found.append((truth, pg.Position(truth.game, steps[first].state, position.moves[first:])))
    return found


def expected(before: int, after: int) -> str:
    """The verdict on a move, by the values before and after it for who made it."""
    had, has = utility_of(before), utility_of(after)

    def end(utility: int) -> str:
        word = "win" if utility > 0 else "loss" if utility else "draw"
        return word + (f" by {abs(utility)}" if abs(utility) > 1 else "")

    assert has <= had
    if has == had:
        return "best" if farther(after) == before else "good" if had > 0 else "loses sooner"
    if had > 0 >= has:
        return f"blunder: gave away the {end(had)} for a {end(has)}"
    if had == 0:
        return "blunder: gave away the draw" + (f" for a {end(has)}" if has < -1 else "")
    return f"inaccuracy: gave away {had - has}: a {end(had).split()[0]} by {abs(has)}, not by {abs(had)}"


def at(name: str, position: pg.Position) -> dict[str, Any]:
    """The position as the page asks for it."""
    steps = list(position.steps())
    moves = [step.game.move_text(step.state, move) for step, move in zip(steps, position.moves, strict=False)]
    return {"game": name, "start": position.game.text(position.start), "moves": moves}


@pytest.mark.parametrize("name", GAMES)
def test_every_sentence_is_true(name: str, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """In random games: the review of each, and in some of its positions the terminal's and the page's analysis, the
    hint, and what every algorithm says, each with what it may leave open; moves marked best are those that are best.
    """
    chance = random.Random(f"{name} {seed}")
    for truth, end in late_games(name, 1 if pg.game_named(name).repetition else tries(4), seed):
        steps = list(end.steps())
        if len(steps) == 1:  # no move to review, and no move to make
            continue
        values = [truth.of(step) for step in steps]
        review = [*positions.review(positions.Reviewed(**at(name, end), seconds=60, known={}))][-1].steps
        assert [step.verdict for step in review[1:]] == [
            expected(*(side * value for value in values[ply - 1 : ply + 1]))
            if len(steps[ply - 1].legal_moves) > 1
            else "only move"
            for ply in range(1, len(steps))
            for side in [1 if steps[ply - 1].to_move == pg.MAX else -1]
        ]
        assert all(
            is_true(step.score.text, value, end.game.names, sure=True)
            for step, value in zip(review, values, strict=True)
        )
        for nodes in (30, 3_000):
            for each in [*reviewed(end, nodes=nodes)][-1].moves.values():
                _sentence(truth, each)
        for place in chance.sample(range(len(steps) - 1), min(tries(4), len(steps) - 1)):
            here, value = steps[place], values[place]
            here = pg.Position(here.game, here.state)
            side = 1 if here.to_move == pg.MAX else -1
            worth = {here.game.move_text(here.state, move): truth.of_move(here, move) for move in here.legal_moves}
            best = {
                move for move, ahead in worth.items() if side * ahead == max(side * each for each in worth.values())
            }
            _terminal(name, here, value, worth, best, capsys)
            _page(name, here, value, worth, best)
            _searches(here, value)


NOW = re.compile(r"Now (.+?) \((proved|searched to depth \d+)\)")
BETTER = re.compile(r"Better (\S+): (.+?) \((proved|searched to depth \d+)\)")


def _sentence(truth: Truth, each: ReviewedMove) -> None:
    """What a review says is proved holds, however few nodes it had; a move that is no worse than any loses nothing."""
    here, names = each.before, each.before.game.names
    side = 1 if each.mover == pg.MAX else -1
    value, after = truth.of(here), truth.of(here.play(each.move))
    said, verdict = each.sentence, each.verdict
    for text, how in NOW.findall(said):
        assert how != "proved" or is_true(text, after, names), said
    for move, text, how in BETTER.findall(said):
        assert how != "proved" or is_true(text, truth.of_move(here, here.legal(move)), names), said
    if verdict.exact and verdict.kind == "gave":
        assert side * utility_of(after) < side * utility_of(value), said
    if verdict.kind == "allowed":
        assert side * after < 0, said
    if verdict.kind == "missed":
        assert side * value > 0, said
    if each.is_forced:
        assert verdict.grade == "only" and len(here.legal_moves) == 1


def _terminal(
    name: str,
    here: pg.Position,
    value: int,
    worth: dict[str, int],
    best: set[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`analyse` and `hint`."""
    analyse(name, here.text, seconds=60)
    said = capsys.readouterr().out
    rows = re.findall(r"^│ (\S+) +│ (.+?) +│$", said, re.MULTILINE)
    assert dict(rows).keys() == worth.keys() and rows[0][0] in best
    assert all(is_true(text, worth[move], here.game.names, sure=True) for move, text in rows), rows
    assert is_true(said[: said.index(", depth")].splitlines()[-1].strip(), value, here.game.names, sure=True)
    assert said.splitlines()[-1].removeprefix("best play: ").split()[0] in best
    answers = iter(["hint", "quit"])
    with pytest.raises(Quit):
        Human({0}, lambda _: next(answers)).choose(here, None)
    hint = re.match(r"hint: (\S+) \((.+?)(?: at depth \d+)?\); the line is", capsys.readouterr().out)
    assert hint and is_true(hint[2], value, here.game.names), hint
    if not ESTIMATE.search(hint[2]):
        assert utility_of(worth[hint[1]]) == utility_of(value)


def _page(name: str, here: pg.Position, value: int, worth: dict[str, int], best: set[str]) -> None:
    """What the board, its marks and the line below it are made of, also before all is certain."""
    side = 1 if here.to_move == pg.MAX else -1
    reports = [*positions.study(models.At(**at(name, here)))]
    for report in reports:
        assert is_true(report.score.text, value, here.game.names, sure=report.certain)
        for move, view in report.moves.items():
            assert is_true(view.score.text, worth[move], here.game.names, sure=report.certain)
            if view.tone in ("hopeful", "doubtful", "unsure"):
                assert not report.certain and ESTIMATE.search(view.score.text)
            else:
                assert view.tone == ["even", "good", "bad"][_sign(side * worth[move])]
            if view.score.exact:
                assert view.score.utility == utility_of(worth[move])
        marks = {view.best for view in report.moves.values()}
        assert marks <= {"", "best" if report.certain else "best so far"} and marks != {""}
    assert [report.certain for report in reports] == [False] * (len(reports) - 1) + [True]
    assert {move for move, view in reports[-1].moves.items() if view.best} == best
    for move, view in reports[-1].moves.items():
        won, utility = _sign(side * worth[move]), abs(utility_of(worth[move]))
        plies = utility * FINAL - abs(worth[move])
        far = f" by {utility}" if utility > 1 else f" in {plies}"
        assert view.brief == ["draw", "wins" + far, "loses" + far][won]
        assert view.score.bar == [0.5, float(side > 0), float(side < 0)][won]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _searches(here: pg.Position, value: int) -> None:
    """Every algorithm, near and far, in a hurry or not; Monte Carlo; and the solver."""
    for algorithm in (choice.name for choice in pg.ALGORITHMS):
        for depth, hurry in ((1, True), (3, False), (30, False)):
            if algorithm in ("minimax", "alphabeta", "ordered") and depth == 30 and len(here.legal_moves) > 5:
                continue
            if here.game.repetition and (depth == 30 or algorithm == "proof"):
                continue  # lines that need not end have no depth to search to
            score = search(
                here, algorithm, depth, prefer_shorter=hurry, nodes=400 if algorithm == "mcts" else None
            ).score
            assert is_true(score.text(), value, sure=score.exact), (algorithm, depth, hurry, score)
            assert not score.text().startswith(("x has", "o has"))
    assert all(is_true(solve(here, prefer_shorter=hurry).score.text(), value, sure=True) for hurry in (True, False))


def test_one_order() -> None:
    """Margins, sooner wins, later losses; what may be larger; an end nobody knows the distance of is far away."""
    ranked = [
        Score(4, bound=True),
        Score(4, plies=9),
        Score(2, plies=3),
        Score(2, plies=5),
        Score(2),
        Score(points=3),
        Score(0),
        Score(points=-1),
        Score(-1),
        Score(-1, plies=6),
        Score(-1, plies=2),
        Score(-3, plies=8),
        Score(-3, bound=True),
    ]
    assert sorted(ranked, key=lambda score: score.order(0), reverse=True) == ranked
    assert sorted(ranked, key=lambda score: score.order(1)) == ranked
    assert best_of(enumerate([Score(2, 5), Score(2, 3), Score(0), Score(2, 3)]), 0) == [1, 3]
    assert best_of(enumerate([Score(-1, 5), Score(0), Score(-1, 3)]), 1) == [2]
    assert best_of(enumerate([Score(share=0.4), Score(share=0.6)]), 1) == [0]
    wrongs: list[dict[str, Any]] = [{}, {"utility": 1, "points": 2}, {"points": 1, "plies": 3}]
    for wrong in [*wrongs, {"utility": 0, "bound": True}]:
        with pytest.raises(ValueError):
            Score(**wrong)


def test_what_is_open_stays_open() -> None:
    """A verdict is given only where both scores leave no doubt of it."""
    assert judge_move(Score(2, bound=True), Score(0), 0).text == "gave away the win for a draw"
    assert judge_move(Score(4, bound=True), Score(2, 3), 0).text == "gave away part of the margin"
    assert judge_move(Score(2, bound=True), Score(2, 3), 0).text == "unclear"
    assert judge_move(Score(2, 3), Score(2, bound=True), 0).text == "kept"
    assert (
        judge_move(Score(0), Score(points=-90), 0).text == judge_move(Score(share=0.9), Score(0), 0).text == "unclear"
    )
    assert judge_move(Score(-2, 3), Score(-1, 1), 1).text == "gave away 1: a win by 1, not by 2"
    assert judge_move(Score(1, 3), Score(1, 9), 0).text == "kept"


def test_a_share_of_simulations_is_no_opinion() -> None:
    """It has words and a bar of its own; what is certain is said as such."""
    start = pg.Position.initial(pg.Kalah())
    report = simulate(start, pg.Limit(nodes=100))
    score = report.score
    assert score.points is None and score.share is not None and 0 < score.share < 1
    assert score.text() == f"x scores {100 * score.share:.0f} % of simulations"
    assert positions.score_view(score, ("x", "o")).bar == score.share
    assert positions.score_view(Score(points=20), ("x", "o")).bar == 0.75
