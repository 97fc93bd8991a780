"""A player of plyground's own as a program, over standard input and output: any of its games and players.

    plyground audit tictactoe "program:python ours.py tictactoe alphabeta:depth=2 {side} {first}"

It knows the message position, so that it is started once for many games: it says the position back, and goes on there.
"""

import sys

from plyground import Position, game_named, player_named
from plyground.wire.messages import Move
from plyground.wire.messages import Position as Told
from plyground.wire.notation import from_wire, to_wire
from plyground.wire.protocols import codec

spec, name, side, first = sys.argv[1:5]
position, player, reader = Position.initial(game_named(spec)), player_named(name), codec("terms")


def answer() -> None:
    """Make a move, if it is this side's turn."""
    global position
    while position.outcome is None and position.game.names[position.to_move] == side:
        move = player.choose(position, None)
        print(to_wire(position, move), flush=True)
        position = position.play(move)


if side == first:
    answer()
for line in sys.stdin.buffer:
    for frame in reader.feed(line):
        match reader.read(frame):
            case Told(text) as told:
                position = Position.parse(position.game, text)
                print(reader.write(told).decode(), end="", flush=True)
            case Move(text):
                position = position.play(from_wire(position, text))
        answer()
