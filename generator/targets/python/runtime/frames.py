"""Writes and reads WebSocket frames (RFC 6455, section 5)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA

#: Maximum payload of a control frame (section 5.5).
MAX_CONTROL_BYTES = 125


class FrameError(Exception):
    """A protocol error or an exceeded limit; `code` is the close code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Frame:
    """A received frame."""

    is_final: bool
    opcode: int
    payload: bytes


def write_frame(opcode: int, payload: bytes, mask: bytes) -> bytes:
    """Writes a final frame, masked as required of clients (section 5.3)."""
    length = len(payload)
    if length < 126:
        head = bytes([0x80 | opcode, 0x80 | length])
    elif length < 65_536:
        head = bytes([0x80 | opcode, 0x80 | 126]) + length.to_bytes(2)
    else:
        head = bytes([0x80 | opcode, 0x80 | 127]) + length.to_bytes(8)
    # XOR of large integers runs in C: a loop over bytes is a hundred times slower.
    key = (mask * (length // 4 + 1))[:length]
    masked = (int.from_bytes(payload) ^ int.from_bytes(key)).to_bytes(length)
    return head + mask + masked


def write_close(code: int, mask: bytes) -> bytes:
    """Writes a close frame."""
    return write_frame(CLOSE, code.to_bytes(2), mask)


async def read_frame(reader: asyncio.StreamReader, max_bytes: int) -> Frame:
    """Reads a frame.

    Raises a FrameError for an invalid frame, or a payload larger than `max_bytes`.
    """
    first, second = await reader.readexactly(2)
    opcode, length = first & 0x0F, second & 0x7F
    is_final = first & 0x80 != 0
    if first & 0x70:
        raise FrameError(1002, "frame uses an extension that was not negotiated")
    if second & 0x80:
        raise FrameError(1002, "frame of the server is masked")
    if opcode not in (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG):
        raise FrameError(1002, f"frame has the unknown opcode {opcode}")
    if opcode >= CLOSE and not (is_final and length <= MAX_CONTROL_BYTES):
        raise FrameError(1002, "control frame is too long or fragmented")
    if length == 126:
        length = int.from_bytes(await reader.readexactly(2))
    elif length == 127:
        length = int.from_bytes(await reader.readexactly(8))
    if opcode < CLOSE and length > max_bytes:
        raise FrameError(1009, "message exceeds max_response_bytes")
    return Frame(is_final, opcode, await reader.readexactly(length))


def read_close(payload: bytes) -> tuple[int, str]:
    """Returns code and reason of a close frame, 1005 without a code (section 7.4.1)."""
    if len(payload) < 2:
        return 1005, ""
    return int.from_bytes(payload[:2]), payload[2:].decode("utf-8", "replace")
