"""Laws of a Monte Carlo search, derived from the lines in which its simulations end.

Each line is a walk through the tree. So the games and results of every node are known before each choice, and a choice
by UCB1 (Auer, Cesa-Bianchi and Fischer, 2002) is an inequality for the constant c: mean + c √(log N / n) of the move
taken is no less than that of any other. A search chooses by that rule if some c fits all its choices; this is exact,
whatever was drawn by lot, and it holds whether the search counts a node's own first game among those of its moves, and
whether N has it. What fits no c is held against other rules, by which the mistake gets its name.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import Final, NamedTuple

from plyground.laws.simulations.games import MOVE_LETTERS, LineQuestion, moves_of, utility_of

Interval = tuple[float, float]
"""Constants from the first to the second."""
SLACK: Final = 1e-4
"""Difference of two bounds that counts as none: some programs break ties by adding a small random number."""
SMALLEST_CONSTANT: Final = 0.05
"""Constant below which no wrong rule is looked for: without a second part every rule of the mean is the same."""
LARGEST_CONSTANT: Final = 10.0
"""Constant above which results from -1 to 1 no longer matter to the choice."""
UNLIKELY: Final = 1e-6
"""Probability with which random games that are right would be taken for wrong ones, for all tests of a grade."""


@dataclass(frozen=True)
class ChoiceRule:
    """A way in which a move could be chosen at a node: a sum of the mean result and c times a width."""

    width: Callable[[int, int], float] = lambda all_games, games: sqrt(log(all_games) / games)
    """Second part of the bound without c, by N and n."""
    side: Callable[[LineQuestion, int, int], str] = lambda asked, ply, start: side_at(asked, ply)
    """Player whose results count at a node, `x` or `o`: by its ply, and that from which the random game was played."""
    draw: Callable[[str], float] = lambda side: 0.0
    """A draw for a player, from -1 to 1."""
    mean: Callable[[float, int], float] = lambda total, games: total / games
    """First part of the bound, by the sum of the results and n."""


def side_at(asked: LineQuestion, ply: int) -> str:
    """Player to move after some plies of a question's game."""
    return asked.turns[min(ply, len(asked.turns) - 1)]


def _other_side(side: str) -> str:
    return "o" if side == "x" else "x"


def _alternating_side(asked: LineQuestion, ply: int, known: int) -> str:
    """Player to move at a ply if turns alternated, from the player to move at the ply `known`."""
    side = side_at(asked, known)
    return side if (ply - known) % 2 == 0 else _other_side(side)


RIGHT_RULE: Final = ChoiceRule()
WIDTH_RULES: Final[dict[str, ChoiceRule]] = {
    "no log": ChoiceRule(lambda n, own: sqrt(n / own)),
    "no N": ChoiceRule(lambda n, own: sqrt(1 / own)),
    "no root": ChoiceRule(lambda n, own: log(n) / own),
    "root of N": ChoiceRule(lambda n, own: sqrt(log(n)) / own),
    "root of n": ChoiceRule(lambda n, own: log(n) / sqrt(own)),
    "N for n": ChoiceRule(lambda n, own: sqrt(log(own) / n)),
    "log of n": ChoiceRule(lambda n, own: sqrt(log(own) / own)),
    "not divided": ChoiceRule(mean=lambda total, games: total),
    "no results": ChoiceRule(mean=lambda total, games: 0.0),
}
"""Wrong rules of exploration, by the names of their mistakes (`mistakes.py`)."""
SIDE_RULES: Final[dict[str, ChoiceRule]] = {
    "other side": ChoiceRule(side=lambda asked, ply, start: _other_side(side_at(asked, ply))),
    "mover below": ChoiceRule(side=lambda asked, ply, start: side_at(asked, ply + 1)),
    "root's side": ChoiceRule(side=lambda asked, ply, start: asked.turns[0]),
    "other than the root's": ChoiceRule(side=lambda asked, ply, start: _other_side(asked.turns[0])),
    "x's side": ChoiceRule(side=lambda asked, ply, start: "x"),
    "o's side": ChoiceRule(side=lambda asked, ply, start: "o"),
    "alternation": ChoiceRule(side=lambda asked, ply, start: _alternating_side(asked, ply, 0)),
    "alternation, from the new node": ChoiceRule(side=_alternating_side),
    "alternation, from the end": ChoiceRule(
        side=lambda asked, ply, start: _alternating_side(asked, ply, len(asked.turns))
    ),
    "alternation, from the last move": ChoiceRule(
        side=lambda asked, ply, start: _alternating_side(asked, ply, len(asked.turns) - 1)
    ),
}
"""Wrong sides of the results; what stands after a comma makes no other mistake."""
DRAW_RULES: Final[dict[str, ChoiceRule]] = {
    "draws lost": ChoiceRule(draw=lambda side: -1.0),
    "draws won": ChoiceRule(draw=lambda side: 1.0),
    "draws x's": ChoiceRule(draw=lambda side: 1.0 if side == "x" else -1.0),
    "draws o's": ChoiceRule(draw=lambda side: -1.0 if side == "x" else 1.0),
}
"""Wrong worths of a draw."""


