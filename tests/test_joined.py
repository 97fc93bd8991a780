"""The page's files as a browser gets them: the first page is light, and whatever is joined is what is written."""

import json
import re
from pathlib import Path

import pytest
from pages import Person, choose, says
from playwright.sync_api import Page
from servers import Server
from weight import weighed

from plyground.publish import minify
from plyground.web.server import bundle

MOST_REQUESTS, MOST_BYTES = 20, 110_000


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
        assert "/plain/shell/dom.js" in asked and "/shell/dom.js" not in asked


def test_a_browser_keeps_its_copy(server: Server) -> None:
    """A module that is the same is not sent again; the first page's bring with them what later ones share."""
    first = server.http.get("/app.js")
    assert first.headers["content-encoding"] == "gzip" and "export const shell_dom$ = " in first.text
    again = server.http.get("/app.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert server.http.get("/app.js", headers={"If-None-Match": '"old"'}).status_code == 200
    shared = 'import { shell_dom$ } from "../app.js"; const { svg } = shell_dom$;'
    assert shared in server.http.get("/tree/items.js").text
    assert server.http.get("/nowhere.js").status_code == 404


def test_every_form_of_import(tmp_path: Path) -> None:
    """Each module once, after what it imports, its lines as they were; a form that is not known is refused by name."""
    files = {
        "app.js": 'import * as low from "./low.js";\nimport { twice } from "./over/high.js";\n'
        "say(low.one + twice(1));\n",
        "over/high.js": 'import {\n  one,\n} from "../low.js";\nexport function twice(n) {\n  return n + one;\n}\n'
        'export const later = () => import("./page.js");\n',
        "low.js": "export const one = 1;\nexport async function* later() {}\n",
        "over/page.js": 'import "./high.js";\nimport { one } from "../low.js";\nimport { own } from "./own.js";\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert bundle.served(tmp_path, "app.js").splitlines() == [
        *("// low.js", "export const low$ = (() => {", "const one = 1;", "async function* later() {}"),
        *("return { one, later };", "})();"),
        *("// over/high.js", "export const over_high$ = (() => {", "const {", "  one,", "} = low$;"),
        *(
            "function twice(n) {",
            "  return n + one;",
            "}",
            'const later = () => import("./over/page.js");',
            "return { twice, later };",
            "})();",
        ),
        *("// app.js", "export const app$ = (() => {", "const low = low$;", "const { twice } = over_high$;"),
        *("say(low.one + twice(1));", "return {  };", "})();"),
    ]
    assert bundle.served(tmp_path, "over/page.js").splitlines() == [
        'import { over_high$ } from "../app.js"; ',
        'import { low$ } from "../app.js"; const { one } = low$;',
        'import { own } from "./own.js";',
    ]
    own = 'import { later } from "../low.js";\nexport const own = later;\n'
    (tmp_path / "over/own.js").write_text(own, encoding="utf-8")
    assert bundle.alone(tmp_path, "app.js").splitlines() == [
        *('"use strict";', "// low.js", "const [one, later$low$, low$] = (() => {", "const one = 1;"),
        *("async function* later() {}", "const low$ = { one, later };", "return [one, later, low$];", "})();"),
        *("// over/high.js", "const [twice] = (() => {", "", "function twice(n) {", "  return n + one;", "}"),
        *("const later = () => Promise.resolve(over_page$);", "return [twice];", "})();"),
        *("// over/own.js", "const [own] = (() => {", "const later = later$low$;", "const own = later;"),
        *("return [own];", "})();", "// over/page.js", "const [over_page$] = (() => {", "", "", ""),
        *("const over_page$ = {  };", "return [over_page$];", "})();", "// app.js", "(() => {", "const low = low$;"),
        *("", "say(low.one + twice(1));", "return [];", "})();"),
    ]
    assert minify.script(bundle.alone(tmp_path, "app.js")) == (
        '"use strict";let T=1;async function*E(){}let S={one:T,later:E};function A(e){return e+T}'
        "let C=()=>Promise.resolve(I),R=E,I={};say(S.one+A(1));"
    )
    (tmp_path / "low.js").write_text("export default 1;\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"low\.js: 'export default 1;' is none of the forms"):
        bundle.served(tmp_path, "app.js")


def test_names_at_the_top_of_a_script_hide_no_global() -> None:
    """A browser's global that one module exports another name for is used by no module that does not import that."""
    installed = Path(__file__).parent / "javascript" / "node_modules" / "globals" / "globals.json"
    if not installed.is_file():
        pytest.skip("`npm ci` has not been run in tests/javascript")
    known = json.loads(installed.read_text(encoding="utf-8"))
    for entry in ("published.js", "worker/worker.js", "lesson/publishedlesson.js", "worker/running.js"):
        top = set(re.findall(r"^const \[([\w$, ]+)\] = \(\(\)", bundle.alone(bundle.STATIC, entry), re.M))
        names = {name for names in top for name in names.split(", ")} & {*known["browser"], *known["worker"]}
        for file in bundle.STATIC.glob("**/*.js"):
            code = re.sub(r"(?s:/\*.*?\*/)|//.*", "", file.read_text(encoding="utf-8"))
            for name in names:
                known_here = re.search(rf"(?:import \{{[^}}]*|class |const |function )\b{name}\b", code)
                assert known_here or not re.search(rf"\b{name}\b", code), (file, name)
