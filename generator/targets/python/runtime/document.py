"""What a document says that calls need to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from .carried import Params, ResponseInfo
from .failures import RpcError, is_passing, reason_of


class Omit(Enum):
    """The type of `OMIT`, which stands for an optional parameter that is left out."""

    OMIT = "omit"

    def __repr__(self) -> str:
        return "OMIT"


#: An optional parameter that is left out (None is sent as null).
OMIT = Omit.OMIT


@dataclass(frozen=True, slots=True)
class Route:
    """How a method of a client becomes a call."""

    method: str
    #: The parameters' names on the wire, in order.
    names: tuple[str, ...] = ()
    structure: Literal["by-position", "by-name", "either"] = "by-position"
    #: What a call costs, as far as the document says.
    credits: float | None = None
    #: A call changes nothing, so that it may be sent twice.
    reads: bool = False
    notification: bool = False

    def read_params(self, args: Sequence[Any]) -> Params:
        """The parameters as they are sent: what is left out at the end makes the list shorter."""
        if self.structure == "by-name":
            return self._by_name(args)
        given = list(args)
        while given and given[-1] is OMIT:
            given.pop()
        if OMIT not in given:
            return given
        # Before a given one it makes the parameters go by name, or else null stands in for it.
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
    #: By code and reason (or message, where an answer names no reason); by code and None.
    errors: Mapping[tuple[int, str | None], type[RpcError]] = field(
        default_factory=dict[tuple[int, str | None], type[RpcError]]
    )
    #: Codes of errors on the way to what answers: with a reason, the call may succeed later.
    passing_codes: frozenset[int] = frozenset()
    #: Reasons that will not pass although the code is one of those.
    lasting_reasons: frozenset[str] = frozenset()

    def make_error(
        self, wire: Mapping[str, Any], method: str, response: ResponseInfo | None
    ) -> RpcError:
        """The error of the `error` member of an answer, in its own class."""
        code, message, data = wire["code"], wire["message"], wire.get("data")
        reason = reason_of(data)
        kind = self.errors.get((code, message if reason is None else reason))
        if kind is None and reason is None:
            kind = self.errors.get((code, None))
        passing = is_passing(None if response is None else response.status)
        may_pass = (
            bool(reason)
            and code in self.passing_codes
            and reason not in self.lasting_reasons
        )
        return (kind or RpcError)(
            code, message, data, method=method, response=response, retryable=passing or may_pass
        )
