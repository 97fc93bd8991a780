"""The files around the package agree with it and with each other."""

import ast
import builtins
import importlib
import inspect
import operator
import pkgutil
import re
import runpy
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import plyground

ROOT = Path(__file__).resolve().parent.parent
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = SETTINGS["project"], SETTINGS["dependency-groups"]

FINISHED = (
    "arena", "board", "compiled", "database", "engine", "exact", "games", "interop", "labelling", "laws", "microscope",
    "play", "publish", "search", "spec", "terminal", "web", "wire", "workers", "constant.py", "errors.py", "faults.py",
    "players.py", "position.py", "rules.py", "score.py", "text.py", "timeouts.py",
)  # fmt: skip
"""Packages and modules whose words are checked; later work adds the others."""
RIDDLES = re.compile(
    r"\b(whoever|whomever|nobody|somebody|so many|(is|are) told|the affair of|stands for what|as is the)\b",
    re.IGNORECASE,
)
"""Words in place of a noun or a parameter's name."""
CORE = (
    "board",
    "compiled",
    "compiler",
    "engine",
    "exact",
    "games",
    "microscope",
    "search",
    "wasm",
    "rules.py",
    "text.py",
)
"""Packages of games and searches, in which a constant may have the name of another one in a module apart."""


def read(name: str) -> str:
    """A file of the project's folder."""
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_changelog_keeps_its_form() -> None:
    """Unreleased, then the releases with their dates, newest first, in the usual parts but for the first one, which is
    told by subject in a page; it tells of this version.
    """
    text = read("CHANGELOG.md")
    first, *releases = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert first == "[Unreleased]"
    told = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d", release) for release in releases]
    versions = [Version(match[1]) for match in told if match]
    assert len(versions) == len(releases) and versions == sorted(versions, reverse=True)
    *later, begin = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    parts = re.findall(r"^### (.*)$", "".join(later), flags=re.MULTILINE)
    assert set(parts) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert 20 < begin.count("\n") <= 80
    announced = text.partition("\n## [Unreleased]")[2].partition("\n## ")[0]
    assert Version(PROJECT["version"]) in versions or f"To be {PROJECT['version']}," in announced


def test_one_version_and_one_licence() -> None:
    """In the package, in the citation and in the text of the licence."""
    cited = dict(re.findall(r"^(version|license): (.*)$", read("CITATION.cff"), flags=re.MULTILINE))
    assert cited == {"version": PROJECT["version"], "license": PROJECT["license"]}
    assert read("LICENSE").startswith(f"{PROJECT['license']} License")


def test_the_classifiers_are_what_is_tested() -> None:
    """The versions of Python of the workflow's matrix, from the lowest that is allowed."""
    classified = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    (matrix,) = re.findall(r"python: \[(.*)\]", read(".github/workflows/checks.yml"))
    assert classified == re.findall(r"[\d.]+", matrix) and PROJECT["requires-python"] == f">={classified[0]}"


def test_a_release_is_checked_before_it_is_published() -> None:
    """The release workflow runs the script that checks the packages, and may ask for an identity only to publish."""
    workflow = read(".github/workflows/release.yml")
    build, publish = workflow.split("\n  publish:")
    assert "uses: ./.github/workflows/checks.yml" in build and "needs: checks" in build
    assert 'scripts/package "$GITHUB_REF_NAME"' in build and "id-token" not in build
    assert "needs: build" in publish and "environment: pypi" in publish and "id-token: write" in publish


def test_workflows_run_what_was_looked_at() -> None:
    """Actions by their commits, no credentials left in a checkout, and no tool in a release without its hash."""
    for file in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        text = file.read_text("utf-8")
        for action in re.findall(r"uses: (\S+)", text):
            assert re.fullmatch(r"\./.*|\S+@[0-9a-f]{40}", action), (file.name, action)
        assert text.count("actions/checkout@") == text.count("persist-credentials: false"), file.name
        for installed in re.findall(r"pip install (.*)", text):
            assert installed.startswith("--require-hashes -r "), (file.name, installed)


