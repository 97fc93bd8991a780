"""Limits of connections: their number, in all and from one address, and timeouts.

uvicorn has no timeout for an incomplete request, so a few hundred of them would use all open files of the process
(slowloris). Here, when there is no room, the connection that has waited longest for its request is closed.
"""

import asyncio
import ipaddress
import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from plyground.web.limits import CONNECTIONS_EACH, FRAMES, PER_ADDRESS, Bucket, LoopTime
from plyground.web.server.guard import HEADERS, network_of, visitor_of

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
WANTED_OPEN_FILES = 8192
"""Limit of open files that the process requests, and assumes where the system has none."""
REQUEST_SECONDS = 20.0
"""Seconds within which a request has to arrive: from the connection, or from its first byte if that is kept alive."""
KEEP_ALIVE_SECONDS = 75
"""Seconds that a connection without a request is kept: proxies keep theirs for 60, and must be the first to close one,
or the request that they send meanwhile is lost. When there is no room, the one that waits longest is closed before."""
UNREAD_SECONDS = 60.0
"""Seconds that a response may wait for its client to read."""
BYTES_AT_ONCE = 1_024
"""Bytes of a WebSocket that are read in a turn of the event loop: 170 frames at most, a hundredth of a second."""


def raise_open_file_limit() -> int:
    """Raise the soft limit of open files to `WANTED_OPEN_FILES`, if the hard limit allows it. Returns the limit."""
    if sys.platform == "win32":
        return WANTED_OPEN_FILES
    import resource

    # 1,024 is the usual soft limit on Linux.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_OPEN_FILES if hard == resource.RLIM_INFINITY else min(WANTED_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return WANTED_OPEN_FILES if soft == resource.RLIM_INFINITY else soft


