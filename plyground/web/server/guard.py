"""Guard of the server: checks Host, Origin, size and rate of requests, and sets strict headers.

A page of another site must not reach a server on loopback: neither by its own request (Origin) nor by a name whose DNS
entry points here (Host; DNS rebinding).
"""

import ipaddress
import logging
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

from plyground.web.limits import LARGEST_MESSAGE, Quotas
from plyground.workers.shares import Visitor

HEADERS = {
    # Scripts of this server alone, none inline: text that became markup by mistake would not run.
    # WebAssembly needs a word of its own.
    "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    # With these two a page of another site can neither hold a handle of this window nor embed its
    # answers.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Browsers keep files but ask about each one again: after an update the next load has the new page.
    "Cache-Control": "no-cache",
}

SERVER_FAULT = "The server failed at this; its log says why."
"""Sentence about an error of the server's own."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def allowed_host_names(host: str, more: Iterable[str] = ()) -> frozenset[str]:
    """Host names that requests to a server on `host` may use."""
    names = {"localhost", "127.0.0.1", "::1", host.lower(), *(name.lower() for name in more)}
    if host in ("0.0.0.0", "::"):
        # A host may also be named as Bonjour and Avahi spell this machine in a local network.
        own = socket.gethostname().lower()
        names |= {own, f"{own.partition('.')[0]}.local", socket.getfqdn().lower()}
    return frozenset(names)


class Guard:
    """ASGI middleware: checks Host, Origin, size and rate; adds strict headers, and a sentence to any error."""

    def __init__(self, app: App, names: frozenset[str], quotas: Quotas) -> None:
        self._app, self._names, self._quotas = app, names, quotas

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        address, time = visitor_of(scope).address, self._quotas.time
        # An address that has used its time waits here, before anything of the request is looked at.
        await time.await_turn(address)
        await time.charge_steps(address, self._serve(scope, receive, _StrictSend(send)))

    async def _serve(self, scope: Scope, receive: Receive, out: "_StrictSend") -> None:
        try:
            refusal = self._refusal(scope)
            if refusal is None and scope["type"] == "http":
                # The body is read to its end before the application is asked: a sender that stops
                # in the middle holds nothing but its connection.
                body = await _read_body(receive)
                if body is None:
                    refusal = _TOO_LARGE
                else:
                    receive = _replay_body(body, receive)
            if refusal is None:
                await self._app(scope, receive, out)
            else:
                await _refuse(scope, receive, out, *refusal)
        except ClientDisconnect:
            pass  # before its request was whole
        except Exception:
            if out.begun and scope["type"] == "http":
                raise  # uvicorn logs it, and closes the connection in the middle of the answer
            logging.getLogger("uvicorn.error").exception("A fault of the server's own, at %s", scope["path"])
            with suppress(RuntimeError, OSError):  # it has gone
                await _refuse(scope, receive, out, 500, SERVER_FAULT)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        # 421: the connection leads to a server of another name (RFC 9110, section 15.5.20).
        if _host_name(host) not in self._names and not _is_address(_host_name(host)):
            return 421, f"This server is not called {host!r}: plyground web --allow-host names what else it is called."
        origin = headers.get("origin")
        # Browsers send it with every request that changes something; programs send none, and are no
        # page.
        if origin is not None and _origin_host(origin) != host.lower():
            return 403, f"A page of {origin!r} may not use this server."
        length = headers.get("content-length", "0")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > LARGEST_MESSAGE:
            return _TOO_LARGE
        if scope["type"] == "http" and (why := self._quotas.request(*visitor_of(scope))):
            return 429, why
        return None


def visitor_of(scope: Scope) -> Visitor:
    """The visitor of a request: its address, by IPv6 the /64 network, of which one machine has all addresses; and its
    connection, if no proxy hides it."""
    host, port = scope.get("client") or ("?", 0)
    return Visitor(network_of(str(host)), f"{host} {port}" if port else None)


@lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """An IPv4 address itself, or the /64 network of an IPv6 address."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if found.version == 6:
        # `::ffff:10.0.0.1` is one address of IPv4, not a network of 2⁶⁴.
        found = found.ipv4_mapped or found
    if found.version == 4 or found.is_loopback:
        return str(found)
    return str(ipaddress.ip_network((int(found), 64), strict=False))


def _is_address(name: str) -> bool:
    """Whether a name is an IP address: it needs no DNS, so DNS rebinding cannot make it point here."""
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def _host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _origin_host(origin: str) -> str:
    """Host and port of an Origin header; for an invalid one, a text that no Host header equals."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return "?"


_TOO_LARGE = 413, f"A request is {LARGEST_MESSAGE} bytes at most."


async def _read_body(receive: Receive) -> bytes | None:
    """Read the body of a request; None if it is too large.

    Raises:
        ClientDisconnect: the connection ends before the body does.
    """
    body = b""
    more = True
    while more and len(body) <= LARGEST_MESSAGE:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body if len(body) <= LARGEST_MESSAGE else None


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns a body already received, and then the messages after it."""
    told = False

    async def again() -> MutableMapping[str, Any]:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1011 if status == 500 else 1008, "reason": sentence})
    else:
        await JSONResponse({"error": sentence}, status)(scope, receive, send)


class _StrictSend:
    """A `send` that adds strict headers."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False
        """Whether a response has begun."""

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        self.begun = True
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            more = [(key.lower().encode(), value.encode()) for key, value in HEADERS.items()]
            message["headers"] = [*message["headers"], *(pair for pair in more if pair[0] not in given)]
        await self._send(message)
