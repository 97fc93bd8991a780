"""Files of whole games, by their endings: PGN, PDN, SGF, WTHOR, and lists of moves."""

from pathlib import Path

from plyground.errors import BadInput, check_arguments
from plyground.files import bytes_of, in_file
from plyground.games import GAMES, AnyGame, game_named
from plyground.play import wthor
from plyground.play.notations import games_in, read_record
from plyground.play.record import Record

RECORD_ENDINGS = (".pgn", ".pdn", ".sgf", ".wtb", ".txt")
"""Endings of files of whole games; saved games of plyground have another."""


def games_in_file(path: Path, spec: str = "") -> tuple[str, AnyGame, list[Record]]:
    """The name and rules of a file's game, and its games, whose moves no rule has seen: `read_record` checks one.

    Args:
        path: the file; of WTHOR, names of players and tournaments are read from the `.JOU` and `.TRN` beside it.
        spec: the game, where neither the file nor its ending names it: PGN is of chess, PDN of draughts.

    Raises:
        BadInput: the file cannot be read, or is in no notation.
    """
    data = bytes_of(path)
    if path.suffix.lower() == ".wtb":
        spec = spec or wthor.RULES_OF
        names = [_beside(path, ending) for ending in wthor.NAMES]
        with in_file(path):
            return spec, game_named(spec), wthor.records(data, *names)
    usual = (choice.name for choice in GAMES.shipped if choice.maker().record == path.suffix.lower()[1:])
    named = spec or next(usual, "")
    if not named:
        raise BadInput(f"{path} does not say of which game it is: name one, as in --game connectfour.")
    try:
        # UTF-8 first: bytes of Latin-1 beyond ASCII are hardly ever valid UTF-8, while the reverse always decodes.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # as the standard of PGN has it
    with in_file(path):
        return games_in(named, text)


@check_arguments
def read_records(path: Path | str, spec: str = "") -> list[Record]:
    """The games of a file, checked by their rules, with variations, comments and clocks.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "game.pgn").write_text("1. e4 e5 (1... c5) 2. Nf3 *")
    ...     (record,) = read_records(Path(folder) / "game.pgn")
    >>> len(record.moves), len(record.main_line())
    (4, 3)

    Args:
        path: the file: PGN, PDN, SGF, WTHOR or a list of moves.
        spec: the game, where neither the file nor its ending names it.

    Raises:
        BadInput: the file cannot be read, or a move of a main line is not legal.
    """
    _, rules, found = games_in_file(Path(path), spec)
    with in_file(Path(path)):
        return [read_record(rules, record) for record in found]


def _beside(path: Path, ending: str) -> bytes:
    """The file of names beside a file, if there is one."""
    try:
        found = sorted(each for each in path.parent.iterdir() if each.suffix.upper() == f".{ending}")
    except OSError:  # its folder can be entered, but not listed
        return b""
    # Files of WTHOR share one `WTHOR.JOU`; a file of names of its own comes first.
    own = [each for each in found if each.stem.upper() == path.stem.upper()] or found
    return bytes_of(own[0]) if own else b""
