"""Saved games: rules, state, storage, external players, and watchers."""
