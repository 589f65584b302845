"""The errors that calls raise, and the base class of the document's errors."""

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
    "response_too_large",
    "closed",
    "too_many_waiting",
]

_REVERTED = re.compile(r"execution reverted: (.+)", re.DOTALL)
#: Data other than Error(string) and Panic(uint256) has no reason that a server could decode.
_UNDECODABLE = re.compile(r"0x(?!08c379a0|4e487b71|\Z)")


class Cause:
    """The shared cause of calls that failed together."""


class ClientError(Exception):
    """Base class of the errors that calls raise, except for cancellation."""

    #: Whether the same call may succeed later.
    retryable: bool = False
    #: The HTTP response; None if there was none, as over a WebSocket.
    response: ResponseInfo | None = None
    #: Equal for calls that failed together; they are retried together.
    shared_cause: Cause | None = None

    @property
    def status(self) -> int | None:
        """The HTTP status; None without a response."""
        return None if self.response is None else self.response.status

    def __reduce__(self) -> tuple[Any, ...]:
        # By default only the message is pickled.
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
    """A call without a JSON-RPC response.

    The cause is the network, an intermediary or a limit of this client. The message shows scheme,
    host and port only: the path may hold a key. `reason` is one of these:

    - `unreachable`: the request or connection failed
    - `http_status`: the HTTP status is not 2xx and the body is not a JSON-RPC response
    - `not_json`: the body or message is not JSON
    - `not_json_rpc`: the JSON is not a JSON-RPC 2.0 response to the call
    - `response_too_large`: the response is larger than the limit
    - `closed`: the WebSocket or the client was closed
    - `too_many_waiting`: too many calls are waiting
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
    """A call that timed out. The server may still have processed it."""

    def __init__(self, method: str, timeout: float) -> None:
        super().__init__(f"{method} timed out: timeout is {timeout:g} s")
        self.method = method
        self.timeout = timeout
        self.retryable = True


@dataclass(frozen=True, slots=True)
class ErrorFacts:
    """Documentation of an error. Members that the document omits are None."""

    code: int
    reason: str | None
    #: HTTP status.
    status: int | None
    #: Whether the failed call was charged.
    charged: bool | None
    retryable: bool | None
    cause: str | None
    #: What the caller can do about it.
    fix: str | None


class RpcError(ClientError):
    """An error that the server returned. Documented errors have their own class.

    `str(error)` is the server's message.
    """

    #: Documentation of errors of this class.
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
        #: The called method.
        self.method = method
        self.response = response
        self.retryable = retryable
        self._data = data

    @property
    def data(self) -> Any:
        """The `data` of the JSON-RPC error."""
        return self._data

    @property
    def reason(self) -> str | None:
        """Distinguishes errors with the same code; None if the server sent none."""
        return reason_of(self._data)

    @property
    def revert_reason(self) -> str | None:
        """The decoded reason of an executed REVERT, or None, as for a custom error."""
        if isinstance(self._data, str) and _UNDECODABLE.match(self._data):
            return None
        found = _REVERTED.match(self.message)
        return None if found is None else found[1]

    def _member(self, name: str) -> Any:
        data = as_object(self._data)
        return None if data is None else data.get(name)


def reason_of(data: Any) -> str | None:
    """Returns the reason in an error's data."""
    members = as_object(data)
    reason = None if members is None else members.get("reason")
    return reason if isinstance(reason, str) else None


def is_retryable_status(status: int | None) -> bool:
    """Whether a status means a rate limit or a failure between client and server."""
    return status in (429, 502, 503, 504)
