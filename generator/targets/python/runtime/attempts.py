"""What hooks are told: for logging and tracing."""

from __future__ import annotations

from dataclasses import dataclass

from .carried import Answer, WireCall


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a call."""

    call: WireCall
    #: From 1; a call that is sent again has the next.
    attempt: int


@dataclass(frozen=True, slots=True)
class Outcome(Attempt):
    """How an attempt ended: with an answer, or with an error (which has the response, if any)."""

    #: In seconds.
    duration: float
    answer: Answer | None
    error: BaseException | None


@dataclass(frozen=True, slots=True)
class Retry(Attempt):
    """A call that is about to be sent again."""

    #: The wait, in seconds.
    delay: float
    #: What the attempt failed with.
    error: Exception
