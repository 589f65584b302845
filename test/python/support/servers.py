"""Servers of a few bytes each, for what a well-behaved one never does."""

import base64
import hashlib
import socket
import struct
import threading


class Server:
    """Hands each connection to `serve`, in a thread of its own; counts them, and their ends."""

    def __init__(self, serve, context=None):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.connections = 0
        self.closed = threading.Semaphore(0)
        self.errors = []
        self._context = context
        self._serve = serve
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, scheme="http"):
        return f"{scheme}://127.0.0.1:{self.port}/v3/secret-key"

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        try:
            if self._context is not None:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                self._serve(connection)
        except (OSError, EOFError) as error:
            self.errors.append(error)
        finally:
            self.closed.release()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()


def read_request(connection):
    """The head and the body of a request; None at the end."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")),
        0,
    )
    while len(body) < length:
        body += connection.recv(65536)
    return head.decode(), body


def answering(*responses):
    """Serves each request on a connection with the next of `responses` (bytes, or of the body)."""
    left = list(responses)

    def serve(connection):
        while left and (request := read_request(connection)) is not None:
            response = left.pop(0)
            connection.sendall(response(request[1]) if callable(response) else response)

    return serve


def http(body, *headers, status="200 OK", length=True):
    """A response."""
    lines = [f"HTTP/1.1 {status}", *headers]
    if length:
        lines.append(f"content-length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def frame(opcode, payload=b"", final=True, masked=False, reserved=0):
    """A frame of a server."""
    first = (0x80 if final else 0) | reserved | opcode
    mask = 0x80 if masked else 0
    if len(payload) < 126:
        head = bytes([first, mask | len(payload)])
    elif len(payload) < 65536:
        head = bytes([first, mask | 126]) + struct.pack(">H", len(payload))
    else:
        head = bytes([first, mask | 127]) + struct.pack(">Q", len(payload))
    return head + (b"\0\0\0\0" if masked else b"") + payload


def read_exactly(connection, count):
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def read_frame(connection):
    """The opcode and the payload of a client's frame, which must be masked."""
    first, second = read_exactly(connection, 2)
    assert first & 0x80 and second & 0x80, "a client's frame is whole and masked"
    length = second & 0x7F
    if length == 126:
        (length,) = struct.unpack(">H", read_exactly(connection, 2))
    elif length == 127:
        (length,) = struct.unpack(">Q", read_exactly(connection, 8))
    mask = read_exactly(connection, 4)
    assert mask != b"\0\0\0\0" or length == 0, "the mask is random"
    payload = read_exactly(connection, length)
    return first & 0x0F, bytes(each ^ mask[i % 4] for i, each in enumerate(payload))


def socket_serving(talk, *, headers=(), accept=None):
    """Takes the opening of a WebSocket and hands the connection to `talk`."""

    def serve(connection):
        head, _ = read_request(connection)
        lines = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
        key = lines["sec-websocket-key"].encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        token = accept or base64.b64encode(hashlib.sha1(key).digest()).decode()
        answer = ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: Upgrade"]
        answer += [f"sec-websocket-accept: {token}", *headers]
        connection.sendall(("\r\n".join(answer) + "\r\n\r\n").encode())
        talk(connection)

    return serve
