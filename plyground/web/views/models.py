"""Messages of the page and of bots: every operation's arguments and answer, as typed data.

`docs/http.md` shows them in use. Values are from x's side; moves and positions are in the game's own text.
"""

from functools import cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from plyground.board.look import Area, Colour, Look, Piece, Place, Surface
from plyground.engine.move_grades import Grade
from plyground.engine.review import REVIEW_SECONDS
from plyground.rules import LONGEST
from plyground.text import plain_name
from plyground.web.limits import LONGEST_PERSON_NAME

GameSpec = Annotated[str, Field(max_length=200, examples=["tictactoe"], description="a game and its options")]
PlayerSpec = Annotated[str, Field(max_length=200, examples=["engine:time=1"], description="a player and its options")]
StateText = Annotated[str, Field(max_length=2_000, description="a state in text; empty for the initial one")]
MoveText = Annotated[str, Field(min_length=1, max_length=40, examples=["b2"])]
# Bounds of every field: what a visitor sends is refused by its size before anything reads it.
Moves = Annotated[list[MoveText], Field(max_length=LONGEST)]
Plies = Annotated[int, Field(ge=1, le=LONGEST)]
Seconds = Annotated[float, Field(gt=0, le=60)]
Side = Literal["x", "o"]
Tone = Literal["good", "even", "bad", "hopeful", "doubtful", "unsure"]
Best = Literal["best", "best so far"]
GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,32}$")]
Secret = Annotated[str, Field(max_length=64)]
NewSecret = Annotated[str, Field(min_length=16, max_length=64)]
CLOCK_PATTERN = r"^(\d{1,3}(\.\d{1,2})?\+\d{1,3})?$"
ClockText = Annotated[
    str,
    Field(
        pattern=CLOCK_PATTERN,
        examples=["5+3"],
        description="minutes for each side, and seconds added after each move; empty for no clock",
    ),
]
PersonName = Annotated[str, Field(max_length=LONGEST_PERSON_NAME), AfterValidator(plain_name)]


class Model(BaseModel):
    """Arguments with a name that is not known are refused, not ignored."""

    # A misspelt argument would otherwise be a default, and the answer one to another question.
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


class Shared(Model):
    """An answer that many clients are sent: it is written as JSON once."""

    @cached_property
    def json_text(self) -> str:
        """JSON of it, as Pydantic writes it."""
        return self.model_dump_json()


class Nothing(Model):
    """No arguments."""


# -- positions ---------------------------------------------------------------------------------------------------------


class At(Model):
    """A position: a game, where it began, and the moves since."""

    game: GameSpec
    start: StateText = ""
    moves: Moves = []


class ScoreView(Model):
    """A score from the first player's side, as in `score.Score`; unknown parts are null."""

    text: str
    """In words: `x wins in 5 plies`, `x wins by 2 or more`, `draw`, or an estimate such as `+3 (estimate)`."""
    exact: bool
    """Whether the game ends with just this `utility` if both play perfectly."""
    winner: str | None
    utility: int | None
    plies: int | None
    points: int | None
    """An estimate in the game's own units."""
    share: float | None
    """An estimate as the first player's share of simulated games, 0 to 1."""
    chance: float | None
    """Where points are an estimate: the first player's chance by a fitted curve, 0 to 1, a draw being a half."""
    bar: float
    """The first player's share of an evaluation bar, 0 to 1."""
    ahead: Side | None
    """Who wins, or is thought to be ahead; null for a draw and where it is even."""


class MoveView(Model):
    """The value of a move for the player to move, in all forms that a page shows."""

    score: ScoreView
    brief: str
    """For a cell of the board, for the player to move: `wins in 5`, `loses by 4`, `draw`; `+3` is good for them."""
    brief_x: str
    """The same for the first player."""
    tone: Tone
    """The outcome for the player to move; `hopeful`, `doubtful` and `unsure` are estimates."""
    best: Literal["", "best", "best so far"]
    """Whether no other move is better; `so far` until the report is certain."""
    better: int
    """How many of the report's moves are better: 0 for the best, so that moves can be put in order."""


class BoardView(Model):
    """Fixed part of a game's board, the same while the game is played."""

    places: tuple[Place, ...]
    lines: tuple[tuple[int, int], ...]
    areas: tuple[Area, ...]
    falls: tuple[tuple[int, ...], ...]
    """Places along which pieces fall: any of them stands for the move that begins in it."""
    grid: tuple[int, int] | None
    """Rows and columns, if the places are the squares of a rectangle, row by row."""
    block: int
    """The side of the square boards that the grid is cut into, its areas; 0 where it is not cut."""
    names: tuple[str, str]
    """Names of the two sides."""
    marks: tuple[str, str]
    """Marks of the two sides, by which pieces name their owners."""
    colours: tuple[Colour, Colour]
    surface: Surface
    """Material of the board."""
    borders: tuple[tuple[int, int, int], ...]
    """Borders in the colour of a side: the side, and the first and the last place."""
    crossings: bool
    """Whether pieces stand where the lines of a grid cross."""
    stars: tuple[int, ...]
    """Places with a dot, by which players find their way."""
    pieces: tuple[Piece, ...]
    """Pieces that can stand on the board."""
    spoken: tuple[tuple[str, str], ...]
    """Signs of the players' notation, and the words that are heard for them."""
    seat: int | None
    """Side that sits at the bottom, 0 or 1; null where sides have no edge."""
    draws: bool
    """Whether a game can end in a draw, so that one can be offered."""
    must_jump: bool
    """Whether a piece that can jump must jump."""


