"""How the Python client behaves beyond the vectors: on the wire, among threads, to its users.

    python3 behavior.py CERTIFICATE KEY
"""

import asyncio
import concurrent.futures
import gc
import gzip
import json
import logging
import math
import os
import pickle
import queue
import ssl
import sys
import threading
import tracemalloc
import unittest
from decimal import Decimal

import blockchain_node_json_rpc_service_client as sdk
from blockchain_node_json_rpc_service_client._runtime import json_text
from servers import Server, answering, frame, http, read_frame, read_request, socket_serving

CERTIFICATE, KEY = sys.argv[1:3]

#: Seconds after which something that should have happened is given up.
PATIENCE = 30


def result(value):
    """A response with a result, whatever the id of the call."""
    return lambda body: http(answer_to(body, value))


def answer_to(body, value):
    return json.dumps({"jsonrpc": "2.0", "id": json.loads(body)["id"], "result": value}).encode()


def packed(body, value):
    return http(gzip.compress(answer_to(body, value)), "content-encoding: gzip")


def chunked(body, value):
    text = answer_to(body, value)
    chunks = b"".join(b"1;x=y\r\n" + bytes([each]) + b"\r\n" for each in text)
    head = http(b"", "transfer-encoding: chunked", length=False)
    return head + chunks + b"0\r\nx-trailer: a\r\n\r\n"


