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

ALSO_PACKAGES = ("arena", "search")
"""Public functions with the name of a package, which `import` finds all the same."""


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
        thing = getattr(import_module(_homes()[name]), name)
        if name in ALSO_PACKAGES:
            package = import_module(f"{self.__name__}.{name}")
            vars(thing).update({part: value for part, value in vars(package).items() if not part.startswith("__")})
            package.__class__ = _Namesake
        super().__setattr__(name, thing)
        return thing

    def __setattr__(self, name: str, value: object) -> None:
        """Leave out the packages `search` and `arena`, which Python sets here when they are imported."""
        if name not in ALSO_PACKAGES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        """Return the public names alone: what else there is may change at any time."""
        return sorted(["__all__", "__doc__", "__version__", *_homes()])

    def __reduce__(self) -> tuple[object, ...]:
        """It is pickled by its name, as other modules are in a function of a script."""
        return import_module, (self.__name__,)


class _Namesake(ModuleType):
    """A package with the name of a public function, which has its modules: `import plyground.search.mcts as mcts`."""

    def __setattr__(self, name: str, value: object) -> None:
        """Set what is imported later in the function as well."""
        super().__setattr__(name, value)
        setattr(getattr(sys.modules[__name__], self.__name__.rpartition(".")[2]), name, value)

    def __reduce__(self) -> tuple[object, ...]:
        """Reduce to the module's name, for pickle."""
        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = _Package
