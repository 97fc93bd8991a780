"""Specs: short texts that name a game, player or search with its options.

A spec is a name, then after a colon its options, separated by commas: values in the order of the options, or
`name=value`, as in `mnk:5,5,4`, `ultimate:send=false` and `alphabeta:depth=2`. If all after the colon is one text, such
as a command, options stand in brackets before it: `program[timeout=5]:swipl a`.

A `Family` has all choices of a kind: those of plyground, those of installed packages, found by their entry points, and
those in a user's file, named `path/to/file.py:name`. The options are the parameters of the function or class that makes
the choice.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from plyground.errors import BadInput, WrongType, clause_of
from plyground.spec.user_modules import module_of
from plyground.text import decimal_number, whole_number

Made = TypeVar("Made")


@dataclass(frozen=True)
class Choice(Generic[Made]):
    """A named choice of a family, with its maker."""

    name: str
    make: Callable[..., Any]
    """Takes the options as keyword arguments; each is annotated int, float, bool or str, a type with `from_text`, or
    one of these or None. One with `**others: str` takes options of any other name too, as text."""
    summary: str
    """Description in one line, for lists of choices."""
    raw: bool = False
    """Whether all after the colon is one text: the maker's first option."""
    later: bool = False
    """Whether `make` gives the maker instead: one that most never use and that takes long to import."""

    @property
    def maker(self) -> Callable[..., Made]:
        """The maker, imported now if it is a late one."""
        return self.make() if self.later else self.make


@dataclass(frozen=True)
class Option:
    """An option of something that can be chosen: a parameter of its maker that has a type."""

    name: str
    kind: str
    """`int`, `float`, `bool` or `str`; the last also for types of its own."""
    default: str
    words: str
    """Label for people, `Annotated[int, "Rows"]`; by default the option's name."""
    values: int = 0
    """Number of its values, from 0, where one may be drawn by lot: `Annotated[int, "Position", range(960)]`."""


NO_OPTION = "{name} has no option {key}: it takes {options}."
NO_OPTIONS = "no options"


def options(maker: Callable[..., Any]) -> list[Option]:
    """Options of a maker: its typed parameters, in their order.

    >>> from typing import Annotated
    >>> def board(rows: Annotated[int, "Rows"] = 3, send: bool = True): ...
    >>> [(option.kind, option.default, option.words) for option in options(board)]
    [('int', '3', 'Rows'), ('bool', 'true', 'Send')]
    """
    found = []
    for key, (parameter, hint) in _typed_parameters(maker, words=True).items():
        kind, *said = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
        kinds = get_args(kind) or (kind,)
        name = next((each.__name__ for each in (bool, int, float) if each in kinds), "str")
        words = next((each for each in said if isinstance(each, str)), key.replace("_", " ").capitalize())
        usual = "" if parameter.default is parameter.empty else str(parameter.default).lower()
        values = next((len(each) for each in said if isinstance(each, range)), 0)
        found.append(Option(key, name, usual, words, values))
    return found


@lru_cache(maxsize=256)
def _typed_parameters(maker: Callable[..., Any], *, words: bool) -> dict[str, tuple[inspect.Parameter, Any]]:
    """The parameters of a maker that have a type, with it.

    Args:
        maker: a class or a function, or a `partial` of one.
        words: whether the types keep the words that are written to them.
    """
    function = maker.func if isinstance(maker, partial) else maker
    # A class's options are its constructor's; hints on the class itself would name fields that are no options.
    called = function.__init__ if isinstance(function, type) else function  # type: ignore[misc]
    hints = get_type_hints(called, include_extras=words)
    parameters = inspect.signature(maker).parameters
    return {key: (each, hints[key]) for key, each in parameters.items() if key in hints and each.kind != _VAR_KEYWORD}


_VAR_KEYWORD = inspect.Parameter.VAR_KEYWORD


def takes_any(maker: Callable[..., Any]) -> bool:
    """Whether a maker takes options of any name: it has `**others: str`."""
    return any(
        each.kind == _VAR_KEYWORD and each.annotation in (str, "str")
        for each in inspect.signature(maker).parameters.values()
    )


def _identity(made: Any) -> Any:
    return made


