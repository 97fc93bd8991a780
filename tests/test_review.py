"""Reviews name the mistakes that every player knows, and tell what is proved from what is an estimate."""

import itertools
import random

import pytest
from commanding import ran

import plyground as pg
from plyground.arena.statistics.curves import Sample, curve, surprise
from plyground.engine.chances import curve_of
from plyground.engine.move_grades import accuracy, graded
from plyground.engine.report import Report
from plyground.engine.review import TO_CONFIRM, GameReview, Looker, ReviewedMove, review
from plyground.play.notations import position_in
from plyground.score import Chance, Score
from plyground.web.views.positions import _step_view

SHOT = (
    "12-16 21-17 16-20 17-13 10-14 23-19 14-17 19-16 17-21 16-12 11-16 22-18 8-11 25-22 7-10 26-23 "
    "10-14 24-19 14-17 31-26 4-8 19-15 21-25 30x21x14 16-19 23x16x7 3x10x19 12x3 20-24"
)


def reviewed(spec: str, text: str, nodes: int) -> GameReview:
    """The last review of a game in text."""
    return [*review(position_in(pg.game_named(spec), text), nodes=nodes)][-1]


def worst(found: GameReview) -> ReviewedMove:
    """The first turning point."""
    return found.turning_points[0]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("text", "ply", "mate"),
    [("1. f3 e5 2. g4 Qh4#", 3, "Qh4#"), ("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#", 6, "Qxf7#")],
    ids=["Fool's mate", "Scholar's mate"],
)
def test_mates_of_beginners(text: str, ply: int, mate: str) -> None:
    """The move that allows the mate is the game's greatest blunder, and the mate is named."""
    mistake = worst(reviewed("chess", text, 20_000))
    assert (mistake.ply, mistake.verdict.grade, mistake.verdict.kind) == (ply, "blunder", "allowed")
    assert "allowed a win in 1 ply" in mistake.sentence and f"(proved), {mate}." in mistake.sentence


@pytest.mark.compiled
def test_the_open_three() -> None:
    """Three in a column left alone is a mistake, and the column is what should have been played."""
    found = reviewed("connectfour", "d e d e d e d", 2_000)
    mistake = found.moves[6]
    assert mistake.verdict.kind == "allowed" and mistake.verdict.is_bad and mistake in found.turning_points
    assert "allowed a win in 1 ply" in mistake.sentence and " Better d: " in mistake.sentence


def test_a_missed_win() -> None:
    """A win at once that was not made is named, with its move."""
    found = reviewed("tictactoe", "b2 a1 c1 a3 b1", 3_000)
    assert found.moves[5].verdict.is_bad and "Better a2: " in found.moves[5].sentence
    missed = reviewed("tictactoe", "b2 b1 a1 a2", 3_000).moves[4]
    assert missed.verdict.grade == "good" and missed.sentence == "a2 loses sooner than c3."


def test_the_end_comes_first() -> None:
    """Each part adds a move, from the last one to the first; the last part says that it is done."""
    parts = [*review(position_in(pg.game_named("tictactoe"), "b2 b1 a1 c3"), nodes=500)]
    assert [sorted(part.moves) for part in parts[:4]] == [[4], [3, 4], [2, 3, 4], [1, 2, 3, 4]]
    assert [part.done for part in parts] == [False] * (len(parts) - 1) + [True]


def test_grades() -> None:
    """Exact scores are judged exactly; estimates by the loss of chance; what is proved of one side only is said so."""

    def chance(share: float) -> Score:
        return Score(points=round(100 * share), chance=Chance(share, "+0 points"))

    assert graded(Score(1, 5), Score(1, 9), 0).grade == "good"
    assert graded(Score(4), Score(2), 0).grade == "inaccuracy"
    assert (graded(Score(0), Score(-1, 3), 0).loss, graded(Score(1), Score(-1), 0).loss) == (0.5, 1.0)
    losses = [graded(chance(0.6), chance(0.6 - loss), 0) for loss in (0.01, 0.06, 0.11, 0.21)]
    assert [each.grade for each in losses] == ["good", "inaccuracy", "mistake", "blunder"]
    assert not any(each.exact or each.kind for each in losses)
    assert graded(chance(0.4), chance(0.61), 1).grade == "blunder", "x's chance is o's loss"
    assert graded(Score(1, 3), chance(0.99), 0).kind == "missed"
    assert graded(chance(0.02), Score(-1, 2), 0).grade == "good", "what was lost anyway"
    assert accuracy([]) is None
    assert accuracy([0.0]) == pytest.approx(100, abs=0.01)
    assert accuracy([1.0]) == 0


