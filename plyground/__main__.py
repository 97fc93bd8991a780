"""`python -m plyground` is `plyground`."""

from plyground.cli import main

main()
