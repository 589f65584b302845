"""Parses the URL of a service."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a service's URL."""

    host: str
    port: int
    is_secure: bool
    #: Whether the scheme is ws or wss.
    is_socket: bool
    #: The path and query, which may hold a key.
    target: str
    #: The Host header.
    authority: str
    #: Scheme, host and port: what is safe to show.
    origin: str

    def __repr__(self) -> str:
        return f"Address({self.origin!r})"


def read_address(url: str) -> Address:
    """Parses a URL of http, https, ws or wss.

    Raises a ValueError for any other text. The message does not contain it: it may hold a key.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
        encoded = host if host is None or ":" in host else host.encode("idna").decode()
    except (AttributeError, ValueError):
        host = encoded = port = None
        parts = urlsplit("")
    if encoded is None or host == "" or parts.scheme not in _PORTS:
        raise ValueError("url: expected https://…, http://…, wss://… or ws://…")
    if parts.username is not None:
        raise ValueError("url: user names are not supported; pass headers={'authorization': …}")
    name = f"[{encoded}]" if ":" in encoded else encoded
    authority = name if port in (None, _PORTS[parts.scheme]) else f"{name}:{port}"
    path = quote(parts.path or "/", safe="%/:=&?~#+!$,;'@()*[]")
    query = quote(parts.query, safe="%/:=&?~#+!$,;'@()*[]")
    return Address(
        host=encoded,
        port=_PORTS[parts.scheme] if port is None else port,
        is_secure=parts.scheme in ("https", "wss"),
        is_socket=parts.scheme in ("ws", "wss"),
        target=f"{path}?{query}" if query else path,
        authority=authority,
        origin=f"{parts.scheme}://{authority}",
    )
