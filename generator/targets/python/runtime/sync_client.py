"""What every blocking client has, whatever its document."""

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
from .own_method import call_with
from .pending import Pending, begin_all

P = ParamSpec("P")
T = TypeVar("T")


class Batch:
    """Calls that are sent together at the end of the `with` block; none when it raises."""

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
            raise RuntimeError("the batch is sent already: begin another")
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
    """Calls that block until they are answered, from any number of threads.

    `server` is the service's address (`https://…`, `wss://…`), with the API key where the service
    wants it, or a transport of your own. Raises a ValueError or TypeError when that or an option
    cannot be used. The work is done in one thread of the client's own, which begins with the first
    call; hooks are called there.
    """

    _document: ClassVar[Document] = Document()

    def __init__(self, server: str | Transport, **options: Unpack[ClientOptions]) -> None:
        self._background = Background(Engine(server, options, self._document))
        self._carry: Callable[[PreparedCall], Any] = _Waiting(self._background)
        weakref.finalize(self, self._background.abandon)

    def request(
        self, method: str, params: Params | None = None, *, timeout: float | None = None
    ) -> Any:
        """Calls any method by its own name, those the document does not know included."""
        route = self._document.routes.get(method) or Route(method)
        return self._carry(PreparedCall(route, params, timeout))

    def with_response(
        self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> WithResponse[T]:
        """Calls a method of this client, and tells what came with its result.

        `client.with_response(client.request, "rpc.discover")`
        """
        return self.submit(method, *args, **kwargs).with_response()

    def submit(
        self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Pending[T]:
        """Begins a call of a method of this client, and does not wait for it.

        `pending = client.submit(client.request, "rpc.discover")`
        """
        call: Pending[T] = self._prepare(method, args, kwargs)
        begin_all(self._background.begin, [call])
        return call

    def batch(self) -> Batch:
        """Collects calls that are sent together, at the end of a `with` block."""
        return Batch(self._prepare, self._background.begin)

    def close(self) -> None:
        """Lets go of what is held open; calls in flight fail."""
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
            raise TypeError("pass a method that makes a call")
        return cast("Pending[object]", prepared)


class _Waiting:
    """Carries a call and waits for its result."""

    def __init__(self, background: Background) -> None:
        self._background = background

    def __call__(self, call: PreparedCall) -> Any:
        future: Future[Answer] = Future()
        self._background.begin([(call, future)])
        return wait_for(future).result
