"""Kept files of a tablebase: Parquet, sorted by the words of the states.

Sorted states differ little from one to the next, so byte streams of their words, compressed, take less than a byte and
a half each where 16 are written. Libraries of data read these files as they are; pages have checksums, so a changed
byte is seen when it is read. Values are `utility`, for the first player, and `plies`, which is null for draws.
"""

from bisect import bisect_right
from math import prod
from pathlib import Path
from typing import Any, Final

from plyground.board.bits import flat
from plyground.errors import extra
from plyground.score import ESTIMATES, FINAL
from plyground.search.memory import Memory
from plyground.tables.folder import Damaged, StateFile, room_for

GROUP: Final = 1 << 14
"""States in a row group, which is what a lookup reads."""
NO_PLIES: Final = -1
"""In place of plies: a draw."""


def kept_name(tier: int, shard: int) -> str:
    """File of a shard, without its suffix."""
    return f"tier-{tier}-{shard}"


def write_shard(
    path: Path, tier: int, shard: int, pattern: Any, source: Memory, count: int, values: Memory
) -> tuple[StateFile, int, int, int]:
    """Write the file of a shard.

    Args:
        path, tier, shard: where.
        pattern: any state.
        source: words of the states.
        count: their number.
        values: their values, on the scale of `score.py`.

    Returns:
        The file, states won for the first player and for the second one, and plies of the longest win.
    """
    with extra("A tablebase"):
        import numpy as np
        import pyarrow as pa
        from pyarrow import parquet
    width = len(flat(pattern))
    states = np.frombuffer(source, dtype=np.int64)[: count * width].reshape(count, width)
    worth = np.frombuffer(values, dtype=np.int64)[:count]
    order = sorting(states)
    states, worth = states[order], worth[order]
    utility = (np.sign(worth) * ((np.abs(worth) + ESTIMATES) // FINAL)).astype(np.int32)  # as `utility_of` has it
    distance = np.where(worth == 0, NO_PLIES, np.abs(utility) * FINAL - np.abs(worth)).astype(np.int32)
    names = [f"word_{word}" for word in range(width)]
    columns = {name: pa.array(np.ascontiguousarray(states[:, word])) for word, name in enumerate(names)}
    columns |= {"utility": pa.array(utility), "plies": pa.array(distance, mask=distance == NO_PLIES)}
    name = kept_name(tier, shard)
    with room_for(path / f"{name}.parquet") as unfinished:
        parquet.write_table(
            pa.table(columns),
            unfinished,
            row_group_size=GROUP,
            compression="zstd",
            use_dictionary=["utility", "plies"],
            column_encoding=dict.fromkeys(names, "BYTE_STREAM_SPLIT"),
            write_page_checksum=True,
        )
    with room_for(path / f"{name}.npy") as unfinished, unfinished.open("wb") as out:
        np.save(out, states[::GROUP])
    longest = int(distance.max(initial=0))
    won = np.sign(utility)
    return StateFile(f"{name}.parquet", count, 0), int((won > 0).sum()), int((won < 0).sum()), longest


def sorting(states: Any) -> Any:
    """Indices that sort different states, the rows of an array, by their words.

    Where all words of a state fit one key, keys are sorted: three times as fast as one word after another.
    """
    with extra("A tablebase"):
        import numpy as np
    width = states.shape[1]
    if len(states) == 0:
        return np.zeros(0, dtype=np.int64)
    lows = [int(low) for low in states.min(axis=0)]
    spans = [int(high) - low + 1 for low, high in zip(lows, states.max(axis=0), strict=True)]
    if prod(spans) >= 1 << 63:
        return np.lexsort([states[:, word] for word in reversed(range(width))])
    keys = np.zeros(len(states), dtype=np.int64)
    for word in range(width):
        keys *= spans[word]
        keys += states[:, word] - lows[word]
    return keys.argsort()


class KeptShard:
    """File of a shard, opened for lookups; the row groups read last stay in memory."""

    def __init__(self, path: Path, tier: int, shard: int, width: int, groups: int = 64) -> None:
        """Open it.

        Raises:
            OSError: a file is missing or cannot be read.
            ValueError: it is no such file.
        """
        with extra("A tablebase"):
            import numpy as np
            from pyarrow import parquet
        name = kept_name(tier, shard)
        self.path: Path = path / f"{name}.parquet"
        self._file = parquet.ParquetFile(self.path, page_checksum_verification=True)
        self._firsts = [tuple(words) for words in np.load(path / f"{name}.npy").tolist()]
        self._width, self._most = width, groups
        self._groups: dict[int, tuple[Any, ...]] = {}
        if self._file.metadata.num_row_groups != len(self._firsts):
            raise ValueError(f"{len(self._firsts)} row groups")

    def find(self, words: tuple[int, ...]) -> tuple[int, int] | None:
        """Utility and plies (`NO_PLIES` for a draw) of the state with these words; None where it is not listed."""
        group = bisect_right(self._firsts, words) - 1
        if group < 0:
            return None
        *columns, utility, plies = self.group(group)
        low, high = 0, len(utility)
        for column, word in zip(columns, words, strict=True):
            part = column[low:high]
            low, high = low + int(part.searchsorted(word)), low + int(part.searchsorted(word, side="right"))
            if low == high:
                return None
        return int(utility[low]), int(plies[low])

    def group(self, index: int) -> tuple[Any, ...]:
        """Columns of a row group: words, utility, plies."""
        if (columns := self._groups.pop(index, None)) is None:
            try:
                table = self._file.read_row_group(index)
            except (OSError, ValueError):  # Arrow's errors are of these kinds
                raise Damaged(self.path) from None
            *words, utility, plies = table.columns
            filled = plies.fill_null(NO_PLIES)
            columns = tuple(column.to_numpy() for column in (*words, utility, filled))
            if len(self._groups) >= self._most:
                del self._groups[next(iter(self._groups))]
        self._groups[index] = columns
        return columns

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    @property
    def groups(self) -> int:
        """Number of row groups."""
        return len(self._firsts)
