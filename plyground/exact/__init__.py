"""Exact knowledge, apart from thinking: books, tablebases, listings of all states, the solver."""
