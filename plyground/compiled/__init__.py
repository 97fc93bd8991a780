"""A game and a search become machine code; the only room that knows Numba."""
