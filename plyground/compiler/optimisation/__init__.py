"""Passes over the typed form: inlining, and simplification by ranges of values."""
