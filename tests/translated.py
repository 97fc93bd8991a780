"""Functions whose translation to JavaScript is run beside them: each has a part of Python that languages differ in."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import exp, inf
from time import perf_counter
from typing import Any, Final, Literal, Protocol

from plyground.errors import BadInput
from plyground.in_pages import in_pages

FACTOR: Final = 7
FLAG: Final = 1 << 19


@dataclass(frozen=True)
class Words:
    """Constants of which only what is used is taken."""

    many: str = "{count} of `{kind}` in ${name}, {count}"
    losses: tuple[tuple[float, Literal["big", "small"]], ...] = ((0.5, "big"), (0.1, "small"))


WORDS: Final = Words()
WORDS_OF: Final = ("one", "two")


@in_pages
@dataclass(frozen=True)
class Pair:
    """A class with all that a class may have."""

    one: int
    two: float | None = None

    def __post_init__(self) -> None:
        if self.one < -1000:
            raise ValueError(self.one)

    @classmethod
    def of(cls, one: int, *, is_double: bool = False) -> "Pair":
        """A pair by an argument that is named."""
        return cls(one, 2.0 * one if is_double else None)

    @property
    def total(self) -> float:
        """A property."""
        return self.one + (self.two or 0)

    @cached_property
    def kept(self) -> list[int]:
        """A list that is made once."""
        return [self.one, 2 * self.one]

    def above(self, limit: float = 3) -> bool:
        """A default."""
        return self.total > limit


@in_pages(sent_as="Sent")
@dataclass(frozen=True)
class Sent:
    """What is sent as JSON: its attributes keep their names."""

    first_name: str
    some: tuple[int, ...] = ()


@in_pages(sent_as="SentWords")
@dataclass(frozen=True)
class SentWords:
    """What is sent with a dict by ints."""

    said: str
    words: dict[int, str]


@in_pages
def floor_division(one: int, two: int) -> int:
    """Of negative numbers too, towards minus infinity."""
    return (abs(one) + FACTOR) // 3 - one // two


@in_pages
def precedence(one: int, two: int) -> int:
    """Brackets where they count."""
    return -(one - (two - 3)) * (one + two) - (-one - -two)


@in_pages
def from_the_end(things: list[int], place: int) -> int:
    """An index below 0."""
    return things[place]


@in_pages
def truths(text: str, things: list[int], number: int | None) -> str:
    """An empty list is false, as an empty text, 0 and None are."""
    if not things:
        return "no things"
    if things and not text:
        return "no text"
    return text + (" and" if number else "") + (" none" if number is None else "")


@in_pages
def either(text: str, number: int | None) -> str:
    """Operators that give an operand."""
    return f"{number or 5} {text or 'empty'}"


@in_pages
def chained(one: int, two: int, three: int) -> bool:
    """A chain of comparisons."""
    return one < two <= three


@in_pages
def equality(one: list[int], two: list[int], word: str | None) -> bool:
    """Lists are compared by what is in them, and None with texts."""
    return one == two or word == "a" or word in ("b", "c")


@in_pages
def tuples(one: tuple[int, float], two: tuple[int, float]) -> int:
    """The order of tuples, place by place, also of different lengths."""
    if (*one, 1) > two:
        return int((two[0],) < two) + 1
    return 3 if one != two else 4


@in_pages
def ranked(things: Iterable[tuple[str, int]]) -> list[str]:
    """Sorting keeps the order of equal things, also in reverse."""
    best = sorted(things, key=lambda each: (each[1] // 2, 0), reverse=True)
    least = sorted(best, key=lambda each: each[1] // 3)
    return [name for name, _ in least]


@in_pages
def reversed_ranks(things: Iterable[tuple[str, int]]) -> list[str]:
    """Sorting in reverse alone."""
    return [name for name, _ in sorted(things, key=lambda each: each[1] // 2, reverse=True)]


@in_pages
def formats(share: float, number: int) -> str:
    """Rounding goes to the even digit; a sign may be asked for."""
    wide = f"{number:>4}|{1000 * number:>8,}|{FACTOR * 1000:,} {share:.0%}"
    return f"{share:.0f} {share:.1f} {100 * share:.2f} {number:+d} {number} {{}} ${{x}} `\\ {wide}"


@in_pages
def filled(count: int, kind: str, name: str) -> str:
    """A template that is a constant, with what JavaScript's templates have for themselves."""
    return WORDS.many.format(count=count, kind=kind, name=name)


