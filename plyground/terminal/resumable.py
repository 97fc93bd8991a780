"""Long work whose results are saved as they come, so that the same command resumes it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from plyground.errors import BadInput
from plyground.labelling.results_file import ResultsFile
from plyground.terminal.board import err


@contextmanager
def saving_results(kept: ResultsFile) -> Iterator[None]:
    """Context in which results are added to a file. The file is deleted at the end, or if it is empty.

    After an error or Ctrl-C it stays, and a sentence names it.
    """
    try:
        yield
    # Ctrl-C and exits are caught, too: nothing of hours of work is lost.
    except BaseException:
        kept.close()
        if kept.rows:
            said = f"{len(kept.rows):,} positions are solved, and kept in {kept.file}"
            err.print(f"{said}: the same command goes on with them.", markup=False)
        else:
            kept.file.unlink(missing_ok=True)
        raise
    kept.close(done=True)


class PeriodicSave:
    """Saves unfinished work at intervals. A failure is printed once, and the work goes on."""

    def __init__(self, save: Callable[[], None], every: float, *, at_once: bool = False) -> None:
        """Prepare to save.

        Args:
            save: raises `BadInput` where it cannot.
            every: seconds between two times.
            at_once: save at the first call, and raise what is wrong with it.
        """
        self._save, self._every = save, every
        self._saved = None if at_once else time.monotonic()
        self._is_failing = False

    def __call__(self) -> None:
        """Save if it is time to.

        Raises:
            BadInput: it is the first time, and fails.
        """
        if self._saved is not None and time.monotonic() - self._saved < self._every:
            return
        try:
            self._save()
            self._is_failing = False
        except BadInput as fault:
            # The first failure is raised, before hours of work are spent. A later one may be temporary, as a full disk
            # is: it is printed, and the next save tries again.
            if self._saved is None:
                raise
            if not self._is_failing:
                err.print(f"plyground: {fault} The work goes on, and is saved when it can be.", markup=False)
            self._is_failing = True
        self._saved = time.monotonic()
