"""Kept files of a tablebase: Parquet, sorted by the words of the states.

Sorted states differ little from one to the next, so byte streams of their words, compressed, take less than a byte and
a half each where 16 are written. Libraries of data read these files as they are; pages have checksums, so a changed
byte is seen when it is read. Values are `utility`, for the first player, and `plies`, which is null for draws.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple
from zlib import crc32

from plyground.board.bits import flat
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput, extra
from plyground.exact.tables.folder import WORK, Damaged, StateFile, written_file
from plyground.exact.tables.place import is_store, store_errors
from plyground.exact.tables.radix import DIGIT, sort_digit
from plyground.files import WORK_MOST, bytes_of_file, require_file
from plyground.score import ESTIMATES, FINAL, INFINITY
from plyground.search.memory import Memory, new_memory
from plyground.search.observer import SILENT

# The larger a group, the better it compresses and the longer a look-up takes: up to a millisecond for one that is not
# in memory (bench/TABLEBASE.md).
GROUP_STATES: Final = 1 << 14
"""States in a row group, which is what a lookup reads."""
CACHED_BYTES: Final = 256 << 20
"""Bytes of row groups of a table that stay in memory, those asked for last."""
# A multiple of `GROUP_STATES`, so that no row group is cut at the end of a piece.
PIECE_STATES: Final = GROUP_STATES << 4
"""States that are written at a time: their columns fit the processor's cache."""
FETCH_BYTES: Final = 1 << 16
"""Bytes that are fetched at a time from a file in a store: a row group has about half as many."""
NO_PLIES: Final = -1
"""In place of plies: a draw."""
COMPRESSION_LEVEL: Final = 5
"""Level of compression: of Connect Four's states it leaves 0.22 of 1.46 bytes less than the first one, for 15 ns each;
level 9 leaves out another 0.04, for 40 ns."""
SMALL_FILE_LEVEL: Final = 19
"""Level of compression of a file with one row group, which takes some hundredths of a second."""


