"""Learning of a game with its strength on the way, for a page that shows both while they grow.

A process of its own, `python -m plyground.arena.learning.curve GAME FOLDER`, prints how it stands as lines of JSON, and
keeps that in the folder with the weights: to end it loses a few seconds of work, and the same command goes on.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from plyground.arena.learning.strength import PacedPlayer, SolvedPosition, solved_positions, strength_match
from plyground.errors import BadInput
from plyground.files.whole_file import write_whole
from plyground.games import AnyGame, game_named
from plyground.learning.learned_rules import Learned
from plyground.learning.levels import LATEST, MILESTONE_GAMES, RUN_FILE, level_file, read_run
from plyground.learning.rounds import Learner
from plyground.learning.weights_file import LearnedWeights, write_weights
from plyground.rules import Game
from plyground.workers.cluster import Cluster

MATCH_AFTER_GAMES: Final = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
"""Games after which a match says how strong it is."""
MATCH_GAMES, _MATCH_SECONDS, _MOVE_SECONDS = 40, 20.0, 0.005
"""Games of such a match, and CPU seconds of it at most, and of a move."""
_POSITIONS, _POSITION_SECONDS = 60, 8.0
"""Most solved positions, and CPU seconds to find them at most."""
MOST_GAMES: Final = 1_000_000
MOST_SECONDS: Final = 1_800.0
"""CPU seconds of learning after which it ends by itself."""
_SAVE_SECONDS: Final = 2.0
"""Seconds between two times that all is kept."""
MOST_POINTS: Final = 80
"""Points of the curve of kept values: of more, every other one is left out."""


class LearningCurve:
    """A game that is being learned, in a folder.

    Args:
        spec: the game.
        folder: the weights and the record of its run; an earlier run there goes on.
        tell: called with the state of the run, as `RUN_KEYS` has it.
    """

    def __init__(self, spec: str, folder: Path, tell: Callable[[dict[str, Any]], None]) -> None:
        self._game: AnyGame = game_named(spec)
        self._folder, self._tell = folder, tell
        self._state: dict[str, Any] = {"game": spec, "names": self._game.names, "stage": "beginning"}
        has_own = type(self._game).evaluate is not Game.evaluate
        self._state |= {"games": 0, "plies": 0, "seconds": 0.0, "has_own": has_own, "bytes": 0}
        self._state |= {"positions": 0, "own": 0.0, "at_random": 0.0, "kept": [], "matches": [], "levels": {}}
        self._saved = 0.0
        self._solved = list[SolvedPosition]()

    def run(self, *, games: int = MOST_GAMES, seconds: float = MOST_SECONDS) -> None:
        """Learn until as many games are played or the time is over.

        Raises:
            BadInput: the game cannot be learned, or the folder cannot be written to.
        """
        self._tell(self._state)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise BadInput(f"{self._folder} cannot be made: {fault.strerror or fault}.") from None
        learner, part = Learner(self._game, self._state["game"]), self._folder / "now.part"
        if learner.resume(part) and (kept := self._folder / RUN_FILE).is_file():
            self._state |= read_run(kept)
        self._find_positions()
        self._tell_state("learning", learner)
        before = learner.games
        with Cluster(1) as cluster:
            for _ in learner.learn(cluster, games=games, seconds=seconds):
                # A round may pass a milestone by many games: the weights that are kept are the first ones after it.
                levels = [level for level in MILESTONE_GAMES if before < level <= learner.games]
                matches = [count for count in MATCH_AFTER_GAMES if before < count <= learner.games]
                if levels or matches or time.monotonic() > self._saved + _SAVE_SECONDS:
                    self._save_and_measure(learner, part, levels, is_measured=bool(matches))
                self._tell_state("learning", learner)
                before = learner.games
        self._save_and_measure(learner, part, [], is_measured=True)
        self._tell_state("ended", learner)
        self._write_state()

    def _find_positions(self) -> None:
        """Find solved positions, and the shares that the game's own evaluation and a random choice keep in them."""
        self._solved = solved_positions(self._game, _POSITION_SECONDS, count=_POSITIONS)
        if self._solved:
            own = sum(each.is_kept_by(self._game) for each in self._solved) / len(self._solved)
            at_random = sum(each.at_random for each in self._solved) / len(self._solved)
            self._state |= {"positions": len(self._solved), "own": round(own, 3), "at_random": round(at_random, 3)}

    def _save_and_measure(self, learner: Learner, part: Path, levels: list[int], *, is_measured: bool) -> None:
        """Write the weights and measure their strength."""
        weights = learner.learned_weights()
        learner.keep(part)
        self._update_counts(learner)
        for name in (LATEST, *map(str, levels)):
            write_weights(weights, level_file(self._folder, name))
        self._state["levels"] |= {str(level): learner.games for level in levels}
        self._state["bytes"] = level_file(self._folder, LATEST).stat().st_size
        self._write_state()  # before a match, which takes many seconds in which the process may be ended
        self._measure(weights, learner, is_measured=is_measured)
        self._write_state()
        self._saved = time.monotonic()

    def _measure(self, weights: LearnedWeights, learner: Learner, *, is_measured: bool) -> None:
        learned: AnyGame = Learned(self._game, weights)
        if self._solved:
            kept = sum(each.is_kept_by(learned) for each in self._solved) / len(self._solved)
            self._state["kept"].append([learner.games, round(kept, 3)])
            if len(self._state["kept"]) > MOST_POINTS:
                # Every other point and the last one: the curve keeps its shape, and the file its size.
                self._state["kept"] = [*self._state["kept"][::2], self._state["kept"][-1]]
        if is_measured:
            self._tell_state("measuring", learner)
            players = PacedPlayer(learned, _MOVE_SECONDS), PacedPlayer(self._game, _MOVE_SECONDS)
            found = strength_match(players, self._game, _MATCH_SECONDS, games=MATCH_GAMES)
            # The file keeps shares and not Elo, which may be infinite: JSON has no such number.
            low, high = (1 / (1 + 10 ** (-max(-4_000.0, min(4_000.0, elo)) / 400)) for elo in found.interval)
            share = found.points / len(found.games)
            self._state["matches"].append(
                [learner.games, len(found.games), *(round(each, 3) for each in (share, low, high))]
            )

    def _write_state(self) -> None:
        # The file always says stopped: after a kill that is true, and a running process tells the page its own state.
        write_whole(self._folder / RUN_FILE, json.dumps(self._state | {"stage": "stopped"}).encode())

    def _tell_state(self, stage: str, learner: Learner) -> None:
        self._update_counts(learner)
        self._state["stage"] = stage
        self._tell(self._state)

    def _update_counts(self, learner: Learner) -> None:
        self._state |= {"games": learner.games, "plies": learner.plies, "seconds": round(learner.seconds, 1)}


def main() -> None:
    """Learn the game of the command line, and print the state as lines of JSON, or a sentence that says why not."""
    spec, folder = sys.argv[1:]
    try:
        LearningCurve(spec, Path(folder), lambda said: print(json.dumps(said), flush=True)).run()
    except BadInput as fault:
        print(json.dumps({"fault": str(fault)}), flush=True)


if __name__ == "__main__":
    main()
