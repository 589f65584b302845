"""What every asyncio client has, whatever its document."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar, ParamSpec, Self, TypeVar, Unpack

from .carried import Answer, Params, Transport
from .document import Document, Route
from .engine import Engine, PreparedCall, WithResponse
from .options import ClientOptions
from .own_method import call_with

P = ParamSpec("P")
T = TypeVar("T")


class BaseAsyncClient:
    """Calls in the event loop they are made in. A call that is cancelled is taken back.

    `server` is the service's address (`https://…`, `wss://…`), with the API key where the service
    wants it, or a transport of your own. Raises a ValueError or TypeError when that or an option
    cannot be used.
    """

    _document: ClassVar[Document] = Document()

    def __init__(self, server: str | Transport, **options: Unpack[ClientOptions]) -> None:
        self._engine = Engine(server, options, self._document)
        self._carry: Callable[[PreparedCall], Awaitable[Any]] = self._result_of

    async def request(
        self, method: str, params: Params | None = None, *, timeout: float | None = None
    ) -> Any:
        """Calls any method by its own name, those the document does not know included."""
        route = self._document.routes.get(method) or Route(method)
        return await self._carry(PreparedCall(route, params, timeout))

    async def with_response(
        self, method: Callable[P, Coroutine[Any, Any, T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> WithResponse[T]:
        """Calls a method of this client, and tells what came with its result.

        `await client.with_response(client.request, "rpc.discover")`
        """
        view = copy.copy(self)
        view._carry = self._described
        whole: WithResponse[T] = await call_with(method, self, view, args, kwargs)
        return whole

    async def close(self) -> None:
        """Lets go of what is held open; calls in flight fail."""
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
