"""What a client can be told, read and checked once."""

from __future__ import annotations

import math
import random as random_numbers
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from .attempts import Attempt, Outcome, Retry
from .http_transport import HeaderSource
from .json_text import ParseFloat

#: What a setting is, and the least it may be.
_BOUNDS: Mapping[str, tuple[float, type]] = {
    "timeout": (0.001, float),
    "retries": (0, int),
    "backoff": (0, float),
    "max_backoff": (0, float),
    "max_in_flight": (1, int),
    "max_waiting": (1, int),
    "max_answer_bytes": (1, int),
    "connect_timeout": (0.001, float),
    "heartbeat": (0.001, float),
}


def check_number(name: str, value: object, least: float, kind: type) -> None:
    """Raises a ValueError naming a number that is below its least."""
    allowed = int if kind is int else int | float
    is_number = isinstance(value, allowed) and not isinstance(value, bool)
    if not is_number or math.isnan(value) or value < least:  # type: ignore[operator, arg-type]
        what = "a whole number" if kind is int else "a number"
        raise ValueError(f"{name} is {value!r}: pass {what} of {least:g} or more")


@dataclass(frozen=True, slots=True)
class Batching:
    """How calls are collected to batches."""

    #: Most calls of a batch.
    size: int = 100
    #: How long a batch is collected, in seconds; 0: what is called in the same turn.
    wait: float = 0.0

    def __post_init__(self) -> None:
        check_number("batch.size", self.size, 1, int)
        check_number("batch.wait", self.wait, 0, float)


class ClientOptions(TypedDict, total=False):
    """What a client can be told, all of it by name. Times are in seconds."""

    #: The time each call has (30), retries and waiting included; math.inf for no limit.
    timeout: float
    #: How often a call that failed on the way is sent again (3); 0: never.
    retries: int
    #: The wait before the first retry at most (0.15); each further one at most twice as long.
    backoff: float
    #: The longest wait (10); a server that asks for a longer one is not asked again.
    max_backoff: float
    #: Says of a method whether its calls change nothing, so that they may be sent twice; else the
    #: document says it (`x-read-only`).
    reads: Callable[[str], bool]
    #: How calls are collected to batches (Batching()); False: each goes by itself.
    batch: Batching | Literal[False]
    #: Requests (HTTP, 64) or calls (WebSocket, 100) under way at once; the others wait.
    max_in_flight: int
    #: Calls that may wait (10,000); one more is refused.
    max_waiting: int
    #: The largest answer that is read, in bytes (256 MiB).
    max_answer_bytes: int
    #: Sent with each request beside the content type; a function is asked for each.
    headers: HeaderSource
    #: The trust and certificates of https and wss (ssl.create_default_context()).
    ssl_context: ssl.SSLContext
    #: Makes the value of a number with a fraction or an exponent (float); decimal.Decimal.
    parse_float: ParseFloat
    #: WebSocket: how long it may take to open (10).
    connect_timeout: float
    #: WebSocket: how long it may be silent before it is asked for a sign of life (never asked).
    heartbeat: float
    #: WebSocket: whether reads in flight when it is lost may be sent again on the next (True).
    replay: bool
    #: Told of each attempt before it is sent.
    on_request: Callable[[Attempt], None]
    #: Told how each attempt ended.
    on_response: Callable[[Outcome], None]
    #: Told of each call that will be sent again, before the wait.
    on_retry: Callable[[Retry], None]
    #: A number from 0 to 1 (random.random).
    random: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a client, each with its value."""

    timeout: float = 30.0
    retries: int = 3
    backoff: float = 0.15
    max_backoff: float = 10.0
    reads: Callable[[str], bool] | None = None
    batch: Batching | Literal[False] = Batching()
    max_in_flight: int | None = None
    max_waiting: int = 10_000
    max_answer_bytes: int = 268_435_456
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
    """Reads the options of a client; None is as if it were not given.

    Raises a TypeError for a name that is none, a ValueError for a value that cannot be used.
    """
    given = {name: value for name, value in options.items() if value is not None}
    unknown = [name for name in given if name not in Settings.__dataclass_fields__]
    if unknown:
        known = ", ".join(Settings.__dataclass_fields__)
        raise TypeError(f"{unknown[0]} is no option of a client: pass any of {known}")
    for name, (least, kind) in _BOUNDS.items():
        if name in given:
            check_number(name, given[name], least, kind)
    if not isinstance(given.get("batch", False), bool | Batching) or given.get("batch") is True:
        raise TypeError("batch is none: pass Batching(size=…, wait=…) or False")
    members: dict[str, Any] = given
    return Settings(**members)