class OverHttp(unittest.TestCase):
    def answers(self, *responses, **options):
        """What a client makes of responses, one call each."""
        with Server(answering(*responses)) as server:
            with sdk.Client(server.url(), retries=0, **options) as client:
                for _ in responses:
                    try:
                        yield client.request("m")
                    except sdk.ClientError as error:
                        yield error
            self.server = server

    def test_one_connection_serves_calls_one_after_another(self):
        self.assertEqual(list(self.answers(result(1), result(2), result(3))), [1, 2, 3])
        self.assertEqual(self.server.connections, 1)

    def test_a_connection_the_server_closes_is_not_used_again(self):
        def closing(body):
            return http(answer_to(body, 1), "connection: close")

        self.assertEqual(list(self.answers(closing, result(2))), [1, 2])
        self.assertEqual(self.server.connections, 2)

    def test_a_connection_that_was_lost_while_unused_is_not_used_again(self):
        def serve(connection):
            connection.sendall(result(1)(read_request(connection)[1]))

        async def main():
            async with sdk.AsyncClient(server.url(), retries=0) as client:
                for _ in range(3):
                    self.assertEqual(await client.request("m"), 1)
                    self.assertTrue(await asyncio.to_thread(server.closed.acquire, timeout=PATIENCE))

        with Server(serve) as server:
            asyncio.run(main())

    def test_chunks_packed_bodies_announcements_and_bodies_without_a_length_are_read(self):
        def announced(body):
            return b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + result(3)(body)

        def unbounded(body):
            return http(answer_to(body, 4), "connection: close", length=False)

        with Server(answering(lambda b: chunked(b, 1), lambda b: packed(b, 2), announced)) as server:
            with sdk.Client(server.url()) as client:
                self.assertEqual([client.request("m") for _ in range(3)], [1, 2, 3])

        def once(connection):
            connection.sendall(unbounded(read_request(connection)[1]))

        with Server(once) as server, sdk.Client(server.url()) as client:
            self.assertEqual(client.request("m"), 4)

    def test_a_packed_body_is_held_to_its_bound_unpacked(self):
        bomb = http(gzip.compress(b" " * 50_000_000), "content-encoding: gzip")
        [error] = self.answers(bomb, max_response_bytes=1_000_000)
        self.assertEqual(error.reason, "response_too_large")
        tail = http(gzip.compress(b"{}") + b"x" * 50_000, "content-encoding: gzip", length=False)
        [error] = self.answers(tail, max_response_bytes=10_000)
        self.assertEqual(error.reason, "response_too_large")

    def test_a_body_in_small_chunks_takes_about_the_memory_of_its_bytes(self):
        head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
        body = head + b"2\r\n  \r\n" * 200_000 + b"0\r\n\r\n"
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        [error] = self.answers(body)
        self.assertEqual(error.reason, "not_json")
        self.assertLess(tracemalloc.get_traced_memory()[1], 4_000_000)

    def test_invalid_http_is_reported(self):
        broken = {
            "invalid status line": b"SSH-2.0-OpenSSH_9\r\n\r\n",
            "invalid header": b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "invalid content-length": b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
            "invalid chunk size": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
            "unsupported content-encoding 'br'": b"HTTP/1.1 200 OK\r\ncontent-encoding: br\r\n\r\n",
            "invalid gzip data": http(b"no gzip", "content-encoding: gzip"),
            "headers exceed": b"HTTP/1.1 200 OK\r\nx: " + b"y" * 200_000 + b"\r\n\r\n",
        }
        for what, response in broken.items():
            with self.subTest(what):
                [error] = self.answers(response)
                self.assertEqual(error.reason, "unreachable")
                self.assertIn(what, str(error))
        [error] = self.answers(b"HTTP/1.1 200 OK\r\ncontent-length: " + b"9" * 5000 + b"\r\n\r\n")
        self.assertIn("invalid content-length", str(error))

    def test_a_date_that_python_cannot_read_asks_for_no_wait(self):
        for date in ("1 Jan 99999999999999999999 00:00:00 GMT", f"1 Jan 2020 0:0:0 +{'9' * 30}"):
            with self.subTest(date):
                busy = http(b"{}", f"retry-after: Mon, {date}", status="429 Too Many Requests")
                [error] = self.answers(busy)
                self.assertEqual((error.reason, error.status), ("http_status", 429))

    def test_a_redirect_is_not_followed(self):
        moved = http(b"", "location: http://127.0.0.1:1/", status="307 Temporary Redirect")
        [error] = self.answers(moved)
        self.assertEqual((error.reason, error.status), ("http_status", 307))

    def test_a_header_that_would_begin_another_is_refused(self):
        with self.assertRaisesRegex(ValueError, "line breaks are not allowed"):
            list(self.answers(result(1), headers={"x-a": "1\r\nx-b: 2"}))

    def test_headers_may_be_made_for_each_request(self):
        tokens = iter(["one", "two"])
        seen = []

        def serve(connection):
            while (request := read_request(connection)) is not None:
                seen.append([line for line in request[0].split("\r\n") if "token" in line])
                connection.sendall(result(1)(request[1]))

        with Server(serve) as server:
            with sdk.Client(server.url(), headers=lambda: {"X-Token": next(tokens)}) as client:
                client.request("m"), client.request("m")
        self.assertEqual(seen, [["x-token: one"], ["x-token: two"]])

    def test_the_address_in_an_error_does_not_show_the_key(self):
        with sdk.Client("http://127.0.0.1:1/v3/secret-key?token=secret-key", retries=0) as client:
            with self.assertRaises(sdk.TransportError) as caught:
                client.request("m")
        self.assertIn("http://127.0.0.1:1 is unreachable", str(caught.exception))
        self.assertNotIn("secret", repr(caught.exception) + repr(caught.exception.__cause__))
        for url in ("secret-key", "ftp://secret-key", "http://", "http://a:b/secret-key", ""):
            with self.assertRaisesRegex(ValueError, "^url: expected https") as refused:
                sdk.Client(url)
            self.assertNotIn("secret", str(refused.exception))

    def test_a_page_that_repeats_the_path_does_not_show_the_key_either(self):
        page = b"Redirecting to /v3/secret-key/ and /v3/secret-key"
        [error] = self.answers(http(page, status="301 Moved Permanently"))
        self.assertRegex(str(error), r' HTTP 301: "Redirecting to // and /"$')
        path = "/" + "k" * 100
        for page in (path * 200, (path * 200).encode()):
            self.assertEqual(json_text.excerpt(page, path), f'"{"/" * 99}"')

    def test_numbers_with_a_fraction_are_what_the_option_makes_of_them(self):
        text = b'{"jsonrpc":"2.0","id":1,"result":[0.1,1e2,3]}'
        [value] = self.answers(http(text), parse_float=Decimal)
        self.assertEqual(value, [Decimal("0.1"), Decimal("1e2"), 3])
        self.assertEqual([type(each) for each in value], [Decimal, Decimal, int])

    def test_what_json_has_not_is_neither_sent_nor_read(self):
        with sdk.Client("http://127.0.0.1:1/") as client:
            for value in (math.nan, math.inf, {1, 2}, b"x"):
                with self.assertRaises(TypeError):
                    client.request("m", [value])
        [error] = self.answers(http(b'{"jsonrpc":"2.0","id":1,"result":NaN}'))
        self.assertEqual(error.reason, "not_json")
        [error] = self.answers(http(b"[" * 200_000))
        self.assertEqual(error.reason, "not_json")
        [error] = self.answers(http(b"1e99999999999999999999"), parse_float=Decimal)
        self.assertEqual(error.reason, "not_json")

    def test_a_certificate_is_checked_unless_it_is_trusted(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE, KEY)
        with Server(answering(result(1), result(1)), context) as server:
            with sdk.Client(server.url("https")) as client:
                with self.assertRaisesRegex(sdk.TransportError, "untrusted certificate"):
                    client.request("m")
                self.assertEqual(server.connections, 1)
            trusted = ssl.create_default_context(cafile=CERTIFICATE)
            with sdk.Client(server.url("https"), ssl_context=trusted) as client:
                self.assertEqual(client.request("m"), 1)


