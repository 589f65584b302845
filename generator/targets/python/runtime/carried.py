"""Calls, results and the transport protocol, and the arguments of hooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

#: Params by position or by name (JSON-RPC 2.0, section 4.2).
Params: TypeAlias = Sequence[Any] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WireCall:
    """A call before its transport assigns an id."""

    method: str
    params: Params | None = None
    #: True if there is no response (JSON-RPC 2.0, section 4.1).
    notification: bool = False
    #: True if the call changes nothing, so that it can be sent twice.
    reads: bool = False


class Headers(Mapping[str, str]):
    """The headers of a response, with case-insensitive names."""

    def __init__(self, pairs: Sequence[tuple[str, str]] = ()) -> None:
        self._values: dict[str, str] = {}
        for name, value in pairs:
            key = name.lower()
            # RFC 9110, section 5.2: several lines with one name form a list.
            self._values[key] = f"{self._values[key]}, {value}" if key in self._values else value

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({list(self._values.items())!r})"


@dataclass(frozen=True, eq=False)
class ResponseInfo:
    """An HTTP response."""

    status: int
    headers: Headers
    #: Number of calls in the batch.
    calls: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A call's result and its HTTP response, which is None over a WebSocket."""

    result: Any
    response: ResponseInfo | None = None


class Transport(Protocol):
    """Sends calls. Wrap it, or replace it in tests."""

    async def send(self, call: WireCall) -> Answer:
        """Sends one call.

        Raises an RpcError if the server returns an error, and a TransportError if there is no
        response. May be cancelled.
        """
        ...

    async def close(self) -> None:
        """Closes connections. Calls in flight fail."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a call."""

    call: WireCall
    #: 1 for the first attempt.
    attempt: int


@dataclass(frozen=True, slots=True)
class Outcome(Attempt):
    """The end of an attempt: an answer, or an error with the response, if any."""

    #: In seconds.
    duration: float
    answer: Answer | None
    error: BaseException | None


@dataclass(frozen=True, slots=True)
class Retry(Attempt):
    """A retry about to happen."""

    #: The wait, in seconds.
    delay: float
    #: The error of the attempt.
    error: Exception
