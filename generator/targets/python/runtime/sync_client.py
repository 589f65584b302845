"""The base class of blocking clients."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ClassVar, ParamSpec, Self, TypeVar, Unpack, cast

from .background import Background, Begin, wait_for
from .carried import Answer, Params, Transport
from .document import Document, Route
from .engine import Engine, PreparedCall, WithResponse
from .options import ClientOptions
from .pending import Pending, begin_all, call_with

P = ParamSpec("P")
T = TypeVar("T")


class Batch:
    """Calls that are sent together at the end of the `with` block, unless it raises."""

    def __init__(self, prepare: Callable[..., Pending[Any]], begin: Begin) -> None:
        self._prepare = prepare
        self._begin = begin
        self._calls: list[Pending[Any]] = []
        self._is_sent = False

    def submit(
        self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Pending[T]:
        """Adds a call: `batch.submit(client.request, "rpc.discover")`."""
        if self._is_sent:
            raise RuntimeError("the batch is already sent: create another one")
        call = self._prepare(method, args, kwargs)
        self._calls.append(call)
        return call

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._is_sent = True
        if kind is not None:
            for each in self._calls:
                each.cancel()
        elif self._calls:
            begin_all(self._begin, self._calls)


class BaseClient:
    """Blocking calls from any number of threads.

    `server` is the service's URL (`https://…`, `wss://…`), including the API key if the service
    expects it there, or your own transport. Raises a ValueError or TypeError for an invalid URL
    or option. Calls and hooks run in one background thread, which starts with the first call.
    """

    _document: ClassVar[Document] = Document()

    def __init__(self, server: str | Transport, **options: Unpack[ClientOptions]) -> None:
        self._background = Background(Engine(server, options, self._document))
        self._carry: Callable[[PreparedCall], Any] = _Waiting(self._background)
        weakref.finalize(self, self._background.abandon)

    def request(
        self, method: str, params: Params | None = None, *, timeout: float | None = None
    ) -> Any:
        """Calls any method by name, even one that is not in the document."""
        route = self._document.routes.get(method) or Route(method)
        return self._carry(PreparedCall(route, params, timeout))

    def with_response(
        self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> WithResponse[T]:
        """Calls a method of this client and returns its result with cost, status and headers.

        `client.with_response(client.request, "rpc.discover")`
        """
        return self.submit(method, *args, **kwargs).with_response()

    def submit(
        self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Pending[T]:
        """Starts a call of a method of this client without waiting for it.

        `pending = client.submit(client.request, "rpc.discover")`
        """
        call: Pending[T] = self._prepare(method, args, kwargs)
        begin_all(self._background.begin, [call])
        return call

    def batch(self) -> Batch:
        """Collects calls that are sent together at the end of a `with` block."""
        return Batch(self._prepare, self._background.begin)

    def close(self) -> None:
        """Closes connections; calls in flight fail."""
        self._background.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, route: Route, args: tuple[Any, ...], timeout: float | None) -> Any:
        return self._carry(PreparedCall(route, route.read_params(args), timeout))

    def _prepare(self, method: Any, args: Any, kwargs: Any) -> Pending[Any]:
        view = copy.copy(self)
        view._carry = Pending
        prepared = call_with(method, self, view, args, kwargs)
        if not isinstance(prepared, Pending):
            raise TypeError("expected a method that makes a call")
        return cast("Pending[object]", prepared)


class _Waiting:
    """Runs a call and waits for its result."""

    def __init__(self, background: Background) -> None:
        self._background = background

    def __call__(self, call: PreparedCall) -> Any:
        future: Future[Answer] = Future()
        self._background.begin([(call, future)])
        return wait_for(future).result
