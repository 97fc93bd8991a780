"""The pages of the site: the documents as they are, and those made of the code: games, reference, operations.

All are laid out in a folder as in the repository, so the links between documents hold there and on the site.
"""

import ast
import importlib
import inspect
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from operations import operations_page, table
from sources import shown_files

import plyground
from plyground.board import svg as drawing
from plyground.exact.known_values import KNOWN_VALUE_KINDS, KnownValue, known_values
from plyground.games import GAMES, AnyGame, describe_game
from plyground.games.about import about
from plyground.spec import Choice, options
from plyground.web.server.pictures import pictured_position

ROOT = Path(__file__).resolve().parents[2]
MENU = ROOT / "plyground/_menu.pyi"
FIRST = ("docs/lessons/README", "docs/one-search")
"""Pages of the first steps."""
WHY = ("architecture", "decisions/README", "engine")
"""The documents that explain; the other ones of docs/ say how to do something."""
WIDTH = 300
"""Of a game's board, in pixels."""

GROUPS: dict[str, tuple[str, ...]] = {
    "How to": ("docs/*.md",),
    "Reference": ("games/index.md", "reference/index.md", "reference/operations.md"),
    "Why and how well": (*(f"docs/{name}.md" for name in WHY), "bench/README.md", "bench/[A-Z]*.md"),
    "The project": ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"),
}


def lay_out(sources: Path) -> None:
    """Write the sources of the site into a new folder."""
    for file in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*"), *ROOT.glob("bench/[A-Z]*.md")]:
        if file.suffix in (".md", ".png", ".svg"):
            copy(file, sources / file.relative_to(ROOT))
    for file in shown_files(ROOT):
        copy(ROOT / file, sources / file)
    write = {
        "games/index.md": games_index(),
        **{f"games/{choice.name}.md": game_page(choice, sources / "games") for choice in GAMES},
        "reference/index.md": reference_index(),
        **{f"reference/{group.name}.md": reference_page(group) for group in menu()},
        "reference/operations.md": operations_page(),
    }
    for name, text in write.items():
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text(text, encoding="utf-8")
    lessons, decisions = sources / "docs" / "lessons", sources / "docs" / "decisions"
    for folder, more in ((lessons, ["answers/README"]), (lessons / "answers", []), (decisions, [])):
        numbered = [file.stem for file in sorted(folder.glob("[0-9]*.md"), key=number_of)]
        append(folder / "README.md", toctree([*numbered, *more]))
    (sources / "README.md").rename(sources / "index.md")
    append(sources / "index.md", sidebar(sources))


def copy(file: Path, there: Path) -> None:
    """Copy a file, making its folder."""
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, there)


def append(file: Path, text: str) -> None:
    """Add to the end of a page."""
    file.write_text(f"{file.read_text(encoding='utf-8').rstrip()}\n\n{text}", encoding="utf-8")


def number_of(file: Path) -> int:
    """Number of a lesson or a decision: `10-trees.md` comes after `9-quiz.md`."""
    return int(file.stem.partition("-")[0])


def toctree(pages: Iterable[str], caption: str = "") -> str:
    """What the sidebar lists."""
    words = f":caption: {caption}\n" if caption else ""
    return "```{toctree}\n:hidden:\n" + words + "\n" + "\n".join(pages) + "\n```\n"


def sidebar(sources: Path) -> str:
    """The sidebar's groups; each document there is stands in one of them."""
    groups = [toctree(FIRST, "Learn")]
    elsewhere = {*(f"{name}.md" for name in FIRST), *(f"docs/{name}.md" for name in WHY)}
    for caption, patterns in GROUPS.items():
        found = [file.relative_to(sources).as_posix() for glob in patterns for file in sorted(sources.glob(glob))]
        pages = [page for page in dict.fromkeys(found) if caption.startswith("Why") or page not in elsewhere]
        groups.append(toctree((page.removesuffix(".md") for page in pages), caption))
    return "\n".join(groups)