@dataclass(frozen=True)
class Family(Generic[Made]):
    """All of one kind that can be chosen by name. Iterating gives the choices of plyground, then the installed ones."""

    kind: str
    """The word for one of them: `game`, `player`."""
    group: str
    """The entry points by which installed packages add to it: `plyground.games`."""
    shipped: tuple[Choice[Made], ...]
    """Choices of plyground, in the order in which they are offered."""
    maker: Callable[[Any, str], Callable[..., Made] | None]
    """Function from an object of a file or package, and its name, to a maker; None if the object is of no such kind."""
    form: str
    """Form of the object in a file, for messages: `a subclass of plyground.Game`."""
    has_own: bool = True
    """Whether something in a file may be named."""
    remembers: bool = False
    """Whether objects of this kind may have a memory, so that no two of a file share its globals."""
    finish: Callable[[Any], Made] = _identity
    """Complete the object that a maker returned."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Other names that people have for some of them, for the message about a name that there is not."""
    elsewhere: tuple[Choice[Made], ...] = ()
    """Choices in files of other languages, named by the file: `prolog:file.pl`. Law: their names are in `LANGUAGES`."""

    def __repr__(self) -> str:
        return f"<{self.kind}s: {', '.join(choice.name for choice in self)}>"

    def _ask_whether_meant(self, name: str, known: Sequence[str]) -> str:
        """The question whether another name was meant; empty where none is near."""
        plain = re.sub(r"[^a-z0-9]", "", name.lower())
        # One wrong letter in four is a likeness of 0.75 by difflib, and is still found.
        near = [self.also[plain]] if plain in self.also else get_close_matches(plain, known, 1, 0.7)
        return f" did you mean {near[0]}?" if near else ""

    def __iter__(self) -> Iterator[Choice[Made]]:
        yield from self.shipped
        for name, entry in self.package_entries.items():
            with suppress(BadInput):  # one that cannot be loaded says so when it is named, and hinders no other
                yield Choice(name, self._load_entry(entry), f"of the package {entry.dist.name}")

    @cached_property
    def package_entries(self) -> dict[str, Any]:
        """The entry points of installed packages by their names; what they stand for is imported when it is needed."""
        from importlib.metadata import entry_points  # here, because looking for packages takes a moment

        names = {choice.name for choice in self.shipped}
        found = sorted(entry_points(group=self.group), key=lambda entry: entry.name)
        # A package cannot take a name of plyground's own.
        return {entry.name: entry for entry in found if entry.name not in names}

    def make(self, text: str, *others: Choice[Made], first: Sequence[Choice[Made]] = ()) -> Made:
        """Make an object from its spec.

        Args:
            text: the name and options.
            others: choices that only the caller knows, offered after all of the family.
            first: choices that only the caller knows, offered before all of the family.

        Raises:
            BadInput: no such name, file, option, or a value that the option does not take.
        """
        if not isinstance(text, str):
            raise WrongType(f"{text!r} names no {self.kind}: give a text, one of {self!r}.")
        if is_own(text) and not self.has_own:
            raise BadInput(f"{text!r}: the command line alone may name a {self.kind} in a file.")
        # Before names: a file's path may contain a colon, as on Windows.
        if _is_python(text):
            return self._make_user_object(text)
        name, bracketed, rest = split_spec(text.strip())
        others = (*self.elsewhere, *others)
        choice = next((choice for choice in (*first, *self.shipped, *others) if choice.name == name), None)
        if choice is None and name in self.package_entries:
            choice = Choice(name, self._load_entry(self.package_entries[name]), "")
        if choice is None:
            known = [choice.name for choice in (*first, *self, *others)]
            meant = self._ask_whether_meant(name, known)
            there = f" There are {', '.join(known)}." if meant else f" there are {', '.join(known)}."
            raise BadInput(f"There is no {self.kind} {name!r}:{meant}{there}")
        if choice.raw:
            return self.finish(make(partial(choice.maker, rest), name, bracketed))
        # Brackets belong to choices whose whole rest is one text; elsewhere they would hide a mistyped option.
        if "[" in text.partition(":")[0]:
            raise BadInput(f"{name}[{bracketed}]: write its options after a colon, as in {name}:{bracketed}.")
        return self.finish(make(choice.maker, name, rest))

    def maker_in(self, text: str) -> Callable[..., Made] | None:
        """Maker for a spec of a user's file; None if it names nothing of this kind.

        Raises:
            BadInput: there is no such file, or it cannot be loaded.
        """
        if not _is_python(text):
            name, _, rest = split_spec(text.strip())
            found = next((choice for choice in self.elsewhere if choice.name == name), None)
            return partial(found.maker, rest) if found else None
        file, name, _ = _own_parts(text)
        return self.maker(getattr(module_of(file), name, None), name)

    def has_in(self, text: str) -> bool:
        """Whether a spec of a user's file names something of this kind.

        Raises:
            BadInput: there is no such file, or it cannot be loaded.
        """
        return self.maker_in(text) is not None

    def _make_user_object(self, text: str) -> Made:
        file, name, options = _own_parts(text)
        module = module_of(file, anew=self.remembers)
        found = self.maker(getattr(module, name, None), f"{file}:{name}")
        if found is None:
            own = {
                key: each for key, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__
            }
            # Only what the file defines: names that it imports fit as well, and would be a long list.
            fit = ", ".join(key for key, each in own.items() if self.maker(each, key)) or f"nothing that is {self.form}"
            raise BadInput(f"{file} has no {self.kind} {name!r}: it has {fit}.")
        return self.finish(make(found, name, options))

    def _load_entry(self, entry: Any) -> Callable[..., Made]:
        try:
            found = self.maker(entry.load(), entry.name)
        except Exception as fault:
            raise BadInput(
                f"The {self.kind} {entry.name} of the package {entry.dist.name} cannot be loaded from {entry.value}: "
                f"{type(fault).__name__}: {clause_of(fault)}."
            ) from None
        if found is None:
            offer = f"The package {entry.dist.name} offers {entry.value} as a {self.kind}"
            raise BadInput(f"{offer}: it is not {self.form}.")
        return found


