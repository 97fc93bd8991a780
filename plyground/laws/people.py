"""Laws of boards and texts: ints that draw a board, texts that parse back, moves that paths select."""

from plyground.board.look import ATTACKED, CLOSED, COUNT, END, IDLE, WON, Board, count_pieces
from plyground.board.signs import spell
from plyground.laws.asking import AnyState, BrokenLaw, CheckedGame, list_text, require
from plyground.rules import Game

MOST_PIECES = WON - 1
"""Most pieces of a board: their numbers are below the flags that are added to them."""
LARGEST_STAND = 1 << 31
MADE_OF_THE_BOARD = ("stands", "state_signs", "move_signs")
"""Questions whose default answers are made of the board, whose line is named where they are inherited."""


def hold_board(ask: CheckedGame, _: AnyState) -> None:
    """Check the board, which is the same in all states.

    Raises:
        BrokenLaw: its law is broken, and what else is found of pictures and texts would follow from that.
    """
    board = ask.board
    names = [place.name for place in board.places]
    twice = next((name for name in names if names.count(name) > 1), None)
    require(twice is None, "board", f"board has two places called {twice!r}: each has a name of its own")
    inside = [place for places in (*board.lines, *(area.places for area in board.areas)) for place in places]
    odd = [
        place
        for place in [*inside, *(place for fall in board.falls for place in fall)]
        if not _is_place_of(board, place)
    ]
    said = f"board speaks of place {odd[:1]}: the board's are numbered from 0 below {len(names)}"
    require(not odd, "board", said)
    for border in board.borders:
        side, *ends = border
        fits = side in (0, 1) and len(ends) == 2 and all(_is_place_of(board, place) for place in ends)
        require(fits, "board", f"board has the border {border}: a side, 0 or 1, and its first and last place")
    require(board.seat in (None, 0, 1), "board", f"board has the seat {board.seat!r}: 0, 1 or None")
    sides = ("", *ask.game.marks)
    foreign = next((piece for piece in board.pieces if piece.owner not in sides), None)
    right = f"{' or '.join(map(repr, ask.game.marks))}, or '' for neither side"
    require(foreign is None, "board", f"board has {foreign} among its pieces: its owner is {right}")
    said = f"board has {len(board.pieces)} pieces: {MOST_PIECES} at most"
    require(len(board.pieces) <= MOST_PIECES, "board", said)


def _law_of_stands(ask: CheckedGame, state: AnyState) -> None:
    board, told = ask.board, ask("stands", state)
    places, areas = len(board.places), len(board.areas)
    if len(told) not in (places, places + areas):
        given = _count_text(len(told))
        said = f"stands gives {given} in state {state}, for {places} places and {areas} areas of the board"
        right = "stands(self, state) yields one for each place, 0 where nothing stands"
        right += ", then one for each area, or none for areas" if areas else ""
        raise BrokenLaw("stands", f"{said}: {right}")
    for place, number in enumerate(told[:places]):
        said = f"stands gives {number!r} for place {board.places[place].name} in state {state}"
        right = (
            f"0, or the number of a piece from 1 to {len(board.pieces)}, + WON where it won, + ATTACKED, + COUNT * n"
        )
        piece = number % COUNT & ~(WON | ATTACKED) if type(number) is int else -1
        fits = 0 <= piece <= len(board.pieces) and 0 <= number < LARGEST_STAND
        require(fits, "stands", f"{said}: {right}")
    for area, number in zip(board.areas, told[places:], strict=False):
        said = f"stands gives {number!r} for area {area.name} in state {state}"
        right = "0, 1 where x has won it or 2 where o has, + CLOSED, + IDLE"
        fits = type(number) is int and 0 <= number <= 2 + CLOSED + IDLE and number & 3 < 3
        require(fits, "stands", f"{said}: {right}")


def _law_of_strokes(ask: CheckedGame, state: AnyState) -> None:
    board, told = ask.board, ask("strokes", state)
    for number in told:
        said = f"strokes gives {number!r} in state {state}: places, from 0 below {len(board.places)}, and END"
        require(_is_place_of(board, number) or (type(number) is int and number == END), "strokes", said)
    said = f"strokes gives {list_text(told)} in state {state}: each line is its places, and then END"
    require(not told or told[-1] == END, "strokes", said)


def _law_of_caption(ask: CheckedGame, state: AnyState) -> None:
    _spell_text(ask, "caption", state)


def _law_of_notice(ask: CheckedGame, state: AnyState) -> None:
    _spell_text(ask, "notice", state)


def _law_of_path(ask: CheckedGame, state: AnyState) -> None:
    board, found = ask.board, dict[tuple[int, ...], int]()
    for move in ask.legal(state):
        path = tuple(ask("path", state, move))
        said = f"path gives {path!r} for move {move} in state {state}: places, from 0 below {len(board.places)}"
        require(all(_is_place_of(board, place) for place in path), "path", said)
        said = f"path gives {path} for the moves {found.get(path)} and {move} in state {state}"
        # A page knows a move by the places that were clicked, so two moves of one path could not be told apart.
        require(not path or path not in found, "path", f"{said}: legal moves with a path have different ones")
        found[path] = move
    for fall in board.falls:
        begun = [move for path, move in found.items() if path and path[0] in fall]
        said = f"path gives {list_text(begun)} in state {state} paths that begin in one fall of the board, {fall}"
        require(len(begun) < 2, "path", f"{said}: one at most, for any place of it stands for that move")


