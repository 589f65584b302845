"""JSON-RPC over HTTP: a POST for each call, or for each batch of concurrent calls."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from typing import Any

from .address import Address
from .call_queue import CallQueue, Drop, QueuedCall, QueueOptions
from .carried import Answer, ResponseInfo, WireCall
from .document import Document
from .envelope import error_of, join_calls, read_answers, settle, write_call
from .failures import Cause, TransportError, TransportReason, is_retryable_status
from .http_connection import BodyTooLargeError, HttpProtocolError
from .http_pool import HttpPool
from .json_text import ParseFloat, excerpt, read_json

#: Headers of each request; a function is called for each request.
HeaderSource = Mapping[str, str] | Callable[[], Mapping[str, str]]


class HttpTransport:
    """Sends calls over HTTP."""

    def __init__(
        self,
        address: Address,
        document: Document,
        queue: QueueOptions,
        *,
        headers: HeaderSource,
        max_response_bytes: int,
        parse_float: ParseFloat,
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        self._where = address.origin
        self._path = address.target.partition("?")[0]
        self._document = document
        self._headers = headers
        self._max_response_bytes = max_response_bytes
        self._parse_float = parse_float
        self._pool = HttpPool(address, ssl_context, max_response_bytes)
        self._queue = CallQueue(queue, write_call, self._deliver)
        self._posts: dict[asyncio.Task[None], list[QueuedCall]] = {}
        self._is_closed = False

    async def send(self, call: WireCall) -> Answer:
        if self._is_closed:
            raise self._closed()
        return await self._queue.send(call)

    async def close(self) -> None:
        self._is_closed = True
        posts = dict(self._posts)
        for post, calls in posts.items():
            for each in calls:
                each.reject(self._closed())
            post.cancel()
        self._queue.reject_waiting(self._closed)
        await asyncio.gather(*posts, return_exceptions=True)
        await self._pool.close()

    def _closed(self) -> TransportError:
        return TransportError("closed", f"{self._where} cannot be called: the client is closed")

    def _deliver(self, calls: list[QueuedCall]) -> Drop:
        if self._is_closed:
            for each in calls:
                each.reject(self._closed())
            return lambda _call, _is_last: None
        post = asyncio.get_running_loop().create_task(self._post(calls))
        self._posts[post] = calls
        post.add_done_callback(lambda done: self._posts.pop(done, None))
        return lambda _call, is_last: is_last and post.cancel()

    async def _post(self, calls: list[QueuedCall]) -> None:
        try:
            await self._exchange(calls)
        except Exception as error:
            cause = Cause()
            for each in calls:
                each.reject(self._unreachable(error, cause))

    def _unreachable(self, error: Exception, cause: Cause) -> Exception:
        if isinstance(error, ssl.SSLCertVerificationError):
            message = f"{self._where} has an untrusted certificate: pass ssl_context"
            failure = TransportError("unreachable", message)
        elif isinstance(error, HttpProtocolError):
            message = f"{self._where} sent no HTTP response: {error}"
            failure = TransportError("unreachable", message, retryable=True, cause=cause)
        elif isinstance(error, OSError | EOFError):
            message = f"{self._where} is unreachable"
            failure = TransportError("unreachable", message, retryable=True, cause=cause)
        else:
            return error
        failure.__cause__ = error
        return failure

    async def _exchange(self, calls: list[QueuedCall]) -> None:
        headers = self._headers() if callable(self._headers) else self._headers
        own = {name.lower(): value for name, value in headers.items()}
        body = join_calls(calls).encode()
        try:
            received = await self._pool.post({"content-type": "application/json", **own}, body)
        except BodyTooLargeError:
            for each in calls:
                limit = self._max_response_bytes
                message = f"{self._where}: response exceeds max_response_bytes ({limit})"
                each.reject(TransportError("response_too_large", message))
            return
        if received.status == 413 and len(calls) > 1:
            half = len(calls) // 2
            await self._post(calls[:half])
            await self._post(calls[half:])
            return
        response = ResponseInfo(received.status, received.headers, len(calls))
        self._settle(calls, response, received.body)

    def _settle(self, calls: list[QueuedCall], response: ResponseInfo, body: bytes) -> None:
        answers: dict[Any, Mapping[str, Any]] | None = None
        cause: Exception | None = None
        try:
            answers = read_answers(read_json(body, self._parse_float))
        except ValueError as error:
            cause = error
        is_ok = 200 <= response.status < 300
        unnamed = (answers or {}).get(None)
        for each in calls:
            answer = (answers or {}).get(each.id)
            if answer is None and error_of(unnamed) is not None:
                answer = unnamed
            if is_ok and each.call.notification:
                each.resolve(Answer(None, response))
            elif (is_ok and answers is not None) or error_of(answer) is not None:
                settle(
                    each, answer, document=self._document, where=self._where, response=response
                )
            else:
                each.reject(self._failure(response, body, cause))

    def _failure(
        self, response: ResponseInfo, body: bytes, cause: Exception | None
    ) -> TransportError:
        status = response.status
        reason: TransportReason = "not_json"
        first = excerpt(body, self._path)
        message = f"{self._where} sent invalid JSON: {first}"
        if not 200 <= status < 300:
            reason, message = "http_status", f"{self._where} sent HTTP {status}: {first}"
        failure = TransportError(
            reason,
            message,
            response=response,
            retryable=reason == "http_status" and is_retryable_status(status),
        )
        failure.__cause__ = cause
        return failure
