"""Criteria by which a server is graded: each is a play of some clients."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from plyground.grading.servers.clients import (
    GAME_MOVES,
    GAME_PASSED,
    PART_PAUSE,
    PROLOG,
    THIRD,
    ClientTable,
    ServerClient,
)
from plyground.position import Position

GARBAGE: Final = (
    b"\xff\xfe\x00\x80\n",
    b"')(. foo(bar.\n",
    b"halt. :- X is 1/0, abort.\n",
    b"}{ <message><message>\n",
    b"x" * 100_000 + b"\n",
)
"""Bytes that no message begins with, for a client that fails."""
INVALID: Final = (
    b'<message><mvoe text="c1"/></message>\n',
    b"<message><move/></message>\n",
    b'<!DOCTYPE message [<!ENTITY m "c1">]><message><move text="&m;"/></message>\n',
)
"""Documents that the schema `plyground.xsd` does not allow, or that declare what no message may."""


Play = Callable[[ClientTable], None]


class ServerCriterion(NamedTuple):
    """A criterion of a server's grade: a play of some clients, with its points."""

    name: str
    points: int
    play: Play
    protocol: str = ""
    """The protocol that alone has it; empty: all."""


def _moves_of_game() -> list[int]:
    """Moves of the game."""
    position, found = Position.parse(GAME_PASSED, ""), list[int]()
    for word in GAME_MOVES.split():
        found.append(position.legal(word))
        position = position.play(found[-1])
    return found


MOVES: Final = _moves_of_game()


def _exchange_moves(first: ServerClient, second: ServerClient, start: int = 0, *, as_term: bool = False) -> None:
    """Two moves: one that the first writes, and the second's answer."""
    first.say(MOVES[start])
    second.hear(MOVES[start], as_term=as_term)
    second.say(MOVES[start + 1])
    first.hear(MOVES[start + 1])


def _play_on(first: ServerClient, second: ServerClient) -> None:
    """Two moves more, among whatever else was passed on."""
    first.say(MOVES[7])
    second.find(MOVES[7])
    second.say(MOVES[8])
    first.find(MOVES[8])


def _play_with_newcomer(table: ClientTable, page: ServerClient) -> None:
    """Connect another Prolog player, and play with it."""
    other = table.client(PROLOG)
    table.settle()
    _play_on(page, other)


def _begin_by_page(table: ClientTable) -> None:
    page, prolog = table.pair()
    _exchange_moves(page, prolog, as_term=True)


def _begin_by_prolog(table: ClientTable) -> None:
    page, prolog = table.pair()
    _exchange_moves(prolog, page)


def _expect_no_echo(table: ClientTable) -> None:
    page, prolog = table.pair()
    # `find`, because what else is passed on is another criterion's.
    page.say(MOVES[0])
    prolog.find(MOVES[0])
    page.expect_silence("which it wrote itself")
    prolog.say(MOVES[1])
    page.find(MOVES[1])
    prolog.expect_silence("which it wrote itself")


def _play_whole_game(table: ClientTable) -> None:
    page, prolog = table.pair()
    for number, move in enumerate(MOVES):
        writer, reader = (prolog, page) if number % 2 else (page, prolog)
        writer.say(move)
        reader.hear(move)
    prolog.expect_silence("which was written once only")


def _send_in_parts(table: ClientTable) -> None:
    page, prolog = table.pair()
    whole = page.text(MOVES[0])
    half = len(whole) // 2
    page.write(whole[:half])
    time.sleep(PART_PAUSE)
    page.write(whole[half:])
    prolog.hear(MOVES[0])
    page.write(page.text(MOVES[1]) + page.text(MOVES[2]))
    prolog.hear(MOVES[1])
    prolog.hear(MOVES[2])
    # Telnet and clients on Windows end a line with these two bytes.
    page.write(page.text(MOVES[3]).replace(b"\n", b"\r\n"))
    prolog.hear(MOVES[3])


def _play_with_three(table: ClientTable) -> None:
    third = table.client(THIRD)
    page, prolog = table.pair()
    page.say(MOVES[0])
    prolog.hear(MOVES[0])
    third.hear(MOVES[0])
    third.say(MOVES[1])
    page.hear(MOVES[1])
    prolog.hear(MOVES[1])


