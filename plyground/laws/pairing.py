"""Comparison of two games move by move: ways to match their moves, and a parallel walk through both."""

import random
import re
from collections.abc import Callable
from typing import Any

from plyground.errors import WrongType
from plyground.rules import LONGEST, ONGOING, Game

# A game of any kind of state, and its states.
AnyGame = Game[Any]
AnyState = Any
Pairs = dict[int, int] | None

AGREEMENT_NODES = 20_000
"""Nodes of each game that perft and the walk through both trees enter, at most."""
MOVES_COMPARED = 100_000
"""Moves of the first game that random games list, at most; after that no further game begins."""


class GamesDiffer(Exception):
    """Raised at a difference of two games; the argument is the sentence."""


class TooManyPositions(Exception):
    """Raised where too many positions of the second game may be the same as one of the first."""


# -- ways to match moves ----------------------------------------------------------------------------------------------


Moves = list[tuple[str, int]]
Match = Callable[[Moves, Moves, int], Pairs]


def _by_text(here: Moves, there: Moves, ends: int) -> Pairs:
    """Match moves with the same text, ignoring case and punctuation."""
    words, others = ({_comparable_text(text): move for text, move in moves} for moves in (here, there))
    # Two moves of one text cannot be matched by it: the way as a whole does not fit.
    if len(words) < len(here) or len(others) < len(there):
        return None
    return {move: others[word] for word, move in words.items() if word in others}


def _comparable_text(text: str) -> str:
    """Text without punctuation, and without an x for a capture between two places."""
    return re.sub(r"(?<=\d)x(?=[a-z])", "", "".join(sign for sign in text.lower() if sign.isalnum()))


def _by_mirror(here: Moves, there: Moves, ends: int) -> Pairs:
    """Match moves with the same text if rows are counted from the other side."""

    def mirror(text: str) -> str:
        return re.sub(r"\d+", lambda number: str(ends - int(number[0])), text)

    return _by_text([(mirror(text), move) for text, move in here], there, ends)


def _by_number(here: Moves, there: Moves, ends: int) -> Pairs:
    """Match moves that are the same int."""
    known = {move for _, move in there}
    return {move: move for _, move in here if move in known}


def _by_order(here: Moves, there: Moves, ends: int) -> Pairs:
    """Match moves at the same index of both lists."""
    return {left: right for (_, left), (_, right) in zip(here, there, strict=False)}


def match_by_function(told: Callable[[str], str]) -> Match:
    """Match moves by a caller's function from text to text."""

    def question_text(text: str) -> str:
        if isinstance(other := told(text), str):
            return other
        raise WrongType(
            f"by: the function gives {other!r} for {text!r}: give a text, the same move's in the other game."
        )

    return lambda here, there, ends: _by_text([(question_text(text), move) for text, move in here], there, ends)


WAYS: dict[str, Match] = {"text": _by_text, "mirror": _by_mirror, "number": _by_number, "order": _by_order}
POSITIONS = "positions"
"""The way that matches moves by the positions they lead to."""


# -- both games at once -----------------------------------------------------------------------------------------------


