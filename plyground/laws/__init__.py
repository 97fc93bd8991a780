"""Checks of the laws in `rules.py`: plays random games, and compares every answer with its law."""

from plyground.laws.verdict import Fault, Verdict, check, require_lawful

__all__ = ["Fault", "Verdict", "check", "require_lawful"]
