"""Where the command `plyground` begins: outside the package, so that Ctrl-C is heeded while that is being imported."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C at any moment, also before it is all there, ends it in one line and code 130."""
    try:
        from plyground.terminal.main import main as run

        run()
    except KeyboardInterrupt:
        print("plyground: stopped.", file=sys.stderr)
        sys.exit(130)
