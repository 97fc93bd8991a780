"""Plyground: two-player games of perfect information. Write the rules once; play, search and analyse them fast.

`_menu.py` lists the public names in the order a reader needs them.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyground._menu import *  # noqa: F403
    from plyground._menu import __all__ as __all__


class _Package(ModuleType):
    """The package: a module that loads its menu when a public name is first used.

    Importing the package alone takes no time, so the command (`__main__.py`) catches Ctrl-C during all other imports.
    """

    def __getattr__(self, name: str) -> object:
        """Return a public name from the menu; Python calls this for each name that the module does not have."""
        if not name.startswith("_") or name == "__all__":
            from plyground import _menu

            if name in _menu.__all__ or name == "__all__":
                return getattr(_menu, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)

    def __setattr__(self, name: str, value: object) -> None:
        """Leave out the packages `search` and `arena`, which Python sets here when they are imported.

        The public names `search` and `arena` are functions.
        """
        if not (isinstance(value, ModuleType) and name in ("arena", "search")):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        """Return the names of the package and of its menu."""
        return sorted({*super().__dir__(), "__all__", *self.__getattr__("__all__")})  # type: ignore[misc]


sys.modules[__name__].__class__ = _Package
