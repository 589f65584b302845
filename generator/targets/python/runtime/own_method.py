"""Calls a method of a client on a view of it, which does something else with the call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def call_with(
    method: Any, owner: object, view: object, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Calls a bound method of `owner` as one of `view`.

    Raises a TypeError when it is none.
    """
    if getattr(method, "__self__", None) is not owner or not hasattr(method, "__func__"):
        raise TypeError("pass a method of this client first, then its arguments")
    return method.__func__(view, *args, **kwargs)