@pytest.mark.parametrize(
    ("tag", "changes", "words"),
    [
        ("v0.2.0", "## [0.1.0] - 2026-01-02\n", "The tag is v0.2.0"),
        ("v0.1.0", "## [Unreleased]\n\n- A line.\n\n## [0.1.0] - 2026-01-02\n", "entries under [Unreleased]"),
        ("v0.1.0", "## [0.2.0] - 2026-02-02\n\n## [0.1.0] - 2026-01-02\n", "newest part"),
        ("v0.1.0", "## [0.1.0]\n", "newest part"),
        ("v0.1.0", "## [Unreleased]\n\n## [0.1.0] - 2026-01-02\n", ""),
    ],
)
def test_a_tag_is_released_with_its_own_part_of_the_changelog(tag: str, changes: str, words: str) -> None:
    """One sentence for what is not ready; none for what is."""
    check_tag = runpy.run_path(str(ROOT / "scripts" / "package"))["check_tag"]
    with pytest.raises(SystemExit, match=re.escape(words)) if words else nullcontext():
        check_tag(tag, "0.1.0", changes)


MENU = """
import plyground.search.algorithm, plyground.arena  # packages whose names are on the menu as functions
import plyground as pg
from plyground import search, Position, spec
assert callable(pg.search) and callable(pg.arena) and search is pg.search and spec.__name__ == "plyground.spec"
assert set(pg.__all__) <= set(dir(pg)) and all(hasattr(pg, name) for name in pg.__all__)
names = {}
exec("from plyground import *", names)
assert names["Game"] is pg.Game and names["arena"] is pg.arena
assert not hasattr(pg, "MNKK") and not hasattr(pg, "_MNK")
print(pg.__doc__.partition(":")[0])
"""


@pytest.mark.process
def test_the_public_names_are_there_however_they_are_asked_for() -> None:
    """By attribute, by import, by star, in `dir`, also after a package of the same name was imported first."""
    done = subprocess.run([sys.executable, "-c", MENU], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (0, "Plyground\n"), done.stderr


def test_the_package_imports_from_its_modules() -> None:
    """Not from its public names: loading them within an import of one of their modules would be a cycle."""
    found = [
        file.relative_to(ROOT)
        for file in (ROOT / "plyground").rglob("*.py")
        if re.search(r"^\s*from plyground import", file.read_text("utf-8"), flags=re.MULTILINE)
    ]
    assert not found


def wanted(requirement: str) -> list[Requirement]:
    """What a line of pyproject.toml asks for; of plyground itself with extras, what these ask for."""
    found = Requirement(requirement)
    if found.name != PROJECT["name"]:
        return [found]
    return [each for extra in found.extras for line in PROJECT["optional-dependencies"][extra] for each in wanted(line)]


LOCKS = {
    "requirements-dev.txt": [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]],
    "requirements-server.txt": [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["postgres"]],
    "requirements-release.txt": GROUPS["release"],
}
"""Files of exact releases, and what each is made from."""


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_what_is_asked_for(name: str) -> None:
    """A release within each range, each with hashes, from no place in particular."""
    text = read(name)
    locked: dict[str, set[Version]] = {}
    for block in re.split(r"\n(?=\S)", text):
        if pinned := re.match(r"([\w.-]+)(?:\[.*?\])?==([^ \\]+)", block):
            locked.setdefault(canonical(pinned[1]), set()).add(Version(pinned[2]))
            assert "--hash=sha256:" in block, pinned[1]
    for line in LOCKS[name]:
        for each in wanted(line):
            versions = locked.get(canonical(each.name), set())
            assert versions and all(version in each.specifier for version in versions), (
                f"{each}: {name} has {sorted(versions) or 'none'}; its second line renews it"
            )
    assert "://" not in text and "--index" not in text and "--find-links" not in text


def canonical(name: str) -> str:
    """A name as all its spellings."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def parsed(file: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(file.read_text(encoding="utf-8"))


def modules(*parts: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules of some packages, by their paths in plyground."""
    package = ROOT / "plyground"
    for part in parts:
        for file in sorted((package / part).rglob("*.py")) or [package / part]:
            yield file.relative_to(package).as_posix(), parsed(file)