class SideBySide:
    """Parallel walk through two games, and how far they agreed."""

    def __init__(self, game: AnyGame, other: AnyGame, names: tuple[str, str], match: Match = _by_order) -> None:
        self._each, self._names, self._match = (game, other), names, match
        self._starts = game.initial(), other.initial()
        turns = [each.to_move(state) for each, state in zip(self._each, self._starts, strict=True)]
        # The other game may call the player who begins 1: players are matched by who moves first.
        self._players_swapped = turns[0] != turns[1]
        # Bounds of -1 and 1 say that a game tells only who won; a margin of the other is then cut to its sign.
        self._compares_signs = any(
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
        self.games: int = 0
        self.plies: int = 0
        self._listed = 0
        """Moves of the first game that random games have listed."""

    def walk(self) -> None:
        """Walk through both trees level by level, up to `AGREEMENT_NODES`."""
        level = [(*self._starts, ())]
        # An estimate of the moves of a state before any is listed: those of the first one.
        entered, wide = 0, max(20, sum(1 for _ in self._each[0].moves(self._starts[0])))
        while level and (entered + len(level)) * wide <= AGREEMENT_NODES:
            entered += len(level)
            found: list[Any] = []
            for here, there, line in level:
                for left, right in self._compare_states(here, there, line).items():
                    word = self._each[0].move_text(here, left)
                    after = self._each[0].play(here, left), self._each[1].play(there, right)
                    found.append((*after, (*line, word)))
            level = found

    def play(self, games: int, chance: random.Random, on_game: Callable[[], None] | None) -> None:
        """Play the same random games in both, fewer where they are long and wide."""
        for _ in range(games):
            if self._listed > MOVES_COMPARED:
                return
            here, there = self._starts
            line: tuple[str, ...] = ()
            while pairs := self._compare_states(here, there, line):
                self._listed += len(pairs)
                left = chance.choice(list(pairs))
                line = (*line, self._each[0].move_text(here, left))
                here, there = self._each[0].play(here, left), self._each[1].play(there, pairs[left])
                if len(line) > LONGEST:
                    raise GamesDiffer(f"A game goes on for more than {LONGEST:,} plies in both")
            self.games += 1
            if on_game:
                on_game()

    def _outcome_for_first_game(self, side: int, state: AnyState) -> int:
        """Outcome of a state of the first game (0) or the second (1), as the first game would have it."""
        end = self._each[side].outcome(state)
        if end == ONGOING:
            return end
        end = -end if side and self._players_swapped else end
        return (end > 0) - (end < 0) if self._compares_signs else end

    def _compare_states(self, here: AnyState, there: AnyState, line: tuple[str, ...]) -> dict[int, int]:
        """Compare one position; return the second game's move by the first game's, empty if the game is over."""
        after = (
            f"After {' '.join(line[-12:])}{f' ({len(line)} plies)' if len(line) > 12 else ''}" if line else "At first"
        )
        ends = [self._outcome_for_first_game(side, state) for side, state in enumerate((here, there))]
        if ends[0] != ends[1]:
            said = [f"{name} {end_text(end)}" for name, end in zip(self._names, ends, strict=True)]
            raise GamesDiffer(f"{after}, {said[0]}, and {said[1]}")
        if ends[0] != ONGOING:
            self.plies += 1
            return {}
        turns = [each.to_move(state) for each, state in zip(self._each, (here, there), strict=True)]
        if (turns[0] != turns[1]) != self._players_swapped:
            raise GamesDiffer(f"{after}, the same player is not to move in {self._names[0]} and in {self._names[1]}")
        moves = [
            [(each.move_text(state, move), move) for move in each.moves(state)]
            for each, state in zip(self._each, (here, there), strict=True)
        ]
        pairs = self._match(moves[0], moves[1], self._ends)
        if pairs is None:
            raise GamesDiffer(f"{after}, two moves are written alike")
        if not len(pairs) == len(moves[0]) == len(moves[1]):
            taken = set(pairs.values())
            only = [text for text, move in moves[0] if move not in pairs], [t for t, m in moves[1] if m not in taken]
            alone = [
                f"{', '.join(words[:6])} only in {name}" for words, name in zip(only, self._names, strict=True) if words
            ]
            counts = f"{self._names[0]} has {_count_text(moves[0])} and {self._names[1]} {len(moves[1]):,}"
            raise GamesDiffer(f"{after}, {counts}: {'; '.join(alone)}" if alone else f"{after}, {counts}")
        self.plies += 1
        return pairs


def _count_text(moves: list[Any]) -> str:
    return f"{len(moves):,} move{'s' if len(moves) != 1 else ''}"


def end_text(utility: int) -> str:
    """Format an outcome as the end of a sentence: `goes on`, `ends with 1`."""
    return "goes on" if utility == ONGOING else f"ends with {utility}"
