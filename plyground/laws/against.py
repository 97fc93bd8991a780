"""Comparison of two implementations of one game: the tree while it is small, then random games.

How the other game numbers or names its moves is unknown, so several ways to match them are tried. One under which both
games agree everywhere is right, or makes no difference; if there is none, the one that agreed longest shows the
difference. Perft counts need no matching. The first players of both games are matched, and if the utilities of one game
say only who won, margins are not compared.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyground.errors import BadInput
from plyground.rules import LONGEST, ONGOING, Game

# A game of any kind of state, and its states.
AnyGame = Game[Any]
AnyState = Any
Pairs = dict[int, int] | None

AGREEMENT_NODES = 20_000
"""Nodes of each game that perft and the walk through both trees enter, at most."""
DEEPEST_COMPARED = 64


@dataclass(frozen=True)
class Agreement:
    """Result of the comparison of two games."""

    perft: tuple[tuple[int, int], ...]
    """Number of games of 1, 2, … plies in the first game and in the second."""
    games: int
    """Number of random games played in both without a difference."""
    plies: int
    """Number of positions compared in those games."""
    by: str
    """The way in which moves were matched."""
    difference: str
    """The first difference in a sentence; empty if there is none."""

    @property
    def ok(self) -> bool:
        """Whether no difference was found."""
        return not self.difference


class _Differs(Exception):
    """Raised at a difference of two games; the argument is the sentence."""


def hold_against(
    game: AnyGame,
    other: AnyGame,
    *,
    names: tuple[str, str] = ("the first game", "the second"),
    games: int = 100,
    seed: int = 0,
    by: str | Callable[[str], str] = "",
    on_game: Callable[[], None] | None = None,
) -> Agreement:
    """Compare two games: perft, and turns, moves and outcomes along the same games.

    Args:
        game: a game.
        other: the game to compare it with.
        names: names of the two in sentences.
        games: how many random games to play in both.
        seed: of the random play.
        by: how moves are matched: `text`, `mirror` (text, with rows counted from the other side), `number` or `order`,
            or a function from a move's text in `game` to its text in `other`; empty to try all four.
        on_game: called after each game, for a progress bar.

    Raises:
        BadInput: there is no such way to match moves, or a rule fails.
    """
    if isinstance(by, str) and by and by not in WAYS:
        raise BadInput(f"moves by {by!r}: by {', '.join(WAYS)}.")
    ways = WAYS if not by else {by: WAYS[by]} if isinstance(by, str) else {"your function": _by_function(by)}
    counts = _perfts(game, other)
    tried: list[Agreement] = []
    for way, match in ways.items():
        pair = _Pair(game, other, names, match)
        said = ""
        try:
            pair.walk()
            pair.play(games, random.Random(seed), on_game)
        except _Differs as differs:
            said = f"{differs} (moves matched by {way})"
        tried.append(Agreement(counts, pair.games, pair.plies, way, said))
        if not said:
            break
    best = max(tried, key=lambda each: (each.ok, each.plies))
    wrong = next((depth for depth, (here, there) in enumerate(counts, 1) if here != there), 0)
    if wrong:
        here, there = counts[wrong - 1]
        said = f"perft {wrong} is {here:,} in {names[0]} and {there:,} in {names[1]}"
        best = Agreement(counts, best.games, best.plies, best.by, f"{said}; {best.difference}".rstrip("; "))
    return best


# -- ways to match moves ----------------------------------------------------------------------------------------------


Moves = list[tuple[str, int]]
Match = Callable[[Moves, Moves, int], Pairs]


def _by_text(here: Moves, there: Moves, ends: int) -> Pairs:
    """Match moves with the same text, ignoring case and punctuation."""
    words, others = ({_plain(text): move for text, move in moves} for moves in (here, there))
    if len(words) < len(here) or len(others) < len(there):
        return None
    return {move: others[word] for word, move in words.items() if word in others}


def _plain(text: str) -> str:
    """Text without punctuation, and without an x for a capture between two places."""
    return re.sub(r"(?<=\d)x(?=[a-z])", "", "".join(sign for sign in text.lower() if sign.isalnum()))


def _by_mirror(here: Moves, there: Moves, ends: int) -> Pairs:
    """Match moves with the same text if rows are counted from the other side."""

    def mirrored(text: str) -> str:
        return re.sub(r"\d+", lambda number: str(ends - int(number[0])), text)

    return _by_text([(mirrored(text), move) for text, move in here], there, ends)


def _by_number(here: Moves, there: Moves, ends: int) -> Pairs:
    """Match moves that are the same int."""
    known = {move for _, move in there}
    return {move: move for _, move in here if move in known}


def _by_order(here: Moves, there: Moves, ends: int) -> Pairs:
    """Match moves at the same index of both lists."""
    return {left: right for (_, left), (_, right) in zip(here, there, strict=False)}


def _by_function(told: Callable[[str], str]) -> Match:
    """Match moves by a caller's function from text to text."""
    return lambda here, there, ends: _by_text([(told(text), move) for text, move in here], there, ends)


WAYS: dict[str, Match] = {"text": _by_text, "mirror": _by_mirror, "number": _by_number, "order": _by_order}


# -- both games at once -----------------------------------------------------------------------------------------------


