"""Runs the conformance vectors of test/client/vectors against the generated Python package.

    python3 vectors.py (sync | asyncio) HTTP_URL WS_URL

The package is on PYTHONPATH. Prints each vector that fails, and how many were run.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import threading
import time
import urllib.request
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path

PACKAGE = "blockchain_node_json_rpc_service_client"
sdk = importlib.import_module(PACKAGE)

FOLDER = Path(__file__).parents[2] / "client" / "vectors"

#: How many vectors are run at once: their times are bounded, and the machine may be slow.
AT_ONCE = 12

NAMES = {"CallTimeoutError": "TimeoutError", "CancelledError": "AbortError"}


def read_vectors():
    for path in sorted(FOLDER.glob("*.json")):
        content = json.loads(path.read_text("utf-8"))
        for index, vector in enumerate(content["vectors"]):
            options = {**content.get("options", {}), **vector.get("options", {})}
            yield {**vector, "options": options, "path": f"/{path.stem}/{index}"}


def client_options(options):
    given = {}
    for name, value in options.items():
        if name == "bigint":
            continue
        if name == "batch":
            given["batch"] = value and sdk.Batching(
                **({"size": value["size"]} if "size" in value else {}),
                **({"wait": value["waitMs"] / 1000} if "waitMs" in value else {}),
            )
        elif name.endswith("Ms"):
            given[snake(name[:-2])] = value / 1000
        else:
            given[snake(name)] = value
    return given


def snake(name):
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def params_of(call):
    return json.loads(call["paramsText"]) if "paramsText" in call else call.get("params")


def seconds_of(call, name):
    return call[name] / 1000 if name in call else None


class Ended:
    """How a call ended."""

    def __init__(self, started, response=None, error=None, ended=None):
        self.response, self.error = response, error
        self.elapsed_ms = ((ended or time.perf_counter()) - started) * 1000


async def run_asyncio(vector, url):
    async with sdk.AsyncClient(url, **client_options(vector["options"])) as client:
        tasks = []
        order = []

        async def make(index, call):
            if "afterCall" in call:
                await tasks[call["afterCall"]]
            if "afterMs" in call:
                await asyncio.sleep(call["afterMs"] / 1000)
            started = time.perf_counter()
            sending = asyncio.ensure_future(
                client.with_response(
                    client.request,
                    call["method"],
                    params_of(call),
                    timeout=seconds_of(call, "timeoutMs"),
                )
            )
            if call.get("abortAfterMs") == 0:
                sending.cancel()
            elif "abortAfterMs" in call:
                asyncio.get_running_loop().call_later(call["abortAfterMs"] / 1000, sending.cancel)
            try:
                return Ended(started, response=await sending)
            except (Exception, asyncio.CancelledError) as error:
                return Ended(started, error=error)
            finally:
                order.append(index)

        for index, call in enumerate(vector["calls"]):
            tasks.append(asyncio.ensure_future(make(index, call)))
        return [await task for task in tasks], order


def run_sync(vector, url):
    """What is called at once is a batch; what comes later is called from a thread of its own."""
    with sdk.Client(url, **client_options(vector["options"])) as client:
        ended = [None] * len(vector["calls"])
        order = []
        settled = [threading.Event() for _ in vector["calls"]]

        def follow(index, call, submit):
            started = time.perf_counter()
            arguments = [client.request, call["method"], params_of(call)]
            pending = submit(*arguments, timeout=seconds_of(call, "timeoutMs"))
            if call.get("abortAfterMs") == 0:
                pending.cancel()
            elif "abortAfterMs" in call:
                threading.Timer(call["abortAfterMs"] / 1000, pending.cancel).start()
            return lambda: finish(index, pending, started)

        def finish(index, pending, started):
            try:
                ended[index] = Ended(started, response=pending.with_response())
            except (Exception, CancelledError) as error:
                ended[index] = Ended(started, error=error)
            order.append(index)
            settled[index].set()

        def make_later(index, call):
            if "afterCall" in call:
                settled[call["afterCall"]].wait()
            if "afterMs" in call:
                time.sleep(call["afterMs"] / 1000)
            follow(index, call, client.submit)()

        threads = []
        with client.batch() as batch:
            waits = []
            for index, call in enumerate(vector["calls"]):
                if "afterCall" in call or "afterMs" in call:
                    threads.append(threading.Thread(target=make_later, args=(index, call)))
                else:
                    waits.append(follow(index, call, batch.submit))
        threads += [threading.Thread(target=wait) for wait in waits]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return ended, order


def check(vector, ended, order, seen):
    """What is not as the vector expects, a sentence each."""
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
    at_least = wanted.get("atLeastMs", 0)
    if one.elapsed_ms < at_least - 3:
        yield f"took {one.elapsed_ms:.0f} ms, expected at least {at_least}"


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


def seen_by(http, path):
    with urllib.request.urlopen(f"{http}/seen{path}") as response:
        return json.load(response)


def report(failures, count):
    for name, wrong in failures:
        print(f"FAILED {name}: {'; '.join(wrong)}")
    print(f"{count} vectors run")
    return 1 if failures else 0


async def main_asyncio(http, ws):
    free = asyncio.Semaphore(AT_ONCE)
    failures = []

    async def one(vector):
        async with free:
            path = f"{vector['path']}/asyncio"
            url = (http if vector["transport"] == "http" else ws) + path
            ended, order = await run_asyncio(vector, url)
            wrong = check(vector, ended, order, await asyncio.to_thread(seen_by, http, path))
            if wrong:
                failures.append((f"{vector['path']} {vector['name']}", wrong))

    vectors = list(read_vectors())
    await asyncio.gather(*map(one, vectors))
    return report(failures, len(vectors))


def main_sync(http, ws):
    failures = []

    def one(vector):
        path = f"{vector['path']}/sync"
        url = (http if vector["transport"] == "http" else ws) + path
        wrong = check(vector, *run_sync(vector, url), seen_by(http, path))
        if wrong:
            failures.append((f"{vector['path']} {vector['name']}", wrong))

    vectors = list(read_vectors())
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(one, vectors))
    return report(failures, len(vectors))


if __name__ == "__main__":
    _, kind, http_url, ws_url = sys.argv
    if kind == "asyncio":
        sys.exit(asyncio.run(main_asyncio(http_url, ws_url)))
    sys.exit(main_sync(http_url, ws_url))
