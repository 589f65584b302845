"""HTTP/1.1 (RFC 9112) over one connection at a time, as far as a POST and its answer need it."""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from .address import Address
from .carried import Headers

#: The largest head of a response, in bytes.
MAX_HEAD_BYTES = 65_536

#: The largest piece read at once, in bytes.
PIECE_BYTES = 262_144

#: How long the second address of a host is held back while the first is tried, in seconds.
NEXT_ADDRESS_SECONDS = 0.25


class HttpProtocolError(Exception):
    """What came is no HTTP/1.1 response."""


class BodyTooLargeError(Exception):
    """The body is larger than the bound set."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response, read to its end."""

    status: int
    headers: Headers
    body: bytes
    #: Whether the connection may be used again.
    is_reusable: bool


async def open_streams(
    address: Address, context: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connects to an address; `context` is what TLS trusts, where the address asks for it."""
    return await asyncio.open_connection(
        address.host,
        address.port,
        ssl=context if address.is_secure else None,
        limit=MAX_HEAD_BYTES,
        happy_eyeballs_delay=NEXT_ADDRESS_SECONDS,
    )


def write_head(start: str, headers: Mapping[str, str]) -> bytes:
    """Writes the head of a request.

    Raises a ValueError for a header that would end its line.
    """
    lines = [start]
    for name, value in headers.items():
        line = f"{name}: {value}"
        if any(character in line for character in "\r\n\0"):
            raise ValueError(f"the header {name!r} holds a line break")
        lines.append(line)
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def read_head(reader: asyncio.StreamReader) -> tuple[str, int, Headers]:
    """Reads the head of a response, those that only announce it passed over."""
    while True:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            raise HttpProtocolError(f"its head is over {MAX_HEAD_BYTES} bytes") from None
        version, status, headers = _parse_head(head)
        # RFC 9110, section 15.2: 1xx announces another response, but for a switch of protocols.
        if status >= 200 or status == 101:
            return version, status, headers


def _parse_head(head: bytes) -> tuple[str, int, Headers]:
    first, *lines = head.decode("latin-1").split("\r\n")
    version, _, rest = first.partition(" ")
    code = rest[:3]
    if not version.startswith("HTTP/1.") or not (code.isascii() and code.isdigit()):
        raise HttpProtocolError("it has no status line of HTTP/1.1")
    pairs: list[tuple[str, str]] = []
    for line in lines:
        name, colon, value = line.partition(":")
        if line and (not colon or name != name.strip() or not name):
            raise HttpProtocolError("it has a header that is none")
        if line:
            pairs.append((name, value.strip()))
    return version, int(code), Headers(pairs)


async def read_response(reader: asyncio.StreamReader, max_bytes: int) -> HttpResponse:
    """Reads a response to a POST, its body as far as `max_bytes`, compressed or not."""
    version, status, headers = await read_head(reader)
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
    # RFC 9110, section 8.6: the same length may be told more than once.
    lengths = {each.strip() for each in text.split(",")}
    length = lengths.pop()
    if lengths or not (length.isascii() and length.isdigit()):
        raise HttpProtocolError("its length is none")
    return int(length)


async def _read_exactly(reader: asyncio.StreamReader, length: int, body: _Body) -> None:
    body.announce(length)
    while length > 0:
        piece = await reader.read(min(length, PIECE_BYTES))
        if not piece:
            raise EOFError("the connection ended within the body")
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
            raise HttpProtocolError("it has a chunk without a size")
        if length == 0:
            break
        await _read_exactly(reader, length, body)
        if await reader.readexactly(2) != b"\r\n":
            raise HttpProtocolError("it has a chunk that does not end")
    read = 0
    while line := await _read_line(reader):
        read += len(line)
        if read > MAX_HEAD_BYTES:
            raise HttpProtocolError("its trailer is too long")


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    try:
        return (await reader.readuntil(b"\r\n"))[:-2]
    except asyncio.LimitOverrunError:
        raise HttpProtocolError("it has a line that does not end") from None


class _Body:
    """A body as it comes, unpacked, and held to its bound in either form."""

    def __init__(self, encoding: str, max_bytes: int) -> None:
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise HttpProtocolError(f"it is packed as {encoding[:20]!r}, which was not asked for")
        is_packed = encoding in ("gzip", "x-gzip")
        self._unpacker = zlib.decompressobj(wbits=31) if is_packed else None
        self._pieces: list[bytes] = []
        self._max_bytes = max_bytes
        self._bytes = 0

    def announce(self, length: int) -> None:
        if self._bytes + length > self._max_bytes:
            raise BodyTooLargeError

    def add(self, piece: bytes) -> None:
        if self._unpacker is None:
            self._keep(piece)
            return
        try:
            while piece:
                self._keep(self._unpacker.decompress(piece, PIECE_BYTES))
                piece = self._unpacker.unconsumed_tail
        except zlib.error as error:
            raise HttpProtocolError("it cannot be unpacked") from error

    def end(self) -> bytes:
        if self._unpacker is not None:
            self._keep(self._unpacker.flush())
            if self._bytes > 0 and not self._unpacker.eof:
                raise EOFError("the packed body ended too early")
        return b"".join(self._pieces)

    def _keep(self, piece: bytes) -> None:
        self._bytes += len(piece)
        if self._bytes > self._max_bytes:
            raise BodyTooLargeError
        self._pieces.append(piece)
