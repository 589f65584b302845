"""The facts of a document that calls depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from .carried import Params, ResponseInfo
from .failures import RpcError, is_retryable_status, reason_of


class Omit(Enum):
    """The type of `OMIT`."""

    OMIT = "omit"

    def __repr__(self) -> str:
        return "OMIT"


#: Omits an optional param. None, in contrast, is sent as null.
OMIT = Omit.OMIT


@dataclass(frozen=True, slots=True)
class Route:
    """How to call a method."""

    method: str
    #: Names of the params, in order.
    names: tuple[str, ...] = ()
    structure: Literal["by-position", "by-name", "either"] = "by-position"
    #: The documented price of a call.
    credits: float | None = None
    #: True if a call changes nothing, so that it can be sent twice.
    reads: bool = False
    notification: bool = False

    def read_params(self, args: Sequence[Any]) -> Params:
        """Converts arguments to params. Trailing omitted arguments shorten the list."""
        if self.structure == "by-name":
            return self._by_name(args)
        given = list(args)
        while given and given[-1] is OMIT:
            given.pop()
        if OMIT not in given:
            return given
        # A list has no gaps: send params by name, or null in the gap.
        if self.structure == "either":
            return self._by_name(given)
        return [None if each is OMIT else each for each in given]

    def _by_name(self, args: Sequence[Any]) -> dict[str, Any]:
        return {
            name: value
            for name, value in zip(self.names, args, strict=False)
            if value is not OMIT
        }


@dataclass(frozen=True, slots=True)
class Document:
    """The methods and errors of a service."""

    routes: Mapping[str, Route] = field(default_factory=dict[str, Route])
    #: By code and reason. Errors without a reason: by code and None, or code and message.
    errors: Mapping[tuple[int, str | None], type[RpcError]] = field(
        default_factory=dict[tuple[int, str | None], type[RpcError]]
    )
    #: Codes of retryable errors.
    retryable_codes: frozenset[int] = frozenset()
    #: Reasons that are not retryable, of errors with a retryable code.
    final_reasons: frozenset[str] = frozenset()

    def make_error(
        self, wire: Mapping[str, Any], method: str, response: ResponseInfo | None
    ) -> RpcError:
        """Creates the error for the `error` member of a response, in its own class."""
        code, message, data = wire["code"], wire["message"], wire.get("data")
        reason = reason_of(data)
        kind = self.errors.get((code, message if reason is None else reason))
        if kind is None and reason is None:
            kind = self.errors.get((code, None))
        retryable = is_retryable_status(None if response is None else response.status) or (
            bool(reason)
            and code in self.retryable_codes
            and reason not in self.final_reasons
        )
        return (kind or RpcError)(
            code, message, data, method=method, response=response, retryable=retryable
        )
