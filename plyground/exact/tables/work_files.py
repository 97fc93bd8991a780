"""Files of a tablebase in the making: words of states, slots, or values; each is whole, or not there.

A file has rows of a number of columns. Of a column the least number is subtracted, and then the bytes are left out that
are 0 in all rows: a value takes three bytes, a word of Connect Four 5 × 5 four. So the disk has less to hold, 15 bytes
a state and not 30, for a tenth of the time of two threads. After the least numbers and the bytes of the columns (two
ints for each) come pieces of rows, and in each piece the columns one after the other, of a column the lowest bytes
first, in ints of 8, 4, 2 or 1 bytes.

Pieces are packed and unpacked by several threads where there are some, and checked while they are in the processor's
cache. The check of a file is the CRC-32 of those of its pieces, so it does not depend on the threads.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar
from zlib import crc32

from plyground.errors import extra
from plyground.exact.tables.folder import Damaged, StateFile, written_file
from plyground.exact.tables.place import store_errors
from plyground.search.memory import Memory

# 512 KiB a column of 64-bit ints, which stay in the processor's cache while they are packed and checked.
ROWS: Final = 1 << 16
"""Rows of a piece."""
# Powers of two, so that NumPy converts whole columns; a column of 3 bytes is one of 2 and one of 1.
INT_BYTES: Final = (8, 4, 2, 1)
"""Bytes of the ints that a column is cut into: of those that make up the number of its bytes, the largest first."""

S = TypeVar("S")
T = TypeVar("T")


class OrderedMap(Protocol):
    """Calls a function with each part of something; the results come in the order of the parts."""

    def __call__(self, call: Callable[[S], T], parts: Iterable[S], /) -> Iterator[T]: ...


def write_file(
    path: Path, name: str, width: int, words: Memory, slots: Memory | None = None, *, room: int = 0, threads: int = 1
) -> StateFile:
    """Write states or values, and slots, into files of a folder, whole.

    Args:
        path, name: where.
        width: ints of a state; 1 for values.
        words: the ints of the states, or the values.
        slots: slots of the states, if they are to be written as well.
        room: states that the slots have room for.
        threads: threads that pack.

    Raises:
        BadInput: there is no room, or no permission.
    """
    file = StateFile(name, len(words) // width, 0, room=room)
    every = zip(file.names, _arrays(width, words, slots), strict=True)
    checks = [_write_rows(path / its_name, rows, threads) for its_name, rows in every]
    return replace(file, check=checks[0], slots_check=checks[1] if room else 0)


def read_file(
    path: Path, file: StateFile, width: int, words: Memory, slots: Memory | None = None, *, threads: int = 1
) -> None:
    """Read states or values from a folder, and slots, if there is memory for them; the arguments are as above.

    Raises:
        Damaged: a file is not as it was written.
    """
    arrays = _arrays(width, words, slots)
    for name, check, rows in zip(file.names, (file.check, file.slots_check), arrays, strict=False):
        try:
            with store_errors(path / name):
                found = _read_rows(path / name, rows, threads)
        except (OSError, ValueError):
            raise Damaged(path / name) from None
        if found != check:
            raise Damaged(path / name)


def _arrays(width: int, words: Memory, slots: Memory | None) -> list[Any]:
    """Memory as arrays of rows: of states or values, and of slots."""
    with extra("A tablebase"):
        import numpy as np
    rows = np.frombuffer(words, dtype=np.int64).reshape(-1, width)
    return [rows] if slots is None else [rows, np.frombuffer(slots, dtype=np.uint32).reshape(-1, 1)]


def _write_rows(file: Path, rows: Any, threads: int) -> int:
    """Write a file; returns its check."""
    # One thread writes and the others pack: two that wrote pieces of a file waited for each other, 0.5 of 17 s, since
    # the system takes one write at a time.
    with written_file(file) as unfinished, unfinished.open("wb") as out, ordered_map(threads, len(rows)) as each:
        columns = _measure_columns(rows, each)
        # The header is checked, too: a wrong minimum would shift every value.
        header = columns.tobytes()
        out.write(header)
        checks = [crc32(header)]
        for parts, check in each(lambda piece: _pack(rows[piece], columns), pieces(len(rows))):
            for part in parts:
                out.write(part)
            checks.append(check)
    return _combine_checksums(checks)


def _read_rows(file: Path, rows: Any, threads: int) -> int | None:
    """Read a file; returns its check, None if its size is not that of its columns, or these are damaged."""
    with extra("A tablebase"):
        import numpy as np

    def unpack(part: tuple[slice, bytearray]) -> int:
        _unpack(part[1], rows[part[0]], columns)
        return crc32(part[1])

    with file.open("rb") as source, ordered_map(threads, len(rows)) as each:
        header = source.read(16 * rows.shape[1])
        # From a file that may be damaged: sizes are looked at before memory is reserved by them.
        columns, is_whole = np.frombuffer(header, dtype=np.int64).reshape(-1, 2), True
        sizes = columns[:, 1]
        if sizes.min() < 0 or sizes.max() > INT_BYTES[0]:
            return None
        size = int(sizes.sum())

        def parts() -> Iterator[tuple[slice, bytearray]]:
            nonlocal is_whole
            for piece in pieces(len(rows)):
                data = bytearray(size * len(rows[piece]))
                is_whole = is_whole and source.readinto(data) == len(data)
                yield piece, data

        # `parts` runs in this thread, so reads stay in order; `each` holds two parts a thread at most.
        checks = [crc32(header), *each(unpack, parts())]
        return _combine_checksums(checks) if is_whole and not source.read(1) else None


def _measure_columns(rows: Any, each: OrderedMap) -> Any:
    """Minimum of each column, and the bytes of its largest difference from that, as an array with a row for each."""
    with extra("A tablebase"):
        import numpy as np

    def ends(piece: slice) -> list[tuple[int, int]]:
        return [(int(column.min()), int(column.max())) for column in rows[piece].T]

    found = [*zip(*each(ends, pieces(len(rows))), strict=True)] or [((0, 0),)] * rows.shape[1]
    lows, highs = ([least(ends[side] for ends in column) for column in found] for side, least in ((0, min), (1, max)))
    sizes = [(high - low).bit_length() + 7 >> 3 for low, high in zip(lows, highs, strict=True)]
    return np.array([*zip(lows, sizes, strict=True)], dtype=np.int64)


def _pack(rows: Any, columns: Any) -> tuple[list[Any], int]:
    """Returns the packed arrays of a piece of rows, and its check."""
    parts, check = list[Any](), 0
    for column, (low, size) in zip(rows.T, columns.tolist(), strict=True):
        # Differences from the minimum are never negative, so the bytes above the largest one are 0 in all rows.
        numbers, shift = column - low if low else column, 0
        for part in INT_BYTES:
            if size & part:
                parts.append((numbers >> shift if shift else numbers).astype(f"<u{part}"))
                check, shift = crc32(parts[-1], check), shift + 8 * part
    return parts, check


def _unpack(data: bytearray, rows: Any, columns: Any) -> None:
    """Unpack the bytes of a piece into rows."""
    with extra("A tablebase"):
        import numpy as np
    at = 0
    for column, (low, size) in zip(rows.T, columns.tolist(), strict=True):
        shift = 0
        for part in INT_BYTES:
            if size & part:
                numbers = np.frombuffer(data, dtype=f"<u{part}", count=len(rows), offset=at)
                if shift:
                    # The lowest part sets the column, the others add their bits above it.
                    column |= numbers.astype(column.dtype) << shift
                else:
                    column[:] = numbers
                at, shift = at + part * len(rows), shift + 8 * part
        if low or not size:
            column[:] = column + low if size else low


def _combine_checksums(checks: Iterable[int]) -> int:
    """Returns the check of a file by those of its header and its pieces."""
    # In little endian wherever it runs, as the packed ints, so that files of two machines agree.
    return crc32(b"".join(check.to_bytes(4, "little") for check in checks))


def pieces(count: int) -> list[slice]:
    """The pieces of a number of rows."""
    return [slice(start, min(start + ROWS, count)) for start in range(0, count, ROWS)]


@contextmanager
def ordered_map(threads: int, count: int) -> Iterator[OrderedMap]:
    """Context with a map whose results are in order: in threads, if there are several, and several pieces of rows."""
    if threads == 1 or count <= ROWS:
        yield map
        return
    with ThreadPoolExecutor(threads) as pool:

        def each(call: Callable[[S], T], parts: Iterable[S]) -> Iterator[T]:
            waiting = deque[Future[T]]()
            for part in parts:
                waiting.append(pool.submit(call, part))
                if len(waiting) > 2 * threads:  # not all at once: they would be in memory together
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

        yield each
