"""Reviews name the mistakes that every player knows, and tell what is proved from what is an estimate."""

import itertools
import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest
from commanding import ran
from tries import tries

import plyground as pg
from plyground.arena.statistics.curves import Sample, curve, log_loss
from plyground.engine.chances import chance_of, curve_of
from plyground.engine.move_grades import accuracy, grade_move
from plyground.engine.report import Report
from plyground.engine.review import CONFIRMING_SHARES, GameReview, Looker, ReviewedMove, review
from plyground.play.notations import position_in
from plyground.score import Chance, Score
from plyground.terminal.verbs.reviewing import _review_json
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
    assert (missed.verdict.grade, missed.short) == ("lost", "loses sooner")
    assert missed.sentence == "a2 loses sooner than c3."


def test_the_end_comes_first() -> None:
    """Each part adds a move, from the last one to the first; the last part says that it is done."""
    parts = [*review(position_in(pg.game_named("tictactoe"), "b2 b1 a1 c3"), nodes=500)]
    assert [sorted(part.moves) for part in parts[:4]] == [[4], [3, 4], [2, 3, 4], [1, 2, 3, 4]]
    assert [part.done for part in parts] == [False] * (len(parts) - 1) + [True]


def test_grades() -> None:
    """Exact scores are judged exactly; estimates by the loss of chance; what is proved of one side only is said so."""

    def chance(share: float) -> Score:
        return Score(points=round(100 * share), chance=Chance(share, "+0 points"))

    assert grade_move(Score(1, 5), Score(1, 9), 0).grade == "good"
    assert grade_move(Score(4), Score(2), 0).grade == "inaccuracy"
    assert (grade_move(Score(0), Score(-1, 3), 0).loss, grade_move(Score(1), Score(-1), 0).loss) == (0.5, 1.0)
    losses = [grade_move(chance(0.6), chance(0.6 - loss), 0) for loss in (0.01, 0.06, 0.11, 0.21)]
    assert [each.grade for each in losses] == ["good", "inaccuracy", "mistake", "blunder"]
    assert not any(each.exact or each.kind for each in losses)
    assert grade_move(chance(0.4), chance(0.61), 1).grade == "blunder", "x's chance is o's loss"
    assert grade_move(Score(1, 3), chance(0.99), 0).kind == "missed"
    assert grade_move(chance(0.02), Score(-1, 2), 0).grade == "losing", "lost anyway is an estimate, the loss is proved"
    assert grade_move(Score(-1, 4), Score(-1, 2), 0).grade == "lost", "all moves lose, which is proved"
    assert grade_move(Score(-1, 4), Score(-1, 4), 0).grade == "best", "none holds out longer"
    assert grade_move(Score(-1), Score(-1, 4), 0).grade == "lost", "another one may hold out longer"
    assert grade_move(Score(1), Score(1, 4), 0).grade == "good"
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
    assert log_loss(phases, samples) < 0.6
    flat = curve([Sample(0.5, points, result) for points in (-9, 9) for result in (0.0, 1.0) for _ in range(20)])
    assert all(phase.slope == 0 for phase in flat)


def test_estimates_are_chances() -> None:
    """Where a curve was fitted, an estimate is x's chance, with points in the game's unit; more points, more chance."""
    here = pg.Position.initial(pg.Kalah())
    score = [*pg.think(here, pg.Limit(depth=2))][-1].score
    assert score.chance and score.text(("South", "North")).startswith(f"South {100 * score.chance.share:.0f} %")
    for phase in curve_of(pg.Kalah()):
        shares = [phase.share(points) for points in range(-20, 21, 4)]
        assert shares == sorted(shares)


