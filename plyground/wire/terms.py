"""Codec for messages as Prolog terms: a Prolog reads moves as `(2,1).`, and writes them as `2,1`.

A term ends with a full stop and layout; the short form of a move ends with its line. Blanks, comments (`% …` to the end
of the line, `/* … */`) and newlines may stand anywhere between. Any other term belongs to another application and is
forwarded unchanged.
"""

import re

from plyground.position import Position
from plyground.text import plain
from plyground.wire.codec import LARGEST_FRAME, Codec, decode
from plyground.wire.messages import (
    FaultMessage,
    General,
    Hello,
    Message,
    Move,
    Ping,
    PositionMessage,
    Resign,
    ResultMessage,
    Unreadable,
    make_message,
)
from plyground.wire.notation import move_on_wire

# The lexical rules are those of ISO 13211-1, section 6.4: `0'c` is a character's code, a doubled
# quote one quote, and an end is a full stop with layout or a comment behind it.
COMMENT = rb"%[^\n]*+\n|/\*.*?\*/"
QUOTED = (
    rb"(?<![0-9A-Za-z_])0'(?:\\.|''|[^\\'])"  # a character's code
    rb"|'(?:[^'\\]|\\.|'')*+'|\"(?:[^\"\\]|\\.)*+\"|`(?:[^`\\]|\\.)*+`"
)
"""Text in which a full stop or a percent sign means nothing."""
SKIPPED = re.compile(COMMENT + rb"|" + QUOTED, re.DOTALL)
TOKEN = re.compile(
    rb"(?P<cut>(?<![0-9A-Za-z_])0(?:'[\\']?)?\Z|[/.]\Z)"
    rb"|(?<![0-9A-Za-z_])0'(?:\\.|''|[^\\'])"
    rb"|(?P<stop>\.(?=[\s%]))|(?P<open>%|/\*|['\"`])|(?P<line>\n)",
    re.DOTALL,
)
"""Signs of a term's end: a full stop, or the end of a line; `cut` matches bytes that the next byte may change."""
CLOSING = {b"%": rb"(?P<end>\n)|(?P<cut>(?!))", b"/*": rb"(?P<end>\*/)|(?P<cut>\*\Z)"} | {
    quote: rb"(?P<end>" + quote + rb")|(?P<cut>\\\Z)|\\." for quote in (b"'", b'"', b"`")
}
INSIDE = {opened: re.compile(closed, re.DOTALL) for opened, closed in CLOSING.items()}
"""End of a comment or a quotation, by its beginning. A doubled quote is two quotations side by side here."""
LAYOUT = re.compile(rb"(?:\s++|" + COMMENT + rb")*+", re.DOTALL)
BLANK = rb"(?:[ \t]++|/\*.*?\*/)*+"
SHORT_MOVE = re.compile(
    rb"[(\[]?BLANK\d++BLANK(?:,BLANK\d++BLANK)?[)\]]?BLANK\r?\n".replace(b"BLANK", BLANK), re.DOTALL
)
"""A move as a Prolog writes it, then its line's end. The quantifiers are possessive, since the input is untrusted."""
PAIR = re.compile(r"[(\[]?\s*+(\d++)\s*+(?:,\s*+(\d++)\s*+)?[)\]]?", re.ASCII)
ARGUMENT = r"\s*+(?:'((?:[^'\\]|\\.|'')*+)'\s*+|([^'\"`]*))"
NAMED_TERM = re.compile(rf"(room|hello|move|position|ping|pong)\({ARGUMENT}\)", re.DOTALL)
FAULT_TERM = re.compile(rf"fault\(\s*+(client|server)\s*+,{ARGUMENT}\)", re.DOTALL)
RESULT = re.compile(rf"result\(\s*+(-?[0-9]{{1,9}})\s*+,{ARGUMENT}\)", re.DOTALL)
"""The terms that have a meaning of their own: the argument is an atom, quoted or not."""
ESCAPED = re.compile(r"\\(.)|''", re.DOTALL)
SYMBOLS = "+-*/\\^<>=~:.?@#&$"
"""Signs that would make one word with a full stop behind them."""


