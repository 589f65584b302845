"""Calls that run in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Generic, TypeVar, cast

from .background import Begin
from .carried import Answer
from .engine import PreparedCall, WithResponse

T = TypeVar("T")


class Pending(Generic[T]):
    """A call in progress."""

    def __init__(self, call: PreparedCall) -> None:
        self._call = call
        self._future: Future[Answer] = Future()
        self._is_begun = False

    def result(self, timeout: float | None = None) -> T:
        """Waits for the result.

        Raises the call's error, a CancelledError (of concurrent.futures) if it was cancelled, or a
        TimeoutError after `timeout` seconds, which does not cancel the call.
        """
        return cast(T, self._answer(timeout).result)

    def with_response(self, timeout: float | None = None) -> WithResponse[T]:
        """Waits for the result with cost, status and headers."""
        return self._call.describe(self._answer(timeout))

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Waits for the call's error, or returns None if it succeeds."""
        self._check()
        return self._future.exception(timeout)

    def cancel(self) -> bool:
        """Cancels the call. Returns False if it has ended."""
        return self._future.cancel()

    def cancelled(self) -> bool:
        """Whether the call was cancelled."""
        return self._future.cancelled()

    def done(self) -> bool:
        """Whether the call has ended."""
        return self._future.done()

    def _answer(self, timeout: float | None) -> Answer:
        self._check()
        return self._future.result(timeout)

    def _check(self) -> None:
        if not self._is_begun and not self._future.cancelled():
            raise RuntimeError("the batch is not sent until the end of its with block")

    def _begin(self) -> tuple[PreparedCall, Future[Answer]]:
        self._is_begun = True
        return self._call, self._future


def begin_all(begin: Begin, calls: list[Pending[T]]) -> None:
    """Starts calls in the same turn, so that they form a batch."""
    begin([each._begin() for each in calls])  # pyright: ignore[reportPrivateUsage]


def call_with(
    method: Any, owner: object, view: object, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Calls a bound method of `owner` on `view`, which handles the call differently.

    Raises a TypeError if `method` is not a method of `owner`.
    """
    if getattr(method, "__self__", None) is not owner or not hasattr(method, "__func__"):
        raise TypeError("expected a method of this client, then its arguments")
    return method.__func__(view, *args, **kwargs)
