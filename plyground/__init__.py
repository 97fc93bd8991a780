"""Plyground: two-player games of perfect information. Write the rules once; play, search and analyse them fast.

`_menu.pyi` lists the public names in the order a reader needs them.
"""

import sys
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyground._menu import *  # noqa: F403
    from plyground._menu import __all__ as __all__

    __version__: str


@cache
def _homes() -> dict[str, str]:
    """Return the module of each public name: what the import lines of the menu say."""
    import ast
    import pkgutil

    menu = ast.parse(pkgutil.get_data(__name__, "_menu.pyi") or b"").body
    lines = [line for line in menu if isinstance(line, ast.ImportFrom)]
    return {alias.name: str(line.module) for line in lines for alias in line.names}


class _Package(ModuleType):
    """The package: a module that imports each public name when it is first used.

    Importing the package alone takes no time, so the command (`__main__.py`) catches Ctrl-C during all other imports.
    """

    def __getattr__(self, name: str) -> object:
        """Return a public name; Python calls this for each name that the module does not have."""
        if name == "__all__":
            return [*_homes()]
        if name == "__version__":
            from importlib.metadata import version

            return version("plyground")
        if name.startswith("_") or name not in _homes():
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        home = import_module(_homes()[name])
        if name not in vars(self):  # the import may have set it: a package that is also a function
            setattr(self, name, getattr(home, name))
        return vars(self)[name]

    def __setattr__(self, name: str, value: object) -> None:
        """Make the packages `search` and `arena`, which Python sets here when they are imported, callable.

        The public names `search` and `arena` are functions, and `import plyground.search.mcts as mcts` works as well.
        """
        if isinstance(value, ModuleType) and name in ("arena", "search"):
            value.__class__ = _Callable
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        """Return the public names alone: what else there is may change at any time."""
        return sorted(["__all__", "__doc__", "__version__", *_homes()])

    def __reduce__(self) -> tuple[object, ...]:
        """It is pickled by its name, as other modules are in a function of a script."""
        return import_module, (self.__name__,)


class _Callable(ModuleType):
    """A package that is also the public function of its name."""

    @property
    def __wrapped__(self) -> object:
        """The function: `inspect` and `help` show its parameters."""
        name = self.__name__.rpartition(".")[2]
        return getattr(import_module(_homes()[name]), name)

    def __call__(self, *args: object, **options: object) -> object:
        """Call the function."""
        return self.__wrapped__(*args, **options)  # type: ignore[operator]

    def __reduce__(self) -> str:
        """It is pickled by its name, as functions are."""
        return self.__name__.rpartition(".")[2]

    @property
    def __module__(self) -> str:  # type: ignore[override]
        """Name of the module that has the name."""
        return __name__


sys.modules[__name__].__class__ = _Package
