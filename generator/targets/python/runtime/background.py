"""The background thread of blocking clients, with its own event loop."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from .carried import Answer
from .engine import Engine, PreparedCall
from .failures import TransportError

#: How long a closed client waits for its thread, in seconds.
_CLOSE_SECONDS = 5.0


class Background:
    """Runs calls in a thread, which starts with the first call and restarts in a forked process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._process = os.getpid()
        self._is_closed = False

    def begin(self, calls: Sequence[tuple[PreparedCall, Future[Answer]]]) -> None:
        """Starts calls in the same turn. Cancelling a future cancels its call."""
        loop = self._running_loop()

        def start() -> None:
            for call, future in calls:
                if not future.done():
                    _follow(loop, loop.create_task(self._engine.answer(call)), future)

        loop.call_soon_threadsafe(start)

    def close(self) -> None:
        """Closes the transport and ends the thread. Calls in flight and later calls fail."""
        thread = self.abandon()
        if thread is not None and thread is not threading.current_thread():
            thread.join(_CLOSE_SECONDS)

    def abandon(self) -> threading.Thread | None:
        """Like `close`, without waiting for the thread."""
        with self._lock:
            self._is_closed = True
            loop, thread, self._loop = self._loop, self._thread, None
        if loop is None or self._process != os.getpid():
            return None

        async def end() -> None:
            try:
                await self._engine.close()
            finally:
                loop.stop()

        asyncio.run_coroutine_threadsafe(end(), loop)
        return thread

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._is_closed:
                raise TransportError("closed", "the client is closed")
            if self._process != os.getpid():
                # Threads do not survive a fork.
                self._process, self._loop = os.getpid(), None
                self._engine.forget()
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                name = "json-rpc-client"
                self._thread = threading.Thread(
                    target=_run, args=(self._loop,), name=name, daemon=True
                )
                self._thread.start()
            return self._loop


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    finally:
        loop.close()


def _follow(
    loop: asyncio.AbstractEventLoop, task: asyncio.Task[Answer], future: Future[Answer]
) -> None:
    def end(done: asyncio.Task[Answer]) -> None:
        if done.cancelled():
            future.cancel()
            future.set_running_or_notify_cancel()
        # False if the future was cancelled meanwhile.
        elif future.set_running_or_notify_cancel():
            error = done.exception()
            if error is None:
                future.set_result(done.result())
            else:
                future.set_exception(error)

    def cancel(ended: Future[Answer]) -> None:
        if ended.cancelled() and not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    task.add_done_callback(end)
    future.add_done_callback(cancel)


def wait_for(future: Future[Answer]) -> Answer:
    """Waits for a call, and cancels it if the wait is interrupted, as by Ctrl-C."""
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


Begin = Callable[[Sequence[tuple[PreparedCall, "Future[Answer]"]]], None]
