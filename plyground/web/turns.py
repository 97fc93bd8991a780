"""Turns of quick searches: one that takes long gives up its place for others, and begins again."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from pydantic import BaseModel

from plyground.web.limits import FIRST_LOOK_SECONDS, QUICK_TURN_SECONDS
from plyground.workers.fair_queue import Asker
from plyground.workers.pool import Preempted, WorkerPool, WorkerStopped
from plyground.workers.pool_worker import Job

ENDLESS_TURN_SECONDS = 10.0
"""Seconds after which an endless analysis gives up its worker, if another job waits for it."""

Answers = AsyncGenerator[BaseModel, None]


async def run_with_handover(
    first: WorkerPool, then: WorkerPool, job: Job, asker: Asker, *, looks: bool = False
) -> Answers:
    """Answers of a search that starts on the first workers and, if preempted there, starts again on other workers.

    Args:
        first: the workers that start it.
        then: the workers that run it after it was preempted.
        job: the search.
        asker: who asks for it.
        looks: whether the first workers only have a first look: they give up the place even if no job waits for it.
    """
    has_answer = False
    if first is not then:
        seconds = FIRST_LOOK_SECONDS if looks else QUICK_TURN_SECONDS
        # A quick search that ends in its turn, as nearly all do, never sees the long workers.
        turn = first.run_turn(job, asker.stop, seconds, asker.visitor, leaves=looks, tells=looks)
        try:
            async with aclosing(turn):
                async for part in turn:
                    has_answer = True
                    yield part
            return
        # The search begins again from nothing: to carry its memory over would take a table for each
        # viewer.
        except Preempted:
            pass
    try:
        async with aclosing(at_full_length(then, job, asker, has_answer=has_answer)) as parts:
            async for part in parts:
                yield part
    except WorkerStopped:  # begun again it had found nothing yet; what was told before is the answer
        if not (has_answer and asker.stop.asked):
            raise


def at_full_length(workers: WorkerPool, job: Job, asker: Asker, *, has_answer: bool) -> Answers:
    """Answers of a long search; an endless one takes turns with the jobs that wait."""
    stop, visitor = asker.stop, asker.visitor
    # An endless search has to give up its place in turn: otherwise the first viewers would hold all
    # workers.
    if job.endless:
        return workers.run_on(job, stop, ENDLESS_TURN_SECONDS, visitor)
    return workers.run(job, stop.begins, stop.begins if has_answer else None, visitor)
