"""Run the command line in this process."""

from collections.abc import Sequence

from typer.testing import CliRunner, Result

from plyground.terminal.main import VERBS, command_line


def ran(words: Sequence[str], typed: str = "", standalone: bool = True) -> Result:
    """Run a command; returns its exit code and output. As in the program, only the file of its own verb is imported.

    Args:
        words: the verb, arguments and options.
        typed: the text on stdin.
        standalone: end with an exit code, as a program does; if False, the result has the verb's return value or error.
    """
    app = command_line(*(word for word in words[:1] if word in VERBS))
    return CliRunner().invoke(app, [*words], input=typed, standalone_mode=standalone)
