"""A minimal HTTP/1.1 client (RFC 9112): POST requests and WebSocket upgrades."""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from .address import Address
from .carried import Headers

#: Maximum size of a response's status line and headers, in bytes.
MAX_HEAD_BYTES = 65_536

#: Maximum number of bytes per read.
PIECE_BYTES = 262_144

#: Longer lengths are invalid: Python refuses to read numbers of thousands of digits.
_MAX_LENGTH_DIGITS = 18

#: Delay before the next address of a host is tried, in seconds.
NEXT_ADDRESS_SECONDS = 0.25


class HttpProtocolError(Exception):
    """The data is not an HTTP/1.1 response."""


class BodyTooLargeError(Exception):
    """The body is larger than the limit."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A complete response."""

    status: int
    headers: Headers
    body: bytes
    #: Whether the connection can be reused.
    is_reusable: bool


async def open_streams(
    address: Address, context: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connects to an address, with TLS if its scheme requires it."""
    return await asyncio.open_connection(
        address.host,
        address.port,
        ssl=context if address.is_secure else None,
        limit=MAX_HEAD_BYTES,
        happy_eyeballs_delay=NEXT_ADDRESS_SECONDS,
    )


def write_head(start: str, headers: Mapping[str, str]) -> bytes:
    """Writes a request line and headers.

    Raises a ValueError for a header with a line break.
    """
    lines = [start]
    for name, value in headers.items():
        line = f"{name}: {value}"
        if any(character in line for character in "\r\n\0"):
            raise ValueError(f"header {name!r}: line breaks are not allowed")
        lines.append(line)
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def read_head(reader: asyncio.StreamReader) -> tuple[str, int, Headers]:
    """Reads a status line and headers, and skips informational responses."""
    while True:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            raise HttpProtocolError(f"headers exceed {MAX_HEAD_BYTES} bytes") from None
        version, status, headers = _parse_head(head)
        # RFC 9110, section 15.2: 1xx precedes another response, except for 101.
        if status >= 200 or status == 101:
            return version, status, headers


def _parse_head(head: bytes) -> tuple[str, int, Headers]:
    first, *lines = head.decode("latin-1").split("\r\n")
    version, _, rest = first.partition(" ")
    code = rest[:3]
    if not version.startswith("HTTP/1.") or not (code.isascii() and code.isdigit()):
        raise HttpProtocolError("invalid status line")
    pairs: list[tuple[str, str]] = []
    for line in lines:
        name, colon, value = line.partition(":")
        if line and (not colon or name != name.strip() or not name):
            raise HttpProtocolError("invalid header")
        if line:
            pairs.append((name, value.strip()))
    return version, int(code), Headers(pairs)


async def read_response(reader: asyncio.StreamReader, max_bytes: int) -> HttpResponse:
    """Reads a response to a POST and decompresses its body, up to `max_bytes`."""
    return await read_body(reader, await read_head(reader), max_bytes)


async def read_body(
    reader: asyncio.StreamReader, head: tuple[str, int, Headers], max_bytes: int
) -> HttpResponse:
    """Reads and decompresses the body after a head, up to `max_bytes`."""
    version, status, headers = head
    body = _Body(headers.get("content-encoding", "").strip().lower(), max_bytes)
    connection = headers.get("connection", "").lower()
    is_reusable = version != "HTTP/1.0" and "close" not in connection
    if status in (204, 304):
        pass
    elif headers.get("transfer-encoding", "").lower().endswith("chunked"):
        await _read_chunks(reader, body)
    elif "content-length" in headers:
        await _read_exactly(reader, _read_length(headers["content-length"]), body)
    else:
        is_reusable = False
        while piece := await reader.read(PIECE_BYTES):
            body.add(piece)
    return HttpResponse(status, headers, body.end(), is_reusable)


def _read_length(text: str) -> int:
    # RFC 9110, section 8.6: the same length may be repeated.
    lengths = {each.strip() for each in text.split(",")}
    length = lengths.pop()
    is_number = length.isascii() and length.isdigit() and len(length) <= _MAX_LENGTH_DIGITS
    if lengths or not is_number:
        raise HttpProtocolError("invalid content-length")
    return int(length)


async def _read_exactly(reader: asyncio.StreamReader, length: int, body: _Body) -> None:
    body.announce(length)
    while length > 0:
        piece = await reader.read(min(length, PIECE_BYTES))
        if not piece:
            raise EOFError("the connection ended before the end of the body")
        length -= len(piece)
        body.add(piece)


async def _read_chunks(reader: asyncio.StreamReader, body: _Body) -> None:
    while True:
        size = (await _read_line(reader)).partition(b";")[0].strip()
        try:
            length = int(size, 16) if size.isalnum() else -1
        except ValueError:
            length = -1
        if length < 0:
            raise HttpProtocolError("invalid chunk size")
        if length == 0:
            break
        await _read_exactly(reader, length, body)
        if await reader.readexactly(2) != b"\r\n":
            raise HttpProtocolError("invalid end of chunk")
    read = 0
    while line := await _read_line(reader):
        read += len(line)
        if read > MAX_HEAD_BYTES:
            raise HttpProtocolError("trailers are too long")


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    try:
        return (await reader.readuntil(b"\r\n"))[:-2]
    except asyncio.LimitOverrunError:
        raise HttpProtocolError("line is too long") from None


class _Body:
    """Collects and decompresses a body, and limits its size in both forms."""

    def __init__(self, encoding: str, max_bytes: int) -> None:
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise HttpProtocolError(f"unsupported content-encoding {encoding[:20]!r}")
        is_packed = encoding in ("gzip", "x-gzip")
        self._unpacker = zlib.decompressobj(wbits=31) if is_packed else None
        # Not a list: a piece of a single byte takes tens of bytes.
        self._whole = bytearray()
        self._max_bytes = max_bytes
        self._packed_bytes = 0

    def announce(self, length: int) -> None:
        if len(self._whole) + length > self._max_bytes:
            raise BodyTooLargeError

    def add(self, piece: bytes) -> None:
        if self._unpacker is None:
            self._keep(piece)
            return
        # Bytes after the compressed data are not decompressed, but count towards the limit.
        self._packed_bytes += len(piece)
        if self._packed_bytes > self._max_bytes:
            raise BodyTooLargeError
        try:
            while piece and not self._unpacker.eof:
                self._keep(self._unpacker.decompress(piece, PIECE_BYTES))
                piece = self._unpacker.unconsumed_tail
        except zlib.error as error:
            raise HttpProtocolError("invalid gzip data") from error

    def end(self) -> bytes:
        if self._unpacker is not None:
            self._keep(self._unpacker.flush())
            if self._whole and not self._unpacker.eof:
                raise EOFError("the compressed body is incomplete")
        return bytes(self._whole)

    def _keep(self, piece: bytes) -> None:
        if len(self._whole) + len(piece) > self._max_bytes:
            raise BodyTooLargeError
        self._whole += piece