def _play_three_games(table: ClientTable) -> None:
    for number in range(3):
        page, prolog = table.pair()
        # A server that keeps messages for late clients would begin the next game with the last one's moves.
        if number:
            page.expect_silence("which is of the game before")
            prolog.expect_silence("which is of the game before")
        _exchange_moves(page, prolog, 2 * number)
        page.leave()
        prolog.leave()
        table.settle()


def _replace_one(table: ClientTable) -> None:
    page, prolog = table.pair()
    _exchange_moves(page, prolog)
    prolog.leave()
    table.settle()
    # Two moves while no one is there to get them: the first write to a closed connection often still succeeds.
    page.say(MOVES[2])
    time.sleep(PART_PAUSE)
    page.say(MOVES[4])
    _play_with_newcomer(table, page)


def _send_garbage(table: ClientTable) -> None:
    page, prolog = table.pair()
    _exchange_moves(page, prolog)
    # Each from a client of its own: a server may well drop one that writes garbage.
    for data in GARBAGE:
        third = table.client(THIRD)
        third.write(data)
        time.sleep(PART_PAUSE)
    _play_on(page, prolog)


def _cut_line(table: ClientTable, *, held: bool = False) -> None:
    page, prolog = table.pair()
    third = table.client(THIRD)
    table.settle()
    _exchange_moves(page, prolog)
    # The move lacks its end: a server that passes bytes on as they come has half a move on the other's line.
    third.write(third.text(MOVES[5])[:-3])
    time.sleep(PART_PAUSE)
    third.leave()
    table.settle()
    if held:
        _exchange_moves(page, prolog, 2)
    else:
        _play_on(page, prolog)


def _cut_line_held(table: ClientTable) -> None:
    _cut_line(table, held=True)


def _reset_clients(table: ClientTable) -> None:
    page, prolog = table.pair()
    # Twice without a word and once with a move: a server fails when it writes to a connection that was reset, or reads
    # from it, so the page writes after each.
    for told in (b"", b"", page.text(MOVES[5])):
        third = table.client(THIRD)
        table.settle()
        third.write(told)
        third.reset()
        page.say(MOVES[6])
    table.settle()
    _play_on(page, prolog)
    prolog.reset()
    page.say(MOVES[0])
    table.settle()
    page.say(MOVES[0])
    _play_with_newcomer(table, page)


def _send_invalid(table: ClientTable) -> None:
    page, prolog = table.pair()
    third = table.client(THIRD)
    table.settle()
    for document in INVALID:
        third.write(document)
        time.sleep(PART_PAUSE)
    prolog.expect_silence("which the schema does not allow")
    _exchange_moves(page, prolog)


SERVER_CRITERIA: Final = (
    ServerCriterion("to the other, the page begins", 15, _begin_by_page),
    ServerCriterion("to the other, Prolog begins", 10, _begin_by_prolog),
    ServerCriterion("never back to the sender", 10, _expect_no_echo),
    ServerCriterion("a whole game, in order", 5, _play_whole_game),
    ServerCriterion("in parts, two at once, CR LF", 5, _send_in_parts),
    ServerCriterion("three clients at once", 10, _play_with_three),
    ServerCriterion("one game after another", 10, _play_three_games),
    ServerCriterion("one leaves, another comes", 5, _replace_one),
    ServerCriterion("garbage disturbs nobody", 10, _send_garbage),
    ServerCriterion("a cut in mid-line", 10, _cut_line),
    ServerCriterion("half a line is kept back", 5, _cut_line_held),
    ServerCriterion("an abrupt close", 5, _reset_clients),
    ServerCriterion("invalid XML is not passed on", 20, _send_invalid, "xml"),
)
"""Criteria of a server, causes before consequences: 100 points, and 20 more where it speaks XML."""
FIRST: Final = 2
"""Number of criteria without which nothing else can be asked."""
UNASKED = "Not asked: first a move and its answer have to come to the other side."
