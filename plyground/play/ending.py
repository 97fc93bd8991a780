"""Kinds of endings of a game: by its rules, by its players, or by a fault and of which kind.

A kind is a value that is set where the ending is seen. No sentence decides this: a program's error message may hold
any words.
"""

from enum import StrEnum


class Ending(StrEnum):
    """Kind of a game's end; its values are the words in files and databases."""

    NORMAL = "normal"
    """The rules ended it."""
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    ADJUDICATION = "adjudication"
    UNFINISHED = "unfinished"
    """A player left; the game may go on."""
    ILLEGAL = "illegal"
    """A move that is not legal."""
    LATE = "late"
    """The time of a clock was used up: for a move, for the game, or of the processor."""
    SILENT = "silent"
    """No answer while one was waited for, though no clock ran out."""
    CRASHED = "crashed"
    """The player, or its connection by network, ended; it raised an error, or was ended for taking too much."""
    UNREADABLE = "unreadable"
    """Output that is no move."""
    NOT_STARTED = "could not start"
    """The player could not be made, started, or reached."""
    VOID = "void"
    """The game could not be played, and no player is known to be at fault."""
    UNKNOWN = "unknown"
    """Kept by an earlier version, which did not note it."""

    @classmethod
    def _missing_(cls, value: object) -> "Ending":
        # A word of a later or an earlier version must not make a saved game unreadable.
        return cls.UNKNOWN


FAULT_WORDS = {
    Ending.ILLEGAL: "an illegal move",
    Ending.LATE: "no move in time",
    Ending.SILENT: "no answer",
    Ending.CRASHED: "a crash, or an end before the game's",
    Ending.UNREADABLE: "output that is no move",
    Ending.UNKNOWN: "a fault of unknown kind, kept by an earlier version",
}
"""The faults of a player by which it loses a game, in words, in the order of every table."""
TOO_LATE = frozenset({Ending.LATE, Ending.SILENT})
"""Faults in time; the other known ones are faults in conduct."""
TERMINATIONS = {
    Ending.ADJUDICATION: "adjudication",
    Ending.UNFINISHED: "unterminated",
    Ending.ILLEGAL: "rules infraction",
    Ending.LATE: "time forfeit",
    Ending.SILENT: "stalled connection",
    # PGN (1994), 9.8.1, has abandoned, adjudication, death, emergency, normal, rules infraction, time forfeit and
    # unterminated; "stalled connection" and "unknown" are not of the standard.
    Ending.CRASHED: "abandoned",
    Ending.UNREADABLE: "rules infraction",
    Ending.UNKNOWN: "unknown",
}
"""The words of PGN's tag `Termination`; other endings are `normal` there."""
SGF_ENDINGS = {
    Ending.RESIGNATION: "R",
    Ending.LATE: "T",
    **dict.fromkeys((Ending.ILLEGAL, Ending.SILENT, Ending.CRASHED, Ending.UNREADABLE), "F"),
}
"""Suffix of a result in SGF, as in `B+T`: resignation, time, forfeit; empty for other endings."""
