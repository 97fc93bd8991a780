"""A Connect Four without opinions, as the C program in `limit/` has it."""

from plyground.games.connectfour import ConnectFour, ConnectFourState


class Blind(ConnectFour):
    """Every unfinished state is worth 0."""

    def evaluate(self, state: ConnectFourState) -> int:
        return 0
