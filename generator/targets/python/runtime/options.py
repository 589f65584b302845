"""The options of a client and their checks."""

from __future__ import annotations

import math
import random as random_numbers
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from .carried import Attempt, Outcome, Retry
from .http_transport import HeaderSource
from .json_text import ParseFloat

#: Minimum and type of numeric options.
_BOUNDS: Mapping[str, tuple[float, type]] = {
    "timeout": (0.001, float),
    "retries": (0, int),
    "backoff": (0, float),
    "max_backoff": (0, float),
    "max_in_flight": (1, int),
    "max_waiting": (1, int),
    "max_response_bytes": (1, int),
    "connect_timeout": (0.001, float),
    "heartbeat": (0.001, float),
}


def check_number(name: str, value: object, minimum: float, kind: type) -> None:
    """Raises a ValueError for a number that is less than its minimum."""
    allowed = int if kind is int else int | float
    is_number = isinstance(value, allowed) and not isinstance(value, bool)
    if not is_number or math.isnan(value) or value < minimum:  # type: ignore[operator, arg-type]
        what = "an integer" if kind is int else "a number"
        raise ValueError(f"{name}: expected {what} of {minimum:g} or more, got {value!r}")


@dataclass(frozen=True, slots=True)
class Batching:
    """Batching of concurrent calls."""

    #: Maximum number of calls in a batch.
    size: int = 100
    #: How long to collect a batch, in seconds; 0: until the running code yields.
    wait: float = 0.0

    def __post_init__(self) -> None:
        check_number("batch.size", self.size, 1, int)
        check_number("batch.wait", self.wait, 0, float)


class ClientOptions(TypedDict, total=False):
    """The options of a client. Times are in seconds."""

    #: Timeout of each call, including retries (default: 30); math.inf for none.
    timeout: float
    #: Maximum number of retries of a failed call (default: 3).
    retries: int
    #: Maximum wait before the first retry (default: 0.15). It doubles with each further retry.
    backoff: float
    #: Maximum wait (default: 10). If the server asks for a longer one, the call is not retried.
    max_backoff: float
    #: Whether a method changes nothing, so that calls can be sent twice (`x-read-only`).
    reads: Callable[[str], bool]
    #: Batching of concurrent calls (default: Batching()); False sends each call alone.
    batch: Batching | Literal[False]
    #: Maximum number of concurrent requests (HTTP, default: 64) or calls (WebSocket, default: 100).
    max_in_flight: int
    #: Maximum number of waiting calls (default: 10,000); further calls fail.
    max_waiting: int
    #: Maximum size of a response in bytes (default: 256 MiB).
    max_response_bytes: int
    #: Headers of each request; a function is called for each request.
    headers: HeaderSource
    #: TLS settings for https and wss (default: ssl.create_default_context()).
    ssl_context: ssl.SSLContext
    #: Converts the text of a number with a fraction or an exponent (default: float).
    parse_float: ParseFloat
    #: WebSocket: timeout for opening the socket (default: 10).
    connect_timeout: float
    #: WebSocket: pings a socket after this many silent seconds, and closes it after as many more
    #: (default: off).
    heartbeat: float
    #: WebSocket: whether reads in flight are retried after a disconnect (default: True).
    replay: bool
    #: Called before each attempt.
    on_request: Callable[[Attempt], None]
    #: Called after each attempt.
    on_response: Callable[[Outcome], None]
    #: Called before the wait for each retry.
    on_retry: Callable[[Retry], None]
    #: Returns a number from 0 to 1 (default: random.random).
    random: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a client with their defaults."""

    timeout: float = 30.0
    retries: int = 3
    backoff: float = 0.15
    max_backoff: float = 10.0
    reads: Callable[[str], bool] | None = None
    batch: Batching | Literal[False] = Batching()
    max_in_flight: int | None = None
    max_waiting: int = 10_000
    max_response_bytes: int = 268_435_456
    headers: HeaderSource | None = None
    ssl_context: ssl.SSLContext | None = None
    parse_float: ParseFloat = float
    connect_timeout: float = 10.0
    heartbeat: float | None = None
    replay: bool = True
    on_request: Callable[[Attempt], None] | None = None
    on_response: Callable[[Outcome], None] | None = None
    on_retry: Callable[[Retry], None] | None = None
    random: Callable[[], float] = random_numbers.random


def read_options(options: ClientOptions) -> Settings:
    """Reads the options of a client. None means the default.

    Raises a TypeError for an unknown option and a ValueError for an invalid value.
    """
    given = {name: value for name, value in options.items() if value is not None}
    unknown = [name for name in given if name not in Settings.__dataclass_fields__]
    if unknown:
        known = ", ".join(Settings.__dataclass_fields__)
        raise TypeError(f"{unknown[0]}: unknown option; expected one of {known}")
    for name, (minimum, kind) in _BOUNDS.items():
        if name in given:
            check_number(name, given[name], minimum, kind)
    if not isinstance(given.get("batch", False), bool | Batching) or given.get("batch") is True:
        raise TypeError("batch: expected Batching(size=…, wait=…) or False")
    members: dict[str, Any] = given
    return Settings(**members)