@in_pages
def first_of(loss: float) -> str:
    """The first of what a condition holds for, or another thing."""
    found: Literal["big", "small", "none"] = next((name for least, name in WORDS.losses if loss >= least), "none")
    return found


@in_pages
def branches(number: int) -> int:
    """Variables of branches, and of the whole."""
    if number > 10:
        found, more = number, 1
    elif number > 5:
        found, more = 5, 2
    else:
        found, more = 0, number
        found, more = more, found
    if found > 0:
        only = found + more
        return only
    return found - more


@in_pages
def pairs(one: int) -> list[float]:
    """Classes, methods, and copies with a change."""
    pair = Pair.of(one, is_double=True)
    other = replace(pair, two=None)
    return [
        pair.total,
        other.total,
        float_of(pair.above()),
        float_of(other.above(-2)),
        float_of(Pair(1, two=0.5).above(1)),
    ]


@in_pages
def float_of(truth: bool) -> float:
    """Arithmetic of truths."""
    return truth * 2.5 + int(truth)


@in_pages
def bounds(one: float) -> float:
    """Infinity, and functions of numbers."""
    return min(max(one, -inf), 8.0, inf) + abs(exp(0.0))


@in_pages
def loops(things: list[int], skip: int) -> list[list[int]]:
    """Loops, lists that grow and change, the last place of a list."""
    found: list[list[int]] = [[] for _ in things]
    sums = [0]
    for place, thing in enumerate(things):
        if thing > skip:
            found[place].append(thing)
        sums.append(sums[-1] + thing)
        found[-1].append(place)
    for back in reversed(range(len(things))):
        sums[back] = sums[back] + back
    return [*found, sums]


@in_pages
def of_lists(things: list[int]) -> str:
    """Questions about all of a list."""
    if not things:
        return str(-7) + str(int(any(each > 0 for each in things)) + 2 * int(all(each > 0 for each in things)))
    most, least = max(things), min(things)
    some = any(each > 1 for each in things if each != 2)
    return f"{most} {least} {int(some)} {int(all(each for each in things))} {int(most not in (2, least))}"


@in_pages
def changed(text: str) -> str:
    """All that is found is replaced, and what is put in means nothing else."""
    return text.replace("a.", "$&")


@in_pages
def slices(things: list[int], start: int, end: int) -> list[list[int]]:
    """Slices, also from the end, and copies."""
    return [things[start:end], things[start:], things[:end], things[:-1], things[::-1], list(things), [*range(1, end)]]


@in_pages
def while_loops(things: list[int], limit: int) -> list[int]:
    """Loops with conditions, that end sooner, go on, or find what they ask about."""
    place, total, met = 0, 0, list[int]()
    while place < len(things) and (thing := things[place]) != limit:
        place += 1
        if thing < 0:
            continue
        total, before = total + thing, total
        met.append(before)
        if total > 5:
            break
    return [place, total, *met]


@in_pages
def bits(number: int) -> list[int]:
    """Bits of an int, also of one below 0, chosen by a constant."""
    return [number & 3, number & 12, int(number & 4 == 0 or number & FLAG > 0)]


@in_pages
def kept_lists(one: int) -> list[int]:
    """A cached property is the same at each use."""
    pair = Pair(one)
    pair.kept.append(one)
    return pair.kept


