"""Adapter to PettingZoo: `environment(pg.game_named("connectfour"))` is an AEC environment.

The agents are the game's two players. What an agent sees is the state, as bits; `action_mask` says which moves are
legal. The reward is the sign of the utility for each, at the end.
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from plyground.board.svg import svg
from plyground.errors import BadInput
from plyground.interop import AnyGame, check_moves, count_actions, state_bits
from plyground.rules import LONGEST, ONGOING, board_of


class Environment(AECEnv[str, dict[str, Any], int | None]):
    """PettingZoo environment of one of our games.

    Args:
        game: the game.
        actions: number of actions, one more than the largest move; by default found by random games.
        render_mode: `ansi`, the position in text, or `svg`.
    """

    def __init__(self, game: AnyGame, actions: int | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        name = f"plyground_{type(game).__name__.lower()}_v0"
        self.metadata: dict[str, Any] = {"name": name, "render_modes": ["ansi", "svg"], "is_parallelizable": False}
        if render_mode not in (None, "ansi", "svg"):
            raise BadInput(f"render_mode={render_mode!r}: ansi or svg.")
        self.render_mode = render_mode
        self.game = game
        self._actions = actions or count_actions(game)
        size = len(state_bits(game.initial()))
        self.possible_agents: list[str] = list(game.marks)
        self._spaces = {
            agent: Dict(
                {
                    "observation": Box(0, 1, (size,), np.int8),
                    "action_mask": Box(0, 1, (self._actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._moves = {agent: Discrete(self._actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._moves[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; nothing in it is random, so the seed changes nothing."""
        self.agents: list[str] = list(self.possible_agents)
        self.state_now: Any = self.game.initial()
        self._occurrences: dict[Any, int] = {}
        self._count_occurrence()
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection: str = self.agents[self.game.to_move(self.state_now)]

    def _count_occurrence(self) -> int:
        """Count an occurrence of the state. Returns the number of its occurrences."""
        state = self.game.repetition_key(self.state_now)
        self._occurrences[state] = self._occurrences.get(state, 0) + 1
        return self._occurrences[state]

    def observe(self, agent: str) -> dict[str, Any]:
        # All zeros for the agent that is not to move: AEC asks each agent to observe, also out of
        # turn.
        mask = np.zeros(self._actions, np.int8)
        if agent == self.agent_selection and not any(self.terminations.values()) and not any(self.truncations.values()):
            mask[check_moves(list(self.game.moves(self.state_now)), self._actions)] = 1
        return {"observation": np.array(state_bits(self.state_now), np.int8), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move.

        Raises:
            BadInput: it is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self.game.moves(self.state_now):
            raise BadInput(f"{action} is no legal move here: action_mask says which are.")
        # The order is that of PettingZoo's AEC contract: the agent's own sum is cleared before its
        # step, all rewards of the step before are cleared, and `_accumulate_rewards` comes last.
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.state_now = self.game.play(self.state_now, int(action))
        times, utility = self._count_occurrence(), self.game.outcome(self.state_now)
        if utility == ONGOING and times == self.game.repetition:
            utility = self.game.repetition_value(self.state_now)
        if utility != ONGOING:
            worth = float((utility > 0) - (utility < 0))
            self.rewards = dict(zip(self.agents, (worth, -worth), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif sum(self._occurrences.values()) > LONGEST:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[self.game.to_move(self.state_now)]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as text or SVG, by `render_mode`; None without one."""
        if self.render_mode == "svg":
            return svg(board_of(self.game), self.game.look(self.state_now))
        return self.game.text(self.state_now) if self.render_mode else None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


def environment(game: AnyGame, actions: int | None = None, render_mode: str | None = None) -> Environment:
    """Make the PettingZoo environment of a game; see `Environment` for the arguments."""
    return Environment(game, actions, render_mode)