class OverWebSocket(unittest.TestCase):
    def call(self, talk, *, opening=None, params=None, **options):
        with Server(socket_serving(talk, **(opening or {}))) as server:
            with sdk.Client(server.url("ws"), retries=0, **options) as client:
                return client.request("m", params)

    def fails(self, talk, **options):
        with self.assertRaises(sdk.TransportError) as caught:
            self.call(talk, **options)
        return caught.exception

    def test_a_message_in_pieces_with_pings_between_is_one_and_each_ping_is_answered(self):
        pongs = []

        def talk(connection):
            _, text = read_frame(connection)
            answer = answer_to(text, "é…")
            connection.sendall(frame(1, answer[:41], final=False) + frame(9, b"one"))
            pongs.append(read_frame(connection))
            connection.sendall(frame(0, answer[41:42], final=False) + frame(9, b"two"))
            pongs.append(read_frame(connection))
            connection.sendall(frame(0, b"", final=False) + frame(0, answer[42:]))

        self.assertEqual(self.call(talk), "é…")
        self.assertEqual(pongs, [(10, b"one"), (10, b"two")])

    def test_messages_of_every_length_arrive_whole(self):
        def talk(connection):
            while (received := read_frame(connection))[0] == 1:
                text = received[1]
                connection.sendall(frame(1, answer_to(text, json.loads(text)["params"])))

        with Server(socket_serving(talk)) as server, sdk.Client(server.url("ws")) as client:
            for length in (0, 70, 125, 126, 127, 65_535, 65_536, 1_000_000):
                self.assertEqual(client.request("m", ["x" * length]), ["x" * length])

    def test_what_breaks_the_protocol_ends_the_socket_with_the_code_that_says_how(self):
        broken = {
            "masked": (frame(1, b"{}", masked=True), 1002, "closed"),
            "extension": (frame(1, b"{}", reserved=0x40), 1002, "closed"),
            "unknown opcode 3": (frame(3), 1002, "closed"),
            "too long or fragmented": (frame(9, b"x" * 126), 1002, "closed"),
            "out of order": (frame(0, b"{}"), 1002, "closed"),
            "not valid UTF-8": (frame(1, b"\xff\xfe"), 1007, "closed"),
            "exceeds max_response_bytes": (frame(1, b"x" * 2000), 1009, "response_too_large"),
        }
        for what, (data, code, reason) in broken.items():
            with self.subTest(what):
                closes = queue.SimpleQueue()

                def talk(connection, data=data, closes=closes):
                    read_frame(connection)
                    connection.sendall(data)
                    closes.put(read_frame(connection))

                error = self.fails(talk, max_response_bytes=1000)
                self.assertEqual(error.reason, reason)
                self.assertIn(what, str(error))
                self.assertEqual(closes.get(timeout=PATIENCE), (8, code.to_bytes(2)))

    def test_pieces_together_are_held_to_the_bound(self):
        def talk(connection):
            read_frame(connection)
            connection.sendall(frame(1, b"x" * 600, final=False) + frame(0, b"x" * 600))

        self.assertEqual(self.fails(talk, max_response_bytes=1000).reason, "response_too_large")

    def test_empty_pieces_are_held_to_the_bound_too(self):
        def talk(connection):
            read_frame(connection)
            connection.sendall(frame(1, b"{", final=False) + frame(0, final=False) * 100)

        self.assertEqual(self.fails(talk, max_response_bytes=1000).reason, "response_too_large")

    def test_the_code_and_reason_of_a_close_are_reported(self):
        def talk(connection):
            read_frame(connection)
            connection.sendall(frame(8, (1008).to_bytes(2) + "weil nicht".encode()))

        self.assertIn("1008 weil nicht", str(self.fails(talk)))

    def test_an_invalid_handshake_is_rejected(self):
        never = {"accept": "bm90IHRoZSBrZXk="}
        self.assertIn("invalid handshake", str(self.fails(lambda _: None, opening=never)))
        extended = {"headers": ["sec-websocket-extensions: permessage-deflate"]}
        self.assertIn("not requested", str(self.fails(lambda _: None, opening=extended)))
        with Server(lambda connection: connection.sendall(b"220 mail\r\n\r\n")) as server:
            with sdk.Client(server.url("ws"), retries=0) as client:
                with self.assertRaisesRegex(sdk.TransportError, "did not open a WebSocket"):
                    client.request("m")


