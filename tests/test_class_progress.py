"""Solved exercises of a class: sent by the students' browsers, shown to the teacher."""

import asyncio
import csv
from collections.abc import Iterator
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from pages import Person, anybody, playwright
from playwright.sync_api import Page, expect
from right_searches import ALPHABETA
from servers import Server, serving
from waiting import LIMIT

from plyground.errors import BadInput
from plyground.web import limits
from plyground.web.classroom import progress
from plyground.web.classroom.classroom_models import LessonWork
from plyground.web.games.saved_games import NotYours, SavedGames
from plyground.web.games.store import GameStore
from plyground.web.operations import BY_NAME
from plyground.web.services import Services
from plyground.workers.fair_queue import Asker

__all__ = ["anybody", "playwright"]


@pytest.fixture
def services() -> Iterator[Services]:
    """The services of a server with a room."""
    with closing(Services(SavedGames(GameStore("sqlite://")), teacher="secret")) as made:
        yield made


async def first(services: Services, op: str, **args: object) -> Any:
    """The first part of an operation's answer."""
    operation = BY_NAME[op]
    async with aclosing(operation.answers(services, operation.args.model_validate(args), Asker())) as parts:
        return await anext(parts)


def test_the_teacher_sees_all_and_others_nothing(services: Services) -> None:
    """Only who is here by name tells; only exercises of lessons are kept; a removed person's record goes."""
    me, lessons = "a" * 20, {"2-minimax": {"solved": [1, 3, 8], "points": {"3": 87, "1": 5}}, "no-lesson": {}}

    async def story() -> None:
        with pytest.raises(NotYours, match="Come in first"):
            await first(services, "work", me=me, lessons=lessons)
        room = BY_NAME["room"]
        people = room.answers(services, room.args(me=me, name="=Ann\x1b[2J"), Asker())
        await anext(people)
        await first(services, "work", me=me, lessons=lessons)
        (ann,) = (await first(services, "class", teacher="secret")).students
        assert (ann.name, ann.lessons) == ("=Ann", {"2-minimax": LessonWork(solved=[1, 3], points={3: 87})})
        rows = csv.DictReader((await first(services, "class_file", teacher="secret")).text.splitlines())
        told = {row["item"]: (row["student"], row["points"], row["possible"]) for row in rows}
        assert told["lesson 2"] == ("'=Ann", "2", "3") and told["lesson 2, exercise 3"] == ("'=Ann", "87", "100")
        assert told["lesson 3"][1] == "0" and told["lesson 3, exercise 1"][1] == ""
        for op in ("class", "class_file"):
            with pytest.raises(NotYours, match="Only the teacher's link"):
                await first(services, op, teacher=me)
        await first(services, "remove", teacher="secret", number=1)
        assert (await first(services, "class", teacher="secret")).students == []
        await people.aclose()

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_server_without_a_room_gets_nothing() -> None:
    """The three operations are refused in a sentence."""
    with closing(Services(SavedGames(GameStore("sqlite://")))) as services:
        for op in ("work", "class", "class_file"):
            with pytest.raises(BadInput, match="no classroom"):
                args = {"me": "a", "lessons": {}} if op == "work" else {"teacher": ""}
                asyncio.run(asyncio.wait_for(first(services, op, **args), LIMIT))


def test_records_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full list drops the oldest record of a person who has left, and none of a person who is present."""
    monkeypatch.setattr(progress, "MOST_PEOPLE", 2)
    made = progress.ClassWork()
    for me in ("here", "gone", "new"):
        made.note(me, me, {}, {"here", "new"})
    assert [each.name for each in made.view.students] == ["here", "new"]
    assert limits.MOST_PEOPLE >= 100


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a room that runs code of lessons."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('room') / 'games.db'}", "--room", "--code") as started:
        yield started


def solve(page: Page, exercise: int, answer: str) -> None:
    """Answer an exercise of the lesson that is shown."""
    asked = page.get_by_role("group", name=f"Exercise {exercise}", exact=True)
    asked.get_by_role("textbox").fill(answer)
    asked.get_by_role("button", name="Check").click()
    expect(asked.get_by_role("status")).to_contain_text("✓ Right.")


def test_a_class_solves_exercises(anybody: Person, server: Server, tmp_path: Path) -> None:
    """Exercises solved before and after a student enters by name appear in the teacher's table at once, and in its
    file; other students do not see them.
    """
    teacher = server.said.partition("teacher=")[2].split()[0]
    with anybody() as ann, anybody() as bob, anybody(accept_downloads=True) as chief:
        chief.goto(f"{server.address}/#/room?teacher={teacher}")
        table = chief.get_by_role("region", name="Lessons of the class")
        expect(table).to_contain_text("No exercise is solved yet.")
        ann.goto(f"{server.address}/#/lessons/2-minimax")
        solve(ann, 1, "16")
        for page, name in ((ann, "Ann"), (bob, "Bob <b>")):
            page.get_by_role("link", name="Room", exact=True).click()
            page.get_by_label("Your name").fill(name)
            page.get_by_label("Your name").blur()
        expect(table.get_by_role("row", name="Ann")).to_have_text("Ann11")
        bob.goto(f"{server.address}/#/lessons/3-alpha-beta")
        written = bob.get_by_role("group", name="Exercise 1", exact=True)
        written.get_by_role("textbox", name="student.py").fill(ALPHABETA.replace("alpha >= beta", "False"))
        written.get_by_role("button", name="Grade").click()
        expect(written.get_by_role("log").first).to_contain_text("of 100 points")
        expect(table.get_by_role("row", name="Bob <b>")).to_contain_text("90 %")
        written.get_by_role("textbox", name="student.py").fill(ALPHABETA)
        written.get_by_role("button", name="Grade").click()
        expect(table.get_by_role("row", name="Bob <b>")).to_have_text("Bob <b>11 100 %")
        bob.goto(f"{server.address}/#/lessons")
        expect(bob.get_by_text("teacher sees it by your name, Bob <b>")).to_be_visible()
        bob.get_by_role("link", name="Room", exact=True).click()
        expect(bob.get_by_text("Ann", exact=True)).to_be_visible()
        expect(bob.get_by_role("region", name="Lessons of the class")).to_have_count(0)
        with chief.expect_download() as saved:
            table.get_by_role("button", name="Save as CSV").click()
        rows = list(csv.DictReader(saved.value.path().read_text("utf-8").splitlines()))
        about = "lesson 2", "lesson 3", "lesson 3, exercise 1"
        assert [(row["student"], row["points"]) for row in rows if row["item"] in about] == [
            *[("Ann", "1"), ("Ann", "0"), ("Ann", "")],
            *[("Bob <b>", "0"), ("Bob <b>", "1"), ("Bob <b>", "100")],
        ]
        chief.set_viewport_size({"width": 390, "height": 760})
        assert Axe().run(chief).violations_count == 0
        assert chief.evaluate("document.documentElement.scrollWidth") <= 390
