"""What can be wrong with what a person or a program hands in."""


class BadInput(ValueError):
    """Something handed in cannot be used; the message is one sentence for the person who handed it in.

    The sentence says what was wrong, where, and what would be right. Faces print it as it is: the terminal with exit
    code 2, never with a traceback.
    """


class GameFault(BadInput):
    """A game cannot go on, through no fault of a player: a rule of it fails, or no search has room for it.

    So nobody loses by it, and a game that is being played stays as it is. The message is as `BadInput`'s.
    """
