"""Runs calls: a timeout around retries around a transport."""

from __future__ import annotations

import asyncio
import math
import ssl
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .address import Address, read_address
from .call_queue import QueueOptions
from .carried import Answer, Headers, Params, Transport, WireCall
from .document import Document, Route
from .failures import CallTimeoutError, TransportError
from .http_transport import HttpTransport
from .options import ClientOptions, Settings, check_number, read_options
from .retrying import Retrier
from .socket_connection import SocketConnection, open_socket
from .socket_session import SessionOptions
from .socket_transport import SocketTransport

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WithResponse(Generic[T]):
    """A result with cost, status and headers."""

    result: T
    #: The cost of the call, from the response or else from the document; None if unknown.
    credits: float | None
    #: Shared by all calls of a batch; None over a WebSocket.
    headers: Headers | None
    #: The HTTP status; None over a WebSocket.
    status: int | None
    #: Identifies the request in the logs of the service.
    request_id: str | None


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call with its route and timeout."""

    route: Route
    params: Params | None
    timeout: float | None

    def describe(self, answer: Answer) -> WithResponse[Any]:
        """Adds cost, status and headers to a result."""
        response = answer.response
        if response is None:
            return WithResponse(answer.result, self.route.credits, None, None, None)
        cost = response.headers.get("x-credits-cost")
        return WithResponse(
            answer.result,
            # The header of a batch holds the cost of all its calls.
            _read_credits(cost, self.route.credits) if response.calls == 1 else self.route.credits,
            response.headers,
            response.status,
            response.headers.get("x-request-id"),
        )


def _read_credits(text: str | None, otherwise: float | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return otherwise
    return int(value) if value.is_integer() else value


class Engine:
    """Runs calls in the current event loop. It can be used in one loop at a time."""

    def __init__(self, server: str | Transport, options: ClientOptions, document: Document) -> None:
        self.settings = read_options(options)
        self.document = document
        self._server = read_address(server) if isinstance(server, str) else server
        self._retrier: Retrier | None = None
        self._transport: Transport | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False

    async def answer(self, call: PreparedCall) -> Answer:
        """Runs a call within its timeout."""
        if self._is_closed:
            raise TransportError("closed", "the client is closed")
        route = call.route
        limit = self.settings.timeout if call.timeout is None else call.timeout
        check_number("timeout", limit, 0.001, float)
        own = self.settings.reads
        reads = route.reads if own is None else own(route.method)
        wire = WireCall(route.method, call.params, route.notification, reads)
        retrier = self._retrier_here()
        scope = asyncio.timeout(None if limit == math.inf else limit)
        try:
            async with scope:
                return await retrier.send(wire)
        except TimeoutError:
            if not scope.expired():
                raise
            raise CallTimeoutError(route.method, limit) from None

    async def close(self) -> None:
        """Closes connections. Calls in flight and later calls fail."""
        self._is_closed = True
        if self._transport is not None:
            await self._transport.close()

    def forget(self) -> None:
        """Drops a loop that no longer exists, and its connections."""
        self._loop = None

    def _retrier_here(self) -> Retrier:
        loop = asyncio.get_running_loop()
        if self._retrier is not None and self._loop is loop:
            return self._retrier
        if self._loop is not None and not self._loop.is_closed():
            raise RuntimeError("the client is in use in another event loop: create one per loop")
        self._loop = loop
        server = self._server
        transport = self._open(server) if isinstance(server, Address) else server
        self._transport = transport
        self._retrier = Retrier(transport, self.settings)
        return self._retrier

    def _open(self, address: Address) -> Transport:
        settings = self.settings
        # Created once because it reads the system's certificates.
        trust = settings.ssl_context
        if trust is None and address.is_secure:
            trust = ssl.create_default_context()
        if not address.is_socket:
            return HttpTransport(
                address,
                self.document,
                _queue_options(settings, 64, per_call=False),
                headers=settings.headers or {},
                max_response_bytes=settings.max_response_bytes,
                parse_float=settings.parse_float,
                ssl_context=trust,
            )

        async def connect() -> SocketConnection:
            headers = settings.headers or {}
            return await open_socket(
                address,
                headers=headers() if callable(headers) else headers,
                max_bytes=settings.max_response_bytes,
                ssl_context=trust,
            )

        session = SessionOptions(
            where=address.origin,
            document=self.document,
            connect_timeout=settings.connect_timeout,
            heartbeat=settings.heartbeat,
            replay=settings.replay,
            parse_float=settings.parse_float,
        )
        return SocketTransport(connect, _queue_options(settings, 100, per_call=True), session)


def _queue_options(settings: Settings, max_in_flight: int, *, per_call: bool) -> QueueOptions:
    batch = settings.batch
    return QueueOptions(
        size=batch.size if batch else 1,
        wait=batch.wait if batch else 0.0,
        max_in_flight=settings.max_in_flight or max_in_flight,
        per_call=per_call,
        max_waiting=settings.max_waiting,
    )
