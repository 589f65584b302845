"""Writes JSON-RPC 2.0 requests and matches responses to calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from .call_queue import QueuedCall
from .carried import Answer, ResponseInfo, WireCall
from .document import Document
from .failures import TransportError
from .json_text import as_object, write_json


def write_call(call: WireCall, call_id: int) -> str:
    """Writes a call as a JSON-RPC 2.0 request; a notification has no id."""
    request: dict[str, Any] = {"jsonrpc": "2.0"}
    if not call.notification:
        request["id"] = call_id
    request["method"] = call.method
    if call.params is not None:
        params = call.params
        request["params"] = dict(params) if isinstance(params, Mapping) else list(params)
    return write_json(request)


def join_calls(calls: Sequence[QueuedCall]) -> str:
    """Writes a request, or a batch of several."""
    if len(calls) == 1:
        return calls[0].text
    return f"[{','.join(each.text for each in calls)}]"


def read_answers(message: Any) -> dict[Any, Mapping[str, Any]]:
    """Returns the responses of a message by id. Of several with one id, the first counts."""
    answers: dict[Any, Mapping[str, Any]] = {}
    for each in cast("Sequence[Any]", message) if isinstance(message, list) else [message]:
        answer = as_object(each)
        if answer is None:
            continue
        call_id = answer.get("id")
        # True equals 1, but is not an id.
        if call_id is None or type(call_id) in (int, float):
            answers.setdefault(call_id, answer)
    return answers


def error_of(answer: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Returns the JSON-RPC error of a response. Some servers send `error: null` with a result."""
    error = None if answer is None else as_object(answer.get("error"))
    if error is None or not isinstance(error.get("message"), str):
        return None
    return error if type(error.get("code")) is int else None


def settle(
    queued: QueuedCall,
    answer: Mapping[str, Any] | None,
    *,
    document: Document,
    where: str,
    response: ResponseInfo | None = None,
) -> None:
    """Settles a call with its response."""
    method = queued.call.method
    error = error_of(answer)
    if error is not None:
        queued.reject(document.make_error(error, method, response))
    elif answer is not None and "result" in answer and not answer.get("error"):
        queued.resolve(Answer(answer["result"], response))
    else:
        message = f"{where} sent no JSON-RPC response to {method}"
        queued.reject(TransportError("not_json_rpc", message, response=response))
