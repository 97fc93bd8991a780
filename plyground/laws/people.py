"""The laws of what is for people: texts that read back, and a board that offers the legal moves."""

from plyground.board.look import Board, Look
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


def _board(ask: Asked) -> Board:
    board = ask("board")
    require(isinstance(board, Board), "board", f"board gives {board!r}: a Board of places")
    assert isinstance(board, Board)
    return board


def _law_of_look(ask: Asked, state: AnyState) -> None:
    board, look = _board(ask), ask("look", state)
    require(isinstance(look, Look), "look", f"look gives {look!r} in state {state}: a Look with a piece for each place")
    names = [place.name for place in board.places]
    twice = next((name for name in names if names.count(name) > 1), None)
    require(twice is None, "board", f"board has two places called {twice!r}: each has a name of its own")
    said = f"look gives {len(look.pieces)} pieces for the {len(names)} places of the board in state {state}"
    require(len(look.pieces) == len(names), "look", f"{said}: one for each place, None where nothing stands")
    said = f"look gives {len(look.fates)} fates for the {len(board.areas)} areas of the board in state {state}"
    require(len(look.fates) in (0, len(board.areas)), "look", f"{said}: one for each area, or none at all")
    inside = [place for places in (*board.lines, *(area.places for area in board.areas)) for place in places]
    inside += [place for fall in board.falls for place in fall]
    drawn = [place for line in look.through for place in line]
    for question, numbers in (("board", inside), ("look", [*look.line, *drawn])):
        odd = [place for place in numbers if place not in range(len(names))]
        said = f"{question} speaks of place {odd[:1]} in state {state}"
        require(not odd, question, f"{said}: the board's are numbered from 0 below {len(names)}")


def _law_of_path(ask: Asked, state: AnyState) -> None:
    board, found = _board(ask), dict[tuple[int, ...], int]()
    places = len(board.places)
    for move in ask.legal(state):
        path = ask("path", state, move)
        said = f"path gives {path!r} for move {move} in state {state}: a tuple of places, from 0 below {places}"
        fits = isinstance(path, tuple) and all(type(place) is int and 0 <= place < places for place in path)
        require(fits, "path", said)
        said = f"path gives {path} for the moves {found.get(path)} and {move} in state {state}"
        require(not path or path not in found, "path", f"{said}: legal moves with a path have different ones")
        found[path] = move
    for fall in board.falls:
        begun = [move for path, move in found.items() if path and path[0] in fall]
        said = f"path gives {few(begun)} in state {state} paths that begin in one fall of the board, {fall}"
        require(len(begun) < 2, "path", f"{said}: one at most, for any place of it stands for that move")


LAWS = [_law_of_text, _law_of_move_text, _law_of_look, _law_of_path]
