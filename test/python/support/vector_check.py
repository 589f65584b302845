"""Compares the outcome of a vector with its expectations; used by vectors.py."""

from __future__ import annotations

import json

NAMES = {"CallTimeoutError": "TimeoutError", "CancelledError": "AbortError"}


def check(vector, ended, order, seen):
    """Returns one sentence per difference from what the vector expects."""
    expected = vector["expect"]
    wrong = []

    def hold(what, is_right):
        if not is_right:
            wrong.append(what)

    for index, (one, wanted) in enumerate(zip(ended, expected["calls"], strict=True)):
        wrong += [f"call {index}: {each}" for each in check_call(one, wanted)]
    hold(f"order {order}", expected.get("order", order) == order)
    requests = seen["requests"]
    if "sent" in expected:
        sent = [shape(each["calls"] if each["batch"] else each["calls"][0]) for each in requests]
        hold(f"sent {sent}", matches_sent(sent, expected["sent"]))
    for each in flat(expected.get("sent", [])):
        if isinstance(each, dict) and "paramsText" in each:
            texts = "".join(request["text"] for request in requests)
            hold(f"texts {texts}", f'"params":{each["paramsText"]}' in texts)
    for name in ("connections", "maxConcurrent"):
        hold(f"{name} {seen[name]}", expected.get(name, seen[name]) == seen[name])
    for name, value in expected.get("headers", {}).items():
        hold(f"header {name}", requests[0]["headers"].get(name) == value)
    for request in requests:
        ids = [call.get("id") for call in request["calls"]]
        hold(f"ids {ids}", len(set(ids)) == len(ids) and all(type(each) is int for each in ids))
        hold("jsonrpc", all(call["jsonrpc"] == "2.0" for call in request["calls"]))
    return wrong


def check_call(one, wanted):
    error = wanted.get("error")
    if error is None and one.error is not None:
        yield f"raised {one.error!r}"
        return
    if error is not None:
        if one.error is None:
            yield f"gave {one.response!r}"
            return
        got = facts(one.error)
        for name, value in error.items():
            if not contains(got.get(name), value):
                yield f"error's {name} is {got.get(name)!r}, not {value!r} ({one.error!r})"
    if "result" in wanted and one.response.result != wanted["result"]:
        yield f"result {one.response.result!r}"
    if "resultText" in wanted:
        text = json.dumps(one.response.result, separators=(",", ":"))
        if sorted_text(text) != sorted_text(wanted["resultText"]):
            yield f"result {text}"
    for name, value in wanted.get("response", {}).items():
        if getattr(one.response, snake(name)) != value:
            yield f"{name} {getattr(one.response, snake(name))!r}"
    minimum_ms = wanted.get("minElapsedMs", 0)
    if one.elapsed_ms < minimum_ms - 3:
        yield f"took {one.elapsed_ms:.0f} ms, expected at least {minimum_ms}"


def facts(error):
    names = {"revertReason": "revert_reason"}
    members = ("code", "reason", "message", "revertReason", "status", "data")
    got = {name: getattr(error, names.get(name, name), None) for name in members}
    kind = type(error).__name__
    return {**got, "class": NAMES.get(kind, kind)}


def contains(got, wanted):
    if isinstance(wanted, dict) and isinstance(got, dict):
        return all(name in got and contains(got[name], value) for name, value in wanted.items())
    return got == wanted


def sorted_text(text):
    """JSON text with its members sorted, and every number as it is written."""
    return json.dumps(json.loads(text, parse_int=str, parse_float=float), sort_keys=True)


def shape(sent):
    if isinstance(sent, list):
        return [shape(each) for each in sent]
    return {"method": sent["method"], "params": sent.get("params")}


def matches_sent(sent, expected):
    return len(sent) == len(expected) and all(map(matches_request, sent, expected))


def matches_request(sent, expected):
    if isinstance(expected, list):
        return isinstance(sent, list) and matches_sent(sent, expected)
    wanted = {"method": expected} if isinstance(expected, str) else expected
    if isinstance(sent, list) or sent["method"] != wanted["method"]:
        return False
    return "params" not in wanted or sent["params"] == wanted["params"]


def flat(items):
    for item in items:
        yield from item if isinstance(item, list) else [item]


def snake(name):
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
