"""The statistics of an arena, against numbers that others have published, and by simulation."""

import itertools
import math
import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from plyground.arena.report.columns import COLUMNS
from plyground.arena.report.html import html
from plyground.arena.report.standings import standings
from plyground.arena.report.testing import stand_of_test
from plyground.arena.results import Arena, Entrant, Judged, Played, Task
from plyground.arena.statistics.numeric import Laplacian, laplacian, normal, root, strong_components
from plyground.arena.statistics.rating import NATURAL, NORMALISED, Z95, Duel, Ratings, duel, ratings
from plyground.arena.statistics.sprt import SPRT
from plyground.errors import BadInput
from plyground.play.ending import Ending

Units = Counter[tuple[int, int, int, float]]


def pairs(pentanomial: tuple[int, ...]) -> Units:
    """Pairs of games between 0 and 1, by the points of 0: 0, 1/2, 1, 3/2, 2."""
    return Counter({(0, 1, 2, points / 2): times for points, times in enumerate(pentanomial)})


def of(pentanomial: tuple[int, ...]) -> Duel:
    """What these pairs say of the two."""
    found = duel(pairs(pentanomial))
    assert found is not None
    return found


# -- what others have published ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pentanomial", "elo", "error", "normalised", "normal_error", "los"),
    [
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 1.0),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 0.0505),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, 0.0),
    ],
)
def test_two_players_as_fastchess_has_them(
    pentanomial: tuple[int, ...], elo: float, error: float, normalised: float, normal_error: float, los: float
) -> None:
    """Elo and normalised Elo with their errors: app/tests/elo_test.cpp of fastchess, which holds them to 1 %."""
    found = of(pentanomial)
    assert found.elo == pytest.approx(elo, abs=0.01)
    assert (found.high - found.low) / 2 == pytest.approx(error, rel=0.01)
    assert found.normalised == pytest.approx(normalised, abs=0.01)
    assert found.margin == pytest.approx(normal_error, abs=0.01)
    assert found.superiority == pytest.approx(los, abs=0.001)


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "elo", "error"), [(136, 96, 111, 40.70, 30.43), (3068, 2861, 4061, 7.2, 5.2)]
)
def test_single_games_as_fastchess_and_cutechess_have_them(
    wins: int, losses: int, draws: int, elo: float, error: float
) -> None:
    """Without pairs a game is an observation: fastchess's EloWDL, and a match by cutechess-cli (Equisetum, pull 10)."""
    found = duel(Counter({(0, 1, 1, 1.0): wins, (0, 1, 1, 0.0): losses, (0, 1, 1, 0.5): draws}))
    assert found is not None
    assert found.elo == pytest.approx(elo, abs=0.06)
    assert (found.high - found.low) / 2 == pytest.approx(error, rel=0.011)


@pytest.mark.parametrize(
    ("pentanomial", "elo0", "elo1", "llr", "decision"),
    [
        # tests.stockfishchess.org, by the id of the test; what is kept there is rounded to a hundredth
        ((19, 4020, 10316, 4215, 24), -1.75, 0.25, 2.94, None),  # 69675ab9d5a3b5895b50fb44
        ((103, 3851, 8316, 3728, 98), 0, 2, -2.03, None),  # 6984bbe6473df9d1d24a937b
        ((291, 10353, 21899, 10175, 306), 0, 2, -3.08, "H0"),  # 6983867b473df9d1d24a9148
        ((99, 3323, 8399, 3606, 109), 0, 2, 2.98, "H1"),  # 698432f5473df9d1d24a926d
        ((2, 40, 72, 14, 0), 0, 2, -0.36, None),  # 6984bb68473df9d1d24a9378
        ((326, 12015, 26044, 12357, 362), 0, 2, 2.93, None),  # 69839ed7473df9d1d24a91ae
        ((900, 30596, 67292, 30899, 809), 0, 2, -2.96, "H0"),  # 697e32ae5f56030af97b59c9
        ((14, 6935, 20257, 7273, 30), 0.5, 2.5, 2.95, "H1"),  # 69843133473df9d1d24a9269
        # app/tests/sprt_test.cpp of fastchess
        ((365, 16618, 36229, 16974, 390), 0, 2, 2.25, None),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, 3.01, "H1"),
    ],
)
def test_sprt_as_fishtest_has_it(
    pentanomial: tuple[int, ...], elo0: float, elo1: float, llr: float, decision: str | None
) -> None:
    """The LLR of the pentanomial GSPRT in normalised Elo, of tests that fishtest has run, and of fastchess's tests."""
    test = SPRT(elo0, elo1)
    assert test.llr(pentanomial) == pytest.approx(llr, abs=0.006)
    if abs(llr) != 2.94:  # where a hundredth does not tell on which side of the bound it is
        assert test.decision(pentanomial) == decision
    assert test.bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert SPRT(-elo1, -elo0).llr(pentanomial[::-1]) == pytest.approx(-test.llr(pentanomial), abs=1e-6)


