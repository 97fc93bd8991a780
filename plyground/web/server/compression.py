"""Files compressed once for all requests."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope


@dataclass(frozen=True)
class Compressed:
    """A file, plain and compressed, and its ETag."""

    plain: bytes
    gzipped: bytes
    tag: str
    media: str

    @classmethod
    def of(cls, plain: bytes, media: str) -> "Compressed":
        """Compress a file of a media type."""
        # gzip's head has no time in it, so the bytes are the same after each start.
        return cls(plain, gzip.compress(plain, mtime=0), f'"{sha256(plain).hexdigest()}"', media)

    def answer(self, scope: Scope, more: Mapping[str, str] | None = None) -> Response:
        """Respond with the file as the request accepts it, with more headers; 304 if the browser has it."""
        asked = Headers(scope=scope)
        headers = {"etag": self.tag, "vary": "Accept-Encoding", **(more or {})}
        # Weak tags match, too: a proxy that compresses makes them of ours (RFC 9110, section
        # 8.8.3).
        if self.tag in (each.strip(" W/") for each in asked.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers=headers)
        if "gzip" not in asked.get("accept-encoding", ""):
            return Response(self.plain, headers=headers, media_type=self.media)
        return Response(self.gzipped, headers=headers | {"content-encoding": "gzip"}, media_type=self.media)
