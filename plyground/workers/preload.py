"""Modules that all workers need, loaded once by the process from which they are forked.

So each worker uses a third of the memory. The process holds nothing else. Its objects are excluded from garbage
collection, in it and in the workers: a collection would copy their shared memory pages.
"""

import gc

from plyground.compiled import code
from plyground.workers import pool_worker

__all__ = ["code", "pool_worker"]

gc.collect()
gc.freeze()
