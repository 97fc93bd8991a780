"""In place of platformdirs: a browser's Python has a file system in memory, and no users."""

from pathlib import Path


def _folder(name: str) -> Path:
    return Path("/home") / name


user_cache_path = user_config_path = user_data_path = _folder