@pytest.mark.parametrize("spec", ["kalah", "chess", "connectfour", "reversi", "hex:11"])
def test_a_chance_and_its_points_agree(spec: str) -> None:
    """Beside a chance stands no number of points that seems to say another thing: `48 % (+0.0 pawns)`."""
    game, shown = pg.game_named(spec), 0
    name, size = game.unit
    for phase, points in itertools.product(curve_of(game), range(-2 * size, 2 * size + 1)):
        chance = chance_of([phase], 0.0, (name, size), points)
        said = Score(points=points, chance=chance).text(game.names)
        assert said.startswith(f"{game.names[0]} ")
        if amount := re.search(r" (\d+) % \(([+-][\d.]+) ", said):
            share, number = int(amount[1]), float(amount[2])
            shown += 1
            assert number == 0 == share - 50 or (share >= 50 if number > 0 else share <= 50), said
    assert shown


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
    assert move_played.verdict.grade == "losing" and move_played.short == "lets x win by force in 3 plies"
    assert move_played.sentence == f"{text} loses in 3 plies; {best} holds out longer."
    unknown = ReviewedMove(here, move, Score(1), Score(1, plies=4), (better,), (), 4)
    assert (unknown.short, unknown.sentence) == ("lost anyway", f"{text} loses, as every move does.")


def test_what_no_search_confirms_is_not_charged() -> None:
    """A move that is proved to lose farther ahead than its own search saw is neither praised nor blamed: it is a
    turning point that no accuracy counts. It gets more time, and a search that sees as far decides."""
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
        looker.keep(2, looker.judge_move(2, Report(here, depth, 9, 0, 0, 0.1, guess, lines[0], scores, lines)))
        assert looker.shares(2) == (1 if looker.found[2].is_confirmed else CONFIRMING_SHARES)
        return looker.found[2]

    unsure = seen(2, move)
    assert not unsure.is_confirmed and not unsure.verdict.is_bad and unsure.verdict.grade == "losing"
    assert unsure.short == "lets x win by force in 5 plies"
    said = (
        "b1 lets x win by force in 5 plies; the search was not deep enough to say whether there was something better."
    )
    assert unsure.sentence == said
    found = GameReview(end, {2: unsure, 3: won}, done=True)
    assert found.turning_points == [unsure] and found.accuracy(1) is None
    assert not seen(6, move).is_confirmed, "an estimate does not stand against a proof"
    blamed = seen(6, other)
    assert (blamed.verdict.grade, blamed.short) == ("blunder", "blunder: allowed a win in 5 plies (estimate)")
    assert seen(2, other).short == blamed.short, "it is bad by the estimate of its own search, too"


def praised_losses(found: GameReview) -> list[str]:
    """Sentences of moves that are praised though the review itself proves them lost, and not that every move loses."""
    return [
        each.sentence
        for ply, each in found.moves.items()
        for after in [each.after, *([found.moves[ply + 1].best] if ply + 1 in found.moves else [])]
        if after.winner == 1 - each.mover and each.best.winner != after.winner and not each.is_forced
        if each.verdict.grade in ("best", "good") or each not in found.turning_points
    ]


@pytest.mark.parametrize("spec", ["tictactoe", "connectfour:4,4", "kalah:3,2", "breakthrough:4,4", "chomp:3,4", "nim"])
def test_no_proved_loss_is_praised(spec: str) -> None:
    """At no time does a review of a random game praise a move after which it shows that the mover is lost, unless it
    shows that before the move too, or there was no other move; however few nodes it has."""
    losses = 0
    for seed, nodes in itertools.product(range(4), (3, 30, 300)):
        position, chance = pg.Position.initial(pg.game_named(spec)), random.Random(seed)
        while position.outcome is None:
            position = position.play(chance.choice(position.legal_moves))
        for part in review(position, nodes=nodes):
            assert not praised_losses(part)
            losses += sum(
                each.verdict.is_turning_point and each.after.winner is not None for each in part.turning_points
            )
    assert losses


RETI = (
    "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4 9. Qd8+ Kxd8 "
    "10. Bg5+ Kc7 11. Bd8# 1-0"
)
OPERA = (
    "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 "
    "11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0"
)


