import type { Socket } from 'node:net';

/** Content type of the records that a handshake starts with, and the size of a record's header. */
const HANDSHAKE_RECORD = 22;
const RECORD_HEADER_BYTES = 5;

/** Size of the header of a handshake message: its type, and three bytes of length. */
const MESSAGE_HEADER_BYTES = 4;

/** Maximum number of bytes before the handshake starts: one full record. Clients send about 2 KiB. */
const MAX_BYTES = 16_384 + RECORD_HEADER_BYTES;

const NOTHING = Buffer.alloc(0);

/**
 * Waits for a whole ClientHello, then calls `onHello` with a function that puts what was received back into
 * the socket, for TLS to read. Until then, closes a connection that ends, or that sends anything else.
 */
export function awaitClientHello(socket: Socket, onHello: (putBack: () => void) => void): void {
  let received = NOTHING;
  let isComplete = false;
  const cut = (): void => void socket.destroy();
  const putBack = (): void => {
    socket.off('data', onData).off('end', cut).pause();
    socket.unshift(received);
    received = NOTHING;
  };
  const onData = (data: Buffer): void => {
    received = Buffer.concat([received, data]);
    if (received.length > MAX_BYTES) return cut();
    if (isComplete) return;
    const progress = readClientHello(received);
    if (progress === 'invalid') return cut();
    isComplete = progress === 'complete';
    if (isComplete) onHello(putBack);
  };
  socket.on('error', cut).on('end', cut).on('data', onData);
}

/** Reads whether a whole ClientHello was received, in one record or more (RFC 8446, sections 4 and 5.1). */
function readClientHello(received: Buffer): 'complete' | 'incomplete' | 'invalid' {
  const header: number[] = [];
  let length = 0;
  let start = 0;
  while (start + RECORD_HEADER_BYTES <= received.length) {
    // TLS would skip some other records, and go on to wait for the ClientHello.
    if (received[start] !== HANDSHAKE_RECORD) return 'invalid';
    const from = start + RECORD_HEADER_BYTES;
    const end = from + received.readUInt16BE(start + 3);
    if (end > received.length) return 'incomplete';
    header.push(...received.subarray(from, Math.min(end, from + MESSAGE_HEADER_BYTES)));
    length += end - from;
    if (length >= messageLength(header)) return 'complete';
    start = end;
  }
  return 'incomplete';
}

/** Returns the length of a message with its header; at least that of the header. */
function messageLength(header: readonly number[]): number {
  const [, high = 0, middle = 0, low = 0] = header;
  return MESSAGE_HEADER_BYTES + high * 65_536 + middle * 256 + low;
}
