"""Entrants of an arena from players' specs; `roster` reads them from a file."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from plyground.arena.marking.weights import opponents_in
from plyground.arena.results import Entrant
from plyground.compiled.clock import Limit
from plyground.errors import BadInput, WrongType
from plyground.play.by_evaluation import BY_EVALUATION
from plyground.players import PlayerLike, player_of
from plyground.spec import file_of_user_spec, is_own

NAMED_SPEC = re.compile(r"(?P<name>[^:=\[\]]*[^:=\[\]\s])\s*=\s*(?P<spec>\S.*)", re.DOTALL)
"""A name before a spec, `ann=program:python ann.py`; a spec's own `=` stands after a colon or a bracket."""
LONGEST_ENTRANT_NAME = 200


Players = Sequence[PlayerLike | Entrant] | Mapping[str, PlayerLike]
"""The players of an arena; in a mapping by their names."""


def entrants(
    players: Players, limit: Limit = BY_EVALUATION, weights: Mapping[str, float] | None = None
) -> tuple[Entrant, ...]:
    """The entrants, each of which can be made. An entrant without a name is named by its spec.

    Args:
        players: specs, `NAME=SPEC` for one with a name; all else that may stand for a player; or entrants, which stay
            as they are.
        limit: of a move where a game is given as a player.
        weights: of marks; the fixed opponents that they name come after these.

    Raises:
        BadInput: fewer than two, two of one name, or no such player.
        WrongType: something else than players.
    """
    # A text is a sequence too, of characters: "random" would be six players.
    if isinstance(players, str) or not isinstance(players, Sequence | Mapping):
        raise WrongType(f"players={players!r}: give a list of two players or more, or a dict with their names.")
    if isinstance(players, Mapping):
        found = tuple(_entrant(player, limit, str(name)) for name, player in players.items())
    else:
        found = tuple(each if isinstance(each, Entrant) else _entrant(each, limit) for each in players)
    # Last, as `Schedule.opponents` counts them from the end.
    found += tuple(opponents_in(weights or {}, [each.name for each in found]))
    if len(found) < 2:
        raise BadInput(f"An arena has two players at least, and here {'is one' if found else 'are none'}.")
    twice = [name for name, count in Counter(each.name for each in found).items() if count > 1]
    if twice:
        raise BadInput(
            f"Two players are called {twice[0]!r}: give each a name of its own, NAME=SPEC, name = in a file, or a dict "
            "in Python."
        )
    for each in found:
        _check_player(each)
    return found


def _entrant(player: PlayerLike, limit: Limit, name: str = "") -> Entrant:
    if not isinstance(player, str):
        made = player_of(player, limit)
        return Entrant(name or made.name, made.name, given=made)
    named = None if name else NAMED_SPEC.fullmatch(player.strip())
    spec = named["spec"] if named else player
    return Entrant(named["name"].strip() if named else name or spec.strip(), spec.strip())


def _check_player(entrant: Entrant) -> None:
    """Make the player once, which starts nothing.

    Raises:
        BadInput: there is no such player, or its name fits no table.
    """
    if not entrant.name.isprintable() or not 1 <= len(entrant.name) <= LONGEST_ENTRANT_NAME:
        raise BadInput(
            f"{entrant.name!r} is no player's name, which is 1 to {LONGEST_ENTRANT_NAME} signs in one line: NAME=SPEC."
        )
    if entrant.spec.partition(":")[0] == "human":
        raise BadInput("A person takes part in no arena: plyground play is for people.")
    try:
        # Made and dropped, before the first game: a wrong spec must not be found out after an hour.
        player_of(entrant.source)
    except BadInput as fault:
        said = "" if entrant.name == entrant.spec else f"Player {entrant.name!r}: "
        raise BadInput(f"{said}{fault}") from None


# -- files and hosts of an entrant -------------------------------------------------------------------------------------


def hash_files(entrant: Entrant) -> dict[str, str]:
    """A hash of each file that an entrant is made of, as far as can be seen from here; else plyground's version.

    Raises:
        BadInput: there is no such player.
    """
    files = player_of(entrant.source).file_hashes()
    if files is not None:
        return files
    if entrant.given is None and is_own(entrant.spec):
        # The bytes of the file named; modules that it imports are not seen from here.
        file = file_of_user_spec(entrant.spec)
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest()}
    return {"plyground": version("plyground")}