class _Pair:
    """Parallel walk through two games, and how far they agreed."""

    def __init__(self, game: AnyGame, other: AnyGame, names: tuple[str, str], match: Match) -> None:
        self._each, self._names, self._match = (game, other), names, match
        self._starts = game.initial(), other.initial()
        turns = [each.to_move(state) for each, state in zip(self._each, self._starts, strict=True)]
        self._swapped = turns[0] != turns[1]
        self._only_wins = any(
            each.bounds(state) == (-1, 1) for each, state in zip(self._each, self._starts, strict=True)
        )
        texts = [
            each.move_text(state, move)
            for each, state in zip(self._each, self._starts, strict=True)
            for move in each.moves(state)
        ]
        numbers = [int(number) for number in re.findall(r"\d+", " ".join(texts))]
        self._ends = min(numbers, default=0) + max(numbers, default=0)
        """Sum of the numbers of the first and the last row."""
        self.games = 0
        self.plies = 0

    def walk(self) -> None:
        """Walk through both trees level by level, up to `AGREEMENT_NODES`."""
        level = [(*self._starts, ())]
        entered = 0
        while level and entered + len(level) <= AGREEMENT_NODES // 20:
            entered += len(level)
            found: list[Any] = []
            for here, there, line in level:
                for left, right in self._compared(here, there, line).items():
                    word = self._each[0].move_text(here, left)
                    after = self._each[0].play(here, left), self._each[1].play(there, right)
                    found.append((*after, (*line, word)))
            level = found

    def play(self, games: int, chance: random.Random, on_game: Callable[[], None] | None) -> None:
        """Play the same random games in both."""
        for _ in range(games):
            here, there = self._starts
            line: tuple[str, ...] = ()
            while pairs := self._compared(here, there, line):
                left = chance.choice(list(pairs))
                line = (*line, self._each[0].move_text(here, left))
                here, there = self._each[0].play(here, left), self._each[1].play(there, pairs[left])
                if len(line) > LONGEST:
                    raise _Differs(f"A game goes on for more than {LONGEST:,} plies in both")
            self.games += 1
            if on_game:
                on_game()

    def _compared(self, here: AnyState, there: AnyState, line: tuple[str, ...]) -> dict[int, int]:
        """Compare one position. Returns the second game's move by the first game's; empty if the game is over."""
        after = (
            f"After {' '.join(line[-12:])}{f' ({len(line)} plies)' if len(line) > 12 else ''}" if line else "At first"
        )
        ends = [each.outcome(state) for each, state in zip(self._each, (here, there), strict=True)]
        if self._swapped and ends[1] != ONGOING:
            ends[1] = -ends[1]
        if self._only_wins:
            ends = [end if end == ONGOING else (end > 0) - (end < 0) for end in ends]
        if ends[0] != ends[1]:
            said = [f"{name} {_end(end)}" for name, end in zip(self._names, ends, strict=True)]
            raise _Differs(f"{after}, {said[0]}, and {said[1]}")
        if ends[0] != ONGOING:
            self.plies += 1
            return {}
        turns = [each.to_move(state) for each, state in zip(self._each, (here, there), strict=True)]
        if (turns[0] != turns[1]) != self._swapped:
            raise _Differs(f"{after}, the same player is not to move in {self._names[0]} and in {self._names[1]}")
        moves = [
            [(each.move_text(state, move), move) for move in each.moves(state)]
            for each, state in zip(self._each, (here, there), strict=True)
        ]
        pairs = self._match(moves[0], moves[1], self._ends)
        if pairs is None:
            raise _Differs(f"{after}, two moves are written alike")
        if not len(pairs) == len(moves[0]) == len(moves[1]):
            taken = set(pairs.values())
            only = [text for text, move in moves[0] if move not in pairs], [t for t, m in moves[1] if m not in taken]
            alone = [
                f"{', '.join(words[:6])} only in {name}" for words, name in zip(only, self._names, strict=True) if words
            ]
            counts = f"{self._names[0]} has {_moves(moves[0])} and {self._names[1]} {len(moves[1]):,}"
            raise _Differs(f"{after}, {counts}: {'; '.join(alone)}" if alone else f"{after}, {counts}")
        self.plies += 1
        return pairs


def _moves(moves: list[Any]) -> str:
    return f"{len(moves):,} move{'s' if len(moves) != 1 else ''}"


def _end(utility: int) -> str:
    return "goes on" if utility == ONGOING else f"ends with {utility}"


def _perfts(game: AnyGame, other: AnyGame) -> tuple[tuple[int, int], ...]:
    """Perft counts of 1, 2, … plies in both, up to the node limit or the first difference."""
    levels: list[list[AnyState]] = [[game.initial()], [other.initial()]]
    counts: list[tuple[int, int]] = []
    while len(counts) < DEEPEST_COMPARED and (not counts or counts[-1][0] == counts[-1][1]):
        if max(map(len, levels)) * 8 > AGREEMENT_NODES:
            break
        levels = [
            [each.play(state, move) for state in level if each.outcome(state) == ONGOING for move in each.moves(state)]
            for each, level in zip((game, other), levels, strict=True)
        ]
        if not any(levels):
            break
        counts.append((len(levels[0]), len(levels[1])))
    return tuple(counts)
