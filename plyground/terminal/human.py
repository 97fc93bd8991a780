"""A person at a terminal as a player."""

from collections.abc import Callable, Collection

from plyground.board.look import place_name
from plyground.compiled.clock import Limit
from plyground.engine.review import compares_moves
from plyground.engine.think import think
from plyground.errors import BadInput
from plyground.faults import game_fault
from plyground.play.player import Player, Quit, Resigned, TakeBack
from plyground.position import Position, notation_of
from plyground.terminal.board import board, out

HELP = """A move, or one of these:
  undo     take back your last move, and all that came after it
  hint     what the engine would play here, and why
  show     the board, and the position in text
  resign   give up
  quit     leave; the game is saved, and plyground play --resume continues it
  help     this"""

HINT = Limit(time=1.0)


class Human(Player):
    """Person who types moves and commands at the terminal; anything but a legal move prompts again."""

    name = "human"

    def __init__(self, people: Collection[int], read: Callable[[str], str] = input) -> None:
        """Make the player.

        Args:
            people: the seats, 0 and 1, of people at this terminal; each may take back moves of all of them.
            read: reads a line after a prompt.
        """
        self._people = people
        self._read = read

    def choose(self, position: Position, seconds: float | None) -> int:
        mover, notice = position.game.names[position.to_move], position.game.notice_text(position.state)
        # A pass is played for the person: there is nothing to choose, and the board says why.
        if position.must_pass:
            out.print(f"{position.result}{notice and ', ' + notice}: {position.legal_notation[0]}", markup=False)
            return position.legal_moves[0]
        clock = "" if seconds is None else f" ({seconds:.0f} s left)"
        while True:
            try:
                words = self._read(f"{mover}{notice and ', ' + notice}{clock}> ").strip()
            except EOFError:
                raise Quit from None
            try:
                move = self._carry_out(position, words)
            except (Quit, Resigned, TakeBack):
                raise
            except Exception as error:  # also a user's rule that fails: the game goes on
                fault = error if isinstance(error, BadInput) else game_fault(error)
                if fault is None:
                    raise
                out.print(str(fault), markup=False)
            else:
                if move is not None:
                    return move

    def retry(self, refusal: BadInput) -> bool:
        out.print(str(refusal), markup=False)
        return True

    def _carry_out(self, position: Position, words: str) -> int | None:
        """The move that the words name; None for a command, which is carried out."""
        match words.lower():
            # An empty line is a slip: it is asked again.
            case "":
                pass
            case "quit" | "q" | "exit":
                raise Quit
            case "resign":
                raise Resigned
            case "help" | "?":
                out.print(HELP + "\n" + move_forms_text(position), markup=False)
            case "show" | "s":
                out.print(board(position))
                out.print(position.text, markup=False, soft_wrap=True)  # to be copied
            case "hint":
                self._hint(position)
            case "undo":
                if plies := position.plies_since(self._people):
                    raise TakeBack(plies)
                out.print("There is no move of yours to take back.")
            case _:
                return position.legal(words)
        return None

    def _hint(self, position: Position) -> None:
        report = [*think(position, HINT)][-1]
        line = " ".join(notation_of(position, report.variation))
        said = report.score.text(position.game.names) + ("" if report.certain else f" at depth {report.depth}")
        said = said if compares_moves(report) else "there was no time to look at it"
        out.print(f"hint: {line.split()[0]} ({said}); the line is {line}", markup=False)


def move_forms_text(position: Position) -> str:
    """A sentence on how moves are written in a position."""
    grid = position.board.grid
    words = position.legal_notation
    if not grid or not set(words) <= {place_name(grid[1], place) for place in range(grid[0] * grid[1])}:
        return f"Legal moves: {', '.join(words)}."
    return (
        f"Cells are printed as b3: column b, row 3 from the top. You may also write 2,3 (column,row) or "
        f"the cell's number, 1 to {grid[0] * grid[1]} row by row."
    )
