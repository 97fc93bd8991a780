"""The browser of the measurements: a Chromium of this machine."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")


def chromium() -> str:
    """Path of the first of `NAMES` that is installed.

    Raises:
        SystemExit: none is.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise SystemExit(f"there is no browser here: install one of {', '.join(NAMES)}")
    return found
