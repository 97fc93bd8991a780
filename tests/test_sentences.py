"""Sentences agree with their numbers: order, sign and claim follow from them, whatever the numbers are."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import plyground
import plyground as pg
from plyground.arena.report.standings import standings
from plyground.arena.report.testing import stand_of_test
from plyground.arena.report.wording import (
    blunders_text,
    bound_text,
    copies_text,
    decision_text,
    games_text,
    los_text,
    points_text,
    signed_text,
)
from plyground.arena.results import Played, Task
from plyground.arena.statistics.evidence import STALE_PAIRS, Evidence
from plyground.arena.statistics.sprt import SPRT
from plyground.arena.statistics.tally import Blunders
from plyground.engine.chances import amount_in_unit
from plyground.errors import clause_of, sentence_of
from plyground.grading.grade import answer_text
from plyground.play.player import Failed
from plyground.terminal.lines import time_text
from plyground.terminal.verbs.learning import strength_text

ELO = st.integers(-40, 40).map(lambda half: half / 2)
COUNTS = st.lists(st.integers(0, 400), min_size=5, max_size=5)


def number(text: str) -> float:
    """A number as sentences write it."""
    return float(text.replace("−", "-").replace(",", "").replace("½", ".5").strip())


def make_games(pairs: list[tuple[str, str, int, int]]) -> list[Played]:
    """Games of new and base: of each pair the opening, the moves, and what new got as x and as o, -1 to 1."""
    games = []
    for index, (opening, moves, x, o) in enumerate(pairs):
        games.append(Played(Task(2 * index, index, "new", "base", opening), (moves, "1"), x, ""))
        games.append(Played(Task(2 * index + 1, index, "base", "new", opening), (moves, "2"), -o, ""))
    return games


@given(elo0=ELO, elo1=ELO, counts=COUNTS)
def test_a_decision_claims_what_it_refutes(elo0: float, elo1: float, counts: list[int]) -> None:
    """Stronger and weaker are said only of who has more, or fewer, points; nobody is stronger by a number below 0."""
    assume(elo0 < elo1)
    test = SPRT(elo0, elo1)
    decision = test.decision(counts)
    assume(decision is not None)
    assert decision is not None
    said = decision_text(test, decision, "new", "base")
    lead = sum((points - 2) * count for points, count in enumerate(counts))
    assert not re.search(r"by (more than )?[-−]|[-−]0\b|\+0\b", said)
    if re.search("is stronger", said):
        assert decision == "H1" and elo0 >= 0 and lead > 0
    elif re.search("is weaker", said):
        assert decision == "H0" and elo1 <= 0 and lead < 0
    else:
        assert ("not weaker" in said) == (decision == "H1")
    match = re.search(r": rather (\S+) than (\S+) ", said)
    assert match and [number(each) for each in match.groups()] == ([elo1, elo0] if decision == "H1" else [elo0, elo1])


@pytest.mark.parametrize(
    ("bounds", "decision", "said"),
    [
        ((0, 5), "H1", "H1 accepted, new is stronger than base: rather +5 than 0 normalised Elo"),
        ((0, 5), "H0", "H0 accepted, new is not stronger than base by 5 or more: rather 0 than +5 normalised Elo"),
        ((-5, 0), "H1", "H1 accepted, new is not weaker than base by 5 or more: rather 0 than −5 normalised Elo"),
        ((-5, 0), "H0", "H0 accepted, new is weaker than base: rather −5 than 0 normalised Elo"),
        ((-10, -2), "H0", "H0 accepted, new is weaker than base by more than 2: rather −10 than −2 normalised Elo"),
        ((2, 6), "H1", "H1 accepted, new is stronger than base by more than 2: rather +6 than +2 normalised Elo"),
    ],
)
def test_decisions_of_every_sign(bounds: tuple[float, float], decision: Any, said: str) -> None:
    """Tests of progress, and of no regression."""
    assert decision_text(SPRT(*bounds), decision, "new", "base") == said


PAIRS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("uvw"), st.integers(-1, 1), st.integers(-1, 1)), max_size=40
)


@given(pairs=PAIRS)
def test_a_stand_of_a_test_is_one_of_its_games(pairs: list[tuple[str, str, int, int]]) -> None:
    """Elo and LOS point the same way, and copies are counted beside the evidence, never in it."""
    found = stand_of_test(SPRT(0, 5), "new", "base", standings(["new", "base"], make_games(pairs)))
    evidence = found.met.evidence
    assert sum(found.pentanomial) + evidence.copies == len(pairs) == evidence.pairs
    said = " ".join([*found.lines, found.brief])
    assert (copies_text(evidence.copies) in said and "no evidence" in said) == (evidence.copies > 0)
    if found.found and not found.found.bound:
        elo = re.search(r"Elo ([+−][\d.]+) ± ([\d.]+)", found.lines[1])
        assert elo and number(elo[2]) >= 0
        assert (number(elo[1]) > 0) <= (found.found.superiority >= 0.5)
        assert (number(elo[1]) < 0) <= (found.found.superiority <= 0.5)


@given(times=st.integers(1, 300), points=st.integers(0, 4), openings=st.integers(1, 9))
def test_copies_decide_nothing(times: int, points: int, openings: int) -> None:
    """However often the same pairs come, the evidence is that of one turn; then the openings are used up."""
    evidence, once = Evidence(), [0] * 5
    once[points] = openings
    for _ in range(times):
        for opening in range(openings):
            evidence.add(opening, "moves", points / 2)
    assert evidence.pentanomial == once and evidence.copies == (times - 1) * openings
    assert evidence.is_used_up(openings) == ((times - 1) * openings >= max(openings, STALE_PAIRS))


def test_chance_makes_every_pair_count() -> None:
    """Where an opening has brought two different pairs, equal ones are no copies."""
    evidence = Evidence()
    for moves in "aaab":
        evidence.add("opening", moves, 1)
    assert (evidence.pentanomial, evidence.copies, evidence.stale) == ([0, 0, 4, 0, 0], 0, 0)
    evidence.add("opening", "a", 1)
    assert evidence.copies == 0 and evidence.pentanomial[2] == 5


@given(st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_signed_numbers_keep_their_order(one: float, other: float) -> None:
    """Zero has no sign."""
    assert (number(signed_text(one)) <= number(signed_text(other))) or one > other
    assert signed_text(one)[0] in ("+−" if round(one) else "0") and bound_text(0.0) == bound_text(-0.0) == "0"


@given(st.floats(0, 1), st.floats(0, 1))
def test_likelihoods_are_never_certain(one: float, other: float) -> None:
    """They keep their order, and none is 0 or 100 %."""
    texts = [los_text(each).removesuffix(" %") for each in sorted((one, other))]
    low, high = (0.0 if each[0] == "<" else 100.0 if each[0] == ">" else float(each) for each in texts)
    assert low <= high and not {"0.0", "100.0"} & {*texts}


@given(st.integers(0, 4_000), st.integers(0, 4_000))
def test_counts_agree_with_what_they_count(done: int, planned: int) -> None:
    """No more are done than there are; one is one game; halves of points are points."""
    said = games_text(done, planned)
    match = re.fullmatch(r"([\d,]+)(?: of ([\d,]+))? (games?)", said)
    assert match and number(match[1]) == done
    assert match[2] is None or (number(match[2]) == planned >= done)
    assert (match[3] == "game") == ((planned if match[2] else done) == 1)
    assert number(points_text(done / 2).replace(".5", "½") or "0") == done / 2 if done != 1 else points_text(0.5) == "½"


@given(st.integers(1, 20_000), st.data())
def test_a_share_of_blunders_is_none_or_all_only_if_it_is(moves: int, data: st.DataObject) -> None:
    """`1 of 20,000 (0.0 %)` would be none."""
    blunders = data.draw(st.integers(0, moves))
    said = blunders_text(Blunders(moves, blunders))
    assert ("(0.0 %)" in said) == (blunders == 0) and ("(100.0 %)" in said) == (blunders == moves)


@given(nodes=st.integers(0, 10**9), seconds=st.floats(0, 1e4))
def test_a_rate_is_nodes_by_seconds(nodes: int, seconds: float) -> None:
    """To the digits that are shown, in a unit in which it is not 0."""
    said = time_text(nodes, seconds)
    match = re.fullmatch(r"[\d.]+ s(?: \(([\d.]+) (million |thousand |)nodes a second\))?", said)
    assert match
    if match[1]:
        rate = float(match[1]) * {"million ": 1e6, "thousand ": 1e3, "": 1.0}[match[2]]
        assert rate == pytest.approx(nodes / seconds, rel=0.51, abs=0.06) and (rate > 0 or nodes / seconds < 0.05)


@given(st.integers(-10_000, 10_000), st.sampled_from([("pawns", 100), ("seeds", 1), ("pawns", 10)]))
def test_an_amount_has_the_sign_of_its_points(points: int, unit: tuple[str, int]) -> None:
    """One that is shown as 0 has none."""
    word = amount_in_unit(unit, points).split()[0]
    assert (word[0] == "+") == (float(word) > 0) and (word[0] == "-") == (float(word) < 0)
    assert float(word) == pytest.approx(points / unit[1], abs=0.051)


@given(games=st.integers(2, 400), elo=st.integers(-900, 900), data=st.data())
def test_a_learned_evaluation_is_as_strong_as_its_points(games: int, elo: int, data: st.DataObject) -> None:
    """Every point and no point are two things, and an interval that is open below is so."""
    points = data.draw(st.integers(0, 2 * games)) / 2
    ends = points in (0, games)
    interval = [None if points == 0 else elo - 9, None if points == games else elo + 9]
    found = {"games": games, "points": points, "decision": "H0", "sprt": [0, 20], "elo": None if ends else elo}
    said = strength_text(found | {"interval": interval})
    assert ("every point" in said, "no point" in said) == (points == games, points == 0)
    assert said.endswith("SPRT: it is not better by 20 normalised Elo or more") and "-0" not in said
    low = re.search(r"\((\S+) to (\S+)\)", said)
    assert ends or (low and number(low[1]) < number(low[2]))


@given(value=st.integers(-3, 3), truth=st.integers(-3, 3), right=st.booleans())
def test_an_answer_that_is_wrong_is_not_the_right_one(value: int, truth: int, right: bool) -> None:
    """Also where two ints read alike; and what is right is not called wrong."""
    held = SimpleNamespace(text=lambda value: "draw" if abs(value) < 2 else str(value), prefer_shorter=0)
    question = SimpleNamespace(position=pg.Position.parse(pg.MNK(), ""), depth=1)
    is_right = value == truth or right
    asked: Any = SimpleNamespace(answer=(value, 0), truth=truth, held=held, is_right=is_right, question=question)
    said = answer_text(asked, "node count")
    match = re.fullmatch(r"It answers (.*); (.*) is right\.", said)
    assert match is None if asked.is_right else match and match[1] != match[2]


@given(pairs=PAIRS, alone=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("uvw")), max_size=9))
def test_one_match_has_one_elo(pairs: list[tuple[str, str, int, int]], alone: list[tuple[str, str]]) -> None:
    """The table and the test say the same, twice the same results are the same, and the bounds of two are 5 % apart."""
    games = [*make_games(pairs)]
    games += [
        Played(Task(1000 + 2 * at, 500 + at, "new", "base", opening), (moves,), 1, "")
        for at, (opening, moves) in enumerate(alone)
    ]
    table = standings(["new", "base"], games)
    found = stand_of_test(SPRT(0, 5), "new", "base", table).found
    if found is None:
        return
    row = table.row("new")
    assert 2 * row.low == pytest.approx(found.low) and 2 * row.high == pytest.approx(found.high)
    los = table.rows[0].superiority
    assert los is not None and min(abs(los - found.superiority), abs(1 - los - found.superiority)) < 1e-9
    if found.bound in ("≥", "≤"):
        lead = found.low if found.bound == "≥" else -found.high
        assert (1 / (1 + 10 ** (-lead / 400))) ** found.games == pytest.approx(0.05)
    assert (found.games < len(games)) == ("no evidence" in " ".join(table.notes))


def test_a_lone_copy_is_no_evidence() -> None:
    """Whether it repeats half a pair or another lone game; another game counts."""
    evidence = Evidence()
    evidence.add("a", ("1", "2"), 1)
    for opening, seat, moves in (("a", 0, "1"), ("a", 1, "1"), ("b", 0, "1"), ("b", 0, "1"), ("b", 1, "1")):
        evidence.add_alone(opening, seat, moves, 1)
    assert (evidence.alone.total(), evidence.lone_copies) == (3, 2)
    said = "1 pair repeats an earlier one and 2 games repeat earlier ones move for move and are no evidence"
    assert copies_text(1, 2) == said and copies_text(0, 0) == ""


@pytest.mark.parametrize(
    ("said", "clause", "sentence"),
    [
        ("It broke", "It broke", "It broke."),
        ("It broke.", "It broke", "It broke."),
        ("It waits...", "It waits...", "It waits..."),
        ("Does it end?", "Does it end?", "Does it end?"),
        ("", "", ""),
    ],
)
def test_a_sentence_has_one_full_stop(said: str, clause: str, sentence: str) -> None:
    """Whether what a fault says has one or not, it goes on and ends as a sentence does; other signs stay."""
    assert (clause_of(said), sentence_of(said)) == (clause, sentence)
    assert (clause_of(ValueError(said)), sentence_of(clause_of(said))) == (clause, sentence)

    def fails(position: pg.Position) -> int:
        raise Failed(said)

    if said:
        why = pg.play_match(pg.Position.initial(pg.MNK()), (fails, fails), on_error="lose").why
        assert why.endswith(clause) and why.count(".") == clause.count(".")


def test_full_stops_have_one_home() -> None:
    """No other part of the package takes a full stop from what a fault says."""
    folder = Path(plyground.__file__).parent
    strips = re.compile(
        r"""(fault|error|failure|refusal|why|said|sentence|words)\)?\.(rstrip|removesuffix)\((['"])\.\3\)"""
    )
    found = {
        file.relative_to(folder).as_posix() for file in folder.rglob("*.py") if strips.search(file.read_text("utf-8"))
    }
    assert found <= {"play/formats/pgn.py"}  # the number of a move, not a sentence
