"""A player of plyground's own as a program, over standard input and output: any of its games and players.

    plyground audit tictactoe "program:python ours.py tictactoe alphabeta:depth=2 {side} {first}"

It knows the message position, so that it is started once for many games: it says the position back, and goes on there.
"""

import sys

from plyground import Position, game_named, player_named
from plyground.wire.messages import Message, Move, PositionMessage
from plyground.wire.terms import Terms

spec, name, side, first = sys.argv[1:5]
position, player, codec = Position.initial(game_named(spec)), player_named(name), Terms()
codec.as_player = True  # a player writes 2,1 and reads (2,1).


def say(message: Message) -> None:
    """Write a message."""
    print(codec.write(message).decode(), end="", flush=True)


def answer() -> None:
    """Make a move, if it is this side's turn."""
    global position
    while position.outcome is None and position.game.names[position.to_move] == side:
        move = player.choose(position, None)
        say(Move(codec.move_text(position, move)))
        position = position.play(move)


if side == first:
    answer()
for line in sys.stdin.buffer:
    for frame in codec.feed(line):
        match codec.read(frame):
            case PositionMessage(text) as told:
                position = Position.parse(position.game, text)
                say(told)
            case Move(text):
                position = position.play(text)
        answer()
