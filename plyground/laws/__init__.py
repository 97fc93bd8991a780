"""The laws of `rules.py`, checked: random games are played, and every answer on the way is held against its law."""

from plyground.laws.verdict import Fault, Verdict, check, require_lawful

__all__ = ["Fault", "Verdict", "check", "require_lawful"]