class PositionView(Model):
    """Data by which a page draws a position and describes its state."""

    game: str
    start: str
    """The position in text where the game began; empty for the initial one."""
    plies_before: int
    """Plies that the numbers of its moves count before the start; odd, where the second player began."""
    moves: list[str]
    notation: list[str]
    """The moves as players of the game write them."""
    text: str
    names: dict[Side, str]
    """Names of the two sides."""
    to_move: Side
    notice: str
    """Notice of the position, such as `in check`; empty of a finished game, whose result has it."""
    over: bool
    result: str
    """How it stands, in words: `x to move`, `o wins`, `draw`."""
    winner: Side | None
    legal: list[str]
    legal_notation: list[str]
    """The legal moves as players of the game write them."""
    paths: list[tuple[int, ...]]
    """The places that each legal move touches, as people point at them; none: the board does not offer it."""
    must_pass: bool
    """Whether the only legal move is a pass, which pages make by themselves."""
    last: tuple[int, ...]
    """The places that the last move touched."""
    look: Look
    """What stands on the board."""


class Edit(Model):
    """A position or a whole game in text, as people have it: moves in any notation, a state, a drawing, a saved game.

    A saved game, in JSON lines, names its game itself.
    """

    game: GameSpec
    text: Annotated[str, Field(max_length=60_000)]


class Named(Model):
    """A game by its name."""

    game: GameSpec


# -- thinking ----------------------------------------------------------------------------------------------------------


class Reply(At):
    """Ask a player for its move."""

    player: PlayerSpec = "engine:time=1"
    id: GameId | None = None
    """The saved game that it plays, if it plays one: a program or peer that remembers is asked there."""
    seat: Secret | None = None
    """The secret of its seat in that game: with it the server makes the move at once."""


class Analyse(At):
    """Ask for the value of every move. `seconds`, with the compiler's, and `depth` are limits; the server has its own
    above them."""

    seconds: Seconds = 5.0
    depth: Plies | None = None


class Review(At):
    """Ask for the grade of every move of a game."""

    seconds: Seconds = REVIEW_SECONDS
    """Seconds for the whole game."""


class ReportView(Model):
    """Result of a search so far."""

    depth: int
    nodes: int
    seconds: float
    certain: bool
    """Whether nothing more can be found: who wins, by how much and how soon, and so of each move in `moves`."""
    score: ScoreView
    variation: list[str]
    lines: list[list[str]]
    """Best play after each of the best moves, the best first; its first is `variation`."""
    notation: list[list[str]]
    """`lines` as players of the game write them."""
    moves: dict[str, MoveView]
    """The value of each move that was valued."""
    scale: str
    """What an estimate counts, in a sentence; empty where every value is an end."""
    source: str
    """Where it was looked up, in words, such as `the opening book of 3 plies`; empty where it was searched."""
    why_plain: str | None
    """Why the search runs as plain Python, which is slow, in a sentence; null where it is compiled."""


class ReplyView(Model):
    """A player's move; a part of a stream has no move yet."""

    move: str | None
    report: ReportView | None
    saved: "GameView | None" = None
    """The kept game after the move, if the server has made it."""


class StepView(Model):
    """A position of a game under review, and the grade of the move that led to it."""

    ply: int
    move: str | None
    score: ScoreView
    best: str | None
    """The best move in this position, as far as is known; None when the game is over."""
    line: list[str]
    """Best play from this position, that move first, as far as it was searched."""
    notation: list[str]
    """`line` as players of the game write it."""
    mover: Side | None
    """Side that made the move; null before the first one."""
    grade: Grade | None
    """The grade of the move; null before the first move, and while it is not known."""
    loss: float
    """Loss of the move in its player's expected result, 0 to 1; of a `losing` one, what it lost if the estimate of the
    best move were right."""
    exact: bool
    """Whether the grade is proved: who wins is known with the best move, and with this one. Else it is an estimate."""
    verdict: str
    """The grade in words, and what was lost: `best`, `seems best` by an estimate, `only move`, `loses sooner` or `lost
    anyway` where every move loses, `blunder: gave away the draw`, `mistake: Red's chance falls by 12 %`, `lets White
    win by force in 5 plies`; empty where the grade is not known."""
    better: ScoreView | None
    """Score of the best move in its place, by the search that graded a bad move; null where the move is not bad. The
    score of the position before it may be another one: that of a search of its own."""
    played: ScoreView | None
    """Score of the position after a bad move, by the same search."""