@pytest.mark.parametrize(
    ("pentanomial", "elo0", "elo1", "llr"),
    [((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07), ((871, 26175, 55983, 26678, 821), 0, 2, -4.98)],
)
def test_logistic_sprt_as_fastchess_has_it(pentanomial: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    """The LLR in Elo's own units: "logistic pentanomial" 1 and 2 of app/tests/sprt_test.cpp of fastchess."""
    test = SPRT(elo0, elo1, model="logistic")
    assert test.llr(pentanomial) == pytest.approx(llr, rel=0.01)
    assert test.decision(pentanomial) == "H0"


def test_a_test_as_engine_authors_read_it() -> None:
    """Terminal, page and report have the numbers that fastchess prints, of the pairs that its test has."""
    games, number = list[Played](), 0
    for points, times in enumerate((34, 54, 63, 64, 75)):
        for _ in range(times):
            for x, o, mine in (("new", "base", min(points, 2)), ("base", "new", points - min(points, 2))):
                won = mine - 1  # of new, as a win, a draw or a loss
                task = Task(number, number // 2, x, o, f"{number}")
                games.append(Played(task, (), won if x == "new" else -won, ""))
                number += 1
    found = stand_of_test(SPRT(0, 5, 0.01, 0.1, "logistic"), "new", "base", standings(["new", "base"], games))
    first, second, third = found.lines
    assert first.startswith("SPRT of new against base, in Elo, alpha 0.01, beta 0.1: LLR +")
    assert first.endswith("(−2.29, 4.50) [0, 5], not decided yet.")
    assert second == "Elo +55.6 ± 27.6; normalised Elo +57.9 ± 28.3; LOS > 99.9 %."
    assert third.endswith("pairs with 0, ½, 1, 1½ and 2 points: 34 54 63 64 75.")
    assert found.brief == f"LLR {found.llr:+.2f} (−2.29, 4.50) [0, 5], Elo +55.6 ± 27.6"


def strengths(found: Ratings, one: int) -> list[float]:
    """In natural units, above one of them."""
    return [(elo - found.elo[one]) / NATURAL for elo in found.elo]


def test_journals_as_stigler_and_firth_have_them() -> None:
    """Citations between four journals of statistics: R's BradleyTerry2 gives -2.94907, -0.47957 and 0.26895, and by
    Fisher's information standard errors of 0.10255, 0.06059 and 0.07083, which the sandwich comes near where the
    model holds.
    """
    cited = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]]
    found = ratings(4, Counter({(i, j, 1, 1.0): cited[i][j] for i, j in itertools.permutations(range(4), 2)}))
    assert strengths(found, 0) == pytest.approx([0, -2.94907, -0.47957, 0.26895], abs=1e-5)
    errors = [found.deviation(journal, 0) / NATURAL for journal in (1, 2, 3)]
    assert errors == pytest.approx([0.10255, 0.06059, 0.07083], rel=0.01)


def test_baseball_as_agresti_has_it() -> None:
    """The American League's East in 1987: Agresti, Categorical Data Analysis (2nd ed.), table 10.11; errors of 0.3."""
    home = {
        "Milwaukee": ((4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)),
        "Detroit": ((3, 3), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)),
        "Toronto": ((2, 5), (4, 3), (2, 4), (4, 3), (4, 2), (6, 0)),
        "New York": ((3, 3), (5, 1), (2, 5), (4, 3), (4, 2), (6, 1)),
        "Boston": ((5, 1), (2, 5), (3, 3), (4, 2), (5, 2), (6, 0)),
        "Cleveland": ((2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (2, 4)),
        "Baltimore": ((2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4)),
    }
    units: Units = Counter()
    for team, results in enumerate(home.values()):
        others = [other for other in range(7) if other != team]
        for other, (won, lost) in zip(others, results, strict=True):
            units += Counter({(team, other, 1, 1.0): won, (team, other, 1, 0.0): lost})
    found = ratings(7, units)
    assert strengths(found, 6) == pytest.approx([1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0], abs=0.005)
    assert [found.deviation(team, 6) / NATURAL for team in range(6)] == pytest.approx([0.33] * 6, abs=0.03)


# -- laws --------------------------------------------------------------------------------------------------------------


def test_what_is_expected_is_what_was_scored() -> None:
    """The maximum of the likelihood: each player has as many points as the ratings expect; the mean is 0; whoever has
    more points in a round robin is above; order and direction of the observations do not matter.
    """
    chance = random.Random(3)
    units: Units = Counter()
    for i, j in itertools.combinations(range(12), 2):
        for _ in range(4):
            units[i, j, 2, chance.choices((0.0, 0.5, 1.0, 1.5, 2.0), (1, 2, 3, 2, 1 + j - i))[0]] += 1
    found = ratings(12, units)
    for player in range(12):
        points = should = 0.0
        for (i, j, games, scored), times in units.items():
            if player in (i, j):
                points += times * (scored if player == i else games - scored)
                lead = found.elo[player] - found.elo[j if player == i else i]
                should += times * games / (1 + 10 ** (-lead / 400))
        assert should == pytest.approx(points, abs=1e-4)
    assert sum(found.elo) == pytest.approx(0, abs=1e-9) and set(found.bound) == {""}
    turned = Counter({(j, i, games, games - points): times for (i, j, games, points), times in units.items()})
    assert ratings(12, turned).elo == pytest.approx(found.elo, abs=1e-4)
    assert found.superiority(3, 8) == pytest.approx(1 - (found.superiority(8, 3) or 0))


def share(lead: float) -> float:
    """Of the points, by Elo's own formula."""
    return 1 / (1 + 10 ** (-lead / 400))


def test_a_clean_score_has_the_bound_that_it_says() -> None:
    """Who took all 20 points, or none, is bounded by the Elo at which that has a probability of 5 %, and stands where
    that is a half; so does a group; who won few games is not put below those it won them from.
    """
    found = ratings(2, {(0, 1, 2, 2.0): 10})
    assert share(found.elo[0] - found.elo[1]) ** 20 == pytest.approx(0.5)
    assert share(found.low[0] - found.elo[1]) ** 20 == pytest.approx(0.05) and found.high[0] == math.inf
    assert share(found.elo[0] - found.high[1]) ** 20 == pytest.approx(0.05) and found.low[1] == -math.inf
    assert found.bound == ("≥", "≤") and found.superiority(0, 1) == 1 - 0.5**21
    ten = of((0, 0, 0, 0, 10))
    assert ten.bound == "≥" and share(ten.low) ** 20 == pytest.approx(0.05) and ten.normalised is None
    even = {(0, 1, 2, 1.0): 10, (2, 3, 2, 1.0): 10}
    two = ratings(4, even | {(0, 2, 2, 2.0): 5, (0, 3, 2, 2.0): 5, (1, 2, 2, 2.0): 5})
    assert two.bound in {("", "", "≤", "≤"), ("≥", "≥", "", "")}
    assert share(two.elo[0] - two.elo[2]) ** 30 == pytest.approx(0.5) and two.elo[0] == pytest.approx(two.elo[1])
    for clean in (1, 2, 3):
        ladder = ratings(5, {(i, j, 2, 2.0): clean for i, j in itertools.combinations(range(5), 2)})
        assert list(ladder.elo) == sorted(ladder.elo, reverse=True) and all(map(math.isfinite, ladder.elo))
        assert all(low <= elo <= high for low, elo, high in zip(ladder.low, ladder.elo, ladder.high, strict=True))
    # of two who lost all to the same one, neither is known to be above the other; nor of who beat one of them
    fan = ratings(4, {(0, 1, 2, 2.0): 9, (0, 2, 2, 2.0): 9, (3, 2, 2, 2.0): 1})
    assert fan.bound == ("≥", "≤", "≤", "?") and fan.superiority(1, 2) is None


def test_who_have_not_met_are_not_compared() -> None:
    """Two groups, and one who never played: three, each with a mean of 0."""
    found = ratings(5, {(0, 1, 2, 1.5): 10, (2, 3, 2, 1.0): 10})
    assert found.group[0] == found.group[1] != found.group[2] == found.group[3] != found.group[4]
    assert found.elo[0] == pytest.approx(95.42, abs=0.01) and found.elo[4] == 0
    assert found.superiority(0, 2) is None and found.deviation(0, 2) == math.inf


def test_an_interval_is_never_empty() -> None:
    """Of pairs that all ended alike it is as wide as the rule of three has it: with 100 pairs one in 30 may differ."""
    found = of((0, 0, 100, 0, 0))
    assert found.elo == 0 and 4 < found.high < 6 and found.superiority == 0.5
    assert of((0, 0, 1, 0, 0)).high > 300


def test_pairs_that_hang_together_narrow_the_interval() -> None:
    """Openings that one side wins whoever plays it tell nothing of the players, and the pairs know that."""
    together, apart = of((10, 20, 240, 20, 20)), of((60, 100, 100, 10, 40))
    singly = duel(Counter({(0, 1, 1, 1.0): 290, (0, 1, 1, 0.0): 290, (0, 1, 1, 0.5): 40}))
    assert singly is not None
    assert together.high - together.elo < 0.6 * (singly.high - singly.elo) < apart.high - apart.elo


# -- by simulation -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "openings", "spread", "draws", "bias"),
    [(2, 3, 20, 1.0, 0.0), (2, 10, 50, 6.0, 1.5), (3, 2, 50, 1.0, 0.5), (6, 3, 120, 2.0, 1.0)],
)
def test_intervals_hold_the_truth(players: int, openings: int, spread: float, draws: float, bias: float) -> None:
    """Of 95 % intervals of the difference of the strongest and the weakest 92 to 100 % hold it, whether games are drawn
    often or rarely, openings are fair or not, and pairs are many or three.
    """
    chance = random.Random(players * 100 + openings)
    true = [spread * (2 * player / (players - 1) - 1) / NATURAL for player in range(players)]
    meetings = list(itertools.combinations(range(players), 2))

    def chances(ahead: float) -> tuple[float, float]:
        """Of a win and of a draw, by Davidson's model, scaled so that a small lead gives Elo's share of the points."""
        root = math.exp(ahead * (2 + draws) / 4)
        return root / (root + 1 / root + draws), draws / (root + 1 / root + draws)

    def game(ahead: float) -> float:
        won, drawn = chances(ahead)
        roll = chance.random()
        return 1.0 if roll < won else 0.5 if roll < won + drawn else 0.0

    def tilt() -> float:
        return chance.gauss(0, bias)

    # what ratings converge to: the fit of the expectations
    expected: Units = Counter()
    for one, other in meetings:
        for _ in range(200):
            by = tilt()
            points = sum(
                won + drawn / 2
                for won, drawn in map(chances, (true[other] - true[one] + by, -by + true[other] - true[one]))
            )
            expected[one, other, 2, 2 - points] += 1
    truth = ratings(players, expected)
    held = tried = 0
    for _ in range(200):
        units: Units = Counter()
        for one, other in meetings:
            for _ in range(openings):
                by, lead = tilt(), true[one] - true[other]
                units[one, other, 2, game(lead + by) + game(lead - by)] += 1
        found = ratings(players, units)
        if any(found.bound):
            continue
        tried += 1
        off = (found.elo[-1] - found.elo[0]) - (truth.elo[-1] - truth.elo[0])
        held += abs(off) <= Z95 * found.deviation(0, players - 1)
    assert tried > 160 and 0.92 < held / tried <= 1


