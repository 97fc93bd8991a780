"""What the server lets in: who may ask, how large, how often; and what it tells browsers to refuse.

A page of another site must not reach a server on loopback: neither by a request of its own (Origin) nor by a name that
it lets point here (Host; DNS rebinding).
"""

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from plyground.web.limits import LARGEST_MESSAGE, RATE, Buckets

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def own_names(host: str, more: Iterable[str] = ()) -> frozenset[str]:
    """The names by which a server that listens on `host` may be called."""
    names = {"localhost", "127.0.0.1", "::1", host.lower(), *(name.lower() for name in more)}
    if host in ("0.0.0.0", "::"):
        own = socket.gethostname().lower()
        names |= {own, f"{own.partition('.')[0]}.local", socket.getfqdn().lower()}
    return frozenset(names)


class Guard:
    """ASGI middleware: Host, Origin, size and rate on the way in, strict headers on the way out."""

    def __init__(self, app: App, names: frozenset[str]) -> None:
        self._app, self._names = app, names
        self._buckets = Buckets()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, _bounded(receive), _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
        else:
            answer = JSONResponse({"error": refusal[1]}, refusal[0])
            await answer(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self._names and not _is_address(_name(host)):
            return 421, f"This server is not called {host!r}: plyground web --allow-host names what else it is called."
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, f"A page of {origin!r} may not use this server."
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_MESSAGE:
            return 413, f"A request is {LARGEST_MESSAGE} bytes at most."
        if scope["type"] == "http" and not self._buckets.take(client_of(scope)):
            return 429, f"More than {RATE:g} requests a second: wait a little."
        return None


def client_of(scope: Scope) -> str:
    """The address from which somebody asks."""
    return str((scope.get("client") or ("?",))[0])


def _is_address(name: str) -> bool:
    """Whether a name is a number: that needs nobody to say where it leads, so nobody can let it lead here."""
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _bounded(receive: Receive) -> Receive:
    """A body that is longer than it said, or never said, ends at the limit."""
    total = 0

    async def bounded() -> MutableMapping[str, Any]:
        nonlocal total
        message = await receive()
        if message["type"] == "http.request":
            total += len(message.get("body", b""))
            if total > LARGEST_MESSAGE:
                return {"type": "http.disconnect"}
        return message

    return bounded


def _with_headers(send: Send) -> Send:
    async def sender(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            more = [(key.lower().encode(), value.encode()) for key, value in HEADERS.items()]
            message["headers"] = [*message["headers"], *(pair for pair in more if pair[0] not in given)]
        await send(message)

    return sender
