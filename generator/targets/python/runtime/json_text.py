"""JSON as it is sent and read: integers of any size are exact, as Python's are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

#: Makes the value of a number with a fraction or an exponent of its text.
ParseFloat = Callable[[str], Any]


def write_json(value: Any) -> str:
    """Writes a value as JSON without white space.

    Raises a TypeError for what JSON cannot hold.
    """
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise TypeError(f"this cannot be written as JSON: {error}") from None


def read_json(text: bytes | str, parse_float: ParseFloat) -> Any:
    """Reads JSON text, UTF-8 with or without a byte order mark.

    Raises a ValueError for what is none.
    """
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        return json.loads(decoded, parse_float=parse_float, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def as_object(value: Any) -> Mapping[str, Any] | None:
    """The members of a JSON object; None for any other value."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def excerpt(text: bytes | str, path: str = "/") -> str:
    """The first of a text, for a message. A page may repeat the path, which may hold a key."""
    first = text[:4_000]
    decoded = first.decode("utf-8", "replace") if isinstance(first, bytes) else first
    return json.dumps(decoded.replace(path, "/")[:99], ensure_ascii=False)
