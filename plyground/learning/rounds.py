"""Learning in rounds: parts of a round begin with the same weights, and their changes are merged in their order.

So the weights depend on the seed and the number of rounds alone, not on how many processes learn, nor which is first.
"""

import json
import math
import os
import time
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput
from plyground.files import WORK_MOST, bytes_of_file, parse_json_object
from plyground.files.whole_file import write_whole
from plyground.games import AnyGame
from plyground.learning.learned_rules import LOGIT
from plyground.learning.network import Network, network_of
from plyground.learning.selfplay import (
    DISCOUNT,
    EXPONENTIAL,
    GAMES_PLAYED,
    LAMBDA,
    LEARNING_WORK,
    LONGEST_LEARNED,
    NUMBERS_EACH,
    PLIES_FIELD,
    RANDOM_MOVES,
    SEED,
    STEP,
    UNIT,
    add_part,
    add_to_means,
    initial_weights,
    merge_parts,
    self_play,
    sums_memory,
    width_of,
)
from plyground.learning.weights_file import LearnedWeights, playouts_hash
from plyground.mapper import Mapper
from plyground.search.memory import Memory, new_memory
from plyground.search.observer import Counting

ROUND_PARTS: Final = 4
"""Parts of a round, which is the largest number of processes that learn at once."""
FIRST_PLIES: Final = 2_000
"""Plies of a part in the first round; each round has more of them, up to a limit."""
_MOST_PART_PLIES, _PLIES_GROWTH = 100_000, 1.3
USUAL_LEARNING: Final = 600.0
"""Default time limit of learning, in CPU seconds."""
GRAIN: Final = 16
"""Weights of a file are multiples of this number of 1,024ths of a logit."""
_KEPT_LINE: Final = b"plyground learning 1\n"


@dataclass(frozen=True)
class LearningSettings:
    """Settings of learning, each in 1,024ths."""

    step: int = 2048
    """Step size: part of its error by which the sum of a position moves at first."""
    trace: int = 850
    """λ: share of a position's target that comes from later positions, not from the next one."""
    random_moves: int = 100
    """Share of random moves."""
    discount: int = 1024
    """Discount: part of a value that is left one ply before; below 1 a sooner win and a later loss are better."""
    exponential: int = 0
    """1 where steps follow the slope of the value, and the coherence of a weight an exponential curve; else 0."""


# Step 5.6, λ 0.6, discount 0.99. Connect Four, prototype, 300,000 games of learning: with values that do not fade 13
# of 60 games against a perfect opponent were won, with values that do 27 (bench/TRIED.md).
FOR_LARGE: Final = LearningSettings(step=5734, trace=614, discount=1014, exponential=1)
"""Settings for a large network (Bagheri, Thill, Koch and Konen 2015); a value that fades is not theirs."""


@dataclass(frozen=True)
class LearningTask:
    """A part of a round."""

    number: int
    plies: int
    weights: bytes


@dataclass(frozen=True)
class LearningPart:
    """Work of a process: to play the games of a part, and to learn from them."""

    game: AnyGame
    network: Network
    how: LearningSettings
    seed: int

    def __call__(self, task: LearningTask) -> tuple[bytes, int, int, float]:
        """Returns the weights after the part, its games and plies, and CPU seconds."""
        weights, work = memory_of(task.weights), new_memory(LEARNING_WORK)
        # A seed for each part: multiplication by the constants of SplitMix64 (Steele, Lea and Flood 2014). Not 0, at
        # which xorshift stays for ever.
        mixed = (self.seed * 0x9E3779B97F4A7C15 + task.number * 0xBF58476D1CE4E5B9) & 0x7FFFFFFFFFFFFFFF
        work[SEED] = mixed ^ mixed >> 31 or 1
        work[STEP], work[LAMBDA], work[RANDOM_MOVES] = self.how.step, self.how.trace, self.how.random_moves
        work[DISCOUNT], work[EXPONENTIAL] = self.how.discount, self.how.exponential
        numbers = memory_of(array("q", self.network.numbers).tobytes())
        cells = new_memory(width_of(self.network.numbers) * (LONGEST_LEARNED + 1))
        play, start = kernel(self_play, self.game), self.game.initial()
        sums = sums_memory(self.network)
        # Compiled before the clock starts: the CPU seconds are those of playing and learning alone.
        play.prepare(Counting.fresh(), numbers, weights, cells, sums, work, start, task.plies)
        # The seconds are those of this thread alone: a worker of a cluster may have other threads.
        since = time.thread_time()
        play(Counting.fresh(), numbers, weights, cells, sums, work, start, task.plies)
        return weights.tobytes(), work[GAMES_PLAYED], work[PLIES_FIELD], time.thread_time() - since


