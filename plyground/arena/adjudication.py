"""Adjudication: a game ends before its rules end it, by its players' scores or a known value.

As in cutechess and fastchess, a draw and a resignation are judged by the scores that the players themselves give, and
both have to agree: scores of one alone say too little. A value is looked up, or found by a search
with a limit in nodes, so that the same games end at the same ply on every machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.arena.blunders import JUDGE_NODES, winner_with_best_play
from plyground.errors import BadInput
from plyground.exact.book import book_of
from plyground.play.move_note import MoveNote
from plyground.play.referee import Adjudged
from plyground.position import Position
from plyground.score import Score

BEST_KNOWN = "its value is known"


@dataclass(frozen=True)
class Adjudication:
    """Rules that end a game before the game's own rules end it.

    Raises:
        BadInput: a number makes no rule.
    """

    draw: tuple[int, int, int] | None = None
    """Plies, points, first ply: a draw once the scores of both have been within these points of even for this number of
    plies, from the first ply on."""
    resign: tuple[int, int] | None = None
    """Plies, points: a win once the scores of both have been at least these points for one side for this number of
    plies."""
    solved: bool = False
    """Whether a position ends its game as soon as its value is certain."""

    def __post_init__(self) -> None:
        for name, rule in (("draw", self.draw), ("resign", self.resign)):
            # Two plies at least, or the scores of one player would end a game alone.
            if rule and (rule[0] < 2 or min(rule[1:]) < 0):
                raise BadInput(
                    f"--{name} {','.join(map(str, rule))}: the first number, of plies, is at least 2, for two players "
                    "agree; the others are at least 0."
                )

    def __bool__(self) -> bool:
        return bool(self.draw or self.resign or self.solved)

    @property
    def text(self) -> str:
        """The rules in words; empty if there are none."""
        said = []
        if self.draw:
            plies, points, first = self.draw
            said.append(f"draws adjudicated after {plies} plies within {points} from ply {first} on")
        if self.resign:
            said.append(f"wins adjudicated after {self.resign[0]} plies of {self.resign[1]} or more")
        if self.solved:
            said.append("known positions adjudicated")
        return ", ".join(said)

    def verdict(self, position: Position, notes: Sequence[MoveNote]) -> Adjudged | None:
        """Result of a game that is adjudicated here; None if it goes on.

        Args:
            position: an unfinished one.
            notes: what was noted beside each move.
        """
        if self.draw:
            plies, points, first = self.draw
            told = _points_of_both(position, notes, plies) if len(position.moves) >= first else []
            if told and all(abs(each) <= points for each in told):
                return Adjudged(0, f"draw, adjudicated: both scores were within {points} for {plies} plies")
        if self.resign:
            plies, points = self.resign
            told = _points_of_both(position, notes, plies)
            for side in (1, -1):
                # At least 1: with 0 points an even score would be a win for both sides, and the first of them would get
                # it.
                if told and all(side * each >= max(points, 1) for each in told):
                    name = position.game.names[side < 0]
                    return Adjudged(
                        side, f"{name} wins, adjudicated: both scores were {points} or more for {plies} plies"
                    )
        return _lookup_end(position) if self.solved else None


def _points_of_both(position: Position, notes: Sequence[MoveNote], plies: int) -> list[int]:
    """The points that the players gave for the last plies; none where one gave none, or only one was to move."""
    last = notes[-plies:]
    points = [note.evaluation.points for note in last if note.evaluation]
    # Turns need not alternate: all of the last plies may have been of one player.
    movers = {position.game.to_move(state) for state in position.states[:-1][-plies:]}
    return points if len(points) == plies and len(movers) == 2 else []


def _lookup_end(position: Position) -> Adjudged | None:
    """The end of a position whose value a table, an opening book or a search knows."""
    names, book = position.game.names, book_of(position)
    if book and (score := book.score(position.state)) and score.exact:
        utility = score.utility or 0
        return Adjudged(utility, f"{Score(utility).text(names)}, adjudicated: {book.title} has it")
    # Nodes and not seconds, as when moves are judged: the same game ends at the same ply on every machine.
    found = winner_with_best_play(position, JUDGE_NODES)
    if not found.exact:
        return None
    return Adjudged(found.sign, f"{Score(found.sign).text(names)}, adjudicated: {BEST_KNOWN}")
