"""The page in which rules are written: visitors' browsers run them, and none comes to the server."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from plyground.web.operations import BY_NAME
from plyground.web.server.compression import Compressed

PAGE, PYTHON = "/write", "/pyodide"
"""Addresses of the page, and of the folder with the files of its Python."""
_POLICY = re.compile('http-equiv="Content-Security-Policy" content="([^"]+)"')
_MEDIA = {"mjs": "text/javascript", "wasm": "application/wasm", "zip": "application/zip"}


class Editor:
    """The page, and the files of the Python that it runs, if the server has them.

    Args:
        page: makes the page when it is first asked for.
        files: Pyodide's files by their names; empty where browsers fetch them from a public host.
    """

    def __init__(self, page: Callable[[], str], files: Mapping[str, bytes]) -> None:
        self._page, self._files = page, files

    def routes(self) -> list[Route]:
        """The addresses that it answers."""
        return [Route(PAGE, self._send_page), Route(f"{PYTHON}/{{name}}", self._send_file)]

    @cached_property
    def _page_and_policy(self) -> tuple[Compressed, str]:
        """The page, and its content security policy."""
        text = self._page()
        found = _POLICY.search(text)
        assert found
        return Compressed.of(text.encode(), "text/html"), found[1]

    @cached_property
    def _compressed_files(self) -> dict[str, Compressed]:
        return {name: Compressed.of(data, _MEDIA[name.rpartition(".")[2]]) for name, data in self._files.items()}

    async def _send_page(self, request: Request) -> Response:
        """Send the page. Of this server its workers may ask the files of Python alone: the rules in it may be those of
        anybody who sent a link."""
        BY_NAME["module"].require_allowed(request.app.state.services)  # such a page has an engine, too
        made, policy = await run_in_threadpool(lambda: self._page_and_policy)
        # A host's name goes into a header: signs that would end the directive or the header are
        # taken out.
        here = re.sub(r"[^\w.:\[\]-]", "", request.headers.get("host", ""))
        # The page may connect to this folder alone: 'self' would let rules of a stranger ask this
        # server's operations in the reader's name.
        policy = policy.replace("connect-src 'self'", f"connect-src {request.url.scheme}://{here}{PYTHON}/")
        return made.answer(request.scope, {"Content-Security-Policy": f"{policy}; frame-ancestors 'none'"})

    async def _send_file(self, request: Request) -> Response:
        """Send a file of Pyodide."""
        found = (await run_in_threadpool(lambda: self._compressed_files)).get(request.path_params["name"])
        return found.answer(request.scope) if found else Response("There is no such file here.", 404)
