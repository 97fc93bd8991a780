"""Run the command line in this process."""

from collections.abc import Sequence

from typer.testing import CliRunner, Result

from plyground.terminal.main import VERBS, command_line


def ran(words: Sequence[str], typed: str = "", is_alone: bool = True) -> Result:
    """How a command ended, and what it printed. As in the program, a verb alone is imported and described.

    Args:
        words: the verb, arguments and options.
        typed: what stdin has.
        is_alone: end as a program does, with an exit code; else what the verb returns and raises is in the result.
    """
    app = command_line(*(word for word in words[:1] if word in VERBS))
    return CliRunner().invoke(app, [*words], input=typed, standalone_mode=is_alone)
