import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { MessageGate } from '../../src/upstream/socket/message-gate.ts';

const none = (): undefined => undefined;

/** Returns a guarded socket and what it passes on to its reader. */
function guarded(): { receive: (bytes: Buffer) => void; passed: Buffer[] } {
  const passed: Buffer[] = [];
  const push = (bytes: Buffer): boolean => passed.push(bytes) > 0;
  const socket = { push, unshift: push } as unknown as Socket;
  const gate = new MessageGate({
    message_bytes: 1e6,
    large_bytes: 1e6,
    discarded_bytes: 1e9,
    onLarge: none,
    onLargeId: none,
    onOversized: none,
    onId: none,
    onUnknown: none,
    onEndless: none,
    onFlood: none,
    onInvalid: none,
    onHeld: none,
  });
  gate.guard(socket);
  return { receive: (bytes) => void socket.push(bytes), passed };
}

const SMALL = Buffer.from([0x81, 2, 0x31, 0x31]);
const LARGE_BYTES = 60_000;
const LARGE = Buffer.concat([
  Buffer.from([0x81, 126, LARGE_BYTES >> 8, LARGE_BYTES & 0xff]),
  Buffer.alloc(LARGE_BYTES, 0x31),
]);

it('passes a frame that arrives byte by byte on in few pieces', () => {
  const { receive, passed } = guarded();
  for (const byte of LARGE) receive(Buffer.from([byte]));
  expect(Buffer.concat(passed).equals(LARGE)).toBe(true);
  expect(passed.length).toBeLessThan(10);
});

it('passes a complete frame on at once, also if the beginning of another follows', () => {
  const { receive, passed } = guarded();
  receive(Buffer.concat([SMALL, LARGE.subarray(0, 100)]));
  expect(Buffer.concat(passed).subarray(0, SMALL.length).equals(SMALL)).toBe(true);
  receive(LARGE.subarray(100, 200));
  receive(Buffer.concat([LARGE.subarray(200), SMALL]));
  expect(Buffer.concat(passed).equals(Buffer.concat([SMALL, LARGE, SMALL]))).toBe(true);
});