@pytest.mark.parametrize("elo", [0.0, 5.0])
def test_false_decisions_stay_within_their_probability(elo: float) -> None:
    """Of 1,000 tests of 0 against 5 normalised Elo, with the truth at one of them, at most 5 % decide falsely, and all
    decide. The steps of many tests at once use the approximation of section 4.2 of Van den Bergh's paper; near a bound
    each is decided by the test itself.
    """
    tests, batch, test = 1000, 50, SPRT(0, 5)
    rng = np.random.RandomState(15)  # whose numbers are the same in every release of NumPy
    scores = np.array([0, 0.25, 0.5, 0.75, 1])
    shape = np.array([0.03, 0.2, 0.54, 0.2, 0.03])
    deviation = math.sqrt(float(shape @ (scores - 0.5) ** 2))
    for _ in range(20):  # move the mean until the lead, in deviations of a game, is the one asked for
        lead = elo / NORMALISED * deviation * math.sqrt(2)
        moved = shape * np.exp(np.log1p(lead / (deviation**2) * (scores - 0.5)))
        moved /= moved.sum()
        mean = float(moved @ scores)
        deviation = math.sqrt(float(moved @ (scores - mean) ** 2))
    assert (mean - 0.5) / (deviation * math.sqrt(2)) * NORMALISED == pytest.approx(elo, abs=0.02)
    counts = np.zeros((tests, 5), dtype=np.int64)
    going = np.arange(tests)
    decided: Counter[str] = Counter()
    low, high = test.bounds
    while going.size:
        counts[going] += rng.multinomial(batch, moved, size=going.size)
        here = counts[going]
        total = here.sum(axis=1)
        means = here @ scores / total
        spread = np.sqrt(2 * ((here * (scores - means[:, None]) ** 2).sum(axis=1) / total))
        t = (means - 0.5) / spread
        about = total * np.log((1 + t**2) / (1 + (t - 5 / NORMALISED) ** 2))
        ended = set()
        for at in np.flatnonzero((about < low + 0.05) | (about > high - 0.05)):
            decision = test.decision(here[at].tolist())
            assert abs(test.llr(here[at].tolist()) - about[at]) < 0.05
            if decision:
                decided[decision] += 1
                ended.add(int(going[at]))
        going = np.array([each for each in going if int(each) not in ended], dtype=np.int64)
    assert decided.total() == tests
    assert decided["H1" if elo == 0 else "H0"] <= 50, decided


