"""TOML files that people write: rosters, and tests of a fleet."""

import tomllib
from pathlib import Path
from typing import Any

from plyground.errors import BadInput, clause_of
from plyground.files import text_of_file


def toml_in(file: Path) -> dict[str, Any]:
    """Read a TOML file; returns its keys and values.

    Raises:
        BadInput: it cannot be read, or is no TOML.
    """
    text = text_of_file(file)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadInput(f"{file} has too many brackets inside each other.") from None
    except tomllib.TOMLDecodeError as fault:
        raise BadInput(f"{file} is no TOML: {clause_of(fault)}.") from None
    except ValueError:  # Python reads no such number
        raise BadInput(f"{file} has a number of thousands of digits.") from None
