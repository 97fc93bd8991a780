"""Objects and functions of users as players."""

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from plyground.errors import BadInput, WrongType
from plyground.play.player import Illegal, Player
from plyground.position import Position


class Chooser(Protocol):
    """All that a user's object needs to play: `choose`, as `Player.choose`."""

    def choose(self, position: Position, seconds: float | None) -> int:
        """A legal move in an unfinished position."""
        ...


class UserPlayer(Player):
    """A user's object as a player: parts of `Player` that the object has are the object's, the others are defaults.

    Its `choose` may leave out the seconds.
    """

    is_user_code = True

    def __init__(self, user: Chooser) -> None:
        self.name: str = type(user).__name__  # the object's own, where it has one
        self._user: Any = user
        self._argument_count = _count_arguments(user.choose, f"{self.name}.choose")

    def __getattribute__(self, part: str) -> Any:
        # Attribute by attribute and not a copy at the start: a user may set them while the game goes on.
        if part != "choose" and part in _PLAYER_ATTRIBUTES and hasattr(self._user, part):
            return getattr(self._user, part)
        return super().__getattribute__(part)

    def choose(self, position: Position, seconds: float | None) -> int:
        chosen: int = self._user.choose(*(position, seconds)[: self._argument_count])
        return chosen


class UserFunction(Player):
    """A user's function as a player: it is called with a position, and with the seconds left if it has a second
    parameter, and returns a move, in text or as an int.
    """

    is_user_code = True

    def __init__(self, function: Callable[..., Any], name: str = "") -> None:
        self.name: str = name or getattr(function, "__name__", type(function).__name__)
        self._function, self._argument_count = function, _count_arguments(function, self.name)

    def choose(self, position: Position, seconds: float | None) -> int:
        choice = self._function(*(position, seconds)[: self._argument_count])
        try:
            return position.legal(choice)
        except BadInput as fault:
            raise Illegal(str(fault)) from None


def _count_arguments(function: Callable[..., Any], name: str) -> int:
    """Number of arguments of a choosing function: 2, a position and the seconds, or 1, the position alone.

    Raises:
        WrongType: neither.
    """
    if not callable(function):
        raise WrongType(f"{name} is no function: a player chooses by a function of a position.")
    try:
        signature = inspect.signature(function)
    except ValueError:  # a built-in function without a signature
        return 2
    # Two first: a function with `*args` or defaults gets the seconds, too.
    for count in (2, 1):
        with suppress(TypeError):
            signature.bind(*[None] * count)
            return count
    raise WrongType(f"{name}{signature} is no player: it is called with a position, or a position and seconds.")


_PLAYER_ATTRIBUTES = {"name"} | {part for part in vars(Player) if not part.startswith("_")}
"""Names that an object may define in place of the defaults of `Player`."""


def as_player(user: object) -> Player:
    """A player as it is; any other object with `choose` as a `UserPlayer`, a function as a `UserFunction`.

    Raises:
        WrongType: it is none of these, or takes other arguments.
    """
    if isinstance(user, Player):
        return user
    # A class has `choose`, too, and would fail at the first move with a missing argument.
    if isinstance(user, type):
        raise WrongType(f"{user.__name__} is a class: give a player, as in {user.__name__}().")
    if hasattr(user, "choose"):
        return UserPlayer(user)
    if callable(user):
        return UserFunction(user)
    raise WrongType(
        f"{user!r} is no player: give one's name, a function of a position, an object with choose, or a game."
    )