def texts(module: ast.Module) -> Iterator[str]:
    """All docstrings of a module, also those of constants and fields."""
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def test_a_module_says_in_a_line_what_it_is() -> None:
    """A docstring's first line has at most 100 characters, begins with a capital or code, and is a whole sentence."""
    for name, module in modules(*FINISHED):
        line = (ast.get_docstring(module) or "").partition("\n")[0]
        assert re.fullmatch(r"[A-Z`m].*[.:]", line) and len(line) <= 100 and not RIDDLES.search(line), (name, line)


def test_docstrings_name_what_they_mean() -> None:
    """No docstring of a finished package has a word such as nobody in place of a noun."""
    for name, module in modules(*FINISHED):
        assert not [text for text in texts(module) if RIDDLES.search(text)], name


def test_a_class_has_a_name_of_its_own() -> None:
    """No two classes of the package have one name."""
    nodes = (node for _, module in modules("") for node in ast.walk(module))
    counts = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert not {name for name, count in counts.items() if count > 1}


def test_a_constant_has_one_value() -> None:
    """No constant outside the core has the name of another one with another value."""
    values: dict[str, set[str]] = {}
    for name, module in modules(""):
        if name.partition("/")[0] in CORE:
            continue
        for node in module.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
                target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
                if isinstance(target, ast.Name) and target.id.isupper():
                    values.setdefault(target.id, set()).add(ast.unparse(node.value))
    assert not {constant: found for constant, found in values.items() if len(found) > 1}


def annotations(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.expr]]:
    """Each annotation of a module and its classes, with its class; what is local to a function is left out."""
    for each in body:
        if isinstance(each, ast.ClassDef):
            yield from annotations(each.body, f"{owner}.{each.name}".lstrip("."))
        elif isinstance(each, ast.AnnAssign):
            yield owner, each.annotation
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            taken = [each.args.vararg, each.args.kwarg, *each.args.posonlyargs, *each.args.args, *each.args.kwonlyargs]
            yield from ((owner, hint) for arg in taken if arg and (hint := arg.annotation))
            yield from ((owner, hint) for hint in [each.returns] if hint)


def late_fault(hint: ast.expr, module: dict[str, object], scope: dict[str, object]) -> str:
    """What goes wrong when an annotation is evaluated with all names that its class has in the end; or empty."""
    usual = vars(builtins) | module
    names = {node.id for node in ast.walk(hint) if isinstance(node, ast.Name)} & scope.keys() & usual.keys()
    if shadowed := [name for name in sorted(names) if scope[name] is not usual[name]]:
        return f"the class has another {', '.join(shadowed)}"
    try:
        eval(compile(ast.Expression(hint), "annotation", "eval"), {**module}, {**scope})
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}"
    return ""


def test_no_class_shadows_a_name_of_its_annotations() -> None:
    """Python 3.14 evaluates an annotation when it is asked for, with the names that its class has by then."""
    asked, wrong = 0, list[str]()
    for name in (info.name for info in pkgutil.walk_packages(plyground.__path__, "plyground.")):
        if name.endswith(("__main__", ".preload")):  # which are run, not asked
            continue
        module = importlib.import_module(name)
        for owner, hint in annotations(ast.parse(inspect.getsource(module)).body):
            asked += 1
            scope = {**vars(operator.attrgetter(owner)(module))} if owner else {}
            if fault := late_fault(hint, {**vars(module)}, scope):
                wrong.append(f"{name}, line {hint.lineno}: {ast.unparse(hint)}: {fault}")
    assert not wrong and asked > 10_000


def test_each_promise_of_safety_has_its_tests() -> None:
    """Each promise and each section of `SECURITY.md` ends with the names of tests that there are."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for promise in re.split(r"(?m)^(?=- \*\*|## )", text)[1:]:
        names = re.search(r"<!-- tests:\n(.*?)-->\s*$", promise, re.DOTALL)
        assert names and names[1].split(), promise[:60]
        for line in names[1].split():
            file, name = line.split("::")
            assert f"\ndef {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), line
