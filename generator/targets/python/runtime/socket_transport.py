"""JSON-RPC over one WebSocket, which is reopened by the first call after a disconnect."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from .call_queue import CallQueue, Drop, QueuedCall, QueueOptions
from .carried import Answer, WireCall
from .envelope import write_call
from .failures import TransportError
from .socket_connection import SocketConnection
from .socket_session import SessionOptions, SocketSession

_CLOSED_HERE = "cannot be called: the client is closed"


class SocketTransport:
    """Sends calls over a WebSocket. Concurrent calls share a message."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[SocketConnection]],
        queue: QueueOptions,
        session: SessionOptions,
    ) -> None:
        self._connect = connect
        self._session_options = session
        self._queue = CallQueue(queue, write_call, self._deliver)
        self._session: SocketSession | None = None
        self._is_closed = False

    async def send(self, call: WireCall) -> Answer:
        if self._is_closed:
            raise self._closed()
        return await self._queue.send(call)

    async def close(self) -> None:
        self._is_closed = True
        self._queue.reject_waiting(self._closed)
        if self._session is not None:
            await self._session.close(_CLOSED_HERE)

    def _closed(self) -> TransportError:
        return TransportError("closed", f"{self._session_options.where} {_CLOSED_HERE}")

    def _deliver(self, calls: list[QueuedCall]) -> Drop:
        if self._is_closed:
            for each in calls:
                each.reject(self._closed())
            return lambda _call, _is_last: None
        if self._session is None or not self._session.is_alive:
            self._session = SocketSession(self._connect, self._session_options)
        return self._session.deliver(calls)
