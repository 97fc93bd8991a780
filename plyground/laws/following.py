"""Comparison of two games whose moves are matched by the positions to which they lead."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from plyground.laws.pairing import MOVES_COMPARED, AnyState, GamesDiffer, SideBySide, TooManyPositions
from plyground.rules import ONGOING

FOLLOWED_MOVES = 8_000
"""Moves behind the positions of the second game that are followed at once as the same one, about and at most."""


@dataclass(frozen=True)
class _Trace:
    """A state of one of the games, and how often each repetition key has come before it."""

    state: AnyState
    keys: tuple[AnyState, ...] = ()


class PositionMatching(SideBySide):
    """Random games in which moves are matched by the positions they lead to.

    What is compared of a position are its end, the player to move and, of each move, the end, the player to move and
    the number of moves after it. Several moves may look alike; then each is followed, until all but one are refuted;
    of too many those whose texts have most places in common.
    """

    games: int
    plies: int

    def walk(self) -> None:
        """Perft counts have compared the trees."""

    def play(self, games: int, chance: random.Random, on_game: Callable[[], None] | None) -> None:
        for _ in range(games):
            here, there = (_Trace(state) for state in self._starts)
            candidates, line, are_all = [there], tuple[str, ...](), True
            while self._end_utility(0, here) == ONGOING:
                if self._listed > MOVES_COMPARED:
                    return
                # The look of each move counts the moves behind it, so a position costs about the square of its moves.
                if sum(1 for _ in self._each[0].moves(here.state)) ** 2 > MOVES_COMPARED:
                    raise TooManyPositions  # one position alone would take too long
                looks = self._moves_by_look(0, here)
                others = [(each, self._moves_by_look(1, each)) for each in candidates]
                # Looks are compared as multisets: how many moves look each way, whatever the moves are called.
                alike = [(each, other) for each, other in others if _count_looks(other) == _count_looks(looks)]
                if not alike and not are_all:
                    raise TooManyPositions
                if not alike:
                    raise GamesDiffer(self._difference(looks, others[0][1], line))
                look, left = chance.choice([(look, move) for look, moves in looks.items() for move in moves])
                word = self._each[0].move_text(here.state, left)
                line, here = (*line, word), self._play_move(0, here, left)
                found = [(each, right) for each, other in alike for right in other[look]]
                # Each candidate costs about the square of its moves, so with more moves fewer are followed.
                most = max(FOLLOWED_MOVES // sum(map(len, looks.values())) ** 2, 2)
                if len(found) > most:
                    # From here on, that no candidate fits proves nothing: the right one may have been dropped.
                    are_all = False
                    places = _places_in(word)
                    found.sort(
                        key=lambda pair: -len(places & _places_in(self._each[1].move_text(pair[0].state, pair[1])))
                    )
                candidates = [self._play_move(1, each, right) for each, right in found[:most]]
                self._listed += sum(look[2] * len(moves) for look, moves in looks.items()) * len(others)
                self.plies += 1
            self.plies += 1
            self.games += 1
            if on_game:
                on_game()

    def _difference(self, looks: "_Looks", other: "_Looks", line: tuple[str, ...]) -> str:
        """Sentence about a position whose moves look otherwise in the second game."""
        after = (
            f"After {' '.join(line[-12:])}{f' ({len(line)} plies)' if len(line) > 12 else ''}" if line else "At first"
        )
        totals = sum(map(len, looks.values())), sum(map(len, other.values()))
        if totals[0] != totals[1]:
            return f"{after}, {self._names[0]} has {totals[0]:,} moves and {self._names[1]} {totals[1]:,}"
        look = next(look for look in looks if len(other.get(look, ())) != len(looks[look]))
        counts = len(looks[look]), len(other.get(look, ()))
        leads = f"to positions with {look[2]} moves" if look[0] == ONGOING else "to the end"
        return (
            f"{after}, {counts[0]} of the moves lead {leads} in {self._names[0]}, and {counts[1]} in {self._names[1]}"
        )

    def _moves_by_look(self, side: int, trace: _Trace) -> "_Looks":
        """Moves of a state by how the positions after them look; none if the game is over."""
        found: _Looks = {}
        if self._end_utility(side, trace) == ONGOING:
            for move in self._each[side].moves(trace.state):
                found.setdefault(self._look_after(side, self._play_move(side, trace, move)), []).append(move)
        return found

    def _look_after(self, side: int, trace: _Trace) -> "_Look":
        """End, player to move, and number of moves."""
        end = self._end_utility(side, trace)
        if end != ONGOING:
            return end, 0, 0
        turn = self._each[side].to_move(trace.state) ^ (side and self._players_swapped)
        return end, turn, sum(1 for _ in self._each[side].moves(trace.state))

    def _play_move(self, side: int, trace: _Trace, move: int) -> _Trace:
        game = self._each[side]
        after = game.play(trace.state, move)
        keys = (*trace.keys, game.repetition_key(trace.state)) if game.repetition else ()
        return _Trace(after, keys)

    def _end_utility(self, side: int, trace: _Trace) -> int:
        """Outcome, also by repetition, which other libraries have in their states."""
        game, end = self._each[side], self._outcome_for_first_game(side, trace.state)
        if (
            end == ONGOING
            and game.repetition
            and trace.keys.count(game.repetition_key(trace.state)) >= game.repetition - 1
        ):
            end = game.repetition_value(trace.state) * (-1 if side and self._players_swapped else 1)
        return end


_Look = tuple[int, int, int]
_Looks = dict[_Look, list[int]]


def _count_looks(looks: _Looks) -> dict[_Look, int]:
    return {look: len(moves) for look, moves in looks.items()}


def _places_in(text: str) -> set[str]:
    """The places that a text names: letters with a number."""
    return set(re.findall(r"[a-z]\d+", text.lower()))