def shard_name(tier: int, shard: int) -> str:
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

    Raises:
        Damaged: a value is not known, so a state that follows was not where it must be.
    """
    with extra("A tablebase"):
        import numpy as np
        import pyarrow as pa
        from pyarrow import parquet
    width = len(flat(pattern))
    states = np.frombuffer(source, dtype=np.int64)[: count * width].reshape(count, width)
    worth = np.frombuffer(values, dtype=np.int64)[:count]
    # `UNKNOWN` of `search/tiers.py` is `INFINITY`.
    if worth.max(initial=0) == INFINITY:
        raise Damaged(path / WORK)
    # A column for each word, by which every tool for data can filter.
    names = [f"word_{word}" for word in range(width)]
    schema = pa.schema([*((name, pa.int64()) for name in names), ("utility", pa.int32()), ("plies", pa.int32())])
    distinct, numbers = number_values(worth)  # utility and plies are computed once for each distinct value
    size = np.abs(distinct)
    utility = (np.sign(distinct) * ((size + ESTIMATES) // FINAL)).astype(np.int32)  # as `utility_of` has it
    plies = np.where(distinct == 0, NO_PLIES, np.abs(utility) * FINAL - size).astype(np.int32)
    totals = np.bincount(numbers, minlength=len(distinct))
    x, o = (int(totals[won].sum()) for won in (distinct > 0, distinct < 0))
    firsts, name = list[Any](), shard_name(tier, shard)
    with (
        written_file(path / f"{name}.parquet") as unfinished,
        unfinished.open("wb") as whole,
        parquet.ParquetWriter(
            whole,
            schema,
            compression="zstd",
            compression_level=COMPRESSION_LEVEL if count > GROUP_STATES else SMALL_FILE_LEVEL,
            store_schema=False,  # the types of Parquet say all
            use_dictionary=["utility", "plies"],
            # Sorted words of two ints take 0.84 bytes a state as byte streams; as one packed key with deltas and packed
            # bits of our own 1.07.
            column_encoding=dict.fromkeys(names, "BYTE_STREAM_SPLIT"),
            write_page_checksum=True,
            write_statistics=["utility", "plies"],
        ) as out,
    ):
        for *words, which in sorted_pieces(states, numbers):
            columns = [*words, utility[which], pa.array(plies[which], mask=(plies == NO_PLIES)[which])]
            out.write_table(pa.table(columns, schema=schema), row_group_size=GROUP_STATES)
            # The index has the first state of each row group, so that a look-up reads one group and no statistics of
            # the file.
            firsts.append(np.stack([word[::GROUP_STATES] for word in words], axis=1))
    # Written in memory first: its checksum is a part of the manifest.
    index = BytesIO()
    np.save(index, np.concatenate(firsts) if firsts else states)
    with written_file(path / f"{name}.npy") as unfinished:
        unfinished.write_bytes(index.getvalue())
    return StateFile(f"{name}.parquet", count, crc32(index.getvalue())), x, o, int(plies.max(initial=0))


def number_values(values: Any) -> tuple[Any, Any]:
    """Distinct values in their order, and the number of each value among them.

    There are few of them: each piece is looked at for more, which is faster than to sort all.
    """
    with extra("A tablebase"):
        import numpy as np
    distinct, numbers = np.unique(values[:PIECE_STATES]), np.empty(len(values), dtype=np.int32)
    for start in range(0, len(values), PIECE_STATES):
        part = values[start : start + PIECE_STATES]
        if not np.isin(part, distinct).all():
            distinct = np.union1d(distinct, part)
    for start in range(0, len(values), PIECE_STATES):
        numbers[start : start + PIECE_STATES] = distinct.searchsorted(values[start : start + PIECE_STATES])
    return distinct, numbers


def sorted_pieces(states: Any, numbers: Any) -> Iterator[list[Any]]:
    """Sort distinct states by their words, each with its number; yields pieces: arrays of each word and of numbers.

    Where the words and the number of a state fit the bits of one int, those ints are sorted, and taken apart again:
    twice as fast as sorting indices, since nothing is read out of order.
    """
    with extra("A tablebase"):
        import numpy as np
    columns, count = [*states.T, numbers], len(numbers)
    lows = [int(column.min(initial=0)) for column in columns]
    bits = [(int(column.max(initial=0)) - low).bit_length() for column, low in zip(columns, lows, strict=True)]
    starts = range(0, count, PIECE_STATES)
    if sum(bits) > 64:
        # `lexsort` takes its last key first; the numbers, the last column, are no key.
        order = np.lexsort(columns[-2::-1])
        yield from ([column[order[start : start + PIECE_STATES]] for column in columns] for start in starts)
        return
    keys = new_memory(count)
    words = np.frombuffer(keys, dtype=np.uint64)
    for start in starts:
        part = words[start : start + PIECE_STATES]
        for column, low, size in zip(columns, lows, bits, strict=True):
            # From the first word, which becomes the highest bits, so the order of the keys is that of the words. The
            # number, lowest, is carried along.
            part <<= np.uint64(size % 64)  # of 64 bits there is nothing above
            part |= (column[start : start + PIECE_STATES].astype(np.int64) - low).view(np.uint64)
    # The bits of the number are not sorted by: states differ in their words alone.
    words = np.frombuffer(sort_by_bits(keys, bits[-1], sum(bits)), dtype=np.uint64)
    for start in starts:
        part, piece = words[start : start + PIECE_STATES], list[Any]()
        for low, size in zip(reversed(lows), reversed(bits), strict=True):
            piece.append((part & np.uint64((1 << size) - 1)).astype(np.int64) + low)
            part = part >> np.uint64(size % 64)
        yield piece[::-1]


def sort_by_bits(keys: Memory, low: int, high: int) -> Memory:
    """Sort ints by their bits from `low` to `high`, which differ in every two; no higher bit is set.

    Many are sorted by a radix sort: it takes a third of the time of NumPy's sort on processors that are slow with some
    vector instructions, such as AMD's Zen 4, and a little more than that on others.
    """
    with extra("A tablebase"):
        import numpy as np
    # `SILENT` in place of a game, so that the sort is compiled once for all games.
    run, places = kernel(sort_digit, SILENT), new_memory((1 << DIGIT) + 1)
    if is_long := len(keys) > PIECE_STATES:
        run.prepare(keys, keys, 0, 0, 0, places)
    if not is_long or run.why_plain:
        np.frombuffer(keys, dtype=np.uint64).sort()
        return keys
    # Passes write from one block into the other; after each the two change roles.
    spare = new_memory(len(keys))
    for shift in range(low, high, DIGIT):
        if run(keys, spare, len(keys), shift, (1 << min(DIGIT, high - shift)) - 1, places):
            keys, spare = spare, keys
    return keys


class Group(NamedTuple):
    """Row group of a shard in memory."""

    columns: tuple[Any, ...]
    """Arrays of each word, the utility and the plies (`NO_PLIES` for a draw) of its states."""
    views: tuple[memoryview, ...]
    """Views of the arrays: reading single ints from them is faster than from NumPy's."""
    size: int
    """Bytes."""


