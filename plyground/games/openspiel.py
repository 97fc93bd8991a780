"""Adapter for OpenSpiel's games: `openspiel:breakthrough(rows=6,columns=6)` as a game of ours.

OpenSpiel (Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games", 2019) keeps a game in an object
that changes; here a state is the line of moves that leads to it, in words of bits, and the object is made from it. So
a guest is plain and slow: it is there to hold another implementation against it, and to be played. Without `open_spiel`
the name says what to install.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from plyground.board.signs import signs
from plyground.errors import BadInput, clause_of
from plyground.rules import LONGEST, ONGOING, Game

try:
    import pyspiel
except ImportError:
    pyspiel = None

# OpenSpiel has no types; its objects are Any throughout this module.
SpielObject = Any
OPENSPIEL_MISSING = "OpenSpiel is not installed here: pip install 'plyground[openspiel]', where there are wheels of it."


class SpielState(NamedTuple):
    """Moves since the beginning, packed in words: OpenSpiel's own states are objects that change."""

    line: tuple[int, ...]
    """The moves in words, as many to a word as fit, each move plus 1; 0 after the last."""
    plies: int
    turn: int


@dataclass(frozen=True)
class OpenSpiel(Game[SpielState]):
    """A game of OpenSpiel's for two players who see everything and take turns."""

    game: str
    """Name of the game in OpenSpiel, with parameters in parentheses."""

    plain = "OpenSpiel's rules are asked through Python objects, which have no compiled form"

    def __post_init__(self) -> None:
        kind, wanted = self._spiel_game.get_type(), pyspiel.GameType
        for has, right, words in (
            (kind.dynamics, wanted.Dynamics.SEQUENTIAL, "players move at the same time"),
            (kind.chance_mode, wanted.ChanceMode.DETERMINISTIC, "there is chance"),
            (kind.information, wanted.Information.PERFECT_INFORMATION, "something is hidden"),
            (kind.utility, wanted.Utility.ZERO_SUM, "one player's gain is not the other's loss"),
            (self._spiel_game.num_players(), 2, f"{self._spiel_game.num_players()} players play"),
        ):
            if has != right:
                raise BadInput(f"openspiel:{self.game} is no game of ours: {words}. See docs/add-a-game.md.")

    @cached_property
    def _spiel_game(self) -> SpielObject:
        if pyspiel is None:
            raise BadInput(OPENSPIEL_MISSING)
        if self.game.partition("(")[0].strip() not in pyspiel.registered_names():
            raise BadInput(f"OpenSpiel has no game {self.game!r}: write one of its, as in openspiel:tic_tac_toe.")
        try:
            with _without_stderr():
                return pyspiel.load_game(self.game)
        except pyspiel.SpielError as fault:
            said = " ".join(str(fault).split())
            raise BadInput(f"OpenSpiel cannot make openspiel:{self.game}: {clause_of(said)}.") from None

    @cached_property
    def _bits(self) -> int:
        """Bits for a move, plus 1."""
        most: int = self._spiel_game.num_distinct_actions()
        return (most + 1).bit_length()

    @cached_property
    def _word_count(self) -> int:
        """Words for the longest game."""
        plies: int = min(self._spiel_game.max_game_length(), LONGEST)
        # 62 bits a word: whole moves only, and never the sign.
        return max(1, -(-plies // (62 // self._bits)))

    def moves_of(self, state: SpielState) -> list[int]:
        """The moves that led to a state."""
        each, mask = 62 // self._bits, (1 << self._bits) - 1
        return [(state.line[ply // each] >> ply % each * self._bits & mask) - 1 for ply in range(state.plies)]

    def spiel_state(self, state: SpielState) -> SpielObject:
        """OpenSpiel's state; callers must not change it."""
        return _known_state(self, state.line, state.plies)

    # -- the rules --------------------------------------------------------------------------------------------------

    def initial(self) -> SpielState:
        return SpielState((0,) * self._word_count, 0, self._spiel_game.new_initial_state().current_player())

    def to_move(self, state: SpielState) -> int:
        return state.turn

    def moves(self, state: SpielState) -> Iterator[int]:
        yield from self.spiel_state(state).legal_actions()

    def play(self, state: SpielState, move: int) -> SpielState:
        word, place = divmod(state.plies, 62 // self._bits)
        if word >= self._word_count:
            raise BadInput(f"openspiel:{self.game} goes on for more than {state.plies:,} plies, the longest game here.")
        line = list(state.line)
        line[word] |= move + 1 << place * self._bits
        after = self.spiel_state(state).child(move)
        # OpenSpiel names no player to move in a finished game, and a state needs one.
        turn = 1 - state.turn if after.is_terminal() else after.current_player()
        return SpielState(tuple(line), state.plies + 1, turn)

    def outcome(self, state: SpielState) -> int:
        here = self.spiel_state(state)
        if not here.is_terminal():
            return ONGOING
        worth = here.returns()[0]
        if worth != int(worth):
            raise BadInput(f"openspiel:{self.game} ends with {worth}, and an outcome is a whole number.")
        return int(worth)

    def bounds(self, state: SpielState) -> tuple[int, int]:
        return int(self._spiel_game.min_utility()), int(self._spiel_game.max_utility())

    # -- for people -------------------------------------------------------------------------------------------------

    def state_signs(self, state: SpielState) -> Iterator[int]:
        """The numbers of the moves that led to it: `@4.0.8`."""
        yield from signs("@" + ".".join(map(str, self.moves_of(state))))

    def parse_state(self, text: str) -> SpielState:
        state = self.initial()
        try:
            if text[:1] != "@":
                raise ValueError
            for move in map(int, filter(None, text[1:].split("."))):
                if move not in self.spiel_state(state).legal_actions():
                    raise ValueError
                state = self.play(state, move)
        except ValueError:
            right = "@ and the numbers of its moves with dots between them, as in @4.0.8, or the moves themselves"
            raise BadInput(f"{text!r} is not a position of openspiel:{self.game}: write {right}.") from None
        return state

    def move_signs(self, state: SpielState, move: int) -> Iterator[int]:
        """OpenSpiel's word for the move, or its number where another move has the same word."""
        # The first move with a word keeps it; each other one is its number, so that a text always names one move.
        words: dict[str, int] = {}
        for legal in self.spiel_state(state).legal_actions():
            words.setdefault(self._action_word(state, legal), legal)
        word = self._action_word(state, move)
        yield from signs(word if words.get(word, move) == move else str(move))

    def _action_word(self, state: SpielState, move: int) -> str:
        return "_".join(self.spiel_state(state).action_to_string(state.turn, move).split()) or str(move)

    def parse_move(self, state: SpielState, text: str) -> int:
        for move in self.spiel_state(state).legal_actions():
            if self.move_text(state, move) == text:
                return int(move)
        try:
            return int(text)
        except ValueError:
            raise BadInput(f"{text!r} is not a move of openspiel:{self.game} here.") from None

    def caption(self, state: SpielState) -> Iterator[int]:
        """The state as OpenSpiel writes it."""
        yield from signs(str(self.spiel_state(state)))


@lru_cache(maxsize=1 << 14)
def _known_state(game: OpenSpiel, line: tuple[int, ...], plies: int) -> SpielObject:
    """Make OpenSpiel's object after these moves from the one before it. Callers must not change it."""
    here = game._spiel_game.new_initial_state()
    # Every 64th state is played from the start: else the first request deep in a game recurses once for each ply.
    if plies % 64 == 0:
        for move in game.moves_of(SpielState(line, plies, 0)):
            here.apply_action(move)
        return here
    word, place = divmod(plies - 1, 62 // game._bits)
    before = line[word] & (1 << place * game._bits) - 1
    move = (line[word] >> place * game._bits) - 1
    return _known_state(game, (*line[:word], before, *line[word + 1 :]), plies - 1).child(move)


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Context without output to standard error, where OpenSpiel prints the message of each exception it raises."""
    # C++ writes to the file, not to Python's stream, so the descriptor itself is redirected.
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
