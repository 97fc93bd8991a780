"""Adapter for rules written in Prolog or GDL: `prolog:file.pl`, `gdl:file.kif` as games of ours.

The file defines the predicates of a generic minimax program in Prolog (after Bratko, "Prolog Programming for Artificial
Intelligence", chapter on game playing): `move(+Position, -Next)`, `min_to_move(+Position)`, `max_to_move(+Position)`,
`utility(+Position, -Value)` for positions without moves, and `initial(-Position)`. A position is any term without
variables; a state here holds its text in ints. The rules are asked through a running SWI-Prolog, so such a game is
plain and slow: it is there to be played, searched and held against another.

Rules in the Game Description Language are interpreted in the same Prolog (`programs/gdl.pl`).
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple

from plyground.board.signs import signs
from plyground.errors import BadInput, GameFault, clause_of
from plyground.files import bytes_of_file
from plyground.programs.prolog_program import PROGRAMS, PrologProgram
from plyground.rules import ONGOING, Game
from plyground.text import whole_number

# 56 bits: a word stays positive and below 2**63, as ints of states must.
WORD_BYTES = 7
"""Bytes of a position's text in each int."""
GROWS, MOST_WORDS = 6, 1_200
"""Ints for a position's text: `GROWS` times those of the first position, at least a language's `fewest_words`, at most
8,400 bytes. Tables of searches have no room for many longer states, and hash each word of one."""
WIDTH = 40
"""Characters of a line of a term that is shown to people."""
MOST_CACHED_ANSWERS = 1 << 14
"""Answers of the rules that are cached: each is a round trip to Prolog."""


class PrologState(NamedTuple):
    """A term, as text."""

    text: tuple[int, ...]
    """Its bytes in UTF-8, `WORD_BYTES` to an int, the first lowest; 0 after the last."""
    turn: int


class PrologMove(NamedTuple):
    """A position that `move/2` leads to."""

    text: str
    turn: int
    name: str
    """Name of the move by `move_name/3`; empty where it gives none."""


class PrologAnswer(NamedTuple):
    """Answer of the rules about a position: its utility, else its moves."""

    utility: int
    """The utility of a finished game, else `ONGOING`."""
    value: int
    """The static evaluation of an unfinished one."""
    moves: tuple[PrologMove, ...]


