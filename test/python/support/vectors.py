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

from vector_check import check, snake

PACKAGE = "blockchain_node_json_rpc_service_client"
sdk = importlib.import_module(PACKAGE)

FOLDER = Path(__file__).parents[2] / "client" / "vectors"

#: How many vectors are run at once: their times are bounded, and the machine may be slow.
AT_ONCE = 12


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


def params_of(call):
    return json.loads(call["paramsText"]) if "paramsText" in call else call.get("params")


def seconds_of(call, name):
    return call[name] / 1000 if name in call else None


class Ended:
    """How a call ended."""

    def __init__(self, started, response=None, error=None, ended=None):
        self.response, self.error = response, error
        self.elapsed_ms = ((ended or time.perf_counter()) - started) * 1000


async def run_asyncio(vector, url, seen_url):
    async with sdk.AsyncClient(url, **client_options(vector["options"])) as client:
        tasks = []
        aborts = []
        order = []

        async def abort_later(call, abort):
            if "abortAfterRequests" in call:
                await asyncio.to_thread(wait_for_requests, seen_url, call["abortAfterRequests"])
            await asyncio.sleep(call.get("abortAfterMs", 0) / 1000)
            abort()

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
            elif "abortAfterMs" in call or "abortAfterRequests" in call:
                aborts.append(asyncio.ensure_future(abort_later(call, sending.cancel)))
            try:
                return Ended(started, response=await sending)
            except (Exception, asyncio.CancelledError) as error:
                return Ended(started, error=error)
            finally:
                order.append(index)

        for index, call in enumerate(vector["calls"]):
            tasks.append(asyncio.ensure_future(make(index, call)))
        return [await task for task in tasks], order


def run_sync(vector, url, seen_url):
    """What is called at once is a batch; what comes later is called from a thread of its own."""
    with sdk.Client(url, **client_options(vector["options"])) as client:
        ended = [None] * len(vector["calls"])
        order = []
        settled = [threading.Event() for _ in vector["calls"]]

        def abort_later(call, abort):
            if "abortAfterRequests" in call:
                wait_for_requests(seen_url, call["abortAfterRequests"])
            time.sleep(call.get("abortAfterMs", 0) / 1000)
            abort()

        def follow(index, call, submit):
            started = time.perf_counter()
            arguments = [client.request, call["method"], params_of(call)]
            pending = submit(*arguments, timeout=seconds_of(call, "timeoutMs"))
            if call.get("abortAfterMs") == 0:
                pending.cancel()
            elif "abortAfterMs" in call or "abortAfterRequests" in call:
                threading.Thread(
                    target=abort_later, args=(call, pending.cancel), daemon=True
                ).start()
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


def seen_by(seen_url):
    with urllib.request.urlopen(seen_url) as response:
        return json.load(response)


def wait_for_requests(seen_url, count):
    seen_by(f"{seen_url}?requests={count}")


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
            seen_url = f"{http}/seen{path}"
            ended, order = await run_asyncio(vector, url, seen_url)
            wrong = check(vector, ended, order, await asyncio.to_thread(seen_by, seen_url))
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
        seen_url = f"{http}/seen{path}"
        wrong = check(vector, *run_sync(vector, url, seen_url), seen_by(seen_url))
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
