"""Long work whose results are saved as they come, so that the same command resumes it."""

from collections.abc import Iterator
from contextlib import contextmanager

from plyground.labelling.results_file import ResultsFile
from plyground.terminal.board import err


@contextmanager
def going_on(kept: ResultsFile) -> Iterator[None]:
    """Context in which results are added to a file. The file is deleted at the end, or if it is empty.

    After an error or Ctrl-C it stays, and a sentence names it.
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
