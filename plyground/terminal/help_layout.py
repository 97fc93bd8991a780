"""Layout of `--help` in any terminal: nothing is cut, and no word is broken."""

import shutil
from textwrap import wrap
from typing import Any

from typer.core import TyperCommand, TyperGroup

WIDEST_HELP = 80
"""Columns of the help in a wide terminal."""
WIDEST_NAME, NARROWEST_WORDS = 30, 28
"""Columns of the names of options, at most, and of the words beside or below them, at least."""


def help_width() -> int:
    """Columns of the help, without the margin."""
    return min(shutil.get_terminal_size().columns, WIDEST_HELP) - 2


def write_rows(formatter: Any, title: str, rows: list[tuple[str, str]]) -> None:
    """Write a section of names with words beside them, or below a name that is too long for its column."""
    if not rows:
        return
    most = min(WIDEST_NAME, max(4, formatter.width - NARROWEST_WORDS - 4))
    column = min(max(len(name) for name, _ in rows), most)
    with formatter.section(title):
        for name, words in rows:
            lines = wrap(words, formatter.width - column - 4, break_long_words=False, break_on_hyphens=False)
            if len(name) > column:
                lines.insert(0, "")
            beside, *below = lines or [""]
            formatter.write(f"  {name:<{column}}  {beside}".rstrip() + "\n")
            for line in below:
                formatter.write(" " * (column + 4) + line + "\n")


def write_parameters(command: TyperCommand | TyperGroup, context: Any, formatter: Any) -> None:
    """Write the sections of a command's arguments and options."""
    for title, kind in (("Arguments", "argument"), ("Options", "option")):
        records = [
            each.get_help_record(context) for each in command.get_params(context) if each.param_type_name == kind
        ]
        write_rows(formatter, title, [record for record in records if record])


class Verb(TyperCommand):
    """A verb, with its help in this layout."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options."""
        write_parameters(self, ctx, formatter)


class Menu(TyperGroup):
    """All verbs, with their help in this layout."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, and each verb with its whole sentence."""
        write_parameters(self, ctx, formatter)
        write_rows(
            formatter,
            "Commands",
            [(name, (verb.help or "").partition("\n\n")[0]) for name, verb in self.commands.items()],
        )
