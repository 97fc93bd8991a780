"""The page's finished files, as `npm run build` in `page` makes them of the sources there."""

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from plyground.web.server.compression import Compressed

PAGE_FOLDER = Path(__file__).parent.parent / "page"
"""Folder of the finished files: those of the playground, and `published`."""


class PageFiles(StaticFiles):
    """Serves a folder of files, each compressed once, and again when it has changed."""

    _ready: dict[str, tuple[object, Compressed]]

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, html=True)
        self._ready = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Respond with a file; 304 if the browser has the same."""
        answer = await super().get_response(path, scope)
        if not isinstance(answer, FileResponse) or answer.status_code != 200 or answer.stat_result is None:
            return answer
        # A changed time or size means a new file: while the page is being written, its build
        # replaces files under a running server.
        changed = answer.stat_result.st_mtime_ns, answer.stat_result.st_size
        name = str(answer.path)
        found = self._ready.get(name)
        if not found or found[0] != changed:
            media = answer.headers["content-type"]
            found = self._ready[name] = changed, await run_in_threadpool(_compress_file, Path(name), media)
        return found[1].answer(scope)

    def is_not_modified(self, response_headers: Headers, request_headers: Headers) -> bool:
        """Compare by the ETag of the compressed content, which is sent."""
        return False


def _compress_file(file: Path, media: str) -> Compressed:
    return Compressed.of(file.read_bytes(), media)