@in_pages
def sent(name: str, some: list[int]) -> Sent:
    """Objects that are sent, and copies of them."""
    made = Sent(first_name=name, some=tuple(some))
    return made if len(made.some) < 2 else replace(made, first_name=made.first_name + "!")


@in_pages
def of_texts(words: list[str], word: str) -> dict[str, str]:
    """Dicts of texts, and lists of them joined."""
    found, known = {each: f"<{each}>" for each in words}, dict[str, int]()
    return {"all": ", ".join(filter(None, words)), "one": found.get(word) or "none", "two": str(known.get(word, 7))}


@in_pages
def sums(things: list[int]) -> str:
    """Sums of ints, and ints with commas."""
    return f"{1000 * sum(things):,} {sum(1000 * each for each in things if each > 1):,}"


@in_pages
@dataclass
class Kept:
    """A class whose objects change, with a dict by ints."""

    names: list[str]
    found: dict[int, Pair] = field(default_factory=dict)

    def keep(self, number: int) -> None:
        """A method that gives nothing, and may end sooner."""
        if number in self.found:
            return
        self.found[number] = Pair(number, 0.5)

    def told(self) -> list[float]:
        """What is kept, and a copy that is not changed with it."""
        copy = dict(self.found)
        self.keep(-99)
        known = self.found.get(1)
        total = known.total if known is not None else -1.0
        return [*[each.total for each in copy.values()], total, self.found[-99].total]


@in_pages
def maps(things: list[int]) -> list[float]:
    """Dicts by ints, in the order in which they are filled."""
    kept = Kept(["a"])
    for each in things:
        kept.keep(each)
    return kept.told()


@in_pages
def sets(things: list[int]) -> SentWords:
    """Sets, remainders of what is counted, and dicts by ints, which are sent with their keys in text."""
    known = {each: place for place, each in enumerate(sorted(set(things)))}
    count = dict[int, int]()
    for thing in things:
        count[thing] = count.get(thing, 0) + 1
    words = {each: f"{number % 3} {count[each]} {known.get(each + 1, -1)}" for number, each in enumerate(things)}
    return SentWords(f"{len(set(things))} {len(known)} {len(WORDS_OF)} {int(3 in set(things))}", words)


SQUARE: Final = re.compile(r"([a-h])([1-8])?(-|/)?")
COMMENT: Final = re.compile(r"\{[^}]*\}")
MARK: Final = re.compile(r"[!?]+")


@in_pages
def patterns(text: str, names: list[str]) -> list[str]:
    """Regular expressions, whole, everywhere and replaced; a group that took no part; escaped names."""
    whole = SQUARE.fullmatch(text)
    found = [f"{whole[1] or 'none'} {whole[2] or 'none'} {whole[0]}" if whole else "no square"]
    if square := SQUARE.fullmatch(text.lower()):
        found.append(square[1] + (square[3] or "-"))
    said = "|".join([re.escape(name) for name in sorted(names, key=lambda name: len(name), reverse=True)])
    words = re.compile(rf"(?<![^ /])({said}) is|[+-]?[0-9]+")
    found.append(";".join([f"{word[1] or 'none'}<{word[0]}>" for word in words.finditer(text)]))
    return [*found, COMMENT.sub(" ", text), *MARK.findall(text), *COMMENT.findall(text)]


@in_pages
def texts(text: str, other: str) -> list[str]:
    """Methods of texts, their signs and words."""
    known = dict[str, int]()
    for sign in text:
        known[sign] = known.get(sign, 0) + 1
    found = [f"{each}{known[each]}" for each in known if each in other]
    for word in text.split():
        found.append(word.upper() if word.startswith("a") or word.endswith("a") else "-" * (len(word) - 1))
    return [*found, *text.split(","), *list(other), str(int(any(each in "xa" for each in text))), other.lower()]


