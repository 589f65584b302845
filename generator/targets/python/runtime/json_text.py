"""Reads and writes JSON, with exact integers of any size."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

#: Converts the text of a number with a fraction or an exponent.
ParseFloat = Callable[[str], Any]


def write_json(value: Any) -> str:
    """Writes a value as JSON without white space.

    Raises a TypeError for a value that JSON cannot represent.
    """
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise TypeError(f"cannot write params as JSON: {error}") from None


def read_json(text: bytes | str, parse_float: ParseFloat) -> Any:
    """Parses JSON, in UTF-8 with or without a byte order mark.

    Raises a ValueError for invalid JSON.
    """
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        return json.loads(decoded, parse_float=parse_float, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("JSON is nested too deeply") from None
    except ArithmeticError as error:
        # decimal.Decimal as `parse_float` has a maximum exponent.
        raise ValueError(f"JSON has an unreadable number: {error!r}") from None


def as_object(value: Any) -> Mapping[str, Any] | None:
    """Returns a JSON object, or None for any other value."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not valid JSON")


def excerpt(text: bytes | str, path: str = "/") -> str:
    """Returns the start of a text for a message, without the path, which may hold a key."""
    # Long enough that a path cut at the end is beyond what is shown, however often a page repeats it.
    first = text[: max(4_000, 99 * len(path))]
    decoded = first.decode("utf-8", "replace") if isinstance(first, bytes) else first
    return json.dumps(decoded.replace(path, "/")[:99], ensure_ascii=False)