def test_a_curve_is_found_again() -> None:
    """Results drawn by a known curve give it back; results that points do not tell give a flat one."""
    samples = [
        Sample(part / 10, points, float(turn * 10 + 5 < 100 / (1 + 2.718 ** (-points / 50))))
        for part in range(10)
        for points in range(-100, 101, 10)
        for turn in range(10)
    ]
    phases = curve(samples)
    assert [phase.most for phase in phases] == sorted({phase.most for phase in phases})
    for phase in phases:
        assert phase.share(0) == pytest.approx(0.5, abs=0.03) and phase.slope == pytest.approx(1 / 50, rel=0.1)
    assert surprise(phases, samples) < 0.6
    flat = curve([Sample(0.5, points, result) for points in (-9, 9) for result in (0.0, 1.0) for _ in range(20)])
    assert all(phase.slope == 0 for phase in flat)


def test_estimates_are_chances() -> None:
    """Where a curve was fitted, an estimate is x's chance, with points in the game's unit; more points, more chance."""
    here = pg.Position.initial(pg.Kalah())
    score = [*pg.think(here, pg.Limit(depth=2))][-1].score
    assert score.chance and score.text(("South", "North")).startswith(f"South {100 * score.chance.share:.0f} % (")
    assert score.text().endswith("seeds)")
    for phase in curve_of(pg.Kalah()):
        shares = [phase.share(points) for points in range(-20, 21, 4)]
        assert shares == sorted(shares)


def test_bad_input() -> None:
    """No game, no moves and a side that is none are one sentence each."""
    for words, said in [
        (["review", "tictactoe"], "There is no move to review"),
        (["review", "tictactoe", "b2 z9"], "z9"),
        (["review", "tictactoe", "b2", "--retry", "white"], "--as white: x or o"),
    ]:
        done = ran(words)
        assert isinstance(done.exception, pg.BadInput) and said in str(done.exception)


def test_rough_grades_are_said_to_be_rough() -> None:
    """A review whose estimates look a few plies ahead says so; one in which all is proved does not."""
    said = "Grades by chance are rough here"
    words = ["review", "hex:5", "c3 b4 d2 a1", "--nodes", "30"]
    assert said in ran(words).output
    words = ["review", "tictactoe", "b2 b1 a1 c3", "--nodes", "1000"]
    assert said not in ran(words).output


def test_retry() -> None:
    """Mistakes of a side are asked again: a wrong move is graded, a right one is explained; an empty line gives up."""
    words = ["review", "tictactoe", "b2 b1 a1 c3", "--nodes", "3000", "--retry", "o"]
    done = ran(words, typed="a2\na1\n")
    assert "Find a better move" in done.output and "No: blunder." in done.output and "Right. draw: a1" in done.output
    assert "1 of 1 found." in done.output
    assert "0 of 1 found." in ran(words, typed="\n").output


def test_a_proved_loss_is_called_none_good() -> None:
    """A move that loses by force where another one holds out is said to lose, though hardly a chance was left."""
    here = position_in(pg.game_named("tictactoe"), "b2 b1 a1")
    move, better = here.legal_moves[:2]
    hopeless = Score(points=9, chance=Chance(0.98, "+9 points"))
    move_played = ReviewedMove(here, move, hopeless, Score(1, plies=4), (better,), (), 4)
    text, best = here.game.move_text(here.state, move), here.game.move_text(here.state, better)
    assert move_played.sentence == f"{text} loses in 3 plies; {best} holds out longer."


