"""Games for grading: one that remembers what its rules answer, and one with its moves in another order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from plyground.rules import Game


def _kept(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule that looks up what it has answered before."""
    known: dict[tuple[Any, ...], Any] = {}

    def asked(self: Any, *args: Any) -> Any:
        if args not in known:
            known[args] = rule(self, *args)
        return known[args]

    return asked


def recalling(game: Game[Any]) -> Game[Any]:
    """The same game, which keeps what its rules answer: many searches are asked about the same few thousand states."""
    kind = type(game)
    listed = _kept(lambda self, state: tuple(kind.moves(self, state)))

    def moves(self: Any, state: Any) -> Iterator[int]:
        return iter(listed(self, state))

    rules = {name: _kept(getattr(kind, name)) for name in ("to_move", "play", "outcome", "evaluate", "bounds")}
    return _altered(game, rules | {"moves": moves})


def _altered(game: Game[Any], rules: Mapping[str, Any]) -> Game[Any]:
    """A game with some of its rules in another form."""
    kind = type(game)
    made: Game[Any] = object.__new__(type(kind.__name__, (kind,), dict(rules)))
    vars(made).update(vars(game))
    return made


def in_order(game: Game[Any], orders: Mapping[Any, Sequence[int]]) -> Game[Any]:
    """The same game, whose moves come in another order in some states: those listed first, then the others."""
    kind = type(game)

    def moves(self: Any, state: Any) -> Iterator[int]:
        legal = list(kind.moves(self, state))
        first = [move for move in orders.get(state, ()) if move in legal]
        yield from first
        yield from (move for move in legal if move not in first)

    return _altered(game, {"moves": moves})