def _law_of_refusal(ask: CheckedGame, state: AnyState) -> None:
    """Ask about the first and the last place with which no legal path begins; the default rests on other laws."""
    # The default is made of answers that have laws of their own.
    if type(ask.game).refusal is Game.refusal:
        return
    begun = {tuple(ask("path", state, move))[:1] for move in ask.legal(state)}
    closed = [place for place in range(len(ask.board.places)) if (place,) not in begun]
    for path in [(place,) for place in closed[:1] + closed[-1:]]:
        why = ask("refusal", state, path)
        said = f"refusal gives {why!r} for the places {path} in state {state}: one line of text"
        require(type(why) is str and bool(why.strip()) and "\n" not in why, "refusal", said)


def _law_of_state_signs(ask: CheckedGame, state: AnyState) -> None:
    text = _spell_word(ask, "state_signs", state)
    back = ask("parse_state", text)
    require(
        # A tuple of equal ints is equal to a state, and has no fields.
        back == state and type(back) is type(state),
        "parse_state",
        f"parse_state reads {text!r} as {back}, not as {state}",
    )


def _law_of_fen(ask: CheckedGame, state: AnyState) -> None:
    text = ask("fen", state)
    right = f"fen gives {text!r} in state {state}: a line of text"
    require(type(text) is str and bool(text.strip()) and "\n" not in text, "fen", right)
    back = ask("parse_state", text)
    # FEN may leave counters out, as draughts' does; what counts for repetition has to come back.
    same = back == state or ask("repetition_key", back) == ask("repetition_key", state)
    require(same, "parse_state", f"parse_state reads {text!r} as {back}, not as {state}")


def _law_of_unseen(ask: CheckedGame, state: AnyState) -> None:
    told, unseen = ask("unseen", state), ask.board.unseen
    fits = type(told) is tuple and len(told) == len(unseen)
    fits = fits and all(type(n) is int and 0 <= n <= each.most for n, each in zip(told, unseen, strict=True))
    said = f"unseen gives {told!r} in state {state}: a tuple of numbers, one for each of the board's {len(unseen)}"
    require(fits, "unseen", f"{said}, from 0 to its most")


def _law_of_arrangement_text(ask: CheckedGame, state: AnyState) -> None:
    """Check games that define the text of an arrangement, or whose first state the default brings back."""
    if type(ask.game).arrangement_text is Game.arrangement_text:
        try:
            # A default text of the pieces serves some games and not others: whether it is meant, the first state shows.
            _read_back(ask, ask("initial"))
        except BrokenLaw:
            return
    _read_back(ask, state)


def _read_back(ask: CheckedGame, state: AnyState) -> None:
    """Require that a state comes back from its pieces."""
    unseen, told = ask("unseen", state), ask("stands", state)
    require(
        all(type(number) is int for number in told), "stands", f"stands gives {list_text(told)} in state {state}: ints"
    )
    text = ask("arrangement_text", *count_pieces(ask.board, told), ask("to_move", state), unseen)
    back = ask("parse_state", text)
    same = ask("stands", back) == told and ask("to_move", back) == ask("to_move", state)
    said = f"arrangement_text writes state {state} as {text!r}, which is read as {back}"
    require(
        same and ask("unseen", back) == unseen,
        "arrangement_text",
        f"{said}: what stands, the mover or the unseen differs",
    )


def _law_of_move_signs(ask: CheckedGame, state: AnyState) -> None:
    for move in ask.some_legal(state):
        _law_of_move_text(ask, "move_signs", state, move)


def _law_of_notation_signs(ask: CheckedGame, state: AnyState) -> None:
    if ask.game.has_notation:
        for move in ask.some_legal(state):
            _law_of_move_text(ask, "notation_signs", state, move)


def _law_of_move_text(ask: CheckedGame, question: str, state: AnyState, move: int) -> None:
    text = _spell_word(ask, question, state, move)
    back = ask("parse_move", state, text)
    require(back == move, "parse_move", f"parse_move reads {text!r} in state {state} as {back}, not as {move}")


def _spell_word(ask: CheckedGame, question: str, *args: object) -> str:
    """Spell the signs of a question; the text must be one word without blanks."""
    text = _spell_text(ask, question, *args)
    said = f"{question} gives {text!r}{_where_text(*args)}: one word without blanks"
    # Games, links and commands list such texts with blanks between them.
    require(bool(text) and not any(map(str.isspace, text)), question, said)
    return text


def _spell_text(ask: CheckedGame, question: str, *args: object) -> str:
    """Spell the signs of a question, which must be ints that `spell` knows."""
    told = ask(question, *args)
    for sign in told:
        if type(sign) is not int:
            right = "signs are ints: ord('x') for a character that never changes, NUMBER and a number for one that does"
            raise BrokenLaw(question, f"{question} gives {sign!r}{_where_text(*args)}: {right}")
    try:
        return spell(
            told,
            [place.name for place in ask.board.places],
            ask.game.names if question in ("caption", "notice") else ask.game.marks,
        )
    except (ValueError, OverflowError) as fault:
        right = (
            "after NUMBER comes a number, after PLACE a place of the board, after PLAYER 0 or 1; others are characters"
        )
        raise BrokenLaw(
            question, f"{question} gives {list_text(told)}{_where_text(*args)}, where {fault}: {right}"
        ) from None


def _where_text(*args: object) -> str:
    return (f" for move {args[1]}" if len(args) > 1 else "") + f" in state {args[0]}"


def _is_place_of(board: Board, place: object) -> bool:
    return type(place) is int and 0 <= place < len(board.places)


def _count_text(count: int) -> str:
    return f"{count} int{'s' if count != 1 else ''}"


BOARD_LAWS = [
    _law_of_stands,
    _law_of_strokes,
    _law_of_caption,
    _law_of_notice,
    _law_of_path,
    _law_of_refusal,
    _law_of_state_signs,
    _law_of_fen,
    _law_of_unseen,
    _law_of_arrangement_text,
    _law_of_move_signs,
    _law_of_notation_signs,
]
