"""The roster of an arena: a TOML file that lists the players once, such as those of a class.

A `[[player]]` has a `name`, a `spec`, a `side` if it plays only that one, and any options of its kind of player. A
table named for a kind of player, such as `[program]`, holds options for all players of that kind that do not set them.
`[marks]` holds weights of marks.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError, model_validator

from plyground.arena.results import Entrant
from plyground.arena.toml_file import toml_in
from plyground.errors import BadInput, clause_of
from plyground.play.player import Player
from plyground.players import PLAYERS
from plyground.spec import is_own, named_option, options, split_spec, takes_any


def _option_value(value: object) -> object:
    if not isinstance(value, str | int | float):
        raise ValueError("must be a number, a text, true or false")
    # TOML has no larger ints, though Python reads them.
    if isinstance(value, int) and value.bit_length() > 64:
        raise ValueError("is too large a number")
    # Options are joined to a spec, in which a comma ends an option and brackets hold options.
    if isinstance(value, str) and re.search(r"[,\[\]]", value):
        raise ValueError(f"= {value!r} is no text of an option, which has no comma and no bracket")
    return value


Options = dict[str, Annotated[str | int | float, PlainValidator(_option_value)]]
"""Options of a player, as a spec can have them."""


class RosterPlayer(BaseModel):
    """A `[[player]]`: its spec, its name, and options by their names."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow", strict=True)
    __pydantic_extra__: Options = Field(init=False)

    spec: str
    name: str | None = None
    side: Literal["", "x", "o"] = ""

    @property
    def kind(self) -> str:
        """The kind of player, by the name in the spec."""
        return self.spec if is_own(self.spec) else re.split(r"[:\[]", self.spec, maxsplit=1)[0].strip()

    @model_validator(mode="after")
    def _has_known_options(self) -> "RosterPlayer":
        _require_known(self.kind, self.__pydantic_extra__)
        return self


class Roster(BaseModel):
    """The whole file: the players, and options for all players of a kind, by the kind's name."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow", strict=True)
    __pydantic_extra__: dict[str, Options] = Field(init=False)

    player: list[RosterPlayer]
    marks: dict[str, Annotated[float, Field(strict=False)]] = Field(default_factory=dict)
    """Weights of marks that differ from the usual ones, by criterion or opponent."""

    @model_validator(mode="after")
    def _has_known_kinds(self) -> "Roster":
        for kind, usual in self.__pydantic_extra__.items():
            if kind not in _kinds():
                raise ValueError(_no_kind(kind))
            _require_known(kind, usual, f"in [{kind}], ")
        return self

    @property
    def entrants(self) -> list[Entrant]:
        """The players with all their options in their specs."""
        return [
            Entrant(
                each.name or _with_options(each.spec, each.kind, {}, each.__pydantic_extra__),
                _with_options(
                    each.spec, each.kind, self.__pydantic_extra__.get(each.kind, {}), each.__pydantic_extra__
                ),
                each.side,
            )
            for each in self.player
        ]


def roster_in(file: Path) -> Roster:
    """A roster with its players read but not yet made: `entrants` does that.

    Raises:
        BadInput: the file cannot be read, or a key in it means nothing.
    """
    read = toml_in(file)
    try:
        return Roster.model_validate(read)
    except ValidationError as wrong:
        raise BadInput(f"{file}{_sentence(read, wrong)}.") from None


def _sentence(read: dict[str, Any], wrong: ValidationError) -> str:
    """End of the sentence about the first fault of a roster, after the file's name."""
    # One fault at a time: later ones are often consequences.
    first = wrong.errors(include_url=False, include_input=False)[0]
    said = clause_of(first["ctx"]["error"]) if first["type"] == "value_error" else ""
    match first["loc"]:
        case ():
            return f": {said}"
        case ("player", int(number), "spec" | "name"):
            return f', player {number + 1}: write spec = "…", and name = "…" if it is to have one; both are texts'
        case ("player", int(number), "side"):
            return f', player {number + 1}: write side = "x" or side = "o" for one that plays only that side'
        case ("player", int(number), *keys) if said:
            row = read["player"][number]
            setting = f"{keys[0]} " if keys else ""
            return f", player {number + 1} ({row.get('name') or row['spec']}): {setting}{said}"
        case ("player", *_):
            return ' lists no players: write [[player]], and below it name = "…" and spec = "…"'
        case ("marks", *_):
            return ": under [marks] stand criteria and opponents with their weights, as in never_loses = 30"
        case (kind, key, *_):
            return f", [{kind}]: {key} {said}"
        case _:
            return f": {_no_kind(first['loc'][0])}"


def _kinds() -> set[str]:
    return {choice.name for choice in PLAYERS.shipped}


def _no_kind(kind: object) -> str:
    return (
        f"{kind!r} means nothing; there are [[player]], and tables of options for a kind of players, such as "
        f"[program]: {', '.join(sorted(_kinds()))}"
    )


def _require_known(kind: str, given: Options, where: str = "") -> None:
    """Check that all keys are options of a kind of player.

    Raises:
        ValueError: one is not. Its message begins with `where`.
    """
    known = _options_of(kind)
    for key in given if not _takes_any_option(kind) else ():
        if key not in known:
            listed = f", and of this kind {', '.join(known)}" if known else ""
            raise ValueError(f"{where}{key!r} means nothing; a player has name, spec, side{listed}")


def _options_of(kind: str) -> list[str]:
    """The names of the options that a kind of player takes, without the text after a colon."""
    maker = _maker_of(kind)
    known = [option.name for option in options(maker)] if maker else []
    # The first option of a raw kind is its text after the colon, a command, which a roster writes in `spec`.
    return known[1:] if any(choice.name == kind and choice.raw for choice in PLAYERS) else known


def _takes_any_option(kind: str) -> bool:
    """Whether a kind of player takes options of any name, such as those of a program."""
    maker = _maker_of(kind)
    return maker is not None and takes_any(maker)


def _maker_of(kind: str) -> Callable[..., Player] | None:
    choice = next((choice for choice in PLAYERS if choice.name == kind), None)
    return PLAYERS.maker_in(kind) if is_own(kind) else choice.maker if choice else None


def _with_options(spec: str, kind: str, usual: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """A spec with options that it does not have yet; the player's own are before the usual ones."""
    if not usual and not own:
        return spec
    if is_own(spec):
        path, _, rest = spec.rpartition(".py:")
        name, _, inside = rest.partition(":")
        return f"{path}.py:{name}:{_option_text(kind, inside, usual, own)}"
    name, bracketed, after = split_spec(spec)
    if any(choice.name == kind and choice.raw for choice in PLAYERS):
        return f"{name}[{_option_text(kind, bracketed, usual, own)}]:{after}"
    return f"{name}:{_option_text(kind, after, usual, own)}"


def _option_text(kind: str, inside: str, usual: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Options in the form of a spec: the spec's win over the kind's usual ones, and the player's own keys over both."""
    known = _options_of(kind)
    there = dict(named_option(item, place, known) for place, item in enumerate(inside.split(","))) if inside else {}
    if there.keys() & own.keys():
        inside = ",".join(f"{key}={value}" for key, value in there.items() if key not in own)
    given = {key: value for key, value in {**usual, **own}.items() if key in own or key not in there}
    return ",".join(filter(None, [inside, *(f"{key}={_option_word(value)}" for key, value in given.items())]))


def _option_word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
