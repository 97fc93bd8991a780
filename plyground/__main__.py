"""`python -m plyground` is `plyground`."""

from plyground_entry import main

main()