@dataclass(frozen=True)
class Growth:
    """A way in which a tree grows by a node with each simulation."""

    own: int = 1
    """Random games that are played from a node itself, before those of its moves."""
    own_root: int = 0
    """Those of the root."""
    is_by_moves: bool = False
    """Whether a node gets its moves when it is first reached, and the random game is played from one of them."""


GROWTHS: Final = (
    *(Growth(own, root) for own in range(1, 5) for root in {0, 1, own}),
    Growth(is_by_moves=True),
    Growth(own=0),
)
"""Right ways: after one game of its own a node is left by its moves, or after a few; the last one keeps whole lines."""


class Simulation(NamedTuple):
    """A simulation at a node: the move made there, its result, and the ply from which its random game was played."""

    move: int
    utility: int
    start: int


@dataclass(frozen=True)
class LinesPlayed:
    """A question with the lines that a search has played for it, in their order."""

    asked: LineQuestion
    lines: tuple[str, ...]

    def games_by_node(self, growth: Growth) -> dict[str, list[Simulation]]:
        """The simulations that went through each node of the tree."""
        # The tree is built again from the lines: a node is a prefix of a line, and `own` counts the random games from
        # it.
        own: Counter[str] = Counter()
        found: dict[str, list[Simulation]] = {}
        for line in self.lines:
            moves, start = moves_of(line), len(line)
            # Down the tree, until a node that plays its own random game: what follows in the line is in no tree yet.
            for ply in range(len(line)):
                node = line[:ply]
                if not growth.is_by_moves and own[node] < (growth.own if ply else growth.own_root):
                    own[node] += 1
                    start = ply
                    break
                if node not in found:
                    found[node] = []
                    if growth.is_by_moves:
                        start = ply + 1
                        break
            utility = utility_of(self.asked, moves)
            for ply in range(start):
                found[line[:ply]].append(Simulation(moves[ply], utility, start))
        return found

    def find_repeated(self, growth: Growth) -> str | None:
        """The first node at which a move was made twice before another one was made once; None where there is none."""
        width = self.asked.width
        first = {line: [each.move for each in games[:width]] for line, games in self.games_by_node(growth).items()}
        # The first games of a node, one for each move, must be of different moves.
        wrong = (line for line, moves in first.items() if len({*moves}) < len(moves))
        return min(wrong, key=len, default=None)


def find_constants(
    walks: Iterable[LinesPlayed], rule: ChoiceRule, growth: Growth, known: Sequence[Interval], *, below: bool = True
) -> list[Interval]:
    """The constants c with which a rule explains each choice; none where it does not.

    Args:
        walks: what was played.
        rule: the rule.
        growth: how the tree grows.
        known: constants that are possible.
        below: whether nodes below the root are looked at, too.
    """
    left = [*known]
    for walked in walks:
        for line, games in walked.games_by_node(growth).items():
            # Until each move was tried once nothing is chosen by the bound.
            if (line and not below) or len(games) <= walked.asked.width:
                continue
            results = [(each.move, result_of(rule, walked.asked, len(line), each)) for each in games]
            # N may have a node's own games or not, and one more against a logarithm of 0.
            ways = {_bound_constants(results, more, walked.asked.width, rule) for more in range(growth.own + 2)}
            left = _intersect(left, [way for way in ways if way])
            if not left:
                return []
    return left


def result_of(rule: ChoiceRule, asked: LineQuestion, ply: int, game: Simulation) -> float:
    """Result of a simulation as a rule has it at a node, from -1 to 1."""
    side = rule.side(asked, ply, game.start)
    return rule.draw(side) if game.utility == 0 else game.utility if side == "x" else -game.utility


