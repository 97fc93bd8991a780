"""Plyground: two-player games of perfect information. Write the rules once; play, search and analyse them fast.

`_menu.py` lists the public names in the order a reader needs them.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyground._menu import *  # noqa: F403
    from plyground._menu import __all__ as __all__

    __version__: str


class _Package(ModuleType):
    """The package: a module that loads its menu when a public name is first used.

    Importing the package alone takes no time, so the command (`__main__.py`) catches Ctrl-C during all other imports.
    """

    def __getattr__(self, name: str) -> object:
        """Return a public name from the menu; Python calls this for each name that the module does not have."""
        if name == "__version__":
            from importlib.metadata import version

            return version("plyground")
        if not name.startswith("_") or name == "__all__":
            from plyground import _menu

            if name in _menu.__all__ or name == "__all__":
                return getattr(_menu, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)

    def __setattr__(self, name: str, value: object) -> None:
        """Make the packages `search` and `arena`, which Python sets here when they are imported, callable.

        The public names `search` and `arena` are functions, and `import plyground.search.mcts as mcts` works as well.
        """
        if isinstance(value, ModuleType) and name in ("arena", "search"):
            value.__class__ = _Callable
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        """Return the public names alone: what else there is may change at any time."""
        return sorted(["__all__", "__doc__", "__version__", *self.__getattr__("__all__")])  # type: ignore[misc]


class _Callable(ModuleType):
    """A package that is also the public function of its name."""

    @property
    def __wrapped__(self) -> object:
        """The function: `inspect` and `help` show its parameters."""
        from plyground import _menu

        return getattr(_menu, self.__name__.rpartition(".")[2])

    def __call__(self, *args: object, **options: object) -> object:
        """Call the function."""
        return self.__wrapped__(*args, **options)  # type: ignore[operator]

    def __reduce__(self) -> str:
        """It is pickled by its name, as functions are."""
        return self.__name__.rpartition(".")[2]

    @property
    def __module__(self) -> str:  # type: ignore[override]
        """Where the name is found."""
        return __name__


sys.modules[__name__].__class__ = _Package
