"""What transports carry: calls there, answers back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

#: Parameters of a call by position or by name (JSON-RPC 2.0, section 4.2).
Params: TypeAlias = Sequence[Any] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WireCall:
    """One call, before it has an id: ids belong to the transport that puts it on a wire."""

    method: str
    params: Params | None = None
    #: True when no answer is expected (JSON-RPC 2.0, section 4.1).
    notification: bool = False
    #: True when the call changes nothing, so that it may be sent twice.
    reads: bool = False


class Headers(Mapping[str, str]):
    """The headers of a response; their names in whatever case."""

    def __init__(self, pairs: Sequence[tuple[str, str]] = ()) -> None:
        self._values: dict[str, str] = {}
        for name, value in pairs:
            key = name.lower()
            # RFC 9110, section 5.2: several lines of one name are one list.
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
    """The HTTP response an answer came in."""

    status: int
    headers: Headers
    #: How many calls it answers: its headers speak of all of them.
    calls: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A call's result, and the HTTP response it came in (None on a socket)."""

    result: Any
    response: ResponseInfo | None = None


class Transport(Protocol):
    """Carries calls. What you put in its place in a test, or wrap around one, is one too."""

    async def send(self, call: WireCall) -> Answer:
        """Carries one call.

        Raises an RpcError when the server answered with an error, and a TransportError when no
        answer could be had. May be cancelled.
        """
        ...

    async def close(self) -> None:
        """Lets go of what is held open. Calls in flight fail."""