@in_pages
def places(text: str) -> int:
    """The place of a text in another, and numbers in text."""
    return "abc".index(text) + int("12") + sum(list(range(len(text) - 3, 2 * len(text) + 1)))


@in_pages
def pairs_of(things: list[int], names: list[str]) -> dict[str, list[str]]:
    """Lists side by side, and a list beside itself."""
    found = dict[str, list[str]]()
    for name, letter in zip(names, names[::-1], strict=True):
        found[name] = [letter]
    steps = [f"{two - one}" for one, two in pairwise(things)]
    return {"found": [*found["a"], "b"] if "a" in found else [], "steps": steps, "known": [*found.get("b", ["none"])]}


@in_pages
def ranks(things: list[int], place: int) -> list[float]:
    """Sorted lists, the place of a thing, rounded numbers."""
    ranked = sorted([(each, -each) for each in things])
    thing = (things[place], -things[place])
    return [ranked.index(thing), *[one for one, _ in reversed(ranked)], round(things[place] / 16, 2)]


@in_pages
def refused(number: int) -> int:
    """An exception, and what is known after it."""
    known = number if number > 0 else None
    if known is None:
        raise BadInput(f"{number} is none")
    return known + 1


@in_pages
def climbed(things: list[int], limit: int) -> Iterator[int]:
    """A generator, which may end sooner."""
    yield from things
    for thing in things:
        if thing > limit:
            return
        yield 2 * thing


@in_pages
def generators(things: list[int], limit: int) -> list[int]:
    """What a generator gives, also while the clock goes on."""
    began, found = perf_counter(), [*climbed(things, limit)]
    for each in climbed(things, limit + 1):
        found.append(each)
    return [*found, int(perf_counter() - began >= 0)]


@in_pages
def states(things: list[Any], place: int) -> int:
    """How often a state stands in a list of such."""
    return things.count(things[place])


@in_pages
def spelled(codes: list[int]) -> str:
    """Characters by their codes, and a fault that only one who writes rules makes."""
    if not codes:
        raise ValueError("no codes")
    return "".join([chr(each) for each in codes])


@in_pages
def told_by(said: Callable[[list[int], int], str], things: list[int]) -> str:
    """A function as an argument."""
    return " ".join([said(things, place) for place in range(len(things))]).rstrip()


@in_pages
def item_text(things: list[int], place: int) -> str:
    """An item in text."""
    return f"{things[place]}"


@in_pages
def functions(things: list[int]) -> list[str]:
    """Functions by their names, numbers that grow, lists of pairs by their first."""
    total, product = 0.0, float(len(things))
    pairs = [(each, -each) for each in things]
    known = dict(pairs)
    for thing in things:
        total += known[thing]
        product *= 2
        total -= 1 / 2
    return [told_by(item_text, things), f"{total:.1f}", f"{product:.1f}"]


@in_pages
class Numbered(Protocol):
    """What `summed` asks: a class that JavaScript has by hand."""

    first: int

    @property
    def rest(self) -> list[int]:
        """Numbers."""
        raise NotImplementedError

    def plus(self, number: int, is_twice: bool) -> int | None:
        """A sum; None below 0."""
        raise NotImplementedError


@in_pages
def summed(thing: Numbered) -> list[int]:
    """What an object that is no part of the translation gives."""
    found = [thing.first, *thing.rest]
    for number in thing.rest:
        if (total := thing.plus(number, True)) is not None:
            found.append(total)
    return found


@dataclass(frozen=True)
class Walk:
    """A class of which JavaScript has a part."""

    first: int
    unused: int = 0

    def steps(self) -> Iterator[int]:
        """What is written by hand."""
        yield 3
        yield self.first

    @cached_property
    @in_pages
    def ways(self) -> tuple[int, ...]:
        """What an iterator gives."""
        return tuple(self.steps()) if self.first > 0 else ()

    @property
    @in_pages
    def longest(self) -> int:
        """The longest of them."""
        return max(self.ways)