def first_line(found: object) -> str:
    """The first sentence, or line, of a docstring."""
    return (inspect.getdoc(found) or "").partition("\n\n")[0].replace("\n", " ")


# -- the games ---------------------------------------------------------------------------------------------------------


def games_index() -> str:
    """The list of games."""
    rows = ([f"[{title_of(choice)}]({choice.name}.md)", f"`{choice.name}`", summary_of(choice)] for choice in GAMES)
    known = known_values()
    counts = " and ".join(f"{sum(each.kind == kind for each in known)} {kind} values" for kind in KNOWN_VALUE_KINDS)
    return f"""# Games

{table("| game | its name in commands | what it is |", rows)}

A game's page has its rules, its options, and what is known of it: {counts} in all.
A *published* value stands in a paper, a book or on somebody's page; where they tell less than the whole answer (who
wins, not by how much), the source says so. A *reference* value was found by separate programs written to test this one,
and nobody else has said it. `plyground verify` finds them again, and [prints the two kinds apart](../bench/VERIFY.md).

A game of your own is [one file](../docs/add-a-game.md).

{toctree(choice.name for choice in GAMES)}"""


def game_page(choice: Choice[AnyGame], folder: Path) -> str:
    """A game: its rules and how it is held, from its docstrings; its options; what is known of it."""
    game = choice.maker()
    kind = type(game)
    module = importlib.import_module(kind.__module__)
    head, _, body = (module.__doc__ or "").strip().partition("\n\n")
    file = Path(module.__file__ or "").relative_to(ROOT).as_posix()
    spec, position = pictured_position(choice)
    told = describe_game(spec)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{choice.name}.svg").write_text(drawing.svg(position.board, position.look(), WIDTH), encoding="utf-8")
    rows = [(f"`{each.name}`", each.words, each.kind, f"`{each.default}`") for each in options(choice.maker)]
    how = f"In the order above or by name, as in `{spec_with_options(choice)}`." if rows else "It has none."
    listed = table("| option | what it is | kind | if not given |", rows) if rows else ""
    known = [each for each in known_values() if each.game.partition(":")[0] == choice.name]
    title = title_of(choice)
    return f"""# {title}

{told.rules}

![A position of {title}]({choice.name}.svg)

`{spec}` after the moves `{told.example}`. In text: `{position.text}`

```console
$ plyground play {spec}
$ plyground web --game {spec}
$ plyground analyse {spec} "{position.text}"
```

`{choice.name}` is its name wherever a game is named. {summary_of(choice)}

## Rules

{head}

{inspect.getdoc(kind)}

### In detail, and how a state is held

{body}

Written in [{file}](../{file}).

## Options

{listed}

{how} In Python: {{py:obj}}`plyground.{kind.__name__}`.

{values_of(known)}"""


def title_of(choice: Choice[AnyGame]) -> str:
    """What people call a game; `k` stands for an option of that name."""
    return re.sub("[{}]", "", about(choice).title)


def summary_of(choice: Choice[AnyGame]) -> str:
    """The line about a game as a sentence, what is typed in it as code."""
    text = re.sub(rf"\b{choice.name}:[^\s;]*[^\s;,:]", r"`\g<0>`", choice.summary)
    return f"{text}." if text.startswith("k ") else f"{text[0].upper()}{text[1:]}."  # k is a number


def spec_with_options(choice: Choice[AnyGame]) -> str:
    """A game with every option named."""
    return choice.name + ":" + ",".join(f"{option.name}={option.default}" for option in options(choice.maker))


