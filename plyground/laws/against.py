"""Comparison of two implementations of one game: the tree while it is small, then random games.

How the other game numbers or names its moves is unknown, so several ways to match them are tried. One under which both
games agree everywhere is right, or makes no difference. If there is none, the one that agreed longest shows the
difference, unless neither texts nor numbers fit in the first position: then moves are matched by the positions they
lead to. All positions of the other game that may be the same one are followed, and the games differ only if none is
left. Perft counts need no matching. The first players of both games are matched, and if the utilities of one game
say only who won, margins are not compared.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from plyground.errors import BadInput, check_arguments
from plyground.games import as_game
from plyground.laws.following import PositionMatching
from plyground.laws.pairing import (
    AGREEMENT_NODES,
    POSITIONS,
    WAYS,
    AnyGame,
    AnyState,
    GamesDiffer,
    Match,
    SideBySide,
    TooManyPositions,
    match_by_function,
)
from plyground.laws.turns import Turns, moves_again
from plyground.rules import ONGOING

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
    """The way in which moves were matched; empty if none fits, so that only perft counts were compared."""
    difference: str
    """The first difference in a sentence; empty if there is none."""

    @property
    def ok(self) -> bool:
        """Whether no difference was found."""
        return not self.difference


@check_arguments
def hold_against(
    game: AnyGame | str,
    other: AnyGame | str,
    *,
    names: tuple[str, str] = ("the first game", "the second"),
    games: int = 100,
    seed: int = 0,
    by: str | Callable[[str], str] = "",
    on_game: Callable[[], None] | None = None,
) -> Agreement:
    """Compare two games: perft, and turns, moves and outcomes along the same games.

    >>> hold_against("tictactoe", "mnk:3,3,3", games=2).perft
    ((9, 9), (72, 72), (504, 504), (3024, 3024))
    >>> hold_against("tictactoe", "mnk:3,3,2", games=2).ok
    False

    Args:
        game: a game, or its name.
        other: the game to compare it with.
        names: names of the two in sentences.
        games: how many random games to play in both.
        seed: of the random play.
        by: how moves are matched: `text`, `mirror` (text, with rows counted from the other side), `number`, `order` or
            `positions`, or a function from a move's text in `game` to its text in `other`; empty to try all.
        on_game: called after each game, for a progress bar.

    Raises:
        BadInput: there is no such way to match moves, or a rule fails.
    """
    if isinstance(by, str) and by and by not in (*WAYS, POSITIONS):
        raise BadInput(f"moves by {by!r}: by {', '.join((*WAYS, POSITIONS))}.")
    game, other = as_game(game), as_game(other)
    ways: dict[str, Match | None] = {**WAYS, POSITIONS: None}
    if by:
        ways = {by: ways[by]} if isinstance(by, str) else {"your function": match_by_function(by)}
    again = [moves_again(each, random.Random(seed)) for each in (game, other)]
    if again[0] != again[1]:  # one has as a move what is several in the other, such as a chain of jumps
        game, other = (Turns(each) if is_split else each for each, is_split in zip((game, other), again, strict=True))
    # Before moves are matched: counts need no names of moves, and say at which depth the trees part.
    counts = _perft_counts(game, other)
    wrong = next((depth for depth, (here, there) in enumerate(counts, 1) if here != there), 0)
    tried: list[Agreement] = []
    for way, match in ways.items():
        if match is None and not by and (wrong or any(each.plies and each.by != "order" for each in tried)):
            break  # perft differs, or texts or numbers fit: what differs is no matter of names
        pair = SideBySide(game, other, names, match) if match else PositionMatching(game, other, names)
        said = ""
        try:
            pair.walk()
            pair.play(games, random.Random(seed), on_game)
        except GamesDiffer as differs:
            said = f"{differs} (moves matched by {way})"
        except TooManyPositions:
            way = ""
        tried.append(Agreement(counts, pair.games, pair.plies, way, said))
        if not said:
            break
    # A way without a difference first, then the one asked for, then the one that went on longest.
    best = max(tried, key=lambda each: (each.ok, each.by in (by, POSITIONS), each.plies))
    if wrong:
        here, there = counts[wrong - 1]
        said = f"perft {wrong} is {here:,} in {names[0]} and {there:,} in {names[1]}"
        best = Agreement(counts, best.games, best.plies, best.by, f"{said}; {best.difference}".rstrip("; "))
    return best


def _perft_counts(game: AnyGame, other: AnyGame) -> tuple[tuple[int, int], ...]:
    """Count perft of 1, 2, … plies in both games, up to the node limit or the first difference."""
    levels: list[list[AnyState]] = [[game.initial()], [other.initial()]]
    counts: list[tuple[int, int]] = []
    while len(counts) < DEEPEST_COMPARED and (not counts or counts[-1][0] == counts[-1][1]):
        # The size of the next level is estimated before it is made: by the growth of the last one, and by 8 at least.
        branching = counts[-1][0] / counts[-2][0] if len(counts) > 1 else len(levels[0]) if counts else 1
        if max(map(len, levels)) * max(branching, 8) > AGREEMENT_NODES:
            break
        levels = [
            [each.play(state, move) for state in level if each.outcome(state) == ONGOING for move in each.moves(state)]
            for each, level in zip((game, other), levels, strict=True)
        ]
        if not any(levels):
            break
        counts.append((len(levels[0]), len(levels[1])))
    return tuple(counts)
