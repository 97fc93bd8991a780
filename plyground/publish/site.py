"""Site of all games and lessons: a folder with a page for each and an index, for any web host."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from plyground.compiled.fingerprint import fingerprint
from plyground.errors import BadInput
from plyground.files.whole_file import write_whole
from plyground.games import GAMES, AnyGame, describe_game
from plyground.markup import Markup, el
from plyground.publish import INDEX, LESSONS, TABLE_MEBIBYTES
from plyground.publish.lessons import LessonPage, file_of
from plyground.publish.page import Page, make_frame, name_of, page
from plyground.spec import Choice
from plyground.web.lessons import loader
from plyground.web.server.pictures import pictured_position, pictures

_STAMP_BYTES = 1_000
"""Bytes at the beginning of a page within which its stamp stands."""


def site(
    folder: Path, choices: Sequence[Choice[AnyGame]] = GAMES.shipped, *, table: int = TABLE_MEBIBYTES
) -> Iterator[tuple[str, Page | BadInput | None]]:
    """Write the pages of games and lessons, each completely or not at all, and the index last.

    Pages that are up to date are left, so that a stopped run can continue. Yields for each game, by its spec, and then
    for each lesson, by its file: the page that was written, None if it was up to date, or the error. Examples of a
    lesson run in its page if their game has a page.

    Args:
        folder: the folder; made if it does not exist.
        choices: the games as offered; by default all that are shipped.
        table: mebibytes of a search's transposition table in a page.

    Raises:
        BadInput: the folder cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BadInput(f"{folder} cannot be made: {fault.strerror}.") from None
    there: dict[str, str] = {}
    pages: dict[str, str] = {}
    for choice in choices:
        spec, here = pictured_position(choice)
        file = folder / f"{name_of(choice.name)}.html"
        # The stamp is of all that a page is made of: the game's rules, the table's size, and every
        # file of the program.
        stamp = hashlib.sha256(repr((spec, table, fingerprint(here.game), _sources())).encode()).hexdigest()
        there[choice.name] = pages[spec] = file.name
        # The stamp is in the page itself and not beside it: a page that was copied, or cut short,
        # says what it is.
        if stamp[:32] in _beginning(file):
            yield spec, None
            continue
        try:
            made = page(spec, table=table, home=INDEX, stamp=stamp[:32])
        except BadInput as fault:
            # Links lead to no page that is not there, neither in the index nor in lessons.
            del there[choice.name], pages[spec]
            yield spec, fault
            continue
        write_whole(file, made.text)
        yield spec, made
    # Lessons come after the games: they link to the games' pages, and run examples of those that have one.
    for name in (*loader.pages(), *loader.DOCUMENTS):
        lesson = LessonPage(name, pages, _sources())
        if lesson.stamp in _beginning(folder / lesson.file):
            yield lesson.file, None
            continue
        made = lesson.make_page()
        write_whole(folder / lesson.file, made.text)
        yield lesson.file, made
    # The index is written last, so a run that was stopped leaves none with dead links.
    write_whole(folder / INDEX, _index(there))


def names() -> list[str]:
    """Names of a site's pages, without the index, in the order in which they are made."""
    return [
        *(choice.name for choice in GAMES.shipped),
        *(file_of(name) for name in (*loader.pages(), *loader.DOCUMENTS)),
    ]


def _beginning(file: Path) -> str:
    try:
        with file.open("rb") as read:
            return read.read(_STAMP_BYTES).decode(errors="replace")
    except OSError:
        return ""


@cache
def _sources() -> str:
    """Hash of all files of the program: any change of them may change a page."""
    root = Path(__file__).parent.parent
    found = hashlib.sha256()
    for file in sorted(each for kind in ("py", "js", "css", "gz", "html", "svg") for each in root.rglob(f"*.{kind}")):
        found.update(file.read_bytes())
    return found.hexdigest()


def _index(there: dict[str, str]) -> Markup:
    """The index: a picture of each game, with a link to its page."""
    groups: dict[str, list[Markup]] = {}
    for choice in GAMES.shipped:
        if choice.name not in there:
            continue
        told = describe_game(pictured_position(choice)[0])
        # Each picture stands once in the page, hidden, and is used by its id.
        drawing = el("svg", el("use", href=f"#{choice.name}"), aria_hidden="true")
        link = el("a", told.title, href=there[choice.name])
        tile = el("li", el("div", drawing, class_="picture"), link, class_="tile")
        groups.setdefault(told.group, []).append(tile)
    tiles = ([el("h2", group), "\n", el("ul", rows), "\n"] for group, rows in groups.items())
    words = "Each page plays, analyses and solves its game by itself: keep it, send it, open it without a network."
    main = el(
        "main",
        el("h1", "Games"),
        el("p", words, class_="hint"),
        el("p", el("a", "Lessons", href=LESSONS), ": from the first game to a search of your own."),
        el("nav", tiles, class_="tiles", aria_label="Games"),
    )
    return make_frame("Games", main, "\n", pictures(hidden=True))


def require_place(file: Path) -> None:
    """Check that a file can be written, before its content is made.

    Raises:
        BadInput: it is a folder, or its own folder does not exist.
    """
    if file.is_dir():
        raise BadInput(f"{file} is a folder: name a file in it, such as {file / 'game.html'}.")
    if not file.parent.is_dir():
        raise BadInput(f"{file} cannot be written: there is no folder {file.parent}.")
