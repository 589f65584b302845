"""Retries calls with exponential backoff and jitter."""

from __future__ import annotations

import asyncio
import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from weakref import WeakKeyDictionary

from .carried import Answer, Attempt, Outcome, Retry, Transport, WireCall
from .failures import ClientError, RpcError
from .options import Settings

#: Upper bound of the wait that a server asks for, in milliseconds (31 years).
_MAX_ASKED_MS = 1e12

#: The code of a rate limit. The server has not processed the call.
_LIMIT_EXCEEDED = -32005


class Pause:
    """A wait that several calls share."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self._over = asyncio.Event()
        asyncio.get_running_loop().call_later(delay, self._over.set)

    async def wait(self) -> None:
        await self._over.wait()


class Retrier:
    """Sends calls over a transport, with retries.

    Calls that may change something are retried only if the server rejected them unprocessed
    (HTTP 429).
    """

    def __init__(self, transport: Transport, settings: Settings) -> None:
        self._transport = transport
        self._settings = settings
        # Calls that failed together wait together, so that they form a batch again.
        self._pauses: WeakKeyDictionary[object, Pause] = WeakKeyDictionary()

    async def send(self, call: WireCall) -> Answer:
        attempt = 1
        while True:
            try:
                return await self._try_once(call, attempt)
            except ClientError as error:
                pause = self._pause_after(error, call, attempt)
                if pause is None:
                    raise
                if self._settings.on_retry is not None:
                    self._settings.on_retry(Retry(call, attempt, pause.delay, error))
            await pause.wait()
            attempt += 1

    async def _try_once(self, call: WireCall, attempt: int) -> Answer:
        settings = self._settings
        if settings.on_request is not None:
            settings.on_request(Attempt(call, attempt))
        if settings.on_response is None:
            return await self._transport.send(call)
        clock = asyncio.get_running_loop().time
        started = clock()
        try:
            answer = await self._transport.send(call)
        except BaseException as error:
            settings.on_response(Outcome(call, attempt, clock() - started, None, error))
            raise
        settings.on_response(Outcome(call, attempt, clock() - started, answer, None))
        return answer

    def _pause_after(self, error: ClientError, call: WireCall, attempt: int) -> Pause | None:
        settings = self._settings
        asked = _asked_delay(error)
        may_retry = error.retryable and (call.reads or _is_rate_limit(error))
        if attempt > settings.retries or asked > settings.max_backoff or not may_retry:
            return None
        key = error.response or error.shared_cause or error
        pause = self._pauses.get(key)
        if pause is None:
            # Avoids an overflow.
            doublings = min(attempt - 1, 30)
            limit = min(settings.max_backoff, settings.backoff * 2**doublings)
            pause = self._pauses[key] = Pause(asked + settings.random() * limit)
        return pause


def _is_rate_limit(error: ClientError) -> bool:
    return error.status == 429 or isinstance(error, RpcError) and error.code == _LIMIT_EXCEEDED


def _asked_delay(error: ClientError) -> float:
    """Reads the wait from the error's data or Retry-After (RFC 9110, section 10.2.3)."""
    if isinstance(error, RpcError) and error.reason is not None:
        asked = error.data.get("retryAfterMs")
        if isinstance(asked, int | float):
            # An integer may be too large for a float.
            return max(0.0, min(asked, _MAX_ASKED_MS) / 1000)
    header = "" if error.response is None else error.response.headers.get("retry-after", "")
    try:
        seconds = float(header)
    except ValueError:
        seconds = _seconds_until(header)
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0


def _seconds_until(date: str) -> float:
    try:
        at = parsedate_to_datetime(date)
        # RFC 5322 allows an unknown time zone; HTTP dates are in UTC.
        return (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0
