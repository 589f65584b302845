"""Groups calls and limits how many are in flight."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from .carried import Answer, WireCall
from .failures import TransportError


@dataclass(frozen=True, slots=True)
class QueueOptions:
    """The limits of a queue."""

    #: Maximum number of calls in a group; 1 sends each call alone.
    size: int
    #: How long to collect a group, in seconds; 0: until the running code yields.
    wait: float
    max_in_flight: int
    #: Whether `max_in_flight` counts calls rather than groups.
    per_call: bool
    max_waiting: int


#: Called with a cancelled call, and whether it was the last one of its group.
Drop = Callable[["QueuedCall", bool], object]

#: Sends a group of calls and settles each.
Deliver = Callable[[list["QueuedCall"]], Drop]


class Group:
    """Calls that were sent together."""

    __slots__ = ("drop", "left")

    def __init__(self, left: int) -> None:
        self.left = left
        self.drop: Drop = lambda _call, _is_last: None


class QueuedCall:
    """A call in a queue or in flight. Settled once; later results are ignored."""

    __slots__ = ("_leave", "call", "future", "group", "id", "text")

    def __init__(
        self, call: WireCall, call_id: int, text: str, leave: Callable[[QueuedCall], None]
    ) -> None:
        self.call = call
        self.id = call_id
        #: The JSON-RPC request.
        self.text = text
        self.future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        #: None before the call is sent and after it ends.
        self.group: Group | None = None
        self._leave = leave

    def resolve(self, answer: Answer) -> None:
        """Ends the call with a result."""
        if not self.future.done():
            self.future.set_result(answer)
        self._leave(self)

    def reject(self, error: Exception) -> None:
        """Ends the call with an error."""
        if not self.future.done():
            self.future.set_exception(error)
            # Marks the exception as retrieved: the caller may be cancelled in this turn.
            self.future.exception()
        self._leave(self)


class CallQueue:
    """Sends calls in groups. Waiting calls keep their order and are sent together."""

    def __init__(
        self,
        options: QueueOptions,
        write: Callable[[WireCall, int], str],
        deliver: Deliver,
    ) -> None:
        self._options = options
        self._write = write
        self._deliver = deliver
        self._waiting: dict[int, QueuedCall] = {}
        self._in_flight = 0
        self._last_id = 0

    async def send(self, call: WireCall) -> Answer:
        """Sends a call together with others of its group.

        Raises a TransportError `too_many_waiting`.
        """
        limit = self._options.max_waiting
        if len(self._waiting) >= limit:
            message = f"max_waiting ({limit}) exceeded: await calls, or raise the limit"
            raise TransportError("too_many_waiting", message)
        call_id = self._last_id = self._last_id + 1
        queued = QueuedCall(call, call_id, self._write(call, call_id), self._leave)
        self._waiting[call_id] = queued
        if len(self._waiting) >= self._group_size():
            self._flush()
        elif len(self._waiting) == 1:
            loop = asyncio.get_running_loop()
            if self._options.wait > 0:
                loop.call_later(self._options.wait, self._flush)
            else:
                loop.call_soon(self._flush)
        try:
            return await queued.future
        except asyncio.CancelledError:
            self._leave(queued, cancelled=True)
            raise

    def reject_waiting(self, error: Callable[[], Exception]) -> None:
        """Rejects the waiting calls."""
        for each in list(self._waiting.values()):
            each.reject(error())

    def _group_size(self) -> int:
        options = self._options
        if options.per_call:
            return min(options.size, options.max_in_flight - self._in_flight)
        return options.size if self._in_flight < options.max_in_flight else 0

    def _flush(self) -> None:
        while self._waiting and (size := self._group_size()) > 0:
            calls = list(islice(self._waiting.values(), size))
            group = Group(len(calls))
            self._in_flight += len(calls) if self._options.per_call else 1
            for each in calls:
                del self._waiting[each.id]
                each.group = group
            group.drop = self._deliver(calls)

    def _leave(self, queued: QueuedCall, cancelled: bool = False) -> None:
        group, queued.group = queued.group, None
        if self._waiting.pop(queued.id, None) is not None or group is None:
            return
        group.left -= 1
        if cancelled:
            group.drop(queued, group.left == 0)
        if not self._options.per_call and group.left > 0:
            return
        self._in_flight -= 1
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