# -- the mathematics below them, held to SciPy -------------------------------------------------------------------------


def test_numbers_are_scipys() -> None:
    """Roots, components of graphs and the pseudo-inverse of a Laplacian, with weights over ten orders of magnitude."""
    scipy = pytest.importorskip("scipy")
    from scipy import linalg, optimize, special  # noqa: F401
    from scipy.sparse import coo_array, csgraph

    chance = random.Random(5)
    for _ in range(200):
        steep, at = 10 ** chance.uniform(-3, 3), chance.uniform(-40, 40)

        def rising(x: float, steep: float = steep, at: float = at) -> float:
            return math.tanh(steep * (x - at)) + 0.3 * math.tanh(x - at)

        assert root(rising, -50, 50) == pytest.approx(scipy.optimize.brentq(rising, -50, 50), abs=1e-11)
    for deviations in (-8.0, -1.0, 0.0, 0.3, 5.0):
        assert normal(deviations) == pytest.approx(scipy.special.ndtr(deviations), rel=1e-12)
    for size in (1, 2, 7, 30):
        edges = [(chance.randrange(size), chance.randrange(size)) for _ in range(size)]
        graph = coo_array(([1] * len(edges), ([one for one, _ in edges], [two for _, two in edges])), (size, size))
        theirs = csgraph.connected_components(graph, directed=True, connection="strong")[1].tolist()
        ours = strong_components(size, edges)
        assert len(set(zip(ours, theirs, strict=True))) == len(set(ours)) == len(set(theirs))
        if size > 1:
            tree = [(one, chance.randrange(one)) for one in range(1, size)]
            matrix = laplacian(size, ((one, two, 10 ** chance.uniform(-5, 5)) for one, two in [*tree, *tree]))
            np.testing.assert_allclose(Laplacian(matrix).pseudo_inverse(), linalg.pinvh(matrix), rtol=1e-4, atol=1e-9)


