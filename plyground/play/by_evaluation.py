"""Engine with the evaluation of other rules: how a game becomes a player."""

from collections.abc import Iterator

from plyground.engine.clock import Limit
from plyground.engine.report import Report
from plyground.engine.run import prepare
from plyground.engine.think import think
from plyground.games import AnyGame
from plyground.play.player import Player
from plyground.position import Position

BY_EVALUATION = Limit(nodes=2_000)
"""Limit of a move of an engine that a game's evaluation makes a player: nodes, so that a seed repeats its games."""


class EvaluationPlayer(Player):
    """The engine with the evaluation of other rules of the same game: it sees each position by these."""

    searches = True

    def __init__(self, game: AnyGame, limit: Limit) -> None:
        self.name, self._game, self._limit = repr(game), game, limit

    def prepare(self, position: Position) -> None:
        prepare(position.under(self._game))

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        return think(position.under(self._game), self._limit, table=8)

    def choose(self, position: Position, seconds: float | None) -> int:
        return [report.move for report in self.think(position, seconds)][-1]