class Terms(Codec):
    """Prolog terms: a player writes `2,1` and reads `(2,1).`"""

    only_moves = True

    def __init__(self, largest: int = LARGEST_FRAME) -> None:
        super().__init__(largest)
        self._inside = b""
        """Opening sign of the comment or quotation in which the scanned bytes end; empty outside of one."""
        self._looked = self._layout = 0
        """Bytes of the current term that have been scanned, and bytes of layout before it."""
        self._is_long = False
        """Whether its first line has ended and is no move as a Prolog writes it."""

    def _end(self, held: bytearray, start: int) -> int | None:
        at = start + self._looked
        # The end is found by a state machine over signs that matter, resumed where the bytes ended, as in `xml.py`.
        while found := (INSIDE[self._inside] if self._inside else TOKEN).search(held, at):
            # The sign may be the beginning of a longer one, such as `/` of `/*`: it waits for the
            # next byte.
            if found["cut"] is not None:
                at = found.start()
                break
            at = found.end()
            if self._inside:
                self._inside = b"" if found["end"] else self._inside
            elif found["open"]:
                self._inside = found["open"]
            elif found["stop"] or (found["line"] and self._ends_short_move(held, start, at)):
                self._looked = self._layout = 0
                self._is_long = False
                return at
        else:
            at = len(held)
        self._looked = at - start
        return None

    def _ends_short_move(self, held: bytearray, start: int, end: int) -> bool:
        """Whether a line that ends there is the first of its term, and a move as a Prolog writes it."""
        # The pattern is asked once for each term, at the end of its first line: asked at each line,
        # a long term would be matched from its beginning again and again.
        if not self._is_long and (begin := LAYOUT.match(held, start + self._layout)):
            self._layout = begin.end() - start
            self._is_long = begin.end() < end and not SHORT_MOVE.match(held, begin.end())
            return begin.end() < end and not self._is_long
        return False

    def read(self, frame: bytes) -> Message:
        text = _term_text(frame)
        message = self._read_term(text)
        # The term would be forwarded as text: one that holds a full stop would reach the others as
        # two messages, one of which this client could have made up in another's name.
        if isinstance(message, General) and not _is_whole(text):
            raise Unreadable("This term cannot be passed on: end it with one full stop, and close what is quoted.")
        return message

    def _read_term(self, text: str) -> Message:
        if pair := PAIR.fullmatch(text):
            return make_message("move", {"text": _pair_text(pair)})
        if text == "resign":
            return Resign()
        # A general term is passed on as it is: raw control characters would reach the terminals of
        # others.
        if not text or any(ord(sign) < 32 and sign not in "\t\r\n" for sign in text):
            raise Unreadable("This is no term: write a move as (2,1). with a full stop and a new line.")
        if told := FAULT_TERM.fullmatch(text):
            return make_message("fault", {"whose": told[1], "sentence": _argument(told)})
        if told := RESULT.fullmatch(text):
            return make_message("result", {"utility": int(told[1]), "why": _argument(told)})
        if named := NAMED_TERM.fullmatch(text):
            name, key, others = TERMS[named[1]]
            said = plain(_argument(named)) if name == "move" else _argument(named)
            pair = PAIR.fullmatch(said) if name == "move" else None
            return make_message(name, others | {key: _pair_text(pair) if pair else said})
        return General("prolog", text)

    def follow(self, frame: bytes, message: Message) -> None:
        if isinstance(message, Move):
            self.as_player: bool = not is_short(frame)  # what writes (2,1). reads 2,1, and the other way round

    def move_text(self, position: Position, move: int) -> str:
        return move_on_wire(position, move)

    def example(self, position: Position, move: int) -> str:
        text = move_on_wire(position, move)
        return f"a line such as {text} or a term such as {_move_term(text, short=False)}"

    def layouts(self, position: Position, move: int) -> list[tuple[str, list[bytes]]]:
        term = _move_term(move_on_wire(position, move), short=False)
        bare = term.removesuffix(".")
        # Layouts that every Prolog's `read/1` accepts; a program with a parser of its own may not.
        spaced = bare.replace("(", "( ").replace(",", " ,\n ").replace(")", " )") if PAIR.fullmatch(bare) else bare
        half = (len(term) + 1) // 2
        return [
            (f"answers {term} and a new line", [f"{term}\n".encode()]),
            ("answers with CR LF", [f"{term}\r\n".encode()]),
            ("answers with blanks and lines inside the term", [f"{spaced} .\n".encode()]),
            ("answers with comments", [f"% a comment.\n{bare} /* another */ .\n".encode()]),
            ("answers in two halves", [term[:half].encode(), f"{term[half:]}\n".encode()]),
        ]

    def _write(self, message: Message) -> bytes:
        match message:
            case Move(text):
                return f"{_move_term(text, short=self.as_player)}\n".encode()
            case Resign():
                return b"resign.\n"
            case Hello(name=name, room=room):
                return f"room({_atom(room)}).\n".encode() if room else f"hello({_atom(name)}).\n".encode()
            case PositionMessage(text):
                return f"position({_atom(text)}).\n".encode()
            case ResultMessage(utility, why):
                return f"result({utility}, {_atom(why)}).\n".encode()
            case FaultMessage(whose, sentence):
                return f"fault({whose}, {_atom(sentence)}).\n".encode()
            case Ping(token, answer):
                return f"{'pong' if answer else 'ping'}({_atom(token)}).\n".encode()
            case General(_, term):
                return _forwarded_bytes(term)


