"""Words of the house by room, in seconds: `python scripts/english.py`. `tests/test_extending.py` holds the sums.

Counted are functions named by a lone participle, constants with several meanings, docstrings that ask where they should
name, and comments, in Python and in the page's JavaScript. What would be right stands beside each list.
"""

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from measures import PACKAGE, PAGE, ROOT, python_files, room_of, syntax

PARTICIPLE = re.compile(
    r"[a-z]{2,}ed|asked|begun|bound|broken|brought|built|caught|chosen|cut|done|drawn|fallen|felt|found|given|gone|grown"
    r"|heard|held|hidden|kept|known|laid|led|lost|made|meant|met|paid|played|put|read|said|seen|sent|shown|sold|spent"
    r"|split|spoken|spread|struck|taken|taught|thought|told|won|worn|written"
)
"""Endings and irregular forms of participles."""
VERB_OR_NOUN = re.compile(r"bound|cut|embed|feed|heed|need|ordered|put|read|reseed|seed|speed|split|spread")
"""Words of that form that are a verb or a noun of the field, or the name of an algorithm, too."""
KERNELS = ("search", "wasm", "compiler")
"""Rooms whose constants are indices of one array, short by intent: what they number stands above each group."""
QUESTIONS = re.compile(r"\b(what|who|whatever|whoever|somebody|nobody) (is|are|was|it|has|a|the)\b", re.IGNORECASE)
"""Words of a docstring's first line that ask where a noun would name."""


class Word(NamedTuple):
    """A name or sentence that is counted, and where it stands."""

    file: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT).as_posix()}:{self.line} {self.text}"


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions() -> list[Word]:
    """Functions and methods of the package, by name."""
    return [
        Word(file, node.lineno, node.name)
        for file in python_files()
        for node in ast.walk(syntax(file))
        if isinstance(node, Function)
    ]


def is_participle(name: str) -> bool:
    """Whether a function's name is a participle alone. Right are verb and object, a noun, or is_, has_, can_."""
    word = name.strip("_")
    return bool(PARTICIPLE.fullmatch(word)) and not VERB_OR_NOUN.fullmatch(word)


def participles() -> list[Word]:
    """Functions named by a lone participle."""
    return [word for word in functions() if is_participle(word.text)]


def ambiguous_constants() -> dict[str, dict[str, str]]:
    """Constants of modules outside kernels with different values in several files: their values by file.

    Right is a name that says what is bounded or counted, and its unit: `IDLE_THREAD_SECONDS`.
    """
    values = defaultdict[str, dict[str, str]](dict)
    for file in python_files():
        if room_of(file) in KERNELS:
            continue
        for node in syntax(file).body:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    if re.fullmatch(r"_?[A-Z][A-Z0-9_]+", name):
                        values[name][file.relative_to(PACKAGE).as_posix()] = ast.unparse(value)
    return {name: found for name, found in values.items() if len({*found.values()}) > 1}


def questions() -> list[Word]:
    """Docstrings whose first line asks: right is a verb or a noun at the beginning."""
    found = []
    for file in python_files():
        for node in ast.walk(syntax(file)):
            if isinstance(node, Function | ast.ClassDef | ast.Module):
                first = (ast.get_docstring(node) or "").partition("\n")[0]
                if QUESTIONS.search(first):
                    found.append(Word(file, getattr(node, "lineno", 1), first))
    return found


def comments() -> dict[str, tuple[int, int]]:
    """Lines with a comment, and all lines, by room."""
    lines = defaultdict[str, list[int]](lambda: [0, 0])
    for file in python_files():
        text = file.read_text(encoding="utf-8")
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        marked = {
            token.start[0]
            for token in tokens
            if token.type == tokenize.COMMENT and not re.match(r"#!?\s*(type|noqa|fmt|pragma|ruff)\b", token.string)
        }
        room = lines[room_of(file)]
        room[0] += len(marked)
        room[1] += text.count("\n")
    return {room: (marked, all_lines) for room, (marked, all_lines) in lines.items()}


# -- the page's JavaScript ---------------------------------------------------------------------------------------------

