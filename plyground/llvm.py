"""Two transformations of LLVM's text, which make a search as fast as C compilers would.

*Recursion is opened once.* A search visits most of its nodes at the leaves, where a call costs more than the work. C
compilers therefore copy a recursive function once into itself, so that every other level of the tree needs no call;
LLVM, which Numba uses, never does. Opening once makes searches 1.4 to 2 times as fast; opening twice gains nothing more
(`bench/README.md`).

*Loops wait for their callers.* Every function is optimised alone before it is put into its callers. A loop whose length
only the caller knows would by then be unrolled for a length of any size, and never again, when it is known, be written
out. Connect Four, whose rules are such loops, is half as fast again without that.
"""

import re

_DEFINITION = re.compile(r"^define [^\n]*?(@(?:\"[^\"\n]+\"|[\w.$-]+))\([^\n]*\{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_BRANCH = re.compile(r"^( +br i?1?[^\n!]*)$", re.MULTILINE)
_LINKAGE = re.compile(r"^define (?:linkonce_odr |weak_odr |internal |private )?")


def open_recursion(module: str) -> str | None:
    """The module's text with every function that calls itself opened once; None if no function calls itself.

    The copy is private and always inlined, and calls the original, so the original's name and meaning stay.
    """
    opened = _DEFINITION.sub(_opened, module)
    return opened if opened != module else None


def _opened(definition: re.Match[str]) -> str:
    name, (head, body) = definition[1], definition[0].split("\n", 1)
    call = f"call i32 {name}("  # i32: Numba's status, which every function of its own returns
    if call not in body:
        return definition[0]
    copy = f'@"{name[1:].strip(chr(34))}.opened"'
    copy_head = _LINKAGE.sub("define internal ", head.replace(name, copy, 1))
    copy_head = re.sub(r"(?:#\d+ )?\{$", "alwaysinline {", copy_head)
    return f"{head}\n{body.replace(call, f'call i32 {copy}(')}\n{copy_head}\n{body}"


def marked_loops(module: str) -> str:
    """The module's text with every loop marked not to be unrolled for a length known only when it runs.

    The mark belongs on a loop's branch back; on any other branch it means nothing.
    """
    return _BRANCH.sub(r"\1, !llvm.loop !90000000", module) + (
        '!90000000 = distinct !{!90000000, !90000001}\n!90000001 = !{!"llvm.loop.unroll.runtime.disable"}\n'
    )