TERMS: dict[str, tuple[str, str, dict[str, object]]] = {
    "room": ("hello", "room", {}),
    "hello": ("hello", "name", {}),
    "move": ("move", "text", {}),
    "position": ("position", "text", {}),
    "ping": ("ping", "token", {}),
    "pong": ("ping", "token", {"answer": True}),
}
"""Known terms of one argument: the message, the field that the argument fills, and the other fields."""


def is_short(frame: bytes) -> bool:
    """Whether a frame is a move as a Prolog writes it."""
    begin = LAYOUT.match(frame)
    return SHORT_MOVE.fullmatch(frame, begin.end() if begin else 0) is not None


def _strip_comments(frame: bytes) -> bytes:
    """The frame without its comments; quoted text stays."""
    return SKIPPED.sub(lambda found: b" " if found[0][:1] in b"%/" else found[0], frame)


def _term_text(frame: bytes) -> str:
    """A term without its full stop."""
    return decode(_strip_comments(frame)).strip().removesuffix(".").strip()


def _is_whole(term: str) -> bool:
    """Whether a forwarded term is read back as the same single term."""
    written = _forwarded_bytes(term)
    # The message is tried on a fresh codec, as the other clients will read it.
    (frame, *others) = Terms(len(written)).feed(written) or [b""]
    return not others and _term_text(frame) == term


def _forwarded_bytes(term: str) -> bytes:
    return f"{term}{' ' if term[-1:] in SYMBOLS else ''}.\n".encode()


def _argument(found: re.Match[str]) -> str:
    """Text of the last argument: an atom without its quotes and escapes."""
    if found[2] is None:
        return found[3].strip()
    return ESCAPED.sub(lambda sign: {None: "'", "n": "\n", "t": "\t"}.get(sign[1], sign[1]), found[2])


def _pair_text(pair: re.Match[str]) -> str:
    first, second = pair[1], pair[2]
    if second is None:
        return first
    return f"[{first},{second}]" if pair[0].startswith("[") else f"{first},{second}"


def _move_term(text: str, *, short: bool) -> str:
    pair = PAIR.fullmatch(text)
    if pair is None:
        return f"move({_atom(text)})."
    # `(2,1).` is what Prolog players read; they write `2,1` (docs/wire.md).
    if short or text.startswith("[") or pair[2] is None:
        return text if short else f"{text}."
    return f"({text})."


def _atom(text: str) -> str:
    """A quoted atom, without characters that no term may hold."""
    bare = "".join(sign for sign in text if sign >= " " or sign in "\n\t")
    escaped = bare.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
    return f"'{escaped}'"