@dataclass(frozen=True)
class Prolog(Game[PrologState]):
    """A game whose rules are a file of Prolog."""

    file: str
    """The file, as a path."""
    seconds: float = 10.0
    """Seconds that an answer of the rules may take."""
    version: str = field(default="", init=False, repr=False)
    """Hash of the file's content: changed rules are another game."""

    language: ClassVar[str] = "prolog"
    ending: ClassVar[str] = ".pl"
    fewest_words: ClassVar[int] = 200
    """Ints for a position's text, if its first position is not large."""
    plain = "its rules are asked of a running SWI-Prolog, which has no compiled form"

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            content = bytes_of_file(Path(self.file))
        except BadInput as fault:
            right = f"Name such rules as {self.language}:path/to/file{self.ending}."
            raise BadInput(f"{fault} {right}") from None
        if not self.seconds > 0:
            raise BadInput(f"seconds={self.seconds:g}: seconds are above 0.")
        object.__setattr__(self, "version", hashlib.sha256(content).hexdigest()[:16])

    @property
    def _program(self) -> PrologProgram:
        return PROGRAMS.find(self.language, self.file, self.version, self.seconds)

    @cached_property
    def _first(self) -> tuple[str, int]:
        """The first position as text, and its player to move."""
        ((_, text, turn),) = self._program.ask("start")
        return text, int(turn)

    @cached_property
    def _word_count(self) -> int:
        """Ints for a position's text."""
        return min(max(self.fewest_words, GROWS * -(-len(self._first[0].encode()) // WORD_BYTES)), MOST_WORDS)

    @cached_property
    def _bounds(self) -> tuple[int, int]:
        ((_, low, high),) = self._program.ask("bounds")
        return int(low), int(high)

    def _state_from_text(self, text: str, turn: int) -> PrologState:
        data = text.encode()
        if len(data) > (most := WORD_BYTES * self._word_count):
            raise GameFault(
                f"{self._file_name}: a position of {len(data):,} bytes as text, and here {most:,} are the most."
            )
        words = [
            int.from_bytes(data[start : start + WORD_BYTES], "little") for start in range(0, len(data), WORD_BYTES)
        ]
        return PrologState((*words, *(0,) * (self._word_count - len(words))), turn)

    @property
    def _file_name(self) -> str:
        return Path(self.file).name

    def term(self, state: PrologState) -> str:
        """The position as Prolog writes it."""
        # UTF-8 of a term has no byte 0, so the first word of 0 ends the text.
        words = state.text[: state.text.index(0)] if 0 in state.text else state.text
        return b"".join(word.to_bytes(WORD_BYTES, "little") for word in words).rstrip(b"\0").decode()

    def _ask_rules(self, state: PrologState) -> PrologAnswer:
        return _cached_answer(self, self.term(state))

    # -- the rules --------------------------------------------------------------------------------------------------

    def initial(self) -> PrologState:
        return self._state_from_text(*self._first)

    def to_move(self, state: PrologState) -> int:
        return state.turn

    def moves(self, state: PrologState) -> Iterator[int]:
        """The places of the answers of `move/2`, from 0; equal answers are one move."""
        yield from range(len(self._ask_rules(state).moves))

    def play(self, state: PrologState, move: int) -> PrologState:
        made = self._ask_rules(state).moves[move]
        return self._state_from_text(made.text, made.turn)

    def outcome(self, state: PrologState) -> int:
        """A position is finished where `move/2` has no answer."""
        return self._ask_rules(state).utility

    def bounds(self, state: PrologState) -> tuple[int, int]:
        """Bounds of the utility by `utility_bounds(Low, High)` where the file defines it, else -1 and 1."""
        return self._bounds

    def evaluate(self, state: PrologState) -> int:
        """The value of `staticval(+Position, -Value)` for MAX, where the file defines it, else 0."""
        return self._ask_rules(state).value

    # -- for people -------------------------------------------------------------------------------------------------

    def state_signs(self, state: PrologState) -> Iterator[int]:
        """The term, without blanks."""
        yield from signs(self.term(state))

    def parse_state(self, text: str) -> PrologState:
        try:
            if whole_number(text) is not None or not text.isprintable():
                raise BadInput("it is no term")
            ((_, term, turn), *_) = self._program.ask("ask", text)
        except BadInput as fault:
            right = f"write one as {self._first[0]}, or the moves that lead there"
            raise BadInput(f"{text!r} is not a position of {self._file_name}: {clause_of(fault)}; {right}.") from None
        return self._state_from_text(term, int(turn))

    def move_signs(self, state: PrologState, move: int) -> Iterator[int]:
        """Name of the move by `move_name(+Position, +Next, -Name)`, or its number, from 1, where names do not serve."""
        yield from signs(self._names(state)[move])

    def _names(self, state: PrologState) -> list[str]:
        given = [move.name for move in self._ask_rules(state).moves]
        is_name = all(name and not any(map(str.isspace, name)) for name in given) and len({*given}) == len(given)
        # Names only if all moves have one and no two the same; else numbers, so that every text names one move.
        return given if is_name else [str(number + 1) for number in range(len(given))]

    def parse_move(self, state: PrologState, text: str) -> int:
        names = self._names(state)
        if text in names:
            return names.index(text)
        some = ", ".join(names[:12]) + (f" … ({len(names)} in all)" if len(names) > 12 else "")
        raise BadInput(f"{text!r} is not a move of {self._file_name} here: {some or 'the game is over'}.")

    def caption(self, state: PrologState) -> Iterator[int]:
        """Output of `show(+Position)` where the file defines it, else the term, folded behind commas."""
        term = self.term(state)
        shown = "\n".join(row[0][1:-1] for row in self._program.ask("show", term)).strip("\n")
        yield from signs(fold_term(term) if shown == term else shown)


@dataclass(frozen=True)
class Gdl(Prolog):
    """A game whose rules are written in the Game Description Language."""

    language = "gdl"
    ending = ".kif"
    fewest_words = (
        600  # a board that is empty at first has a fact for each stone later: 15 × 15 of them take 3,000 bytes
    )


def fold_term(term: str) -> str:
    """A long term in lines, broken behind commas, if possible behind those after a bracket.

    >>> print(fold_term("gdl([control(red),height(1,1),height(2,1),height(3,1)])"))
    gdl([control(red),height(1,1),
    height(2,1),height(3,1)])
    """
    lines = []
    while len(term) > WIDTH:
        place = max(term.rfind(end, 0, WIDTH) for end in ("),", "],")) + 1 or term.rfind(",", 0, WIDTH)
        if place < 1:
            break
        lines.append(term[: place + 1])
        term = term[place + 1 :]
    return "\n".join([*lines, term])


@lru_cache(maxsize=MOST_CACHED_ANSWERS)
def _cached_answer(game: Prolog, term: str) -> PrologAnswer:
    """The answer of the rules to a position.

    Raises:
        GameFault: they give a utility beyond their bounds.
    """
    _, (kind, value), *rows = game._program.ask("ask", term)
    moves = tuple(PrologMove(text, int(turn), name[0] if name else "") for _, text, turn, *name in rows)
    if kind == "value":
        return PrologAnswer(ONGOING, int(value), moves)
    # Searches cut off by the bounds, so a utility beyond them would make values wrong without a word.
    utility, (low, high) = int(value), game._bounds
    if not low <= utility <= high:
        least, most = min(low, -abs(utility)), max(high, abs(utility))
        right = f"define utility_bounds({least}, {most})."
        raise GameFault(f"{game._file_name}: utility/2 gives {utility} for {term}, beyond {low} to {high}: {right}")
    return PrologAnswer(utility, 0, ())
