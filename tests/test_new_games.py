"""New games are counted wherever they begin: created, agreed in the room, and rematches."""

import asyncio
from contextlib import aclosing, closing
from typing import Any

import pytest
from waiting import LIMIT

from plyground.web.classroom.classroom_models import Enter
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.limits import GAMES_BEGUN
from plyground.web.operations import BY_NAME
from plyground.web.services import Services
from plyground.workers.fair_queue import Asker
from plyground.workers.shares import TooMany, Visitor

ANN, BOB = (Asker(Visitor("10.0.0.1", name)) for name in ("socket 1", "socket 2"))


async def ask(services: Services, op: str, asker: Asker, **args: object) -> Any:
    """One answer."""
    operation = BY_NAME[op]
    async with aclosing(operation.answers(services, operation.args.model_validate(args), asker)) as answers:
        return await anext(answers)


def test_who_begins_games_is_counted_everywhere() -> None:
    """Who has begun too many begins none: not in the room and not by a rematch; what was asked for stands."""

    async def story(services: Services) -> None:
        made = await ask(services, "create", BOB, game="tictactoe")
        x, o = ({"id": made.id, "seat": seat} for seat in made.seats.values())
        await ask(services, "resign", BOB, **x)
        await ask(services, "offer", BOB, **x, what="rematch")
        async with aclosing(services.room.stream_room(Enter(me="ann", name="Ann"))) as ann:
            number = (await anext(ann)).you
            async with aclosing(services.room.stream_room(Enter(me="bob", name="Bob"))) as bob:
                other = (await anext(bob)).you
                await ask(services, "challenge", BOB, me="bob", whom=number, game="tictactoe")
                while services.quotas.game(*ANN.visitor) is None:
                    pass
                begin = (
                    ("create", {"game": "tictactoe"}),
                    ("offer", o | {"what": "rematch"}),
                    ("challenge", {"me": "ann", "whom": other, "game": "tictactoe"}),
                )
                for op, args in begin:
                    with pytest.raises(TooMany, match=f"More than {GAMES_BEGUN.burst:g} new games"):
                        await ask(services, op, ANN, **args)
                assert (await ask(services, "open", ANN, id=made.id)).next is None
                begun = [await ask(services, op, BOB, **args) for op, args in begin]
                assert begun[1].next and (await anext(ann)).begins

    with closing(Services(SavedGames(GameStore("sqlite://")), teacher="teacher")) as services:
        asyncio.run(asyncio.wait_for(story(services), LIMIT))
