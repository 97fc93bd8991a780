"""Files of the project that are not documents: a link to one leads to a page that shows it.

So `../plyground/rules.py` works in a document read in the repository, and on the site; and each name of the reference
has a link to the line where it is written.
"""

import importlib
import inspect
import posixpath
import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.ext.napoleon.docstring import GoogleDocstring
from sphinx.transforms import SphinxTransform

import plyground

SUFFIXES = {
    ".py": "python",
    ".js": "javascript",
    ".xsd": "xml",
    ".xml": "xml",
    ".java": "java",
    ".pl": "prolog",
    ".ipynb": "json",
}
"""Files that are shown, and in which language; others are shown as they are."""


FOLDERS = ("plyground", "examples")
"""Where they are."""


def shown_files(root: Path) -> list[Path]:
    """The files that have a page: all that is text in the package and among the examples, relative to the root."""
    files = [file for folder in FOLDERS for file in (root / folder).rglob("*") if file.is_file()]
    return sorted(file.relative_to(root) for file in files if file.suffix in SUFFIXES and "page" not in file.parts)


class Links(SphinxTransform):
    """Makes a link to a shown file, or to a folder of them, a link to its page."""

    default_priority = 5

    def apply(self, **options: Any) -> None:
        """Go through the links that MyST took for downloads or could not name."""
        document = self.env.docname
        for node in list(self.document.findall(lambda node: isinstance(node, nodes.Element) and "reftarget" in node)):
            assert isinstance(node, nodes.Element)
            target = posixpath.normpath(posixpath.join(posixpath.dirname(document), str(node["reftarget"])))
            if node.get("reftype") != "myst" or target.endswith(".md") or not is_shown(Path(self.env.srcdir), target):
                continue
            there = posixpath.relpath(target, posixpath.dirname(document) or ".")
            words = nodes.reference("", "", internal=True, refuri=f"{there}.html")
            words += node.children[0].children if isinstance(node, addnodes.download_reference) else node.children
            node.replace_self(words)


def is_shown(root: Path, target: str) -> bool:
    """Whether a file or a folder, relative to the root of the sources, has a page: there are no others among them."""
    return Path(target).parts[0] in FOLDERS and (root / target).exists()


def address_of(domain: str, names: dict[str, str]) -> str | None:
    """Where a name of the reference is written, relative to the pages of the reference."""
    if domain != "py":
        return None
    found: Any = importlib.import_module(names["module"]) if names["module"] else plyground
    for part in names["fullname"].split("."):
        found = getattr(found, part, None)
    found = inspect.unwrap(found.fget if isinstance(found, property) else getattr(found, "func", found))  # type: ignore[arg-type]
    try:
        file, line = Path(inspect.getsourcefile(found) or ""), inspect.getsourcelines(found)[1]
    except (TypeError, OSError):  # a constant, a field, or a method that a library made
        return None
    package = Path(plyground.__file__).parent
    if not file.is_relative_to(package):
        return None
    return f"../{file.relative_to(package.parent).as_posix()}.html#L-{line}"


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each shown file, its lines numbered and addressed; and one for each folder, a list of its files."""
    root = Path(app.srcdir)
    files = shown_files(root)
    for file in files:
        name = file.as_posix()
        paint = app.builder.highlighter.highlight_block  # type: ignore[attr-defined]
        text = (root / file).read_text(encoding="utf-8")
        body = paint(text, SUFFIXES[file.suffix], linenos="inline", lineanchors="L", force=True)
        yield name, {"title": name, "body": f'<h1>{escape(name)}</h1><div class="source">{body}</div>'}, "page.html"
    for folder in sorted({folder for file in files for folder in file.parents if folder.parts}):
        below = [file.relative_to(folder).as_posix() for file in files if file.is_relative_to(folder)]
        items = "".join(f'<li><a href="{folder.name}/{name}.html">{escape(name)}</a></li>' for name in below)
        name = folder.as_posix()
        yield name, {"title": name, "body": f"<h1>{escape(name)}</h1><ul>{items}</ul>"}, "page.html"


def as_restructured(app: Sphinx, what: str, name: str, found: object, options: object, lines: list[str]) -> None:
    """Docstrings are Markdown, in which indented lines after a blank one stand as they are, with Google's sections."""
    out: list[str] = []
    for line in lines:
        inside = line.startswith("    ") and not line.strip().startswith(">>>")
        if inside and out and not out[-1].strip() and not _in_block(out):
            out += ["::", ""]
        out.append(line)
    # Of a field Napoleon would read "The principal variation: best play" as its type and what it is.
    lines[:] = out if what == "attribute" else GoogleDocstring(out, what="function", name=name, obj=found).lines()


def _in_block(lines: list[str]) -> bool:
    """Whether the last line that is not blank is indented already."""
    return next((line for line in reversed(lines) if line.strip()), "").startswith("    ")


def to_public(app: Sphinx, env: Any, node: addnodes.pending_xref, words: nodes.Element) -> nodes.Element | None:
    """A type in a signature is named by the module it is written in; its entry stands under the public name."""
    name = str(node.get("reftarget", "")).rpartition(".")[2]
    if node.get("refdomain") != "py" or not re.fullmatch(r"\w+", name) or name not in plyground.__all__:
        return None
    found: nodes.Element | None = env.domains.python_domain.resolve_xref(
        env, node["refdoc"], app.builder, "obj", f"plyground.{name}", node, words
    )
    return found


def shared_sidebar(app: Sphinx, page: str, template: str, context: dict[str, Any], document: object) -> None:
    """Let the pages of a folder that are no documents share a sidebar: making it for each is half of the build."""
    if document is None and (make := context.get("toctree")):
        folder = page.rpartition("/")[0]
        context["toctree"] = lambda **options: _sidebar(make, folder, tuple(sorted(options.items())))


_sidebars: dict[object, str] = {}


def _sidebar(make: Callable[..., str], folder: str, options: tuple[tuple[str, Any], ...]) -> str:
    """The sidebar of pages in a folder, whose links are the same."""
    if (folder, options) not in _sidebars:
        _sidebars[folder, options] = make(**dict(options))
    return _sidebars[folder, options]


def setup(app: Sphinx) -> None:
    """Put all this into Sphinx."""
    app.add_transform(Links)
    app.connect("html-collect-pages", source_pages)
    app.connect("html-page-context", shared_sidebar, priority=400)  # before the theme's own
    app.connect("autodoc-process-docstring", as_restructured)
    app.connect("missing-reference", to_public)
