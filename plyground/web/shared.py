"""What all workers need, loaded by the process that they are forked from: each then holds a third of the memory.

Nothing else is in that process. What it has loaded is not looked through for garbage again, in it or in a worker, for
that would make each a copy of its own.
"""

import gc

from plyground.compiled.kernel import load_compiler
from plyground.web import worker

__all__ = ["worker"]

load_compiler()
gc.collect()
gc.freeze()