class GroupCache:
    """Row groups that stay in memory, those asked for last, of all shards of a table."""

    def __init__(self, most: int = CACHED_BYTES) -> None:
        """Create an empty cache of at most `most` bytes."""
        self._most, self._size = most, 0
        self._groups: dict[tuple[object, int], Group] = {}
        self._lock = Lock()

    def get(self, shard: object, index: int) -> Group | None:
        """A row group, if it is there; it counts as asked for."""
        with self._lock:
            if group := self._groups.pop((shard, index), None):
                self._groups[shard, index] = group
            return group

    def add(self, shard: object, index: int, group: Group) -> None:
        """Keep a row group; others go, those first that were asked for longest ago."""
        # Threads of the server share a table; reading a group happens outside the lock, so at worst two read the same
        # one.
        with self._lock:
            if before := self._groups.pop((shard, index), None):  # another thread has read it, too
                self._size -= before.size
            # A dict keeps its order: `get` puts a group at the end, so the first one is the least recently used.
            while self._groups and self._size + group.size > self._most:
                self._size -= self._groups.pop(next(iter(self._groups))).size
            self._groups[shard, index] = group
            self._size += group.size


def firsts_in(content: bytes) -> list[tuple[int, ...]]:
    """The first state of each row group of a shard, from the content of its index.

    Raises:
        ValueError: it is no rows of ints, or not whole.
    """
    import numpy as np
    from numpy.lib import format as npy

    file = BytesIO(content)
    try:
        # The header is read by NumPy's own functions but the data are not loaded by `np.load`, which would allocate
        # what a damaged header asks for.
        reader = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(file)]
        shape, is_by_column, kind = reader(file)
    except Exception as fault:  # of many kinds, for the header is read as Python
        raise ValueError(f"no index: {fault}") from None
    rest = content[file.tell() :]
    if len(shape) != 2 or kind.kind not in "iu" or is_by_column or shape[0] * shape[1] * kind.itemsize != len(rest):
        raise ValueError("no index of rows of ints")
    return [tuple(words) for words in np.frombuffer(rest, kind).reshape(shape).tolist()]


class KeptShard:
    """File of a shard, opened for lookups."""

    def __init__(self, path: Path, file: StateFile, width: int, cache: GroupCache) -> None:
        """Open it.

        Args:
            path: the folder.
            file: the shard's, as the manifest has it.
            width: ints of a state.
            cache: keeps its row groups.

        Raises:
            Damaged: the file or its index is missing, or not as it was written.
            BadInput: it cannot be reached.
        """
        with extra("A tablebase"):
            from pyarrow import parquet, types
        self.path: Path = path / file.name
        index = self.path.with_suffix(".npy")
        try:
            with store_errors(self.path):
                if is_store(path):
                    source: Any = self.path.open("rb", block_size=FETCH_BYTES)  # type: ignore[call-overload]
                    starts = index.read_bytes()
                else:
                    require_file(self.path)
                    source, starts = self.path, bytes_of_file(index, WORK_MOST)
                self._file = parquet.ParquetFile(source, page_checksum_verification=True)
            # 0 in tables of earlier versions, which had no checksum of the index.
            if file.check not in (0, crc32(starts)):
                raise Damaged(index)
            self._firsts = firsts_in(starts)
        except BadInput as fault:
            raise fault if is_store(path) else Damaged(self.path) from None
        except (OSError, ValueError):
            raise Damaged(self.path) from None
        kinds = self._file.schema_arrow.types
        # Before any row is read: a file of another form would fail at some look-up.
        if len(kinds) != width + 2 or not all(map(types.is_integer, kinds)):
            raise Damaged(self.path)
        self._width, self._cache = width, cache
        if (self._file.metadata.num_row_groups, len(self)) != (len(self._firsts), file.count):
            raise Damaged(self.path)

    def find(self, words: tuple[int, ...]) -> tuple[int, int] | None:
        """Utility and plies (`NO_PLIES` for a draw) of the state with these words; None where it is not listed."""
        group = bisect_right(self._firsts, words) - 1
        if group < 0:
            return None
        *columns, utility, plies = self._group(group).views
        # Word by word: within the rows that agree in the words so far the next one is sorted, as in a dictionary.
        low, high = 0, len(utility)
        for column, word in zip(columns, words, strict=True):
            low = bisect_left(column, word, low, high)
            if low == high or column[low] != word:
                return None
            high = bisect_right(column, word, low, high)
        return utility[low], plies[low]

    def group(self, index: int) -> tuple[Any, ...]:
        """Columns of a row group: words, utility, plies."""
        return self._group(index).columns

    def _group(self, index: int) -> Group:
        if (group := self._cache.get(self, index)) is None:
            try:
                with store_errors(self.path):
                    table = self._file.read_row_group(index)
            except BadInput:  # it cannot be reached
                raise
            except (OSError, ValueError):  # Arrow's errors are of these kinds
                raise Damaged(self.path) from None
            *words, utility, plies = table.columns
            columns = tuple(column.to_numpy() for column in (*words, utility, plies.fill_null(NO_PLIES)))
            group = Group(columns, tuple(map(memoryview, columns)), sum(column.nbytes for column in columns))
            self._cache.add(self, index, group)
        return group

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    @property
    def groups(self) -> int:
        """Number of row groups."""
        return len(self._firsts)