@dataclass
class Learner:
    """Weights of a game that are being learned, with the number of rounds, games and plies so far."""

    game: AnyGame
    name: str
    seed: int = 0
    large: bool = False
    """Whether the network is a large one; its weights are then means over the last rounds, about an eighth of all."""
    how: LearningSettings = field(default_factory=LearningSettings)
    first_plies: int = FIRST_PLIES
    rounds: int = 0
    games: int = 0
    plies: int = 0
    seconds: float = 0.0
    """CPU seconds of playing and learning."""

    def __post_init__(self) -> None:
        self.network: Network = network_of(self.game, large=self.large)
        if self.large:
            self.how = FOR_LARGE
        self.rules: str = fingerprint(self.game)
        self._weights = initial_weights(self.network)
        self._sums = new_memory(4 * self.network.weights)
        self._means = new_memory(self.network.weights if self.large else 0)

    def round(self, cluster: Mapper) -> None:
        """Learn for a round.

        Raises:
            BadInput: a rule fails, or a process that learns is lost.
        """
        plies = int(min(_MOST_PART_PLIES, self.first_plies * _PLIES_GROWTH ** min(self.rounds, 100)))
        base = self._weights.tobytes()
        tasks = [LearningTask(self.rounds * ROUND_PARTS + part, plies, base) for part in range(ROUND_PARTS)]
        count, observer, done = self.network.weights, Counting.fresh(), dict[int, tuple[bytes, int, int, float]]()
        work = LearningPart(self.game, self.network, self.how, self.seed)
        games = played = 0
        seconds = 0.0
        # All parts begin with the same weights, so none waits for another one, and none can see how many processes
        # there are.
        for task, result in cluster.map(work, tasks):
            done[task.number] = result
        for number in sorted(done):
            part, more, moves, spent = done[number]
            kernel(add_part, self.game)(observer, self._weights, memory_of(part), self._sums, count)
            games, played, seconds = games + more, played + moves, seconds + spent
        kernel(merge_parts, self.game)(observer, self._weights, self._sums, count)
        kernel(add_to_means, self.game)(observer, self._means, self._weights, len(self._means), self.rounds)
        self.rounds, self.games, self.plies = self.rounds + 1, self.games + games, self.plies + played
        self.seconds += seconds

    def learn(self, cluster: Mapper, *, games: float = math.inf, seconds: float = math.inf) -> Iterator[None]:
        """Learn in rounds until a limit is reached: a number of games, or CPU seconds of all processes together.

        Yields after each round.

        Raises:
            BadInput: a rule fails, or a process that learns is lost.
        """
        while self.games < games and self.seconds < seconds:
            self.round(cluster)
            yield

    def learned_weights(self) -> LearnedWeights:
        """The weights learned so far as a file has them: of 16 bits, and of few values, so that it is small."""
        # Grains of 1/64 of a logit halve a file. With 24 to 64 in place of 16, evaluations changed by 118 to 244 points
        # of a spread of 467, with 16 by 77 (bench/TRIED.md).
        scale, most = UNIT // (LOGIT // GRAIN), 32767 // GRAIN
        weights = (self._means if self.large else self._weights[::NUMBERS_EACH]).tolist()
        rounded = array("h", [GRAIN * max(-most, min(most, (each + scale // 2) // scale)) for each in weights])
        made: dict[str, Any] = {"seed": self.seed, "rounds": self.rounds, "games": self.games, "plies": self.plies}
        made |= {"cpu_seconds": round(self.seconds, 1), "playouts": playouts_hash(self.game)}
        large = " --large" if self.large else ""
        made |= {"command": f"plyground learn {self.name} --games {self.games} --seed {self.seed}{large}"}
        return LearnedWeights(self.network, rounded, self.name, self.rules, made, {})

    # -- kept, to go on with ------------------------------------------------------------------------------------------

    def _identity(self) -> dict[str, Any]:
        how = list(vars(self.how).values())
        return {"rules": self.rules, "seed": self.seed, "first": self.first_plies, "large": self.large, "how": how}

    def keep(self, file: Path) -> None:
        """Write all that `resume` needs: weights, their sums, and counts.

        Raises:
            BadInput: the file cannot be written.
        """
        said = self._identity() | {"rounds": self.rounds, "games": self.games, "plies": self.plies}
        said["seconds"] = self.seconds
        # Level 1: the file is written again and again while learning goes on, and time counts more than bytes.
        body = zlib.compress(self._weights.tobytes() + self._means.tobytes(), 1)
        write_whole(file, _KEPT_LINE + json.dumps(said).encode() + b"\n" + body)

    def resume(self, file: Path) -> bool:
        """Continue from a file of `keep`, if there is one. Returns whether there is.

        Raises:
            BadInput: the file is damaged, or of other rules, another seed or other settings.
        """
        if not os.path.lexists(file):
            return False
        first, _, rest = bytes_of_file(file, WORK_MOST).partition(b"\n")
        header, _, body = rest.partition(b"\n")
        try:
            said = parse_json_object(header) if first + b"\n" == _KEPT_LINE else {}
            if {key: said.get(key) for key in self._identity()} != self._identity():
                raise BadInput(
                    f"{file} keeps what was learned by other rules or with another seed: remove it to begin anew."
                )
            length = 8 * (len(self._weights) + len(self._means))
            stream = zlib.decompressobj()
            # The reader unpacks at most one byte more than is right: a damaged file cannot unpack to all the memory
            # there is.
            unpacked = stream.decompress(body, length + 1)
            if len(unpacked) != length or not stream.eof:  # at whose end its checksum is compared
                raise ValueError
            self.rounds, self.games, self.plies = int(said["rounds"]), int(said["games"]), int(said["plies"])
            self.seconds = float(said["seconds"])
        except (ValueError, KeyError, TypeError, zlib.error) as fault:
            if isinstance(fault, BadInput):
                raise
            raise BadInput(f"{file} is damaged: remove it to begin anew.") from None
        split = 8 * len(self._weights)
        self._weights = memory_of(unpacked[:split])
        if self.large:
            self._means = memory_of(unpacked[split:])
        return True


def memory_of(content: bytes) -> Memory:
    """Bytes as memory that compiled code can change."""
    memory = new_memory(max(1, len(content) // 8))
    memory[: len(content) // 8] = memoryview(content).cast("q")
    return memory
