"""Adapter to OpenSpiel: `openspiel_game("connectfour")` is a game of OpenSpiel's.

After an import of this module OpenSpiel also has our games by name: `pyspiel.load_game("plyground(game=connectfour)")`,
with `;` for the commas in a game's options, since OpenSpiel uses commas itself.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from plyground.errors import BadInput
from plyground.games import game_named
from plyground.interop import AnyGame, check_moves, count_actions, state_bits
from plyground.rules import LONGEST, ONGOING

if TYPE_CHECKING:

    class _Untyped:
        """OpenSpiel's classes as a type checker sees them, which have no types: every attribute is there."""

        def __init__(self, *given: Any) -> None: ...

        def __getattr__(self, name: str) -> Any: ...

    _Game = _Untyped
    _State = _Untyped
else:
    _Game, _State = pyspiel.Game, pyspiel.State

_TYPE = pyspiel.GameType(
    short_name="plyground",
    long_name="A game of plyground's",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    # A utility only at the end, which one player gains and the other loses; no turn has hidden
    # information, so the state's text may stand for an information state.
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "tictactoe", "actions": 0},
)


class PlygroundGame(_Game):
    """One of our games with OpenSpiel's interface."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        # OpenSpiel splits a game's parameters at commas, so a spec comes with semicolons.
        self.rules: AnyGame = game_named(str(params.get("game", "tictactoe")).replace(";", ","))
        self.actions: int = int(params.get("actions", 0)) or count_actions(self.rules)
        # OpenSpiel wants one symmetric range for both players; bounds of the first state hold for
        # all.
        low, high = self.rules.bounds(self.rules.initial())
        most = max(-low, high)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=float(-most),
            max_utility=float(most),
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self, state: Any = None) -> "PlygroundState":
        """The state at the beginning of a game, which is the only one that OpenSpiel may ask for."""
        if state is not None:
            raise BadInput("A game of plyground's begins at its beginning: apply the moves that lead to a position.")
        return PlygroundState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """An observer of the game's states."""
        return Observer(self.rules)


class PlygroundState(_State):
    """A mutable state with OpenSpiel's interface."""

    def __init__(self, game: PlygroundGame) -> None:
        super().__init__(game)
        self._rules, self._actions = game.rules, game.actions
        self.now: Any = self._rules.initial()
        self._occurrences = {self._rules.repetition_key(self.now): 1}
        self._utility = ONGOING

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self._rules.to_move(self.now)

    def _legal_actions(self, player: int) -> list[int]:
        return check_moves(list(self._rules.moves(self.now)), self._actions)

    def _apply_action(self, action: int) -> None:
        self.now = self._rules.play(self.now, action)
        state = self._rules.repetition_key(self.now)
        self._occurrences = self._occurrences | {
            state: self._occurrences.get(state, 0) + 1
        }  # a new dict, since copies share the old one
        self._utility = self._rules.outcome(self.now)
        if self._utility == ONGOING and self._occurrences[state] == self._rules.repetition:
            self._utility = self._rules.repetition_value(self.now)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._rules.move_text(self.now, action)

    def is_terminal(self) -> bool:
        return self._utility != ONGOING

    def returns(self) -> list[float]:
        worth = float(self._utility) if self.is_terminal() else 0.0
        return [worth, -worth]

    def __str__(self) -> str:
        return self._rules.text(self.now)


class Observer:
    """OpenSpiel's observer of a state: its bits, and its text."""

    def __init__(self, rules: AnyGame) -> None:
        self.tensor: NDArray[np.float32] = np.zeros(len(state_bits(rules.initial())), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {"observation": self.tensor}

    def set_from(self, state: PlygroundState, player: int) -> None:
        """Observe a state; both players see the same."""
        self.tensor[:] = state_bits(state.now)

    def string_from(self, state: PlygroundState, player: int) -> str:
        """The text of a state."""
        return str(state)


def openspiel_game(game: str, actions: int = 0) -> PlygroundGame:
    """Make a game of OpenSpiel's from one of ours.

    Args:
        game: the game's spec: `connectfour:5,4`.
        actions: number of actions, one more than the largest move; 0: found by random games.

    Raises:
        BadInput: there is no such game.
    """
    return PlygroundGame({"game": game.replace(",", ";"), "actions": actions})


pyspiel.register_game(_TYPE, PlygroundGame)
