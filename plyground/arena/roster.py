"""Who takes part: from specs, or from a file that a class has once."""

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plyground.arena.results import Entrant
from plyground.errors import BadInput
from plyground.play.audit import MadeOf
from plyground.players import PLAYERS, player_named
from plyground.spec import is_own, named_option, options, own_file, parts

NAMED = re.compile(r"(?P<name>[^:=\[\]]*[^:=\[\]\s])\s*=\s*(?P<spec>\S.*)", re.DOTALL)
"""A name before a spec, `ann=program:python ann.py`; a spec's own `=` stands after a colon or a bracket."""
LONGEST_NAME = 200


def entrants(specs: Iterable[str | Entrant]) -> tuple[Entrant, ...]:
    """Those who take part, each tried: a name that is not given is the spec.

    Args:
        specs: players' specs, `NAME=SPEC` for one that has a name, or entrants as they are.

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
    named = NAMED.fullmatch(text.strip())
    return Entrant(named["name"].strip(), named["spec"].strip()) if named else Entrant(text.strip(), text.strip())


def _try(entrant: Entrant) -> None:
    """Make the player once, which starts nothing.

    Raises:
        BadInput: there is no such player, or its name fits no table.
    """
    if not entrant.name.isprintable() or not 1 <= len(entrant.name) <= LONGEST_NAME:
        raise BadInput(
            f"{entrant.name!r} is no player's name, which is 1 to {LONGEST_NAME} signs in one line: NAME=SPEC."
        )
    if entrant.spec.partition(":")[0] == "human":
        raise BadInput("A person takes part in no arena: plyground play is for people.")
    try:
        player_named(entrant.spec)
    except BadInput as fault:
        said = "" if entrant.name == entrant.spec else f"Player {entrant.name!r}: "
        raise BadInput(f"{said}{fault}") from None


# -- from a file -------------------------------------------------------------------------------------------------------


def entrants_in(file: Path) -> list[Entrant]:
    """The players that a TOML file lists; `entrants` tries them.

    A `[[player]]` has a `name`, a `spec`, and any options of that kind of player. A table named for a kind of player,
    such as `[program]`, holds options for all of that kind that do not say otherwise.

    Raises:
        BadInput: the file cannot be read, or a key in it means nothing.
    """
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as fault:
        raise BadInput(f"{file} cannot be read: {fault.strerror}.") from None
    except RecursionError:
        raise BadInput(f"{file} has too many brackets inside each other.") from None
    except ValueError as fault:  # no TOML, no UTF-8, or a number of thousands of digits
        raise BadInput(f"{file} is no TOML: {str(fault).rstrip('.')}.") from None
    rows = read.pop("player", None)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadInput(f'{file} lists no players: write [[player]], and below it name = "…" and spec = "…".')
    kinds = {choice.name for choice in PLAYERS.shipped}
    for kind, usual in read.items():
        if kind not in kinds or not isinstance(usual, dict):
            raise BadInput(
                f"{file}: {kind!r} means nothing; there are [[player]], and tables of options for a kind of players, "
                f"such as [program]: {', '.join(sorted(kinds))}."
            )
        _known(f"{file}, [{kind}]", kind, usual)
    return [_row(f"{file}, player {number}", row, read) for number, row in enumerate(rows, start=1)]


def _row(where: str, row: dict[str, Any], usual: Mapping[str, dict[str, Any]]) -> Entrant:
    """A player of the file."""
    spec, name = row.pop("spec", None), row.pop("name", None)
    if not isinstance(spec, str) or not isinstance(name, str | None):
        raise BadInput(f'{where}: write spec = "…", and name = "…" if it is to have one; both are texts.')
    where = f"{where} ({name or spec})"
    kind = spec if is_own(spec) else re.split(r"[:\[]", spec, maxsplit=1)[0].strip()
    _known(where, kind, row)
    return Entrant(name or spec, _with_options(spec, kind, usual.get(kind, {}), row))


def _known(where: str, kind: str, row: Mapping[str, Any]) -> None:
    """Whether all keys are options of that kind of player.

    Raises:
        BadInput: one is not, and means nothing here; or its value is no number or text.
    """
    known = _options_of(kind)
    for key, value in row.items():
        if key not in known:
            raise BadInput(f"{where}: {key!r} means nothing; a player has name, spec{_listed(known)}.")
        if not isinstance(value, str | int | float):
            raise BadInput(f"{where}: {key} = is a number, a text, true or false.")
        if isinstance(value, int) and value.bit_length() > 64:
            raise BadInput(f"{where}: {key} = is too large a number.")
        if isinstance(value, str) and re.search(r"[,\[\]]", value):
            raise BadInput(f"{where}: {key} = {value!r}: an option's text has no comma and no bracket.")


def _options_of(kind: str) -> list[str]:
    """The names of the options that a kind of player takes, without the text after a colon."""
    choice = next((choice for choice in PLAYERS if choice.name == kind), None)
    maker = PLAYERS.maker_in(kind) if is_own(kind) else choice.maker if choice else None
    known = [option.name for option in options(maker)] if maker else []
    return known[1:] if choice and choice.raw else known


def _listed(known: list[str]) -> str:
    return f", and of this kind {', '.join(known)}" if known else ""


def _with_options(spec: str, kind: str, usual: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """A spec with options that it does not have yet; the player's own are before the usual ones."""
    if not usual and not own:
        return spec
    if is_own(spec):
        path, _, rest = spec.rpartition(".py:")
        name, _, inside = rest.partition(":")
        return f"{path}.py:{name}:{_written(kind, inside, usual, own)}"
    name, bracketed, after = parts(spec)
    if any(choice.name == kind and choice.raw for choice in PLAYERS):
        return f"{name}[{_written(kind, bracketed, usual, own)}]:{after}"
    return f"{name}:{_written(kind, after, usual, own)}"


def _written(kind: str, inside: str, usual: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Options as a spec has them: what stands in the spec already is stronger than what is usual, and the player's own
    keys are stronger than both.
    """
    known = _options_of(kind)
    there = dict(named_option(item, place, known) for place, item in enumerate(inside.split(","))) if inside else {}
    if there.keys() & own.keys():
        inside = ",".join(f"{key}={value}" for key, value in there.items() if key not in own)
    given = {key: value for key, value in {**usual, **own}.items() if key in own or key not in there}
    return ",".join(filter(None, [inside, *(f"{key}={_word(value)}" for key, value in given.items())]))


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# -- what they are made of ---------------------------------------------------------------------------------------------


def made_of(entrant: Entrant) -> dict[str, str]:
    """A hash of each file that an entrant is made of, as far as can be seen from here; else plyground's version.

    Raises:
        BadInput: there is no such player.
    """
    player = player_named(entrant.spec)
    if isinstance(player, MadeOf):
        return player.made_of()
    if is_own(entrant.spec):
        file = own_file(entrant.spec)
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest()}
    return {"plyground": version("plyground")}
