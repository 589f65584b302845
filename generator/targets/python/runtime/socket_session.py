"""The lifetime of one socket and its calls in flight."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from .call_queue import Drop, QueuedCall
from .carried import Answer
from .document import Document
from .envelope import error_of, join_calls, read_answers, settle
from .failures import Cause, TransportError, TransportReason
from .frames import FrameError
from .http_connection import HttpResponse
from .json_text import ParseFloat, excerpt, read_json
from .socket_connection import RefusedError, SocketClosedError, SocketConnection


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """The options of a session."""

    #: The address shown in errors.
    where: str
    document: Document
    connect_timeout: float
    #: How long a socket may be silent before it is probed, in seconds; None for never.
    heartbeat: float | None
    #: Whether calls in flight may be retried when the session ends.
    replay: bool
    parse_float: ParseFloat


class SocketSession:
    """One socket and its calls in flight. Starts by opening the socket."""

    def __init__(
        self, connect: Callable[[], Awaitable[SocketConnection]], options: SessionOptions
    ) -> None:
        self._options = options
        #: By id: each call and the calls that it was sent with.
        self._in_flight: dict[Any, tuple[QueuedCall, list[QueuedCall]]] = {}
        self._unsent: list[list[QueuedCall]] | None = []
        self._connection: SocketConnection | None = None
        #: An error without an id that may belong to any call in flight.
        self._unnamed: Exception | None = None
        self._is_over = False
        self._life = asyncio.get_running_loop().create_task(self._live(connect))

    @property
    def is_alive(self) -> bool:
        """False once the session has ended."""
        return not self._is_over

    def deliver(self, calls: list[QueuedCall]) -> Drop:
        """Sends calls together once the socket is open."""
        for each in calls:
            self._in_flight[each.id] = (each, calls)
        if self._unsent is None:
            self._send(calls)
        else:
            self._unsent.append(calls)
        return lambda call, _is_last: self._in_flight.pop(call.id, None)

    async def close(self, what: str) -> None:
        """Closes the socket; calls in flight fail."""
        self._end("closed", what)
        self._life.cancel()
        await asyncio.gather(self._life, return_exceptions=True)

    async def _live(self, connect: Callable[[], Awaitable[SocketConnection]]) -> None:
        code = 1000
        heart: asyncio.Task[None] | None = None
        try:
            connection = await self._open(connect)
            if connection is None:
                return
            if self._options.heartbeat is not None:
                watch = self._watch(connection, self._options.heartbeat)
                heart = asyncio.get_running_loop().create_task(watch)
            while not self._is_over:
                self._receive(await connection.receive())
        except SocketClosedError as closed:
            replay = self._options.replay
            self._end("closed", f"closed the WebSocket ({closed})", retryable=replay)
        except FrameError as error:
            code = error.code
            reason: TransportReason = "response_too_large" if code == 1009 else "closed"
            retryable = self._options.replay and code != 1009
            self._end(reason, f"caused a WebSocket error: {error}", retryable=retryable)
        finally:
            if heart is not None:
                heart.cancel()
            if self._connection is not None:
                await self._connection.close(code)

    async def _open(
        self, connect: Callable[[], Awaitable[SocketConnection]]
    ) -> SocketConnection | None:
        limit = self._options.connect_timeout
        scope = asyncio.timeout(limit)
        try:
            async with scope:
                self._connection = await connect()
        except (OSError, EOFError, RefusedError) as error:
            if isinstance(error, RefusedError) and self._reject(error.response):
                return None
            what = f"did not open a WebSocket ({error}): check URL, key and network"
            if scope.expired():
                what = f"did not open a WebSocket within {limit:g} s"
            self._end("unreachable", what, retryable=True, cause=error)
            return None
        except Exception as error:
            self._end("unreachable", f"cannot be called: {error}", cause=error)
            return None
        groups, self._unsent = self._unsent or [], None
        for group in groups:
            self._send(group)
        return self._connection

    def _reject(self, response: HttpResponse | None) -> bool:
        """Rejects all calls with the error of a server that rejects the key or the caller."""
        if response is None or response.status not in (401, 403):
            return False
        try:
            body = read_json(response.body.decode(), self._options.parse_float)
        except ValueError:
            return False
        refusal = read_answers(body).get(None)
        if error_of(refusal) is None:
            return False
        self._is_over = True
        calls = [call for call, _ in self._in_flight.values()]
        self._in_flight.clear()
        for call in calls:
            settle(call, refusal, document=self._options.document, where=self._options.where)
        return True

    async def _watch(self, connection: SocketConnection, seconds: float) -> None:
        silent_ticks = 0
        while True:
            await asyncio.sleep(seconds)
            silent_ticks = 1 if connection.is_heard else silent_ticks + 1
            connection.is_heard = False
            if silent_ticks > 2:
                self._end("closed", "stopped responding", retryable=self._options.replay)
                self._life.cancel()
                return
            if silent_ticks > 1:
                connection.ping()

    def _send(self, calls: list[QueuedCall]) -> None:
        # Some may have been cancelled while the socket opened.
        live = [each for each in calls if each.id in self._in_flight]
        if live and self._connection is not None:
            self._connection.send_text(join_calls(live))
        for each in live:
            if each.call.notification:
                del self._in_flight[each.id]
                each.resolve(Answer(None))

    def _receive(self, message: str | bytes) -> None:
        options = self._options
        try:
            if isinstance(message, bytes):
                raise ValueError("binary message")
            answers = read_answers(read_json(message, options.parse_float))
        except ValueError as error:
            # Any of the calls in flight may have lost its response.
            what = f"sent invalid JSON: {excerpt(message)}"
            self._end("not_json", what, retryable=options.replay, cause=error)
            return
        for call_id, answer in answers.items():
            # An unknown id belongs to a cancelled call.
            known = self._in_flight.pop(call_id, None)
            if known is not None:
                settle(known[0], answer, document=options.document, where=options.where)
        unnamed = answers.get(None)
        wire = error_of(unnamed)
        if wire is None or not self._in_flight:
            return
        # An error without an id applies to the only message in flight; with several it is ambiguous.
        self._unnamed = options.document.make_error(wire, "", None)
        groups = [group for _, group in self._in_flight.values()]
        if any(group is not groups[0] for group in groups):
            return
        calls = [call for call, _ in self._in_flight.values()]
        self._in_flight.clear()
        for call in calls:
            settle(call, unnamed, document=options.document, where=options.where)

    def _end(
        self,
        reason: TransportReason,
        what: str,
        *,
        retryable: bool = False,
        cause: Exception | None = None,
    ) -> None:
        if self._is_over:
            return
        self._is_over = True
        calls = [call for call, _ in self._in_flight.values()]
        self._in_flight.clear()
        shared = Cause()
        for call in calls:
            error = TransportError(
                reason, f"{self._options.where} {what}", retryable=retryable, cause=shared
            )
            error.__cause__ = cause or self._unnamed
            call.reject(error)