class AccuracyView(Model):
    """A number for each side; null where there is none."""

    x: float | None
    o: float | None


class ReviewView(Model):
    """A game under review, as far as it has been seen: the last positions are looked at first."""

    total: int
    """How many positions there are."""
    done: bool
    """Whether no better answer comes."""
    accuracy: AccuracyView
    """Accuracy of each side in percent, of its moves that had a choice but the `losing` ones; null without one, before
    the end, and where a move has not been looked at."""
    note: str
    """What the review did not see, in sentences; empty before the end, and where nothing of that kind is left."""
    steps: list[StepView]


# -- games that are kept -----------------------------------------------------------------------------------------------


class Create(Model):
    """A new game; `x` and `o` are `human` or a player's spec."""

    game: GameSpec
    start: StateText = ""
    moves: Moves = []
    x: PlayerSpec = "human"
    o: PlayerSpec = "human"
    clock: ClockText = ""


class Open(Model):
    """A game to look at, and to play with the secret of a seat."""

    id: GameId


class Follow(Open):
    """Follow a game. With a seat's secret, the seat counts as present."""

    seats: Annotated[list[Secret], Field(max_length=2)] = []


class Sit(Model):
    """Take a seat under a name. With a new secret, the seat's former holder loses it."""

    id: GameId
    seat: Secret
    """The secret by which the seat was held: an invitation's, or one's own."""
    name: PersonName = ""
    secret: NewSecret | None = None
    """The seat's new secret, made by the person who sits down; the old one is invalid then."""


class Offer(Model):
    """Offer the other person something, or agree to it by offering the same; `no` declines, and takes back."""

    id: GameId
    seat: Secret
    what: Literal["undo", "draw", "help", "rematch", "no"]


class Play(Model):
    """A move in a saved game. `ply` (from 1) is its number, so that two tabs cannot both make it."""

    id: GameId
    seat: Secret
    ply: Plies
    move: MoveText


class Undo(Model):
    """Take plies back. Both seats' secrets are needed where two people play."""

    id: GameId
    seats: Annotated[list[Secret], Field(max_length=2)]
    plies: Plies | None = None
    """How many; by default those since a person last had to move, any number of moves of both sides."""
    version: Annotated[int, Field(ge=0)] | None = None
    """The game's `version` that is meant; if it has another by now, that is the answer, and nothing is taken back."""


class ResignGame(Model):
    """Give up a saved game."""

    id: GameId
    seat: Secret


class Delete(Model):
    """Delete a saved game; the secret of either seat allows it."""

    id: GameId
    seat: Secret


class SitterView(Model):
    """The person on a side."""

    name: str
    here: bool
    """Whether a page is open somewhere that holds the seat."""


class OfferView(Model):
    """An open offer of one side to the other."""

    side: Side
    what: Literal["undo", "draw", "help", "rematch"]


class ClockView(Model):
    """The clocks of a game when the answer was made."""

    text: str
    """Time control of the game: `5+3`."""
    left: dict[Side, float]
    """Seconds that each side has left; 0 if its time is up."""
    running: Side | None
    """Side whose clock runs: from the first move on the side to move; null in a game that is over."""


class GameView(Shared):
    """A saved game as everyone may see it, and which seats the asker holds."""

    id: str
    version: int
    """Counts what happened in the game; a higher one is newer."""
    players: dict[Side, str]
    created: str
    """When, in UTC, as ISO 8601."""
    over: bool
    why: str | None
    winner: Side | None
    """Who has won, also because the other has given up."""
    position: PositionView
    people: dict[Side, SitterView]
    yours: list[Side]
    """The sides whose secrets `follow` was given and that still hold; empty in all other answers."""
    offer: OfferView | None
    help: bool
    """Whether both people have agreed that an engine may help them before the end."""
    next: GameId | None
    """The rematch: sides are swapped, and the seats' secrets go with the people."""
    clock: ClockView | None
    """The clocks; null in a game without."""


class CreatedView(Model):
    """A new game's id, the secret of each seat, with which one plays that side, and the game as it begins."""

    id: str
    seats: dict[Side, str]
    game: GameView


class Games(Model):
    """The saved games, newest first."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class GameLine(Model):
    """A saved game in a list."""

    id: str
    game: str
    players: dict[Side, str]
    names: dict[Side, str]
    """The names of the people who sat there."""
    created: str
    plies: int
    why: str | None


class GamesView(Model):
    """A page of saved games, and how many there are in all."""

    total: int
    games: list[GameLine]


class ExportView(Model):
    """A saved game as files."""

    jsonl: str
    """JSON lines, as `plyground replay` reads them."""
    record: str
    """The file format of the game's players, with names, date, result and clocks: PGN, PDN or SGF."""
    title: str
    """Name of that format."""
    ending: str
    """Ending of its files."""


class ModuleView(Model):
    """Path of a game's WebAssembly module; its content never changes."""

    path: str


class DoneView(Model):
    """It is done."""

    done: Literal[True] = True
