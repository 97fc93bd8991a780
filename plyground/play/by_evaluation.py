"""Searches with another evaluation than the game's own: that of other rules, or one that was learned."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

from plyground.compiled.clock import Limit
from plyground.engine.report import Report
from plyground.engine.run import prepare
from plyground.engine.think import think
from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.learning.learned_rules import with_evaluation
from plyground.learning.shipped_weights import LEARNED, OWN
from plyground.play.player import Player, Wrapper
from plyground.position import Position

BY_EVALUATION = Limit(nodes=2_000)
"""Limit for each move of an `EvaluationPlayer`. Nodes and not seconds, so that a seed repeats its games."""


class EvaluationPlayer(Player):
    """The engine with the evaluation of other rules of the same game: it sees each position by these."""

    searches = True

    def __init__(self, game: AnyGame, limit: Limit) -> None:
        self.name: str = repr(game)
        self._game, self._limit = game, limit

    def prepare(self, position: Position) -> None:
        prepare(position.under(self._game))

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        return think(position.under(self._game), self._limit, table=8, selective=True)

    def choose(self, position: Position, seconds: float | None) -> int:
        return self._pick_last(self.think(position, seconds))


class LearnedPlayer(Wrapper):
    """A player that searches by the evaluation of a file of weights, by `learned`, the shipped ones, or by `own`, the
    game's.

    Raises:
        BadInput: there is no such file; at the first position, its weights are not for its rules, or none are shipped.
    """

    def __init__(self, player: Player, file: str) -> None:
        super().__init__(player)
        # Checked now, because players are made before a match and move in the midst of it.
        if file not in (LEARNED, OWN) and not Path(file).is_file():
            raise BadInput(f"There is no file of weights {file}: plyground learn GAME --out {file} makes it.")
        self.name: str = f"{player.name},eval={file}"
        # A player that picks its evaluation would take the shipped weights instead of those that are named.
        player.picks_evaluation = False
        self._file, self._rules = file, dict[AnyGame, AnyGame]()

    def _with_evaluation(self, position: Position) -> Position:
        """The same position under rules whose evaluation is the one to search by."""
        # Once for each game: to read a file of weights and make its rules takes a moment, and moves are asked by the
        # thousand.
        if position.game not in self._rules:
            self._rules[position.game] = with_evaluation(position.game, self._file)
        return position.under(self._rules[position.game])

    def prepare(self, position: Position) -> None:
        self.player.prepare(self._with_evaluation(position))

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        return self.player.think(self._with_evaluation(position), seconds)

    def choose(self, position: Position, seconds: float | None) -> int:
        return self.player.choose(self._with_evaluation(position), seconds)


def with_eval_option(maker: Callable[..., Player], *, has_files: bool = True) -> Callable[..., Player]:
    """A maker of players that search, with one option more, `eval`: a file of learned weights, `learned`, or `own`.

    Args:
        maker: the maker.
        has_files: whether a file may be named.
    """
    function: Any = maker.func if isinstance(maker, partial) else maker
    # Specs are read by the signature and the annotations of the maker: the option must stand in both, as if it were the
    # maker's own.
    hints = get_type_hints(getattr(function, "__init__") if isinstance(function, type) else function)  # noqa: B009

    def make(**options: Any) -> Player:
        file = options.pop("eval", None)
        if file not in (None, LEARNED, OWN) and not has_files:
            raise BadInput(
                f"eval={file}: the command line alone may name a file of weights; write eval={LEARNED} or eval={OWN}."
            )
        player = maker(**options)
        return player if file is None else LearnedPlayer(player, file)

    shown = inspect.signature(maker)
    added = inspect.Parameter("eval", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    make.__signature__ = shown.replace(parameters=[*shown.parameters.values(), added])  # type: ignore[attr-defined]
    make.__annotations__ = {**hints, "eval": str | None}
    return make
