"""The page's files as a browser gets them: the first page is light, and whatever is joined is what is written."""

from pathlib import Path

import pytest
from pages import Person, choose, says
from playwright.sync_api import Page
from servers import Server
from weight import weighed

from plyground.web import joined

MOST_REQUESTS, MOST_BYTES = 20, 100_000


def test_the_first_page_is_light(page: Page, server: Server) -> None:
    """At most 20 requests and 100 kB, with an empty cache: files as they are sent, messages even before compression."""
    requests, size = weighed(page, server.address)
    assert f"{server.address}/pictures.svg" in requests and any("socket" in url for url in requests)
    assert len(requests) <= MOST_REQUESTS, requests
    assert size <= MOST_BYTES


def test_the_files_as_they_are_written(anybody: Person, server: Server) -> None:
    """Under /plain/ each module is a file of its own, for whoever changes or traces them: the same page."""
    with anybody() as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.removeprefix(server.address)))
        page.goto(f"{server.address}/plain/")
        choose(page, "b2")
        says(page, "Your turn: x to move")
        assert "/plain/dom.js" in asked and "/dom.js" not in asked


def test_a_browser_keeps_its_copy(server: Server) -> None:
    """A module that is the same is not sent again; the first page's bring with them what later ones share."""
    first = server.http.get("/app.js")
    assert first.headers["content-encoding"] == "gzip" and "export const dom$ = " in first.text
    again = server.http.get("/app.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert server.http.get("/app.js", headers={"If-None-Match": '"old"'}).status_code == 200
    assert 'import { dom$ } from "./app.js"; const { svg } = dom$;' in server.http.get("/items.js").text
    assert server.http.get("/nowhere.js").status_code == 404


def test_every_form_of_import(tmp_path: Path) -> None:
    """Each module once, after what it imports, its lines as they were; a form that is not known is refused by name."""
    files = {
        "app.js": 'import * as low from "./low.js";\nimport { twice } from "./high.js";\nsay(low.one + twice(1));\n',
        "high.js": 'import {\n  one,\n} from "./low.js";\nexport function twice(n) {\n  return n + one;\n}\n',
        "low.js": "export const one = 1;\nexport async function* later() {}\n",
        "page.js": 'import "./high.js";\nimport { one } from "./low.js";\nimport { own } from "./own.js";\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert joined.served(tmp_path / "app.js").splitlines() == [
        *("// low.js", "export const low$ = (() => {", "const one = 1;", "async function* later() {}"),
        *("return { one, later };", "})();"),
        *("// high.js", "export const high$ = (() => {", "const {", "  one,", "} = low$;"),
        *("function twice(n) {", "  return n + one;", "}", "return { twice };", "})();"),
        *("// app.js", "export const app$ = (() => {", "const low = low$;", "const { twice } = high$;"),
        *("say(low.one + twice(1));", "return {  };", "})();"),
    ]
    assert joined.served(tmp_path / "page.js").splitlines() == [
        'import { high$ } from "./app.js"; ',
        'import { low$ } from "./app.js"; const { one } = low$;',
        'import { own } from "./own.js";',
    ]
    (tmp_path / "low.js").write_text("export default 1;\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"low\.js: 'export default 1;' is none of the forms"):
        joined.served(tmp_path / "app.js")
