"""Compilation of a game and a search to machine code; the only package that uses Numba."""