@pytest.mark.compiled
@pytest.mark.parametrize("nodes", [500, 1_000, 3_000, 6_000, 60_000])
def test_the_move_that_lost_is_named(nodes: int) -> None:
    """Reti against Tartakower, Vienna 1910: 8... Nxe4 is answered by a mate in 5 plies. However little was looked at,
    the move is a turning point; where nothing better is known, that is said and no accuracy counts it."""
    found = reviewed("chess", RETI, nodes)
    lost = found.moves[16]
    assert lost in found.turning_points and not praised_losses(found)
    if lost.verdict.grade == "losing":
        assert lost.sentence.startswith("Nxe4 lets White win by force in 5 plies; the search was not deep enough ")
        others = replace(found, moves={**found.moves, 16: replace(lost, best=lost.played, is_confirmed=True)})
        assert found.accuracy(1) != others.accuracy(1) and "leaves out the losing moves" in found.note
    else:
        assert lost.short == "blunder: allowed a win in 5 plies (estimate)"
    assert nodes < 60_000 or lost.verdict.grade == "blunder"


@pytest.mark.compiled
@pytest.mark.parametrize("nodes", [500, 1_000, 3_000, 6_000, 60_000])
def test_the_opera_game(nodes: int) -> None:
    """Morphy, Paris 1858: 15... Nxd7 is answered by a mate in 3 plies; no move with which it is proved is praised."""
    found = reviewed("chess", OPERA, nodes)
    assert not praised_losses(found) and found.moves[30] in found.turning_points


def test_no_accuracy_before_all_is_seen() -> None:
    """Before its end a review tells no accuracy, nor after it where time was over before all moves had been looked at:
    then it says how many were. What is known without a search is there all the same."""
    end = position_in(pg.game_named("tictactoe"), "b2 b1 a1 c3")
    *parts, last = review(end, nodes=500)
    assert all(each.accuracy(0) is None and not each.note for each in parts) and last.accuracy(0) is not None
    *_, cut = review(end, 1e-6, known={3: [*pg.think([*end.steps()][3])][-1]})
    assert [*cut.moves] == [4] and cut.done and cut.accuracy(1) is None
    assert cut.note == "1 of 4 moves were looked at: the limit allowed no more."
    *_, blind = review(pg.Position.initial("hex:11").play("f6").play("e5"), nodes=1)
    assert not blind.moves and blind.accuracy(0) is None, "a static evaluation of a position compares no moves"


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
    assert (good.verdict, good.better, good.played) == ("seems best", None, None)


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


