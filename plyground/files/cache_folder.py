"""Folder of compiled code and verdicts."""

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """Folder of the cache: `PLYGROUND_CACHE`, or the user's cache folder."""
    return Path(os.environ.get("PLYGROUND_CACHE") or user_cache_path("plyground"))
