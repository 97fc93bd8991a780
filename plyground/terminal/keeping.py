"""Long work whose results are kept as they come: however it ends, what was found is there for the same command."""

from collections.abc import Iterator
from contextlib import contextmanager

from plyground.arena.kept import Kept
from plyground.terminal.board import err


@contextmanager
def going_on(kept: Kept) -> Iterator[None]:
    """Within it, results are added; at the end they are needed no more. Whatever ends it before that, they stay, and a
    sentence says where; a file without any is deleted.
    """
    try:
        yield
    except BaseException:
        kept.close()
        if kept.rows:
            said = f"{len(kept.rows):,} positions are solved, and kept in {kept.file}"
            err.print(f"{said}: the same command goes on with them.", markup=False)
        else:
            kept.file.unlink(missing_ok=True)
        raise
    kept.close(done=True)
