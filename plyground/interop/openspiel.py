"""Our games as games of OpenSpiel's: `openspiel_game(pg.game_named("connectfour"))`.

Once this module is imported, OpenSpiel knows them by name as well: `pyspiel.load_game("plyground(game=connectfour)")`,
with `;` for the commas in a game's options, since OpenSpiel has its own use for these.
"""

from typing import Any

import numpy as np
import pyspiel

from plyground.errors import BadInput
from plyground.games import game_named
from plyground.interop import AnyGame, actions_of, bits_of, within
from plyground.rules import LONGEST, ONGOING

_TYPE = pyspiel.GameType(
    short_name="plyground",
    long_name="A game of plyground's",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "tictactoe", "actions": 0},
)


class SpielGame(pyspiel.Game):
    """A game of ours, as OpenSpiel asks one."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules: AnyGame = game_named(str(params.get("game", "tictactoe")).replace(";", ","))
        self.actions = int(params.get("actions", 0)) or actions_of(self.rules)
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

    def new_initial_state(self, state: Any = None) -> "SpielState":
        if state is not None:
            raise BadInput("A game of plyground's begins at its beginning: apply the moves that lead to a position.")
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        return Observer(self.rules)


class SpielState(pyspiel.State):
    """A state that changes, as OpenSpiel has it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._rules, self._actions = game.rules, game.actions
        self.now = self._rules.initial()
        self._came = {self._rules.recurring(self.now): 1}
        self._utility = ONGOING

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self._rules.to_move(self.now)

    def _legal_actions(self, player: int) -> list[int]:
        return within(list(self._rules.moves(self.now)), self._actions)

    def _apply_action(self, action: int) -> None:
        self.now = self._rules.play(self.now, action)
        state = self._rules.recurring(self.now)
        self._came = self._came | {state: self._came.get(state, 0) + 1}  # a new one, for copies share the old one
        self._utility = self._rules.outcome(self.now)
        if self._utility == ONGOING and self._came[state] == self._rules.repetition:
            self._utility = self._rules.again(self.now)

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
    """What is seen of a state: its bits, and its text."""

    def __init__(self, rules: AnyGame) -> None:
        self.tensor = np.zeros(len(bits_of(rules.initial())), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = bits_of(state.now)

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state)


def openspiel_game(game: str, actions: int = 0) -> SpielGame:
    """A game of ours as OpenSpiel's.

    Args:
        game: its name, with options: `connectfour:5,4`.
        actions: how many moves there are, one more than the largest; 0: random games tell.

    Raises:
        BadInput: there is no such game.
    """
    return SpielGame({"game": game.replace(",", ";"), "actions": actions})


pyspiel.register_game(_TYPE, SpielGame)
