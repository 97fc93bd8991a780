"""The laws of what is for people: texts that read back, and a board that offers the legal moves."""

from plyground.board.look import Grid, Pits
from plyground.laws.asking import AnyState, Asked, few, require


def _law_of_text(ask: Asked, state: AnyState) -> None:
    text = ask("text", state)
    said = f"text gives {text!r} in state {state}: one word without blanks"
    require(isinstance(text, str) and bool(text) and not any(map(str.isspace, text)), "text", said)
    back = ask("parse_state", text)
    require(
        back == state and type(back) is type(state),
        "parse_state",
        f"parse_state reads {text!r} as {back}, not as {state}",
    )


def _law_of_move_text(ask: Asked, state: AnyState) -> None:
    for move in ask.some_legal(state):
        text = ask("move_text", state, move)
        said = f"move_text gives {text!r} for move {move} in state {state}: one word without blanks"
        require(isinstance(text, str) and bool(text) and not any(map(str.isspace, text)), "move_text", said)
        back = ask("parse_move", state, text)
        require(back == move, "parse_move", f"parse_move reads {text!r} in state {state} as {back}, not as {move}")


def _law_of_look(ask: Asked, state: AnyState) -> None:
    board = ask("look", state)
    if isinstance(board, Grid):
        said = f"look draws {len(board.cells)} cells on {board.rows} × {board.columns} in state {state}"
        require(len(board.cells) == board.rows * board.columns, "look", said)
        _offers_legal_moves(ask, state, [cell.move for cell in board.cells])
    if isinstance(board, Pits):
        said = f"look draws {len(board.first)} pits against {len(board.second)} in state {state}"
        require(len(board.first) == len(board.second) > 0, "look", said)
        marks = {pit.mark for pit in board.first}, {pit.mark for pit in board.second}
        said = f"look gives the first row to {sorted(marks[0])}, the second to {sorted(marks[1])} in state {state}"
        require(marks == ({ask.game.names[0]}, {ask.game.names[1]}), "look", said)
        _offers_legal_moves(ask, state, [pit.move for pit in (*board.first, *board.second)])


def _offers_legal_moves(ask: Asked, state: AnyState, moves: list[int | None]) -> None:
    offered, legal = {move for move in moves if move is not None}, set(ask.legal(state))
    said = f"look offers the moves {few(sorted(offered))} in state {state}, but legal are {few(sorted(legal))}"
    require(offered == legal, "look", said)


LAWS = [_law_of_text, _law_of_move_text, _law_of_look]
