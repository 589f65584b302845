"""A pool of keep-alive connections."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from contextlib import suppress

from .address import Address
from .http_connection import HttpResponse, open_streams, read_response, write_head

#: How long an idle connection is kept, in seconds. Servers usually wait longer.
IDLE_SECONDS = 4.0


class HttpPool:
    """Sends requests to one address, each over its own connection while it is in flight."""

    def __init__(self, address: Address, context: ssl.SSLContext | None, max_bytes: int) -> None:
        self._address = address
        self._context = context
        self._max_bytes = max_bytes
        #: Idle connections with the time of their last use. The most recent one is used next.
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter, float]] = []
        self._sweep: asyncio.TimerHandle | None = None

    async def post(self, headers: Mapping[str, str], body: bytes) -> HttpResponse:
        """Sends a request and reads its response. A connection that failed is closed."""
        head = write_head(
            f"POST {self._address.target} HTTP/1.1",
            {
                "host": self._address.authority,
                "accept-encoding": "gzip",
                **headers,
                "content-length": str(len(body)),
            },
        )
        reader, writer = self._take() or await open_streams(self._address, self._context)
        is_reusable = False
        try:
            writer.write(head + body)
            with suppress(ConnectionError):
                # A server may respond and close before it has read everything.
                await writer.drain()
            response = await read_response(reader, self._max_bytes)
            is_reusable = response.is_reusable
            return response
        finally:
            if is_reusable:
                self._idle.append((reader, writer, asyncio.get_running_loop().time()))
                self._watch()
            else:
                writer.transport.abort()

    async def close(self) -> None:
        """Closes idle connections."""
        idle, self._idle = self._idle, []
        if self._sweep is not None:
            self._sweep.cancel()
        for _, writer, _ in idle:
            writer.close()
        for _, writer, _ in idle:
            with suppress(OSError):
                await writer.wait_closed()

    def _take(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        while self._idle:
            reader, writer, used = self._idle.pop()
            is_recent = asyncio.get_running_loop().time() - used < IDLE_SECONDS
            if is_recent and not reader.at_eof() and not writer.is_closing():
                return reader, writer
            writer.transport.abort()
        return None

    def _watch(self) -> None:
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._drop_old)

    def _drop_old(self) -> None:
        self._sweep = None
        now = asyncio.get_running_loop().time()
        old = [each for each in self._idle if now - each[2] >= IDLE_SECONDS]
        self._idle = [each for each in self._idle if now - each[2] < IDLE_SECONDS]
        for _, writer, _ in old:
            writer.close()
        if self._idle:
            self._watch()
