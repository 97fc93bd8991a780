"""Ultimate tic-tac-toe: nine miniboards; who wins three in a row wins the game.

Boards and the cells in them are numbered row by row, 0 to 8. Each player's marks are 81 bits in two words, bit
`9 * board + cell`: boards 0 to 6 in `low` (63 bits), 7 and 8 in `high`. `fate` holds what has become of the boards:

    bits  0..8   won by the player to move       18..26  closed: won by either or full
          9..17  won by the other player         27..30  the board where one must play; 9 for any open one

    the centre of board 4: bit 9 * 4 + 4 = 40 of low; sent to board 8 with nothing closed: fate = 8 << 27

Seen by the player to move, so that a move swaps the two sides. This layout runs half as fast again as three words by
rows of boards and four times as fast as a tuple of nine boards (`bench/TRIED.md`). A move is `board << 4 | cell`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, NamedTuple

from plyground.board.bits import Words, count, has_member, lowest, members, nth
from plyground.board.look import CLOSED, END, IDLE, NINE_BOARD_NAMES, WON, Board, Unseen, parse_place, squares
from plyground.board.signs import COLON, NUMBER, write_board
from plyground.errors import BadInput
from plyground.games.about import IN_A_ROW, About, ShippedGame
from plyground.rules import MAX, NO_MOVE, ONGOING, Game

# A number beyond the boards 0 to 8; four bits of `fate` hold it.
ANY_BOARD = 9
FULL = 0b111_111_111
NINE_LINES = (0b111, 0b111_000, 0b111_000_000, 0b1_001_001, 0b10_010_010, 0b100_100_100, 0b100_010_001, 0b1_010_100)
# Tables of 512 ints, by the nine cells of a board: one read in place of eight tests.
HAS_LINE = tuple(int(any(cells & line == line for line in NINE_LINES)) for cells in range(FULL + 1))
COMPLETING = tuple(
    sum(1 << cell for cell in range(9) if not cells >> cell & 1 and HAS_LINE[cells | 1 << cell])
    for cells in range(FULL + 1)
)
"""Cells that would complete a line, by the set of a player's cells in a board."""
LOW_CELLS = tuple(sum(FULL << 9 * board for board in range(7) if boards >> board & 1) for boards in range(FULL + 1))
HIGH_CELLS = tuple(
    sum(FULL << 9 * board for board in range(2) if boards >> 7 + board & 1) for boards in range(FULL + 1)
)
"""All cells of these boards, in the two words."""
CELL_BITS = tuple(
    9 * (row // 3 * 3 + column // 3) + row % 3 * 3 + column % 3 for row in range(9) for column in range(9)
)
"""Bit of each cell of the whole field, row by row."""

CELL_WEIGHTS = (3, 1, 3, 1, 5, 1, 3, 1, 3)
"""Weight of a cell in its board, and of a board on the field (Zangrillo and Mele's evaluation)."""
WON_BOARD = 12
"""Weight of a won board: one more than an unfinished one can have."""
WEIGHT = tuple(
    sum(weight for cell, weight in enumerate(CELL_WEIGHTS) if cells >> cell & 1) for cells in range(FULL + 1)
)


class UltimateState(NamedTuple):
    """Marks of each side, from the view of the player to move, and the fate of the boards; bits as drawn above."""

    my_low: int
    my_high: int
    their_low: int
    their_high: int
    fate: int
    turn: int
    """The player to move: 0 for x, 1 for o."""


def board_of(low: int, high: int, board: int) -> int:
    """One player's nine cells of a board."""
    return (low >> 9 * board if board < 7 else high >> 9 * (board - 7)) & FULL


def place_of_cell(board: int, cell: int) -> int:
    """The number of a cell among those of the field, row by row."""
    return (board // 3 * 3 + cell // 3) * 9 + board % 3 * 3 + cell % 3


@dataclass(frozen=True)
class Ultimate(Game[UltimateState]):
    """A won or full board is closed. With `send`, a move's cell names the board where the other must play next, or any
    open board if that one is closed (the widely played rule); without, any free cell of any open board may be played.
    `first` begins.
    """

    send: Annotated[bool, "A move sends the other player to a board"] = True
    first: Annotated[str, "Who begins"] = "x"

    foresight = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.first not in self.marks:
            raise BadInput(f"first={self.first}: x or o begins.")

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def sends(self) -> int:
        return int(self.send)

    def initial(self) -> UltimateState:
        return UltimateState(0, 0, 0, 0, ANY_BOARD << 27, self.marks.index(self.first))

    def to_move(self, state: UltimateState) -> int:
        return state.turn

    def moves(self, state: UltimateState) -> Iterator[int]:
        boards = self.playable(state)  # a loop of its own: `safe_moves` would cost a search a third of its speed
        while boards:
            board = lowest(boards)
            free = self.free_on(state, board)
            while free:
                yield board << 4 | lowest(free)
                free &= free - 1
            boards &= boards - 1

    def safe_moves(self, state: UltimateState, boards: int, cells: int, decisive: int) -> Iterator[int]:
        """The moves on these boards and cells that the other player does not answer by winning a decisive board."""
        while boards:
            board = lowest(boards)
            free = self.free_on(state, board) & cells
            while free:
                move = board << 4 | lowest(free)
                if decisive == 0 or not self.can_answer(state, decisive, move):
                    yield move
                free &= free - 1
            boards &= boards - 1

    def playable(self, state: UltimateState) -> int:
        """Boards in which the player to move may play."""
        must = state.fate >> 27
        return 1 << must if must < ANY_BOARD else FULL & ~(state.fate >> 18)

    def free_on(self, state: UltimateState, board: int) -> int:
        """The free cells of a board."""
        return FULL & ~board_of(state.my_low | state.their_low, state.my_high | state.their_high, board)

    def play(self, state: UltimateState, move: int) -> UltimateState:
        board, cell = move >> 4, move & 15
        low, high = state.my_low, state.my_high
        if board < 7:
            low |= 1 << 9 * board + cell
        else:
            high |= 1 << 9 * (board - 7) + cell
        mine = board_of(low, high, board)
        won, closed = state.fate & FULL, state.fate >> 18 & FULL
        if HAS_LINE[mine]:
            won |= 1 << board
            closed |= 1 << board
        elif mine | board_of(state.their_low, state.their_high, board) == FULL:
            closed |= 1 << board
        # A cell names the board at the same place of the field. A closed board frees the other player.
        must = cell if self.sends and not closed >> cell & 1 else ANY_BOARD
        # Sides change: what the mover has won becomes the other player's, 9 bits higher, and the other way round.
        fate = state.fate >> 9 & FULL | won << 9 | closed << 18 | must << 27
        return UltimateState(state.their_low, state.their_high, low, high, fate, 1 - state.turn)

    def outcome(self, state: UltimateState) -> int:
        if HAS_LINE[state.fate >> 9 & FULL]:
            return 2 * state.turn - 1
        if state.fate >> 18 & FULL == FULL:
            return 0
        return ONGOING

    def tier(self, state: UltimateState) -> int:
        """Marks on the boards."""
        low, high = state.my_low | state.their_low, state.my_high | state.their_high
        return count(low) + count(high)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def evaluate(self, state: UltimateState) -> int:
        """Weighted sum over the boards, x's less o's: marks of an open one by weight, 12 of a won one, 0 of a draw."""
        total = 0
        for board in range(9):
            total += self.worth(state, board)
        return total * (1 - 2 * state.turn)

    def worth(self, state: UltimateState, board: int) -> int:
        """Term of a board in the evaluation, seen by the player to move."""
        if state.fate >> 18 + board & 1:
            worth = WON_BOARD * ((state.fate >> board & 1) - (state.fate >> 9 + board & 1))
        else:
            mine = board_of(state.my_low, state.my_high, board)
            worth = WEIGHT[mine] - WEIGHT[board_of(state.their_low, state.their_high, board)]
        return CELL_WEIGHTS[board] * worth

    def is_noisy(self, state: UltimateState, move: int) -> bool:
        """Whether it wins a board."""
        return self.winning_cells_on(state, move >> 4, 0) >> (move & 15) & 1 != 0

    def candidates(self, state: UltimateState) -> Iterator[int]:
        # A move that wins the game at once is the only candidate; else all after which the other player cannot.
        won = self.playable(state) & self.decisive(state, state.fate & FULL, 0)
        if won:
            wins = self.winning_cells_on(state, lowest(won), 0)
            return self.safe_moves(state, won & -won, wins & -wins, 0)
        return self.safe_moves(state, self.playable(state), FULL, self.decisive(state, state.fate >> 9 & FULL, 1))

    def decisive(self, state: UltimateState, won: int, other: int) -> int:
        """Boards that would win the game for the mover, or with `other` 1 for the other, and can be won by one mark."""
        found = 0
        for board in members(COMPLETING[won] & ~(state.fate >> 18)):
            found |= int(self.winning_cells_on(state, board, other) != 0) << board
        return found

    def winning_cells_on(self, state: UltimateState, board: int, other: int) -> int:
        """The free cells of a board that win it for the mover, or with `other` 1 for the other player."""
        mine, theirs = board_of(state.my_low, state.my_high, board), board_of(state.their_low, state.their_high, board)
        return COMPLETING[theirs if other else mine] & ~(mine | theirs)

    def can_answer(self, state: UltimateState, decisive: int, move: int) -> bool:
        """Whether after a move the other player can win one of the boards that were decisive for him."""
        after = self.play(state, move)
        board = move >> 4
        # The move may have closed the board itself, or stopped the line there; boards elsewhere are as they were.
        if after.fate >> 18 + board & 1 or not self.winning_cells_on(after, board, 0):
            decisive &= ~(1 << board)
        return decisive & self.playable(after) != 0

    def bounds(self, state: UltimateState) -> tuple[int, int]:
        """A player can only win with a line of boards, each won already or open and with a line left on it."""
        mine, theirs = state.fate & FULL, state.fate >> 9 & FULL
        for board in members(FULL & ~(state.fate >> 18)):
            # An open board can still be won if some line of it has no mark of the other: all other cells counted as
            # own.
            mine |= HAS_LINE[FULL & ~board_of(state.their_low, state.their_high, board)] << board
            theirs |= HAS_LINE[FULL & ~board_of(state.my_low, state.my_high, board)] << board
        if state.turn == MAX:
            return (-HAS_LINE[theirs], HAS_LINE[mine])
        return (-HAS_LINE[mine], HAS_LINE[theirs])

    def split_settled(self, state: UltimateState) -> tuple[UltimateState, int]:
        """The state without the marks on closed boards, where no move is possible."""
        closed = state.fate >> 18 & FULL
        # `fate` says who has won a closed board, and no move or line needs its cells any more.
        low, high = ~LOW_CELLS[closed], ~HIGH_CELLS[closed]
        mine, theirs = (state.my_low & low, state.my_high & high), (state.their_low & low, state.their_high & high)
        return UltimateState(mine[0], mine[1], theirs[0], theirs[1], state.fate, state.turn), 0

    def pick(self, state: UltimateState, chance: int) -> int:
        """Pick by counting the free cells of each board, then those of the board that has it."""
        boards, total = self.playable(state), 0
        for board in members(boards):
            total += count(self.free_on(state, board))
        place = chance * total >> 32
        for board in members(boards):
            free = self.free_on(state, board)
            if place < count(free):
                return board << 4 | nth(free, place)
            place -= count(free)
        return NO_MOVE

    # -- for people -------------------------------------------------------------------------------------------------

    def sides(self, state: UltimateState) -> tuple[Words, Words]:
        """The marks of x and of o."""
        mine, theirs = (state.my_low, state.my_high), (state.their_low, state.their_high)
        return (mine, theirs) if state.turn == MAX else (theirs, mine)

    def state_signs(self, state: UltimateState) -> Iterator[int]:
        """Nine rows of the field, the player to move and, if one is sent, the number of the board, from 1: `:o:5`."""
        x, o = self.sides(state)
        for sign in write_board(x, o, CELL_BITS, 9, state.turn):
            yield sign
        if state.fate >> 27 != ANY_BOARD:
            yield COLON
            yield NUMBER
            yield (state.fate >> 27) + 1

    def parse_state(self, text: str) -> UltimateState:
        field, *rest = text.strip().lower().split(":")
        cells = field.replace("/", "")
        shape = [len(row) for row in field.split("/")]
        if shape not in ([81], [9] * 9) or set(cells) - set("xo.") or len(rest) > 2:
            raise BadInput(
                "That is not a position: write nine rows of nine cells (x, o or .) with slashes between, then :x or :o "
                "for who is to move, then, if the other has sent one there, : and the board 1 to 9."
            )
        ahead = cells.count("x") - cells.count("o")
        mover = rest[0] if rest else self.first if ahead == 0 else "o" if ahead > 0 else "x"
        if mover not in self.marks or ahead not in ((0, -1) if mover == "x" else (0, 1)):
            raise BadInput(
                f"No such position can arise: {cells.count('x')} x and {cells.count('o')} o, {mover} to move; "
                "the players take turns, so the one to move has as many marks as the other or one less."
            )
        must = ANY_BOARD
        if len(rest) == 2:
            if not (self.send and rest[1] in tuple("123456789")):
                raise BadInput(
                    f"{rest[1]!r} is not a board to be sent to: " + ("1 to 9." if self.send else "nobody is sent here.")
                )
            must = int(rest[1]) - 1
        return self._assemble_state(cells, self.marks.index(mover), must)

    def _assemble_state(self, cells: str, turn: int, must: int) -> UltimateState:
        """The state of these 81 cells, if it can arise."""
        fields = {
            name: sum(1 << bit for bit, cell in zip(CELL_BITS, cells, strict=True) if cell == name)
            for name in self.marks
        }
        mine, theirs = fields[self.marks[turn]], fields[self.marks[1 - turn]]
        won = lost = closed = 0
        for board in range(9):
            my, their = mine >> 9 * board & FULL, theirs >> 9 * board & FULL
            if HAS_LINE[my] and HAS_LINE[their]:
                raise BadInput(f"No such position can arise: both players have a line on board {board + 1}.")
            won |= HAS_LINE[my] << board
            lost |= HAS_LINE[their] << board
            closed |= int(bool(HAS_LINE[my] or HAS_LINE[their] or my | their == FULL)) << board
        # Boards 0 to 6 are the lower 63 bits.
        low = (1 << 63) - 1
        fate = won | lost << 9 | closed << 18 | must << 27
        state = UltimateState(mine & low, mine >> 63, theirs & low, theirs >> 63, fate, turn)
        if HAS_LINE[won]:
            raise BadInput(f"No such position can arise: {self.names[turn]} has won, so nobody is to move after that.")
        self._check_sending(state, must)
        return state

    def _check_sending(self, state: UltimateState, must: int) -> None:
        """Refuse a sending that no move of the other player can have made."""
        if must != ANY_BOARD and state.fate >> 18 + must & 1:
            raise BadInput(f"No such position can arise: board {must + 1} is closed, so nobody is sent there.")
        if not self.send or not (state.their_low or state.their_high):
            if must != ANY_BOARD:
                raise BadInput("No such position can arise: nobody is sent anywhere before the first move.")
            return
        # The last move is one of the other player's marks, which one is not in the text; its cell decides where the
        # mover is sent.
        played = {
            cell
            for board in range(9)
            for cell in range(9)
            if board_of(state.their_low, state.their_high, board) >> cell & 1
        }
        sent = {cell if not state.fate >> 18 + cell & 1 else ANY_BOARD for cell in played}
        if must not in sent and self.outcome(state) == ONGOING:
            where = "is free to play anywhere" if must == ANY_BOARD else f"is sent to board {must + 1}"
            boards = ", ".join(str(board + 1) for board in sorted(sent - {ANY_BOARD}))
            raise BadInput(
                f"No such position can arise: {self.names[state.turn]} {where}, but no mark of "
                f"{self.names[1 - state.turn]} does that; after the player to move, say where the last move sends "
                f"({boards or 'nowhere: leave it out'}), as in :x:5."
            )

    def parse_move(self, state: UltimateState, text: str) -> int:
        """A cell of the field (`e5`, `5,5` as column,row, or its number 1 to 81), or `[board,cell]`, each 1 to 9."""
        word = text.strip()
        if word.startswith("[") and word.endswith("]"):
            numbers = word[1:-1].replace(" ", "").split(",")
            if len(numbers) != 2 or any(number not in tuple("123456789") for number in numbers):
                raise BadInput(f"{text!r} is not a move: [board,cell] takes two numbers from 1 to 9, as in [5,3].")
            return int(numbers[0]) - 1 << 4 | int(numbers[1]) - 1
        board, cell = divmod(CELL_BITS[parse_place(text, 9, 9)], 9)
        return board << 4 | cell

    def refusal(self, state: UltimateState, path: tuple[int, ...]) -> str:
        usual = super().refusal(state, path)
        board = path[0] // 9 // 3 * 3 + path[0] % 9 // 3
        is_closed = state.fate >> 18 >> board & 1
        return f"the {NINE_BOARD_NAMES[board]} is finished" if is_closed and "occupied" not in usual else usual

    def explain(self, state: UltimateState) -> tuple[tuple[str, int], ...]:
        side = 1 - 2 * state.turn
        return tuple(
            (f"board {board + 1}, weight {CELL_WEIGHTS[board]}", side * self.worth(state, board)) for board in range(9)
        )

    def board(self) -> Board:
        board = squares(9, 9, block=3)
        return replace(board, unseen=(Unseen("Board to play in, from 1; 0 for any", 9),)) if self.send else board

    def unseen(self, state: UltimateState) -> tuple[int, ...]:
        """The board to which the player to move is sent."""
        must = state.fate >> 27
        return (0 if must == ANY_BOARD else must + 1,) if self.send else ()

    def stands(self, state: UltimateState) -> Iterator[int]:
        """The marks, with those on the boards that won the game; then the fate of each board."""
        x, o = self.sides(state)
        won, active = self.winning_boards(state), self.playable(state) if self.outcome(state) == ONGOING else 0
        for bit in CELL_BITS:
            yield has_member(x, bit) + 2 * has_member(o, bit) + WON * (won >> bit // 9 & 1)
        for board in range(9):
            mine, theirs, closed = state.fate >> board & 1, state.fate >> 9 + board & 1, state.fate >> 18 + board & 1
            winner = mine * (1 + state.turn) + theirs * (2 - state.turn)
            yield winner + CLOSED * closed + IDLE * (1 - (active >> board & 1))

    def winning_boards(self, state: UltimateState) -> int:
        """The boards that won the game: all of each line."""
        won, found = state.fate >> 9 & FULL, 0
        for line in NINE_LINES:
            if won & line == line:
                found |= line
        return found

    def strokes(self, state: UltimateState) -> Iterator[int]:
        """Each line of boards that won, from the centre of the first to that of the last."""
        for line in NINE_LINES:
            if state.fate >> 9 & line == line:
                yield place_of_cell(lowest(line), 4)
                yield place_of_cell(nth(line, 2), 4)
                yield END

    def path(self, state: UltimateState, move: int) -> Iterator[int]:
        """The cell of the mark."""
        yield place_of_cell(move >> 4, move & 15)


ULTIMATE = ShippedGame(
    "ultimate",
    Ultimate,
    "nine boards in one; ultimate:send=false plays without sending",
    about=About(
        "Ultimate tic-tac-toe",
        IN_A_ROW,
        "Nine small boards make a large one. The square you mark is the board where the other must play next. "
        "Three small boards won, in a row, win.",
        "e5 f4 h2 e4 d2 c5 h4 f2 g5 a5 b4 e3 f8 h6 e7 e1 f1 i1 i2 i5 i4 h1 d1 b2",
        details=(
            "Nine small boards of three by three squares make up a large one. The square that you mark names the "
            "small board in which the other side must play next: the square at the top left sends it to the board at "
            "the top left. Three marks in a row, a column or a diagonal win a small board, which is then closed; a "
            "full one is closed too. A side that is sent to a closed board may play in any open one. Three small "
            "boards in a row, a column or a diagonal win. When all are closed without such a line, it is a draw."
        ),
    ),
)