class Recorder:
    """A transport that answers with what it was asked, when it is let."""

    def __init__(self):
        self.is_closed = False
        self.cancelled = 0
        self.delay = 0
        self.started = threading.Event()

    async def send(self, call):
        self.started.set()
        try:
            await asyncio.sleep(self.delay)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return sdk.Answer([call.method, call.params])

    async def close(self):
        self.is_closed = True


class ForItsUsers(unittest.TestCase):
    def test_calls_of_threads_meet_in_a_batch_where_they_are_given_time(self):
        sizes = []

        def serve(connection):
            while (request := read_request(connection)) is not None:
                calls = json.loads(request[1])
                sizes.append(len(calls))
                answers = [{"jsonrpc": "2.0", "id": c["id"], "result": c["params"]} for c in calls]
                connection.sendall(http(json.dumps(answers).encode()))

        with Server(serve) as server:
            with sdk.Client(server.url(), batch=sdk.Batching(size=40, wait=2)) as client:
                with concurrent.futures.ThreadPoolExecutor(40) as pool:
                    results = list(pool.map(lambda n: client.request("m", [n]), range(40)))
        self.assertEqual(results, [[n] for n in range(40)])
        self.assertEqual(sizes, [40])

    def test_a_loop_is_not_held_up_by_a_call(self):
        async def main():
            async with sdk.AsyncClient("http://127.0.0.1:1/", retries=0) as client:
                ticks = 0

                async def tick():
                    nonlocal ticks
                    while True:
                        await asyncio.sleep(0)
                        ticks += 1

                ticking = asyncio.create_task(tick())
                await asyncio.gather(client.request("m"), return_exceptions=True)
                ticking.cancel()
                return ticks

        self.assertGreater(asyncio.run(main()), 2)

    def test_a_cancelled_task_takes_its_call_back(self):
        async def main():
            transport = Recorder()
            transport.delay = 30
            client = sdk.AsyncClient(transport)
            with self.assertRaises(TimeoutError):
                async with asyncio.timeout(0.02):
                    await client.eth_get_block_by_number("latest", True)
            transport.started.clear()
            async with asyncio.TaskGroup() as group:
                task = group.create_task(client.request("m"))
                await asyncio.to_thread(transport.started.wait, PATIENCE)
                task.cancel()
            return transport.cancelled

        self.assertEqual(asyncio.run(main()), 2)

    def test_a_pending_call_can_be_cancelled_and_waited_for_with_a_limit(self):
        transport = Recorder()
        transport.delay = 30
        with sdk.Client(transport) as client:
            pending = client.submit(client.request, "m")
            self.assertTrue(transport.started.wait(PATIENCE))
            with self.assertRaises(TimeoutError):
                pending.result(timeout=0)
            self.assertFalse(pending.done())
            self.assertTrue(pending.cancel())
            with self.assertRaises(concurrent.futures.CancelledError):
                pending.result()
        self.assertEqual(transport.cancelled, 1)

    def test_a_batch_whose_block_raises_is_not_sent(self):
        with sdk.Client(Recorder()) as client:
            with self.assertRaises(KeyError):
                with client.batch() as batch:
                    pending = batch.submit(client.request, "m")
                    with self.assertRaisesRegex(RuntimeError, "not sent until the end of its with block"):
                        pending.result()
                    raise KeyError
            self.assertTrue(pending.cancelled())
            with self.assertRaisesRegex(RuntimeError, "create another"):
                batch.submit(client.request, "m")

    def test_a_call_ends_with_its_time_in_its_own_class_and_as_a_timeout(self):
        transport = Recorder()
        transport.delay = 30
        with sdk.Client(transport, timeout=0.02) as client:
            with self.assertRaises(TimeoutError) as caught:
                client.request("m")
            self.assertIsInstance(caught.exception, sdk.CallTimeoutError)
            self.assertIsInstance(caught.exception, sdk.ClientError)
            self.assertEqual(str(caught.exception), "m timed out: timeout is 0.02 s")
            transport.delay = 0
            self.assertEqual(client.request("m", timeout=math.inf), ["m", None])

    def test_a_closed_client_says_so(self):
        transport = Recorder()
        client = sdk.Client(transport)
        client.request("m")
        client.close()
        client.close()
        self.assertTrue(transport.is_closed)
        with self.assertRaisesRegex(sdk.TransportError, "the client is closed"):
            client.request("m")

        async def main():
            async with sdk.AsyncClient(Recorder()) as client:
                pass
            with self.assertRaisesRegex(sdk.TransportError, "the client is closed"):
                await client.request("m")

        asyncio.run(main())

    def test_calls_in_flight_fail_when_the_client_is_closed(self):
        for scheme in ("http", "ws"):
            received, closed = threading.Event(), threading.Event()

            def hold(connection, received=received, closed=closed):
                connection.recv(9)
                received.set()
                closed.wait(PATIENCE)

            with Server(hold if scheme == "http" else socket_serving(hold)) as server:
                client = sdk.Client(server.url(scheme))
                pending = client.submit(client.request, "m")
                self.assertTrue(received.wait(PATIENCE))
                client.close()
                with self.assertRaises(sdk.TransportError) as caught:
                    pending.result(PATIENCE)
                self.assertEqual(caught.exception.reason, "closed")
                closed.set()

    def test_the_thread_ends_with_the_client(self):
        before = set(threading.enumerate())
        client = sdk.Client(Recorder())
        client.request("m")
        (thread,) = set(threading.enumerate()) - before
        del client
        gc.collect()
        thread.join(PATIENCE)
        self.assertFalse(thread.is_alive())

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_client_goes_on_in_a_process_that_was_forked(self):
        with Server(answering(result(1))) as server, sdk.Client(server.url()) as client:
            self.assertEqual(client.request("m"), 1)
            server._serve = answering(result(2))
            child = os.fork()
            if child == 0:
                os._exit(0 if client.request("m", timeout=5) == 2 else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_hooks_are_called_for_each_attempt_and_each_wait(self):
        calls = []
        options = {
            "on_request": lambda each: calls.append(("request", each.attempt, each.call.method)),
            "on_response": lambda each: calls.append(
                ("response", each.attempt, each.answer and each.answer.result, type(each.error))
            ),
            "on_retry": lambda each: calls.append(("retry", each.attempt, each.delay)),
        }
        unavailable = http(b"", status="503 Service Unavailable")
        with Server(answering(unavailable, result({"number": "0x1"}))) as server:
            with sdk.Client(server.url(), backoff=0.1, random=lambda: 0.25, **options) as client:
                client.eth_get_block_by_number("0x1", False)
        self.assertEqual(
            calls,
            [
                ("request", 1, "eth_getBlockByNumber"),
                ("response", 1, None, sdk.TransportError),
                ("retry", 1, 0.025),
                ("request", 2, "eth_getBlockByNumber"),
                ("response", 2, {"number": "0x1"}, type(None)),
            ],
        )

    def test_an_option_defines_which_methods_are_reads(self):
        for reads, connections in ((lambda _: False, 1), (lambda m: m == "mine", 2), (None, 1)):
            lost = Server(lambda connection: connection.recv(9))
            with lost, sdk.Client(lost.url(), backoff=0, retries=1, reads=reads) as client:
                with self.assertRaises(sdk.TransportError):
                    client.request("mine")
            self.assertEqual(lost.connections, connections)

    def test_a_hook_that_raises_fails_the_call(self):
        def broken(_):
            raise LookupError("mine")

        with sdk.Client(Recorder(), on_request=broken) as client:
            with self.assertRaisesRegex(LookupError, "mine"):
                client.request("m")

    def test_errors_go_from_process_to_process_whole(self):
        data = {"reason": "credits_exhausted", "resetsAt": "2026-01-02T00:00:00Z"}
        error = sdk.CreditsExhaustedError(402, "daily credits exhausted", data, method="m")
        again = pickle.loads(pickle.dumps(error))
        self.assertIs(type(again), sdk.CreditsExhaustedError)
        self.assertEqual((again.code, again.data, str(again)), (402, data, str(error)))
        timeout = pickle.loads(pickle.dumps(sdk.CallTimeoutError("m", 3)))
        self.assertEqual((timeout.timeout, str(timeout)), (3, "m timed out: timeout is 3 s"))

    def test_an_error_has_the_members_of_its_data_and_what_the_document_says(self):
        data = {"reason": "credits_exhausted", "resetsAt": "2026-01-02T00:00:00Z", "cost": 80}
        error = sdk.CreditsExhaustedError(402, "daily credits exhausted", data)
        self.assertEqual((error.resets_at, error.cost), ("2026-01-02T00:00:00Z", 80))
        self.assertEqual(error.facts.status, 402)
        self.assertTrue(error.facts.fix)
        self.assertIsNone(sdk.RpcError.facts)

    def test_an_option_that_cannot_be_used_is_named(self):
        wrong = {
            "retries: expected an integer of 0 or more, got -1": {"retries": -1},
            "retries: expected an integer": {"retries": 1.5},
            "timeout: expected a number of 0.001 or more, got 0": {"timeout": 0},
            "max_in_flight: expected an integer of 1 or more, got True": {"max_in_flight": True},
            "batch: expected Batching": {"batch": 3},
            "timeout_ms: unknown option; expected one of timeout": {"timeout_ms": 3},
        }
        for message, options in wrong.items():
            with self.assertRaisesRegex((TypeError, ValueError), f"^{message}"):
                sdk.Client("http://127.0.0.1:1/", **options)
        with self.assertRaisesRegex(ValueError, "^batch.size: expected an integer of 1 or more, got 0"):
            sdk.Batching(size=0)
        with sdk.Client(Recorder()) as client:
            with self.assertRaisesRegex(ValueError, "^timeout: expected a number"):
                client.request("m", timeout=math.nan)
            with self.assertRaisesRegex(TypeError, "expected a method of this client"):
                client.with_response(sdk.Client(Recorder()).request, "m")

    def test_a_client_of_one_loop_refuses_another(self):
        client = sdk.AsyncClient(Recorder())

        async def call():
            return await client.request("m")

        self.assertEqual(asyncio.run(call()), ["m", None])
        # The first loop is over: the client goes on in the next.
        self.assertEqual(asyncio.run(call()), ["m", None])

        async def both():
            await call()
            with self.assertRaisesRegex(RuntimeError, "in use in another event loop"):
                await asyncio.to_thread(asyncio.run, call())

        asyncio.run(both())


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    unittest.main(argv=sys.argv[:1], verbosity=2)
