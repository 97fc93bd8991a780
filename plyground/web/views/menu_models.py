"""Models of the menu: games, searches, players, user files and error codes."""

from typing import Annotated, Literal

from pydantic import Field

from plyground.web.limits import LONGEST_QR
from plyground.web.views.models import Model


class OptionView(Model):
    """An option of a game."""

    name: str
    kind: Literal["int", "float", "bool", "str"]
    default: str
    words: str
    """Words for the option that people read."""
    values: int = 0
    """Number of its values, from 0 on, where one may be drawn by lot; 0 for other options."""


class GameChoice(Model):
    """A game that can be played; its title and rules may speak of its options by `{name}`."""

    name: str
    """What to write."""
    summary: str
    title: str
    """What people call it."""
    group: str
    """With which others it stands."""
    rules: str
    """How it is played and won, in two or three short sentences."""
    details: str
    """All its rules in a paragraph, with `{name}` of options too; empty where there are no more."""
    offer: str
    """Its spec where it is offered."""
    example: str
    """Moves from the beginning, of the game that is offered, that make a picture of it."""
    options: list[OptionView]
    fault: str = ""
    """Why it cannot be played, in a sentence: a game of one's own that cannot be loaded, or breaks a law."""


class PlayerChoice(Model):
    """A player that can be chosen: its spec, and its title."""

    spec: str
    title: str


class LineView(Model):
    """A line of pseudocode, and the kind of step at which it acts."""

    text: str
    act: str


class AlgorithmView(Model):
    """An algorithm: its name and title, and the pages that can use it."""

    name: str
    title: str
    summary: str
    """What it does, in a line."""
    recorded: bool
    """Whether it can be recorded as a tree."""
    compared: bool
    """Whether it looks to a depth, and so can be raced."""
    pseudocode: list[LineView]


class OperationView(Model):
    """An operation that workers of a page answer."""

    name: str
    stream: bool = False
    """Whether it gives better and better answers."""
    swift: bool = False
    """Whether it takes no time, so that it has a worker of its own."""


class NearView(Model):
    """Operations that workers in the playground's page may answer in place of the server, and their limits."""

    operations: list[OperationView]
    players: list[str]
    """The players that they have, by the names with which specs begin."""
    withheld: list[str]
    """Options of players that only the server grants."""
    table: int
    """Mebibytes for a player's table."""
    seconds: float
    """After which a player makes the best move that it has found."""


class MenuView(Model):
    """The games, the searches, the players worth offering, and the kinds of player that a spec may name."""

    games: list[GameChoice]
    algorithms: list[AlgorithmView]
    players: list[PlayerChoice]
    kinds: list[PlayerChoice]
    opponent: str
    """The player that sits opposite where none is named."""
    programs: list[str]
    """Players that were allowed on the command line, by name."""
    own: list[str]
    """What the command line named in files."""
    addresses: list[str]
    """Where other devices reach this server, the likeliest first; none if it is for its own machine."""
    room: bool
    """Whether there is a room."""
    near: NearView | None
    """Operations that a page may answer beside the server; null in a published page, which has no server."""


class OwnView(Model):
    """A game, search or player in a file that the command line named, as its file stands."""

    spec: str
    name: str
    kind: Literal["game", "search", "player", ""]
    saved: str
    """Another one whenever the file has been saved."""
    fault: str
    """What is wrong with it, in a sentence with its file and line; empty where nothing is."""
    notes: list[str]
    """What is allowed, but better known."""
    game: GameChoice | None


class OwnsView(Model):
    """All that the command line named in files."""

    things: list[OwnView]


class Drawn(Model):
    """A text to be drawn as a QR code."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_QR)]


class QrView(Model):
    """A QR code: dark squares as the path of an SVG picture, each a unit wide, and its side with the quiet zone."""

    size: int
    path: str
