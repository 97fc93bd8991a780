"""TOML files that people write: rosters, and tests of a fleet."""

import tomllib
from pathlib import Path
from typing import Any

from plyground.errors import BadInput


def toml_in(file: Path) -> dict[str, Any]:
    """Read a TOML file; returns its keys and values.

    Raises:
        BadInput: it cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as fault:
        raise BadInput(f"{file} cannot be read: {fault.strerror}.") from None
    except RecursionError:
        raise BadInput(f"{file} has too many brackets inside each other.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise BadInput(f"{file} is no TOML: {str(fault).rstrip('.')}.") from None
    except ValueError:  # Python reads no such number
        raise BadInput(f"{file} has a number of thousands of digits.") from None