def test_what_no_search_confirms_is_not_charged() -> None:
    """A move that is proved to lose farther ahead than its own search saw is neither called best nor blamed; it gets
    more time, and a search that sees as far decides."""
    end = position_in(pg.game_named("tictactoe"), "b2 b1 a1")
    steps, guess = list(end.steps()), Score(points=1, chance=Chance(0.46, "+1 points"))
    here, move = steps[1], end.moves[1]
    other = next(each for each in here.legal_moves if each != move)
    won = ReviewedMove(steps[2], end.moves[2], Score(1, plies=5), Score(1, plies=5), end.moves[2:], (), 5)

    def seen(depth: int, best: int) -> ReviewedMove:
        looker = Looker(steps)
        looker.keep(3, won)
        worse = Score(points=9, chance=Chance(0.99, "+9 points"))
        lines = ((best,), (move, end.moves[2]))
        scores = ((best, guess), (move, guess if best == move else worse))
        looker.keep(2, looker.judged(2, Report(here, depth, 9, 0, 0, 0.1, guess, lines[0], scores, lines)))
        assert looker.shares(2) == (1 if looker.found[2].is_confirmed else TO_CONFIRM)
        return looker.found[2]

    unsure = seen(2, move)
    assert not unsure.is_confirmed and not unsure.verdict.is_bad and unsure.verdict.loss == 0
    assert unsure.short == "loses in 5 plies"
    assert unsure.sentence == "b1 loses in 5 plies (proved); the other moves were not searched as far."
    assert not seen(6, move).is_confirmed, "an estimate does not stand against a proof"
    blamed = seen(6, other)
    assert (blamed.verdict.grade, blamed.short) == ("blunder", "blunder: allowed a win in 5 plies")
    assert seen(2, other).short == blamed.short, "it is bad by the estimate of its own search, too"


def test_no_proved_loss_is_best() -> None:
    """A review by few nodes never calls a move best after which it shows the other side's win."""
    losses = 0
    for spec, seed in itertools.product(("connectfour", "kalah"), range(3)):
        position, chance = pg.Position.initial(pg.game_named(spec)), random.Random(seed)
        while position.outcome is None:
            position = position.play(chance.choice(position.legal_moves))
        moves = [*review(position, nodes=30)][-1].moves
        for ply, each in moves.items():
            if ply + 1 in moves and moves[ply + 1].best.winner == 1 - each.mover and not each.is_forced:
                assert each.verdict.grade != "best" or each.best.winner == 1 - each.mover, each.sentence
                losses += 1
    assert losses


def test_a_proof_stands_against_a_later_estimate() -> None:
    """A position that is proved lost by the search before it is shown so, though its own search has an estimate."""
    end = position_in(pg.game_named("tictactoe"), "b2 b1 a1")
    steps, guess = list(end.steps()), Score(points=1, chance=Chance(0.46, "+1 points"))
    lost = ReviewedMove(steps[1], end.moves[1], Score(0), Score(1, plies=4), (), end.moves[2:], 4)
    later = ReviewedMove(steps[2], end.moves[2], guess, guess, end.moves[2:], (), 2)
    view = _step_view(steps, GameReview(end, {2: lost, 3: later}), 2)
    assert (view.score.utility, view.score.plies, view.verdict) == (1, 3, "blunder: gave away the draw")


def test_a_bad_move_has_the_scores_that_graded_it() -> None:
    """The view of a bad move tells the two scores of its grade, also where the searches of the positions before and
    after it found others; one that is not bad tells none."""
    end = position_in(pg.game_named("tictactoe"), "b2 b1 a1")
    steps = list(end.steps())
    better, worse, other = (
        Score(points=each, chance=Chance(share, "")) for each, share in [(3, 0.4), (9, 0.7), (2, 0.3)]
    )
    moves = {
        2: ReviewedMove(steps[1], end.moves[1], better, worse, (), end.moves[2:], 4),
        3: ReviewedMove(steps[2], end.moves[2], other, other, end.moves[2:], (), 3),
    }
    bad, good = (_step_view(steps, GameReview(end, moves), ply) for ply in (2, 3))
    assert bad.verdict == "blunder: o's chance falls by 30 %" and bad.score.points == 2
    assert bad.better and bad.played and (bad.better.points, bad.played.points) == (3, 9)
    assert (good.verdict, good.better, good.played) == ("best", None, None)


def test_what_is_seen_later_is_known_before() -> None:
    """An only move is worth what the position after it is, and no move is worth less to its player than the position
    after it, where that was looked at as far: a game of draughts with a shot of many jumps."""
    found = reviewed("draughts", SHOT, 300)
    seen = 0
    for ply, each in found.moves.items():
        after = found.moves.get(ply + 1)
        if after and each.is_forced:
            assert each.after == after.best
        elif after and after.depth >= each.depth and not each.played.certain:
            assert after.best.order(each.mover)[:2] <= each.after.order(each.mover)[:2]
            seen += 1
    assert seen