FUNCTION = re.compile(
    r"^[ \t]*(?:export )?(?:default )?(?:async )?function\*? (?P<declared>\w+)"
    r"|^[ \t]*(?:(?:export )?const |#?)(?P<arrow>\w+) = (?:async )?(?:\w+ =>|function\b|(?P<parameters>\())"
    r"|^[ \t]+(?:(?:static|async|get|set) |\*)*#?(?P<method>\w+)(?P<taken>\()",
    re.MULTILINE,
)
"""Beginning of a function, an arrow function with a name, or a method, as Prettier lays them out."""
STATEMENTS = ("if", "for", "while", "switch", "catch", "return", "super")
"""Keywords before a bracket, which are no methods."""
HEAD = re.compile(r"/\*\*\s*(?:\*\s*)?(?P<doc>[^@*\s][^\n]*)|\A//(?P<file>[^\n]*)")
"""First line of a JSDoc comment, and of the comment at the head of a file."""
ASKING = re.compile(r"(What|Who|Whose|How|Why|Where|When|Which|Whoever|Whatever)\b")
"""Words with which a head asks. "Whether" names a truth value."""


def page_files() -> list[Path]:
    """The page's scripts that are written by hand."""
    return [file for file in sorted(PAGE.rglob("*.js")) if "made" not in file.parts]


def page_functions() -> list[Word]:
    """Functions and methods of the page, by name."""
    found = []
    for file in page_files():
        text = file.read_text(encoding="utf-8")
        for match in FUNCTION.finditer(text):
            name = match["declared"] or match["arrow"] or match["method"]
            group = "parameters" if match["parameters"] else "taken" if match["taken"] else ""
            after = text[_closing(text, match.start(group)) :].lstrip() if group else "{"
            is_function = after.startswith("=>") if group == "parameters" else after.startswith("{")
            if is_function and name not in STATEMENTS:
                found.append(Word(file, text.count("\n", 0, match.start()) + 1, name))
    return found


def _closing(text: str, opened: int) -> int:
    """The place after the bracket that closes the one at a place; strings with a lone bracket are not in the page."""
    depth = 0
    for place in range(opened, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place + 1
    return len(text)


def page_questions() -> list[Word]:
    """Heads of JSDoc comments and of files that ask: right is a verb or a noun at the beginning."""
    found = []
    for file in page_files():
        text = file.read_text(encoding="utf-8")
        for match in HEAD.finditer(text):
            head = (match["doc"] or match["file"]).strip()
            if ASKING.match(head):
                found.append(Word(file, text.count("\n", 0, match.start()) + 1, head))
    return found


def page_comments() -> tuple[int, int]:
    """Lines of the page with a comment that gives a reason, and all lines: neither JSDoc nor a file's head counts."""
    marked = lines = 0
    for file in page_files():
        text = file.read_text(encoding="utf-8")
        body = re.sub(r"\A(//[^\n]*\n)+", "", text)
        body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
        marked += len(re.findall(r"(?:^|\s)// (?!@|eslint)", body, re.MULTILINE))
        lines += text.count("\n")
    return marked, lines


# -- all of it ---------------------------------------------------------------------------------------------------------


def main() -> None:
    """Print the counts."""
    named, all_named = (
        Counter(room_of(word.file) for word in participles()),
        Counter(room_of(w.file) for w in functions()),
    )
    asked = Counter(room_of(word.file) for word in questions())
    print(f"{'room':14}{'functions':>10}{'participles':>12}{'asking':>8}{'comments':>10}")
    for room, (marked, lines) in sorted(comments().items()):
        print(f"{room:14}{all_named[room]:>10}{named[room]:>12}{asked[room]:>8}{100 * marked / max(lines, 1):>8.1f} %")
    marked, lines = (sum(each) for each in zip(*comments().values(), strict=True))
    print(f"{'all':14}{all_named.total():>10}{named.total():>12}{asked.total():>8}{100 * marked / lines:>8.1f} %")
    marked, lines = page_comments()
    page, asking = page_functions(), page_questions()
    named_there = [word for word in page if is_participle(word.text)]
    print(f"{'page':14}{len(page):>10}{len(named_there):>12}{len(asking):>8}{100 * marked / lines:>8.1f} %")
    print("\nNamed by a participle alone:", *map(str, [*participles(), *named_there]), sep="\n  ")
    print("\nHeads in the page that ask:", *map(str, asking), sep="\n  ")
    print("\nConstants with several meanings:")
    for name, values in sorted(ambiguous_constants().items()):
        print(f"  {name}: {', '.join(values)}")


if __name__ == "__main__":
    main()
