"""An open WebSocket connection (RFC 6455)."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import ssl
from collections.abc import Mapping
from contextlib import suppress

from .address import Address
from .frames import (
    BINARY,
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    FrameError,
    read_close,
    read_frame,
    write_close,
    write_frame,
)
from .http_connection import (
    BodyTooLargeError,
    HttpProtocolError,
    HttpResponse,
    open_streams,
    read_body,
    read_head,
    write_head,
)

#: Section 1.3.
_ACCEPT_SUFFIX = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

#: Timeout for closing the connection, in seconds.
_CLOSE_SECONDS = 1.0

#: What each fragment except the first adds to a message's size, besides its bytes: it may be empty.
_FRAGMENT_BYTES = 64

#: Maximum size of the response to a refused handshake.
_MAX_REFUSAL_BYTES = 65_536


class RefusedError(Exception):
    """The server rejected the WebSocket handshake."""

    def __init__(self, what: str, response: HttpResponse | None = None) -> None:
        super().__init__(what)
        self.response = response


class SocketClosedError(Exception):
    """The socket is closed."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}".strip())


class SocketConnection:
    """An open socket."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, max_bytes: int
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._max_bytes = max_bytes
        #: Set to True by every received frame.
        self.is_heard = True

    def send_text(self, text: str) -> None:
        """Sends a message."""
        self._write(TEXT, text.encode())

    def ping(self) -> None:
        """Sends a ping."""
        self._write(PING, b"")

    async def receive(self) -> str | bytes:
        """Reads the next message: text, or bytes for a binary one.

        Raises a SocketClosedError at the end, and a FrameError for a protocol error.
        """
        pieces: list[bytes] = []
        kind, size = CONTINUATION, 0
        while True:
            try:
                frame = await read_frame(self._reader, self._max_bytes - size)
            except (EOFError, OSError) as error:
                raise SocketClosedError(1006, "the connection was lost") from error
            self.is_heard = True
            if frame.opcode >= CLOSE:
                await self._control(frame.opcode, frame.payload)
                continue
            if (frame.opcode == CONTINUATION) == (kind == CONTINUATION):
                raise FrameError(1002, "fragments of a message are out of order")
            kind = frame.opcode or kind
            size += len(frame.payload) + (0 if frame.opcode else _FRAGMENT_BYTES)
            pieces.append(frame.payload)
            if frame.is_final:
                return _join(kind, pieces)

    async def close(self, code: int = 1000) -> None:
        """Sends a close frame and closes the connection."""
        if not self._writer.is_closing():
            with suppress(OSError):
                self._writer.write(write_close(code, os.urandom(4)))
        self._writer.close()
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(self._writer.wait_closed(), _CLOSE_SECONDS)
        self._writer.transport.abort()

    async def _control(self, opcode: int, payload: bytes) -> None:
        if opcode == PING:
            self._write(PONG, payload)
            with suppress(OSError):
                # Limits the pongs buffered for a server that does not read.
                await self._writer.drain()
        elif opcode == CLOSE:
            raise SocketClosedError(*read_close(payload))

    def _write(self, opcode: int, payload: bytes) -> None:
        if not self._writer.is_closing():
            self._writer.write(write_frame(opcode, payload, os.urandom(4)))


def _join(kind: int, pieces: list[bytes]) -> str | bytes:
    whole = pieces[0] if len(pieces) == 1 else b"".join(pieces)
    if kind == BINARY:
        return whole
    try:
        return whole.decode()
    except UnicodeDecodeError:
        raise FrameError(1007, "text message is not valid UTF-8") from None


async def open_socket(
    address: Address,
    *,
    headers: Mapping[str, str],
    max_bytes: int,
    ssl_context: ssl.SSLContext | None,
) -> SocketConnection:
    """Opens a WebSocket (section 4.1).

    Raises a RefusedError if the server rejects the handshake.
    """
    key = base64.b64encode(os.urandom(16))
    head = write_head(
        f"GET {address.target} HTTP/1.1",
        {
            "host": address.authority,
            **headers,
            "upgrade": "websocket",
            "connection": "Upgrade",
            "sec-websocket-key": key.decode(),
            "sec-websocket-version": "13",
        },
    )
    reader, writer = await open_streams(address, ssl_context)
    try:
        writer.write(head)
        await writer.drain()
        version, status, answered = await read_head(reader)
        if status != 101:
            response = await read_body(reader, (version, status, answered), _MAX_REFUSAL_BYTES)
            raise RefusedError(f"HTTP {status}", response)
        accept = base64.b64encode(hashlib.sha1(key + _ACCEPT_SUFFIX).digest()).decode()
        is_accepted = answered.get("sec-websocket-accept") == accept
        if not is_accepted or answered.get("upgrade", "").lower() != "websocket":
            raise RefusedError("invalid handshake response")
        if "sec-websocket-extensions" in answered or "sec-websocket-protocol" in answered:
            raise RefusedError("the server chose an extension or protocol that was not requested")
    except (HttpProtocolError, BodyTooLargeError) as error:
        writer.transport.abort()
        raise RefusedError(str(error) or "the response is too large") from error
    except BaseException:
        writer.transport.abort()
        raise
    return SocketConnection(reader, writer, max_bytes)
