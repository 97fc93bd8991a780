"""Entrants of an arena from players' specs; `roster` reads them from a file."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from importlib.metadata import version

from plyground.arena.results import Entrant
from plyground.errors import BadInput
from plyground.players import player_named
from plyground.spec import is_own, own_file

NAMED_SPEC = re.compile(r"(?P<name>[^:=\[\]]*[^:=\[\]\s])\s*=\s*(?P<spec>\S.*)", re.DOTALL)
"""A name before a spec, `ann=program:python ann.py`; a spec's own `=` stands after a colon or a bracket."""
LONGEST_ENTRANT_NAME = 200


def entrants(specs: Iterable[str | Entrant]) -> tuple[Entrant, ...]:
    """The entrants, each of which can be made. An entrant without a name is named by its spec.

    Args:
        specs: players' specs, `NAME=SPEC` for one with a name, or entrants, which stay as they are.

    Raises:
        BadInput: fewer than two, two of one name, or no such player.
    """
    found = tuple(spec if isinstance(spec, Entrant) else _entrant(spec) for spec in specs)
    if len(found) < 2:
        raise BadInput(f"An arena has two players at least, and here {'is one' if found else 'are none'}.")
    twice = [name for name, count in Counter(each.name for each in found).items() if count > 1]
    if twice:
        raise BadInput(
            f"Two players are called {twice[0]!r}: give each a name of its own, NAME=SPEC or name = in a file."
        )
    for each in found:
        _try(each)
    return found


def _entrant(text: str) -> Entrant:
    named = NAMED_SPEC.fullmatch(text.strip())
    return Entrant(named["name"].strip(), named["spec"].strip()) if named else Entrant(text.strip(), text.strip())


def _try(entrant: Entrant) -> None:
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
        player_named(entrant.spec)
    except BadInput as fault:
        said = "" if entrant.name == entrant.spec else f"Player {entrant.name!r}: "
        raise BadInput(f"{said}{fault}") from None


# -- files and hosts of an entrant -------------------------------------------------------------------------------------


def made_of(entrant: Entrant) -> dict[str, str]:
    """A hash of each file that an entrant is made of, as far as can be seen from here; else plyground's version.

    Raises:
        BadInput: there is no such player.
    """
    files = player_named(entrant.spec).file_hashes()
    if files is not None:
        return files
    if is_own(entrant.spec):
        file = own_file(entrant.spec)
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest()}
    return {"plyground": version("plyground")}