class Minimax:
    """The plain twin: how a game ends with best play, and in how many plies; a larger win first, then a sooner one."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._known: dict[Any, tuple[int, int]] = {}

    def of(self, state: Any) -> tuple[int, int]:
        """Utility for x and plies to the end, 0 for a draw."""
        if state not in self._known:
            utility = self._game.outcome(state)
            side = (1, -1)[self._game.to_move(state)]
            ends = [self.after(state, move) for move in self._game.moves(state)] if utility == pg.ONGOING else []
            self._known[state] = max(ends, key=lambda end: worth(end, side)) if ends else (utility, 0)
        return self._known[state]

    def after(self, state: Any, move: int) -> tuple[int, int]:
        """The same of a move."""
        utility, plies = self.of(self._game.play(state, move))
        return utility, plies + 1 if utility else 0


def worth(end: tuple[int, int], side: int) -> tuple[int, int]:
    """An end for a side, 1 for x: the higher, the better."""
    utility, plies = end
    return side * utility, -plies if side * utility > 0 else plies


def holds(said: dict[str, Any], truth: tuple[int, int], names: tuple[str, str]) -> bool:
    """Whether the data of a score is true: its result, margin and plies, each as far as it is told."""
    utility, plies = truth
    text = re.fullmatch(
        r"(.+?) (?:wins|has won)( by \d+ or more)?(?: by \d+)?(?: (in|within) (\d+) pl.*)?", said["text"]
    )
    if said["utility"] is None:
        return not said["exact"]
    if text is None:
        return (said["text"], said["exact"], utility) == ("draw", True, 0)
    is_same = said["utility"] == utility if said["exact"] else 0 < said["utility"] / (utility or -1e9) <= 1
    is_bound = text[2] is not None
    far = said["plies"] in (None, plies) and (text[3] != "in" or int(text[4]) == plies == said["plies"])
    return (
        is_same
        and (not is_bound or not said["exact"])
        and text[1] == names[utility < 0]
        and far
        and (text[3] != "within" or (plies <= int(text[4]) and said["plies"] is None))
    )


ESTIMATE = r"\(searched to depth \d+\)"
CLAIMS = {
    "only": r"(?P<move>\S+) is the only move\.",
    "best": r"(?P<move>\S+) is a best move\.",
    "estimate": rf"(?P<move>\S+) seems (?:best|good, (?P<best>\S+) a little better) {ESTIMATE}\.",
    "later": r"(?P<move>\S+) wins too, later than (?P<best>\S+)\.",
    "keeps": r"(?P<move>\S+) keeps the win\.",
    "sooner": r"(?P<move>\S+) loses sooner than (?P<best>\S+)\.",
    "loses": r"(?P<move>\S+) loses, as every move does\.",
    "longer": r"(?P<move>\S+) loses in (?P<plies>\d+) pl\w+; (?P<best>\S+) holds out longer\.",
    "lets": r"(?P<move>\S+) lets .+ win by force(?: in (?P<plies>\d+) pl\w+)?; the search was not deep enough .+\.",
    "gave": r"[A-Z][a-z]+: gave away .+\. Now .+ \(proved\).*\. Better (?P<best>\S+): .+ \(proved\), .+\.",
    "allowed": (
        r"[A-Z][a-z]+: allowed a win(?: (?P<how>in|within) (?P<plies>\d+) pl\w+)? \(estimate\)\. Now .+ \(proved\).*\. "
        rf"Better (?P<best>\S+): .+ {ESTIMATE}, .+\."
    ),
    "missed": (
        r"[A-Z][a-z]+: missed a win(?: (?:in|within) \d+ pl\w+)? \(estimate\)\. "
        rf"Now .+ {ESTIMATE}.*\. Better (?P<best>\S+): .+ \(proved\), .+\."
    ),
    "falls": r"[A-Z][a-z]+: .+'s chance falls by \d+ %\. Now .+ \(.+\).*\. Better (?P<best>\S+): .+ \(.+\), .+\.",
}
"""Sentences about a move, by what they claim."""


def true_claim(each: ReviewedMove, truth: Minimax) -> str:
    """The claim of the sentence about a move, which is held to be true."""
    here, sentence, side = each.before, each.sentence, (1, -1)[each.mover]
    before, played = truth.of(here.state), truth.after(here.state, each.move)
    said = next(((claim, found) for claim, form in CLAIMS.items() if (found := re.fullmatch(form, sentence))), None)
    assert said, sentence
    claim, found = said
    told = found.groupdict()
    best = truth.after(here.state, here.legal(told["best"])) if told.get("best") else before
    gain = worth(best, side) > worth(played, side)
    won, lost = side * played[0] > 0, side * played[0] < 0
    after, plies = max(played[1] - 1, 0), int(told.get("plies") or 0)
    is_true = {
        "only": len(here.legal_moves) == 1,
        "best": played == before,
        "estimate": not each.verdict.exact,
        "later": won and gain and best[0] == played[0],
        "keeps": won,
        "sooner": lost and gain and best[0] == played[0],
        "loses": lost and side * before[0] < 0,
        "longer": lost and plies == after and gain,
        "lets": lost and (not plies or plies >= after) and not each.verdict.exact,
        "gave": side * best[0] > side * played[0] and each.verdict.exact,
        "allowed": lost and (not plies or plies == after or (told.get("how") == "within" and plies > after)),
        "missed": side * best[0] > 0,
        "falls": not each.verdict.exact,
    }[claim]
    assert is_true, (here.text, sentence, before, played, best)
    return claim


def true_word(each: ReviewedMove, truth: Minimax) -> str:
    """The word for a move in the table and on the page, which is held to be true: of moves that all lose none is good,
    and the best are those after which the loss is as large and comes as late as it can."""
    before, played, side = truth.of(each.before.state), truth.after(each.before.state, each.move), (1, -1)[each.mover]
    is_lost = side * before[0] < 0
    is_true = {
        "only move": each.is_forced,
        "best": not each.is_forced and (played == before if is_lost else played[0] == before[0]),
        "good": side * played[0] > 0,
        "seems best": not each.verdict.exact,
        "seems good": not each.verdict.exact,
        "loses sooner": is_lost and played[0] == before[0] and played[1] < before[1],
        "lost anyway": is_lost,
    }
    word = each.short
    assert is_true.get(word, each.verdict.is_turning_point), (each.before.text, word, before, played)
    assert word not in ("loses sooner", "lost anyway") or not each.verdict.is_turning_point
    assert (word == "only move") == (each.verdict.grade == "only") == each.is_forced
    return word if word in is_true else each.verdict.grade


@pytest.mark.parametrize(
    ("spec", "first"),
    [("mnk:3,4,3", 3), ("reversi:4", 5), ("kalah:3,2", 0), ("hex:3", 1), ("nim:2/3/4", 0), ("connectfour:3,4,3", 0)],
)
def test_every_claim_is_true(spec: str, first: int, seed: int) -> None:
    """In random games with random budgets, whatever a review says of a move holds: its result, margin and plies, that
    it is best, or later or sooner than another one, what is proved of it, and an accuracy of which all is proved."""
    game, claims = pg.game_named(spec), set[str]()
    truth, chance = Minimax(game), random.Random(f"{spec} {seed}")
    for _ in range(tries(25)):
        position = pg.Position.initial(game)
        while position.outcome is None and len(position.moves) < first:
            position = position.play(chance.choice(position.legal_moves))
        position = pg.Position(game, position.state)
        while position.outcome is None and (not position.moves or chance.random() < 0.97):
            position = position.play(chance.choice(position.legal_moves))
        if not position.moves:
            continue
        found = [*review(position, nodes=int(10 ** chance.uniform(0.5, 3)))][-1]
        losses: dict[int, list[float]] = {0: [], 1: []}
        for each, row in zip(sorted(found.moves.values(), key=lambda each: each.ply), _rows(found), strict=True):
            state, side = each.before.state, (1, -1)[each.mover]
            before, after = truth.of(state), truth.of(game.play(state, each.move))
            assert holds(row["best"], before, game.names), (each.before.text, row, before)
            assert holds(row["played"], after, game.names), (each.before.text, row, after)
            claims |= {true_claim(each, truth), true_word(each, truth)}
            loss = (side * _sign(before[0]) - side * _sign(after[0])) / 2
            assert not row["exact"] or row["loss"] == loss, (each.before.text, row)
            assert not row["exact"] or row["grade"] != "best" or worth(before, side)[0] == side * after[0]
            losses[each.mover] += [loss] if not each.is_forced else []
        for player in (0, 1):
            own = [each for each in found.moves.values() if each.mover == player and not each.is_forced]
            if len(found.moves) == len(position.moves) and all(each.verdict.exact for each in own):
                assert found.accuracy(player) == pytest.approx(accuracy(losses[player]))
    assert len(claims) > 4


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _rows(found: GameReview) -> list[dict[str, Any]]:
    """The moves of a review as a program gets them."""
    return json.loads(json.dumps(_review_json(found)))["moves"]  # type: ignore[no-any-return]


def test_losing_little_is_not_losing_nothing() -> None:
    """Where no move is a turning point, but accuracies are below 100 %, it is not said that nothing was lost."""
    output = ran(["review", "mnk:3,4,3", "c1 b3 a3", "--nodes", "20"]).output
    assert "x: accuracy 87 %" in output and "No move that was looked at is found to lose much." in output
    output = ran(["review", "tictactoe", "b2 a1 c3", "--nodes", "5000"]).output
    assert "x: accuracy 100 %" in output and "No move that was looked at is found to lose anything." in output