# -- bad input, and what an arena makes of it --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("below the second", (5, 0)),
        ("below the second", (1, 1)),
        ("200 at most", (0, 300)),
        ("alpha", (0, 5, 0)),
        ("model 'bayesian'", (0, 5)),
    ],
)
def test_a_test_that_makes_no_sense(words: str, values: tuple[Any, ...]) -> None:
    """One sentence."""
    options: dict[str, Any] = {"model": "bayesian"} if "model" in words else {}
    with pytest.raises(BadInput, match=words):
        SPRT(*values, **options)


def played(number: int, x: str, o: str, utility: int | None, **more: object) -> Played:
    """A game that nobody else has played."""
    why = str(more.pop("why", ""))
    pair = more.pop("pair", number // 2)
    assert isinstance(pair, int)
    return Played(Task(number, pair, x, o, ""), ("b2", str(number)), utility, why, **more)  # type: ignore[arg-type]


def test_standings_count_what_was_played() -> None:
    """Points, pairs, single games, void ones, faults and time; blunders only of moves that had something to lose."""
    judged = [
        Judged(1, 0, "a1", "draw", "draw", True),
        Judged(2, 1, "b1", "draw", "loss", True, ("b2",)),
        Judged(3, 0, "c1", "win", "draw", False, ("c2",)),
        Judged(4, 1, "c3", "loss", "loss", True),
    ]
    games = [
        played(0, "ann", "bob", 1, seconds=(1.0, 2.0), judged=tuple(judged)),
        played(1, "bob", "ann", 0, seconds=(0.5, 0.25)),
        played(2, "ann", "bob", 1, fault=1, ending=Ending.LATE),
        played(3, "bob", "ann", None, void=True, why="no port"),
        played(4, "ann", "cat", -1, fault=0, ending=Ending.ILLEGAL),
        played(5, "cat", "ann", 1, fault=1, ending=Ending.CRASHED),
    ]
    table = standings(["ann", "bob", "cat", "dan"], games)
    ann, bob, cat = (table.row(name) for name in ("ann", "bob", "cat"))
    assert (ann.games, ann.wins, ann.draws, ann.losses, ann.points, ann.void) == (5, 2, 1, 2, 2.5, 1)
    assert ann.faults == {"illegal": 1, "crashed": 1} and bob.faults == {"late": 1} and not cat.faults
    assert (ann.seconds, bob.seconds) == (1.25, 2.5)
    assert (ann.blunders.moves, ann.blunders.given, ann.blunders.opinions, ann.blunders.opined) == (2, 1, 1, 1)
    assert (bob.blunders.moves, bob.blunders.given, bob.blunders.lost, bob.blunders.rate) == (1, 1, 1, 1.0)
    assert bob.by_ply[2].given == 1 and cat.blunders.rate is None
    met = table.cross["ann", "bob"]
    assert met.pentanomial == (0, 0, 0, 1, 0) and met.alone == 1 and met.void == 1 and met.points == 2.5
    assert table.cross["bob", "ann"].pentanomial == (0, 1, 0, 0, 0) and ("bob", "cat") not in table.cross
    assert (table.games, table.void) == (5, 1) and table.first == pytest.approx(0.7)
    assert [row.name for row in table.rows] == ["cat", "ann", "bob", "dan"] and not table.is_connected
    assert table.rows[0].bound == "≥" and table.rows[-1].games == 0
    with pytest.raises(BadInput, match="'eve' plays in game 6, but does not take part"):
        standings(["ann"], [played(6, "eve", "ann", 1)])


def test_standings_are_shown_and_given_to_pandas() -> None:
    """In a notebook names are text, whatever is in them; a data frame has a row for each."""
    name = '<b>&"ann"</b> 🦊'
    table = standings([name, "bob"], [played(0, name, "bob", 1), played(1, "bob", name, 0)])
    shown = table._repr_html_()
    assert "<b>" not in shown and '&lt;b&gt;&amp;"ann"&lt;/b&gt; 🦊' in shown and shown.count("<svg") == 2
    frame = table.to_frame()
    assert frame["name"].tolist() == [name, "bob"] and frame["points"].sum() == 2
    assert table.cells()[0][2] == "+95"
    repeated = [played(number, "ann", "bob", 0, pair=number) for number in range(8)]
    same = [Played(each.task, ("b2",), 0, "draw") for each in repeated]
    assert any("Only 1 of the 8 games are different: pl" in note for note in standings(["ann", "bob"], same).notes)


def test_a_column_is_in_every_table_and_record() -> None:
    """What is declared once is in the report, a notebook and records, each name once; without games no Elo is given."""
    games = [
        played(6, "ann", "bob", 1, seconds=(1.0, 2.0), judged=(Judged(1, 0, "a1", "draw", "draw", True),)),
        played(7, "bob", "ann", 1, fault=1, ending=Ending.LATE),
        played(8, "ann", "bob", None, void=True),
    ]
    names = ("ann", "bob", "cat")
    table = standings(names, games)
    notebook = re.findall("<th [^>]*>([^<]*)<", table._repr_html_())
    report = html(Arena("id", "", "tictactoe", tuple(Entrant(name, name) for name in names), "round-robin"), games)
    heads = re.findall('<th scope="col"[^>]*>([^<]*)<', report.partition("</thead>")[0])
    assert heads == [column.heading for column in COLUMNS]
    assert notebook == [head for head in heads if head not in ("void", "seconds")]
    numbers = [name for column in COLUMNS for name in column.numbers]
    assert all(list(record) == numbers for record in table.records()) and len({*numbers}) == len(numbers)
    assert [record["name"] for record in table.records() if record["elo"] is None] == ["cat"]


def test_few_different_games_are_no_proof_of_players_without_chance() -> None:
    """Different pairs from one opening show that a player plays at random, however few games are possible."""
    moves = [(("1",), ("1",)), (("2",), ("1",))] * 4
    games = [
        Played(Task(number, number // 2, *sides, ""), each[number % 2], 0, "draw")
        for number, (each, sides) in enumerate(
            (each, sides) for each in moves for sides in (("ann", "bob"), ("bob", "ann"))
        )
    ]
    assert standings(["ann", "bob"], games).notes[-1] == "Only 3 of the 16 games are different."