# -- what stands in a file of one's own -------------------------------------------------------------------------------


LANGUAGES = ("prolog", "gdl")
"""Languages other than Python in which something may be written in a file."""


def is_own(text: str) -> bool:
    """Whether a text names something in a file: `path/to/file.py:name`, `prolog:path/to/file.pl`."""
    return _is_python(text) or re.split(r"[:\[]", text, maxsplit=1)[0].strip() in LANGUAGES


def _is_python(text: str) -> bool:
    return ".py:" in text


def file_of_user_spec(text: str) -> Path:
    """Path of the user's file in a spec."""
    return _own_parts(text)[0] if _is_python(text) else Path(split_spec(text.strip())[2])


def name_in_user_file(text: str) -> str:
    """Name in a user's file with its options, `Mine:3`; the file's name where a language holds one thing in it."""
    return text.rpartition(".py:")[2] if _is_python(text) else file_of_user_spec(text).name


def _own_parts(text: str) -> tuple[Path, str, str]:
    """The file, the name in it, and the options."""
    path, _, rest = text.rpartition(".py:")
    name, _, options = rest.partition(":")
    return Path(path + ".py"), name, options


# -- options -----------------------------------------------------------------------------------------------------------


def split_spec(text: str) -> tuple[str, str, str]:
    """Split a spec into the name, the options in brackets after it, and the text after the colon.

    Raises:
        BadInput: a bracket is not closed, or something stands between it and the colon.
    """
    head, _, rest = text.partition(":")
    if "[" not in head:
        return head, "", rest
    name, _, behind = text.partition("[")
    bracketed, closed, after = behind.partition("]:") if "]:" in behind else behind.partition("]")
    if not closed or (after and "]:" not in behind):
        raise BadInput(f"{text!r}: options in brackets stand between the name and a colon, as in {name}[option=value]:")
    return name, bracketed, after


def make(maker: Callable[..., Made], name: str, options: str) -> Made:
    """Call a maker with options in text form.

    Raises:
        BadInput: an option that the maker does not have, one given twice, or a value that it does not take.
    """
    function = maker.func if isinstance(maker, partial) else maker
    typed = _typed_parameters(maker, words=False)
    parameters = [*typed]
    values: dict[str, object] = {}
    others: dict[str, str] = {}
    # Values by place and by name may be mixed, as in a call of Python.
    for place, item in enumerate(options.split(",") if options.strip() else []):
        if not item.strip():
            raise BadInput(f"{name}:{options}: option {place + 1} is empty; write a value between two commas.")
        key, value = named_option(item, place, parameters)
        if not key:
            raise BadInput(f"{name} takes {_list_options(parameters)}: {item!r} is one too many.")
        if key in values or key in others:
            raise BadInput(f"{name}:{options}: {key} is given twice.")
        if key not in parameters and takes_any(maker):
            others[key] = value
            continue
        if key not in parameters:
            untyped = f"; {key} has no type there: write {key}: int = …" if hasattr(function, key) else ""
            raise BadInput(NO_OPTION.format(name=name, key=repr(key), options=_list_options(parameters) + untyped))
        values[key] = _parse_value(value, typed[key][1], f"{name}:{key}")
    return maker(**values, **others)


def named_option(item: str, place: int, parameters: Sequence[str]) -> tuple[str, str]:
    """The name and the value of one option: `name=value`, or a value whose name is that of its place among the
    parameters, from 0; the name is empty if there are fewer.
    """
    key, equals, value = item.partition("=")
    if equals:
        return key.strip(), value.strip()
    return parameters[place] if place < len(parameters) else "", item.strip()


def _list_options(parameters: list[str]) -> str:
    return ", ".join(parameters) or NO_OPTIONS


def _parse_value(text: str, hint: object, where: str) -> object:
    kinds = get_args(hint) or (hint,)
    if bool in kinds:
        if text.lower() in ("true", "yes", "on", "1"):
            return True
        if text.lower() in ("false", "no", "off", "0"):
            return False
        raise BadInput(f"{where}={text!r}: write true or false.")
    for kind in kinds:
        if hasattr(kind, "from_text"):
            try:
                return kind.from_text(text)
            except BadInput as wrong:
                raise BadInput(f"{where}: {wrong}") from None
    reader: Callable[[str], object]
    for kind, reader, word in ((int, whole_number, "a whole number"), (float, decimal_number, "a number")):
        if kind in kinds:
            if (value := reader(text)) is None:
                raise BadInput(f"{where}={text!r}: write {word}.")
            return value
    return text