def _bound_constants(results: Sequence[tuple[int, float]], more: int, width: int, rule: ChoiceRule) -> Interval | None:
    """The constants that explain the choices of one node, `more` games being counted for it that no move has."""
    games, total = [0] * width, [0.0] * width
    tried = {move for move, _ in results}
    low, high = -inf, inf
    for place, (move, result) in enumerate(results):
        # A move that is never tried is no alternative here: it is missed by the law of expansion.
        if all(games[each] for each in tried):
            means = {each: rule.mean(total[each], games[each]) for each in tried}
            wide = {each: rule.width(place + more, games[each]) for each in tried}
            for other in tried:
                # mean + c wide of the move is no less than the other's: ahead >= c wider
                ahead, wider = means[move] - means[other], wide[other] - wide[move]
                # Divided by a negative width, the inequality turns round.
                if wider > 0:
                    high = min(high, (ahead + SLACK) / wider)
                elif wider < 0:
                    low = max(low, (ahead + SLACK) / wider)
                elif ahead < -SLACK:
                    return None
            if low > high:
                return None
        games[move] += 1
        total[move] += result
    return low, high


def _intersect(one: Iterable[Interval], other: Sequence[Interval]) -> list[Interval]:
    # Unions of intervals, because each node may allow several ways of counting N.
    met = {(max(a, c), min(b, d)) for a, b in one for c, d in other if max(a, c) <= min(b, d)}
    joined: list[Interval] = []
    for low, high in sorted(met):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], high)
        else:
            joined.append((low, high))
    return joined


def possible_answers(games: Sequence[tuple[int, float]], width: int, c: float) -> dict[str, list[int]]:
    """The moves that may be the answer, by the name of the mistake; those tried most by an empty name.

    Args:
        games: moves made at the root, each with its result for the mover.
        width: number of moves.
        c: the constant.
    """
    count = [sum(move == each for each, _ in games) for move in range(width)]
    total = [sum(result for each, result in games if move == each) for move in range(width)]
    mean = [won / max(tried, 1) for won, tried in zip(total, count, strict=True)]
    wide = [sqrt(log(max(len(games), 1)) / max(tried, 1)) for tried in count]
    last = games[-1][0] if games else 0
    merits: dict[str, Sequence[float]] = {
        "": count,
        "best mean": mean,
        "most won": total,
        "least tried": [-each for each in count],
        "first move": [-move for move in range(width)],
        "last tried": [move == last for move in range(width)],
        "by the bound": [each + c * more for each, more in zip(mean, wide, strict=True)],
    }
    return {
        name: [move for move, merit in enumerate(each) if merit >= max(each) - SLACK] for name, each in merits.items()
    }


class MoveCount(NamedTuple):
    """How often something came about in random games, and how often it is to be expected."""

    seen: int
    of: int
    share: float
    what: str

    def is_unlikely(self, tests: int) -> bool:
        """Whether that is seen with a probability far below `UNLIKELY` / tests, by Hoeffding's inequality (1963).

        A hundredth of it, for how many moves are looked at depends a little on what is played.
        """
        away = self.seen - self.of * self.share
        # P(|seen / of - share| >= t) <= 2 exp(-2 t² of), with t = away / of.
        return 2 * exp(-2 * away * away / self.of) < UNLIKELY / tests / 100


def random_moves(walks: Sequence[LinesPlayed]) -> Iterator[MoveCount]:
    """Counts of the moves in the random games of each question, in all of their plies and in each.

    A position after one that was new is in no tree. The last two plies are left out: there a search may see the end.
    """
    for walked in walks:
        width, known = walked.asked.width, set[str]()
        plies: dict[int, list[str]] = {}
        repeated: list[bool] = []
        for line in walked.lines:
            new = next((ply for ply in range(len(line)) if line[:ply] not in known), len(line))
            known |= {line[:ply] for ply in range(len(line))}
            # The first new position is added, and may be left by a chosen move; the one after it is not.
            for ply in range(new + 2, len(line) - 2):
                for each in (ply, -1):
                    plies.setdefault(each, []).append(line[ply])
                if ply > new + 2:
                    repeated.append(line[ply] == line[ply - 1])
        for moves in plies.values():
            for place, letter in enumerate(MOVE_LETTERS[:width], start=1):
                yield MoveCount(moves.count(letter), len(moves), 1 / width, f"are number {place} of {width}")
        if repeated:
            yield MoveCount(sum(repeated), len(repeated), 1 / width, "are the same as the one before")
