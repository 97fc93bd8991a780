"""`python -m plyground` is `plyground`."""

from plyground.terminal.main import main

main()
