"""What goes wrong: what calls raise beside the errors of the document, and their ancestors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from .carried import ResponseInfo
from .json_text import as_object

TransportReason: TypeAlias = Literal[
    "unreachable",
    "http_status",
    "not_json",
    "not_json_rpc",
    "answer_too_large",
    "closed",
    "too_many_waiting",
]

_REVERTED = re.compile(r"execution reverted: (.+)", re.DOTALL)


class Cause:
    """What several calls failed by."""


class ClientError(Exception):
    """The ancestor of every error a call raises, but for cancellation."""

    #: Whether the same call may succeed later.
    retryable: bool = False
    #: The HTTP response the error came with; None over a socket, and where there was none.
    response: ResponseInfo | None = None
    #: The same for all calls that failed by one cause; they are sent again together.
    shared_cause: Cause | None = None

    @property
    def status(self) -> int | None:
        """The HTTP status, when there was one."""
        return None if self.response is None else self.response.status

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are made anew from their message alone when they go from process to process.
        members = {**self.__dict__, "shared_cause": None}
        return _restore, (type(self), self.args, members)


def _restore(
    kind: type[ClientError], args: tuple[Any, ...], members: dict[str, Any]
) -> ClientError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(members)
    return error


class TransportError(ClientError):
    """No answer: the network, an intermediary or a bound of this client stood in the way.

    The message says what, where (scheme, host and port only: a path may hold a key) and what
    mends it. `reason` is

    - `unreachable`: the request or the connection failed
    - `http_status`: an HTTP status other than 2xx without a JSON-RPC answer in the body
    - `not_json`: the body or message is no JSON
    - `not_json_rpc`: JSON, but no JSON-RPC 2.0 answer to the call made
    - `answer_too_large`: the answer is larger than the bound set
    - `closed`: the socket or the client was closed
    - `too_many_waiting`: more calls wait than the bound set
    """

    def __init__(
        self,
        reason: TransportReason,
        message: str,
        *,
        response: ResponseInfo | None = None,
        retryable: bool = False,
        cause: Cause | None = None,
    ) -> None:
        super().__init__(message)
        self.reason: TransportReason = reason
        self.response = response
        self.retryable = retryable
        self.shared_cause = cause


class CallTimeoutError(ClientError, TimeoutError):
    """The answer did not come within the call's time. Whether the server acted is unknown."""

    def __init__(self, method: str, timeout: float) -> None:
        super().__init__(f"{method} had no answer in {timeout:g} s (timeout)")
        self.method = method
        self.timeout = timeout
        self.retryable = True


@dataclass(frozen=True, slots=True)
class ErrorFacts:
    """What the document says of an error. None: it does not say."""

    code: int
    reason: str | None
    #: HTTP status.
    status: int | None
    #: Whether a call that ends so was charged.
    charged: bool | None
    retryable: bool | None
    cause: str | None
    #: What the caller can do about it.
    fix: str | None


class RpcError(ClientError):
    """The server answered with an error. Its class is that of the document it belongs to, if any.

    `str(error)` is the server's own message.
    """

    #: What the document says of errors of this class; None where it knows none.
    facts: ClassVar[ErrorFacts | None] = None

    def __init__(
        self,
        code: int,
        message: str,
        data: Any = None,
        *,
        method: str = "",
        response: ResponseInfo | None = None,
        retryable: bool = False,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        #: The name of the method that was called.
        self.method = method
        self.response = response
        self.retryable = retryable
        self._data = data

    @property
    def data(self) -> Any:
        """What the server sent beside code and message."""
        return self._data

    @property
    def reason(self) -> str | None:
        """Tells apart the errors that share a code; None when the answer names none."""
        return reason_of(self._data)

    @property
    def revert_reason(self) -> str | None:
        """The decoded reason of an executed REVERT; None without one, and for other errors."""
        found = _REVERTED.match(self.message)
        return None if found is None else found[1]

    def _member(self, name: str) -> Any:
        data = as_object(self._data)
        return None if data is None else data.get(name)


def reason_of(data: Any) -> str | None:
    """The reason that the data of an error names."""
    members = as_object(data)
    reason = None if members is None else members.get("reason")
    return reason if isinstance(reason, str) else None


def is_passing(status: int | None) -> bool:
    """Whether an HTTP status speaks of the way to what answers, or of too many requests."""
    return status in (429, 502, 503, 504)
