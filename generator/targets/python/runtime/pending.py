"""Calls that are under way while their caller does something else."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Generic, TypeVar, cast

from .background import Begin
from .carried import Answer
from .engine import PreparedCall, WithResponse

T = TypeVar("T")


class Pending(Generic[T]):
    """A call under way: its result, or its result with what came with it."""

    def __init__(self, call: PreparedCall) -> None:
        self._call = call
        self._future: Future[Answer] = Future()
        self._is_begun = False

    def result(self, timeout: float | None = None) -> T:
        """Waits for the result.

        Raises the call's error, a CancelledError (of concurrent.futures) when it was cancelled,
        and a TimeoutError after `timeout` seconds, which does not end the call.
        """
        return cast(T, self._answer(timeout).result)

    def with_response(self, timeout: float | None = None) -> WithResponse[T]:
        """As `result`, with what came with it."""
        return self._call.describe(self._answer(timeout))

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Waits for the call's error; None when it has a result."""
        self._check()
        return self._future.exception(timeout)

    def cancel(self) -> bool:
        """Takes the call back. False when it has ended already."""
        return self._future.cancel()

    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._future.cancelled()

    def done(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self._future.done()

    def _answer(self, timeout: float | None) -> Answer:
        self._check()
        return self._future.result(timeout)

    def _check(self) -> None:
        if not self._is_begun and not self._future.cancelled():
            raise RuntimeError("the batch is not sent yet: leave its with block first")

    def _place(self) -> tuple[PreparedCall, Future[Answer]]:
        self._is_begun = True
        return self._call, self._future


def begin_all(begin: Begin, calls: list[Pending[T]]) -> None:
    """Begins calls in the same turn, so that they make a batch."""
    places = [each._place() for each in calls]  # pyright: ignore[reportPrivateUsage]
    begin(places)