def values_of(known: list[KnownValue]) -> str:
    """What is known of a game, the two kinds apart, and the sources by number."""
    sources = list(dict.fromkeys(each.source for each in known))
    parts = []
    for kind in KNOWN_VALUE_KINDS:
        rows = [
            (f"`{each.game}`", each.ask, answer(each), each.cost, f"[{sources.index(each.source) + 1}]")
            for each in known
            if each.kind == kind
        ]
        if rows:
            parts += [f"### {kind.capitalize()} values", table("| game | asked | answer | cost | source |", rows)]
    asked = (
        "`value` is the utility for x, who begins unless the options say otherwise, with perfect play: above 0 x wins, "
        "below 0 o wins, 0 is a draw; `moves` is that of each first move; `scores` says it in words, with the number "
        "of plies; `perft` counts the sequences of 1, 2, … moves. *Cost* is what it takes plyground to find it."
    )
    listed = "\n".join(f"{number}. {source}" for number, source in enumerate(sources, 1))
    return "\n\n".join(["## Known values", asked, *parts, "### Sources of the values", listed, ""]) if known else ""


def answer(known: KnownValue) -> str:
    """A known answer in words."""
    if isinstance(known.value, dict):
        return ", ".join(f"{move}: {value}" for move, value in known.value.items())
    if isinstance(known.value, list):
        return ", ".join(f"{count:,}".replace(",", " ") for count in known.value)
    return f"{known.value:+}" if known.value else "0"


# -- the reference of the Python API -----------------------------------------------------------------------------------


@dataclass
class Group:
    """Public names that stand together in the menu of `plyground/_menu.pyi`."""

    name: str
    """Of the module or package they are from."""
    names: list[tuple[str, str]]
    """Each with the module it is from."""

    @property
    def module(self) -> Any:
        """The module, or the package, whose docstring introduces them."""
        return importlib.import_module(f"plyground.{self.name}")


def menu() -> list[Group]:
    """The public names in the order of the menu, by module or package."""
    groups: dict[str, Group] = {}
    for line in ast.parse(MENU.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.ImportFrom) and line.module:
            name = line.module.split(".")[1]
            group = groups.setdefault(name, Group(name, []))
            group.names += [(alias.name, line.module) for alias in line.names]
    return list(groups.values())


def reference_index() -> str:
    """All public names, each with its first line."""
    parts = [
        f"## [{group.name}]({group.name}.md)\n\n"
        + table(
            "| name | what it is |",
            ((f"{{py:obj}}`~plyground.{name}`", summary(*each)) for each in group.names for name in each[:1]),
        )
        for group in menu()
    ]
    return f"""# Python

`import plyground as pg` gives all of these, in the order a reader needs them. Where they are written:
[plyground](../plyground).

{(chr(10) * 2).join(parts)}

{toctree(group.name for group in menu())}"""


def summary(name: str, module: str) -> str:
    """The first sentence about a public name."""
    if is_constant(name):
        return constant_doc(name, module).partition("\n\n")[0].replace("\n", " ")
    return first_line(getattr(plyground, name))


def reference_page(group: Group) -> str:
    """The names of a module, as its docstrings tell."""
    entries = "\n".join(entry(name, module) for name, module in group.names)
    return f"""# {group.name}

{inspect.getdoc(group.module)}

```{{eval-rst}}
{entries}
```
"""


def is_constant(name: str) -> bool:
    """Whether a public name is neither a class nor a function."""
    return not isinstance(getattr(plyground, name), type | Callable)


def entry(name: str, module: str) -> str:
    """What autodoc is to write about a public name."""
    found: Any = getattr(plyground, name)
    if is_constant(name):
        value = f"\n   :value: {found!r}" if isinstance(found, int) else ""
        text = constant_doc(name, module).replace("\n", "\n   ")
        return f".. py:data:: plyground.{name}{value}\n\n   {text}\n"
    if not isinstance(found, type):
        return f".. autofunction:: plyground.{name}\n"
    if issubclass(found, Exception):
        return f".. autoexception:: plyground.{name}\n"
    rules = issubclass(found, plyground.Game) and found is not plyground.Game
    members = "" if rules else "   :members:\n   :undoc-members:\n   :inherited-members: object\n"
    return f".. autoclass:: plyground.{name}\n{members}"


def constant_doc(name: str, module: str) -> str:
    """The words below a constant, or the comment above it, in the module that it is from."""
    from sphinx.pycode import ModuleAnalyzer

    found = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", name), [])
    return "\n".join(found).strip()
