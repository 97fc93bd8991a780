"""Programs that speak the protocols of the field, written from their specifications alone, for tests.

`python speakers.py PROTOCOL [FAULT]` plays the first legal move: of chess by python-chess, else the first free point or
pit. From its second move on it has its fault: it hangs, lies, crashes, or answers late or twice.
"""

import sys
import time
from collections.abc import Callable, Iterator

FAULTS = ("hangs", "late", "lies", "crashes", "twice")
fault = sys.argv[2] if len(sys.argv) > 2 else ""
answers = 0


def say(line: str) -> None:
    """Write a line."""
    print(line, flush=True)


def answer(right: str, wrong: str, form: Callable[[str], str] = str) -> None:
    """Write a move, or what the fault makes of it."""
    global answers
    answers += 1
    now = fault if answers > 1 else ""
    if now in ("hangs", "late"):
        time.sleep(1_000 if now == "hangs" else 1)
    if now == "crashes":
        sys.exit("out of luck")
    say(form(wrong if now == "lies" else right))
    if now == "twice":
        say(form(right))


def lines() -> Iterator[str]:
    """The lines of the other side."""
    for line in sys.stdin:
        yield line.strip()


def uci() -> None:
    """UCI, chess: the first legal move of python-chess."""
    import chess  # here, because it takes a while

    board = chess.Board()
    for line in lines():
        words = line.split()
        if line == "uci":
            say("id name First")
            say("option name Hash type spin default 1 min 1 max 9")
            say("uciok")
        elif line == "isready":
            say("readyok")
        elif words[:2] == ["position", "startpos"]:
            board = chess.Board()
            for word in words[3:]:
                board.push_uci(word)
        elif words[:1] == ["go"]:
            say("info depth 1 score cp 0")
            answer(next(iter(board.legal_moves)).uci(), "e1e8", "bestmove {}".format)
        elif line == "quit":
            return


def ugi() -> None:
    """UGI, tic-tac-toe: the first free cell."""
    played: list[str] = []
    for line in lines():
        words = line.split()
        if line == "ugi":
            say("ugiok")
        elif line == "isready":
            say("readyok")
        elif words[:2] == ["position", "startpos"]:
            played = words[3:]
        elif words[:1] == ["go"]:
            free = [f"{column}{row}" for row in "123" for column in "abc" if f"{column}{row}" not in played]
            answer(free[0], "z9", "bestmove {}".format)
        elif line == "quit":
            return


def cecp() -> None:
    """XBoard's protocol, chess: the first legal move of python-chess."""
    import chess

    board = chess.Board()
    for line in lines():
        words = line.split()
        if words[:1] == ["protover"]:
            say('feature ping=1 setboard=1 usermove=1 myname="First" done=1')
        elif words[:1] == ["ping"]:
            say(f"pong {words[1]}")
        elif line == "new":
            board = chess.Board()
        elif words[:1] == ["setboard"]:
            board = chess.Board(line.removeprefix("setboard "))
        elif words[:1] == ["usermove"]:
            board.push_uci(words[1])
        elif line == "go":
            move = next(iter(board.legal_moves))
            answer(move.uci(), "e1e8", "move {}".format)
            board.push(move)
        elif line == "quit":
            return


def gtp() -> None:
    """GTP, Hex: the first free cell."""
    size, taken = 5, set[str]()
    for line in lines():
        number, command, *words = line.split()
        if command == "genmove":
            free = [f"{chr(97 + column)}{row + 1}" for row in range(size) for column in range(size)]
            free = [cell for cell in free if cell not in taken]
            answer(free[0], "z9", lambda move, number=number: f"={number} {move}\n")  # type: ignore[misc]
            taken.add(free[0])
            continue
        if command == "boardsize":
            size = int(words[0])
        elif command == "clear_board":
            taken = set()
        elif command == "play":
            taken.add(words[1])
        elif command == "time_settings":
            say(f"?{number} unknown command\n")
            continue
        say(f"={number} {'First' if command == 'name' else ''}\n")
        if command == "quit":
            return


def gomocup() -> None:
    """Gomocup: the first free point."""
    size, taken = 15, set[str]()
    reading = lines()
    for line in reading:
        words = line.split()
        if words[0] in ("START", "RESTART"):
            size, taken = int(words[1]) if words[1:] else size, set()
            say("OK")
        elif words[0] in ("TURN", "BEGIN", "BOARD"):
            taken |= set(words[1:])
            if words[0] == "BOARD":
                while (stone := next(reading)) != "DONE":
                    taken.add(stone.rpartition(",")[0])
            free = [f"{x},{y}" for y in range(size) for x in range(size) if f"{x},{y}" not in taken]
            say("MESSAGE thinking")
            answer(free[0], "99,99")
            taken.add(free[0])
        elif line == "END":
            return


def kgp() -> None:
    """KGP: first the last pit that has seeds, then the first one."""
    for line in lines():
        number, command, *words = line.split()
        if command == "kgp":
            say('1 set info:name "First"')
            say("3 mode freeplay")
        elif command == "state":
            pits, _, _, *seeds = map(int, words[0].strip("<>").split(","))
            full = [str(pit + 1) for pit in range(pits) if seeds[pit]]
            reference = number.partition("@")[0]
            say(f"@{reference} move {full[-1]}")
            answer(full[0], "99", lambda move, reference=reference: f"@{reference} move {move}")  # type: ignore[misc]
            say(f"@{reference} yield")
        elif command == "goodbye":
            return


def codingame() -> None:
    """CodinGame's Ultimate: the first legal move."""
    reading = lines()
    for _ in reading:
        legal = [next(reading) for _ in range(int(next(reading)))]
        answer(legal[0], "9 9")


PROGRAMS = {
    "uci": (uci, "chess"),
    "ugi": (ugi, "tictactoe"),
    "cecp": (cecp, "chess"),
    "gtp": (gtp, "hex:5"),
    "gomocup": (gomocup, "gomoku"),
    "kgp": (kgp, "kalah"),
    "codingame": (codingame, "ultimate"),
}
"""Each protocol's program, and the game that it plays."""

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]][0]()