class OpenConnections:
    """The open connections of a server, and those that wait for their request.

    Args:
        most: connections in all.
        people: people behind one address.
        proxies: networks of proxies, which have many clients, so only `most` limits them.
        time: the event loop's time, to which the handling of WebSockets is charged.
    """

    def __init__(
        self, most: int, people: int = PER_ADDRESS, proxies: Iterable[str] = (), time: LoopTime | None = None
    ) -> None:
        self.most = most
        self.time: LoopTime = time or LoopTime()
        self.each: int = min(CONNECTIONS_EACH * people, most * 3 // 4)  # so that no address has them all
        self._proxies = [form for each in proxies for form in _network_forms(each)]
        self._inside: dict[asyncio.BaseProtocol, str] = {}
        self._open: Counter[str] = Counter()
        self._waiting: dict[Http, None] = {}

    def arguments(self) -> dict[str, Any]:
        """Arguments of `uvicorn.Config` to use this front.

        asyncio accepts the whole backlog before it handles any connection of it, so the backlog has to be a part of the
        limit: otherwise open files run out, and nothing is accepted for a second.
        """
        return {
            "http": partial(Http, self),
            "ws": partial(Socket, self),
            "ws_per_message_deflate": False,  # a hundred bytes would become a message of 64 KiB
            "backlog": max(1, self.most // 5),
            "timeout_keep_alive": KEEP_ALIVE_SECONDS,
            "proxy_headers": bool(self._proxies),
            "forwarded_allow_ips": [str(each) for each in self._proxies],
        }

    def __contains__(self, protocol: asyncio.BaseProtocol) -> bool:
        return protocol in self._inside

    def enter(self, protocol: asyncio.BaseProtocol, host: str) -> None:
        """Count a connection."""
        address = network_of(host)
        self._inside[protocol] = address
        self._open[address] += 1

    def leave(self, protocol: asyncio.BaseProtocol) -> None:
        """No longer count a connection; one that has left already is no error."""
        address = self._inside.pop(protocol, None)
        self._waiting.pop(protocol, None)  # type: ignore[call-overload]
        if address is not None:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def mark_waiting(self, protocol: "Http") -> None:
        """Note that a connection waits for its request from now on; the one that waits longest is closed first."""
        self._waiting.setdefault(protocol)

    def mark_working(self, protocol: "Http") -> None:
        """Note that a connection has its request."""
        self._waiting.pop(protocol, None)

    def refusal(self, host: str) -> tuple[int, str] | None:
        """Status and sentence if there is no room for a connection from an address, after making room if possible."""
        address = network_of(host)
        # The address loses its own oldest connection: an address that is full takes no place from others.
        if self._open[address] >= self.each and not self._is_proxy(host):
            if not self._evict(address):
                return (
                    429,
                    f"At most {self.each} connections from one address: try again later.",
                )
        elif len(self._inside) >= self.most and not self._evict():
            return 503, f"The server has {self.most} open connections and no room for more: try again later."
        return None

    def _is_proxy(self, host: str) -> bool:
        return any(ipaddress.ip_address(host) in each for each in self._proxies)

    def _evict(self, address: str | None = None) -> bool:
        """Close the connection that has waited longest for its request. Returns whether there was one."""
        oldest = next((each for each in self._waiting if address in (None, self._inside[each])), None)
        if oldest is None:
            return False
        self.leave(oldest)
        # The connection ends at once, without an answer: a client that sends its request slowly
        # would also read slowly.
        oldest.transport.abort()
        return True


def _network_forms(network: str) -> list[Network]:
    """A network, and one of IPv4 also as a socket of IPv6 sees it: `::ffff:10.0.0.1`."""
    found = ipaddress.ip_network(network)
    if found.version == 6:
        return [found]
    return [found, ipaddress.IPv6Network(f"::ffff:{found.network_address}/{96 + found.prefixlen}")]


class Http(H11Protocol):
    """HTTP of one connection, with a timeout for each request to arrive and each response to be read."""

    def __init__(self, front: OpenConnections, **given: Any) -> None:
        super().__init__(**given)
        self._front = front
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept it, or respond why not."""
        super().connection_made(transport)
        host = self.client[0] if self.client else "?"
        refusal = self._front.refusal(host)
        self._front.enter(self, host)
        if refusal:
            self._refuse(*refusal)
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._front.leave(self)
        self._work()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, within the timeout."""
        super().data_received(data)
        if self not in self._front:
            return
        # Its request is not whole yet: the deadline runs on, and is not begun anew with each byte.
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._wait()
        else:
            self._work()

    def on_response_complete(self) -> None:
        """Leave the keep-alive timeout to uvicorn until more data arrives."""
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._work()
            self._front.mark_waiting(self)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection to `Socket`."""
        self._work()
        self._front.leave(self)
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Respond to bytes that are no HTTP request."""
        self._refuse(400, "This is not an HTTP request.")

    def pause_writing(self) -> None:
        """Give the client time to read."""
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read."""
        super().resume_writing()
        if self._unread:
            self._unread.cancel()
            self._unread = None

    def _wait(self) -> None:
        self._front.mark_waiting(self)
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self._expire)

    def _work(self) -> None:
        self._front.mark_working(self)
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        self._refuse(408, f"The request did not arrive within {REQUEST_SECONDS:g} seconds.")

    def _refuse(self, status: int, sentence: str) -> None:
        """Write a response, unless one has begun, and close."""
        state = self.conn.our_state
        # Bytes of a refusal in the middle of another answer would be read as part of that.
        if state is h11.IDLE or (state is h11.SEND_RESPONSE and not self.cycle.response_started):
            body = json.dumps({"error": sentence}).encode()
            more = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
            lines = [f"HTTP/1.1 {status} {STATUS_PHRASES[status].decode()}"]
            lines += [f"{name}: {value}" for name, value in (HEADERS | more).items()]
            self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
            self.transport.close()
        else:
            self.transport.abort()


class Socket(WebSocketsSansIOProtocol, asyncio.BufferedProtocol):
    """A WebSocket, counted like any connection. Messages that were received before it closed are dropped.

    It is read a little at a time, and no further while a message waits (uvicorn pauses reading then), its address has
    used its time of the event loop, or answers are not read: the rest waits with its sender.
    """

    _buffer = bytearray(BYTES_AT_ONCE)
    """Buffer that all sockets share, for each handles its bytes before the next one reads."""

    def __init__(self, front: OpenConnections, **given: Any) -> None:
        super().__init__(**given)
        self._front = front
        self._frames = Bucket(FRAMES)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it."""
        super().connection_made(transport)
        self._front.enter(self, self.client[0] if self.client else "?")

    def connection_lost(self, exc: Exception | None) -> None:
        """No longer count it."""
        self._front.leave(self)
        self._forget()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """End it."""
        self._forget()
        super().shutdown()

    def get_buffer(self, sizehint: int) -> bytearray:
        """Buffer for the next read."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Handle the bytes that were read, now or when the address has time."""
        # The bytes are copied: the buffer is the next socket's in the next turn.
        data, address = bytes(self._buffer[:nbytes]), visitor_of(cast(Any, self.scope)).address
        if not self._front.time.must_wait(address):
            self._handle(address, data)
            return
        self.transport.pause_reading()

        def go_on(turn: asyncio.Future[None]) -> None:
            if not self.transport.is_closing():
                self.transport.resume_reading()
                self._handle(address, data)

        self._front.time.wait(address).add_done_callback(go_on)

    def _handle(self, address: str, data: bytes) -> None:
        with self._front.time.charging(address):
            self.data_received(data)

    def handle_events(self) -> None:
        """Handle frames, unless there are too many."""
        for _ in self.conn.events:
            if not self._frames.has():
                self._forget()
                # 1008: policy violation (RFC 6455, section 7.4.1).
                self.conn.fail(1008, f"More than {FRAMES.burst:,.0f} frames at once, or {FRAMES.rate:g} a second.")
                if self.conn.close_sent:
                    self.handle_parser_exception()
                else:  # it is not open yet
                    self.transport.abort()
                return
            self._frames.take()
        super().handle_events()

    def _forget(self) -> None:
        """Drop messages that are not handled yet: handling them all may take long (`Connection.admit`)."""
        messages = [self.queue.get_nowait() for _ in range(self.queue.qsize())]
        for message in messages:
            if message["type"] != "websocket.receive":
                self.queue.put_nowait(message)


class OncePerSecond(logging.Filter):
    """Passes one log record a second for the same error, with the number of those since the last one."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[object, ...], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        kind = record.exc_info[0] if record.exc_info else None
        fault = record.name, str(record.msg).partition("\n")[0], kind
        last, more = self._seen.get(fault, (float("-inf"), 0))
        now = time.monotonic()
        # A fault at each of a thousand requests would fill the disk with one trace.
        if now - last < 1:
            self._seen[fault] = last, more + 1
            return False
        self._seen[fault] = now, 0
        if more:  # it has had its traceback
            record.msg, record.args = f"{record.getMessage().strip()} ({more} more of these since the last line)", ()
            record.exc_info = record.exc_text = None
        return True


def limit_logging() -> None:
    """Limit the loggers of a server to one record a second for the same error."""
    once = OncePerSecond()
    for name in ("asyncio", "uvicorn.error"):
        logging.getLogger(name).addFilter(once)
