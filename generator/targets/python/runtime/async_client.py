"""The base class of asyncio clients."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar, ParamSpec, Self, TypeVar, Unpack

from .carried import Answer, Params, Transport
from .document import Document, Route
from .engine import Engine, PreparedCall, WithResponse
from .options import ClientOptions
from .pending import call_with

P = ParamSpec("P")
T = TypeVar("T")


class BaseAsyncClient:
    """Runs calls in the event loop of the caller. Cancelling a task cancels its call.

    `server` is the service's URL (`https://…`, `wss://…`), including the API key if the service
    expects it there, or your own transport. Raises a ValueError or TypeError for an invalid URL
    or option.
    """

    _document: ClassVar[Document] = Document()

    def __init__(self, server: str | Transport, **options: Unpack[ClientOptions]) -> None:
        self._engine = Engine(server, options, self._document)
        self._carry: Callable[[PreparedCall], Awaitable[Any]] = self._result_of

    async def request(
        self, method: str, params: Params | None = None, *, timeout: float | None = None
    ) -> Any:
        """Calls any method by name, even one that is not in the document."""
        route = self._document.routes.get(method) or Route(method)
        return await self._carry(PreparedCall(route, params, timeout))

    async def with_response(
        self, method: Callable[P, Coroutine[Any, Any, T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> WithResponse[T]:
        """Calls a method of this client and returns its result with cost, status and headers.

        `await client.with_response(client.request, "rpc.discover")`
        """
        view = copy.copy(self)
        view._carry = self._described
        response: WithResponse[T] = await call_with(method, self, view, args, kwargs)
        return response

    async def close(self) -> None:
        """Closes connections; calls in flight fail."""
        await self._engine.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, route: Route, args: tuple[Any, ...], timeout: float | None) -> Any:
        return await self._carry(PreparedCall(route, route.read_params(args), timeout))

    async def _result_of(self, call: PreparedCall) -> Any:
        answer: Answer = await self._engine.answer(call)
        return answer.result

    async def _described(self, call: PreparedCall) -> WithResponse[Any]:
        return call.describe(await self._engine.answer(call))
