import type { Writable } from 'node:stream';

interface Corked {
  readonly stream: Writable;
  readonly onWritten: (() => void) | undefined;
}

/** The streams whose writes are held back in this turn; at most all open connections. */
let corked: Corked[] = [];

/**
 * Holds back what is written to a stream until the end of this turn of the event loop, and writes it at
 * once: a system call costs more than handling a small message. The bytes held back count in
 * `writableLength`, which the caller bounds. Calls `onWritten` afterwards, once per turn.
 */
export function joinWrites(stream: Writable, onWritten?: () => void): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  if (corked.push({ stream, onWritten }) === 1) setImmediate(writeAll);
}

/** Writes what is held back. */
export function writeNow(stream: Writable): void {
  if (stream.writableCorked > 0) stream.uncork();
}

function writeAll(): void {
  const streams = corked;
  corked = [];
  for (const { stream, onWritten } of streams) {
    writeNow(stream);
    onWritten?.();
  }
}
