"""The command `plyground`, also as `python -m plyground`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C, also during its imports, ends it with one line and exit code 130."""
    try:
        from plyground.terminal.main import main as run

        run()
    except KeyboardInterrupt:
        print("plyground: stopped.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
