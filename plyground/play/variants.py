"""The game that a record is of, by its tags: `Variant` of PGN, `GameType` of PDN, `GM` of SGF.

A record of a game that is not here gets a sentence with the name of its game, never one about a move.
"""

from collections.abc import Mapping
from functools import cache

from plyground.errors import BadInput
from plyground.games import GAMES
from plyground.games.chess import start_number
from plyground.text import plain_name

STANDARD_CHESS = ("", "?", "-", "standard", "normal", "chess", "classical", "orthodox", "from position", "fromposition")
"""Values of `Variant`, in small letters, that mean chess by its usual rules, also from a set-up position."""
SPECS_BY_VARIANT: Mapping[str, str] = dict.fromkeys(STANDARD_CHESS, "chess")
"""Games by the `Variant` of their records, in small letters; those whose `record_tags` say it need no row here."""
CHESS960_VARIANTS = ("chess960", "fischerandom", "fischerrandom", "fischer random", "freestyle", "freestyle chess")
"""Values of `Variant`, in small letters, that mean Chess960; from which start, the record's `FEN` says."""
GAME_TYPES = {
    "20": "international draughts", "21": "English draughts", "22": "Italian draughts",
    "23": "American pool checkers", "24": "Spanish draughts", "25": "Russian draughts", "26": "Brazilian draughts",
    "27": "Canadian draughts", "28": "Portuguese draughts", "29": "Czech draughts", "30": "Turkish draughts",
    "31": "Thai draughts", "40": "Frisian draughts", "41": "Spantsiretti draughts",
}  # fmt: skip
"""Games by their numbers in PDN."""
SGF_TYPES = {
    "1": "Go", "2": "Othello", "3": "chess", "4": "Gomoku", "5": "Nine Men's Morris", "6": "backgammon",
    "7": "Chinese chess", "8": "shogi", "9": "Lines of Action", "10": "Ataxx", "11": "Hex", "12": "Jungle",
    "13": "Neutron", "14": "Philosopher's Football", "15": "Quadrature", "16": "Trax", "17": "Tantrix",
    "18": "Amazons", "19": "Octi", "20": "Gess", "21": "Twixt", "22": "Zèrtz",
}  # fmt: skip
"""Games by their numbers in SGF."""


@cache
def specs_by_tags() -> dict[tuple[str, str], str]:
    """Shipped games by the tags of their records, each with its value in small letters."""
    made = [(choice.name, choice.maker()) for choice in GAMES.shipped]
    return {(tag, value.lower()): name for name, game in made for tag, value in game.record_tags}


def spec_by_tags(tags: Mapping[str, str]) -> str | None:
    """The game of ours that a record names by `Variant`, `GameType` or `GM`; None where it names none.

    >>> spec_by_tags({"GameType": "21"}), spec_by_tags({"Variant": "gardner"}), spec_by_tags({"Event": "?"})
    ('draughts', 'gardner', None)

    Raises:
        BadInput: it names a game that is not here.
    """
    ours = specs_by_tags()
    if "Variant" in tags:
        variant = _short(tags["Variant"])
        if variant.lower() in CHESS960_VARIANTS:
            if not tags.get("FEN"):
                raise BadInput(f"This is {variant}, and no tag FEN says how the pieces stood at the beginning.")
            return f"chess:start={start_number(tags['FEN'])}"
        known = ours.get(("Variant", variant.lower())) or SPECS_BY_VARIANT.get(variant.lower())
        if known is None:
            raise BadInput(f"This is {variant} (tag Variant), a game that is not here; chess is read.")
        return known if variant.lower() not in ("", "?", "-") else None
    if "GameType" in tags:
        number = _short(tags["GameType"].partition(",")[0])
        if known := ours.get(("GameType", number)):
            return known
        if number:
            name = GAME_TYPES.get(number, "another game")
            types = [value for tag, value in ours if tag == "GameType" and value in GAME_TYPES]
            here = ", ".join(f"{GAME_TYPES[value]} ({value})" for value in types)
            raise BadInput(f"This is {name} (GameType {number}), a game that is not here; here are {here}.")
    if number := _short(tags.get("GM", "")):
        if known := ours.get(("GM", number)):
            return known
        read = " and ".join(f"{SGF_TYPES[value]} (GM {value})" for tag, value in ours if tag == "GM")
        name = SGF_TYPES.get(number, "another game")
        raise BadInput(f"This is {name} (GM {number}); records in SGF are of {read} here.")
    return None


def _short(said: str) -> str:
    """The value of a tag as a sentence can have it: on one line, and not longer than a name."""
    return plain_name(said)[:40]
