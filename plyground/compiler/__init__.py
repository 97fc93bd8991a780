"""A compiler from Python's rules and searches to machine code: docs/compiling.md follows a rule through it."""
