import type { Socket } from 'node:net';

const LINE_FEED = 0x0a;

/** Lines that undici parses before it can stop: 5 ms, even if each is a header field above the limit. */
const MAX_LINES = 256;

/**
 * Gives undici a response in parts, and nothing after an error: it creates an error for every header or trailer
 * field above its limit, of which a read of 64 KiB holds 16,000.
 */
export function readInParts(socket: Pick<Socket, 'read' | 'unshift' | 'destroyed'>): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    if (size !== undefined) return read(size);
    if (socket.destroyed) return null;
    const bytes = read() as Buffer | null;
    if (bytes === null) return null;
    const end = endOfLines(bytes);
    if (end < bytes.length) socket.unshift(bytes.subarray(end));
    return bytes.subarray(0, end);
  };
}

/** Returns where the first lines end, or the number of bytes if there are no more. */
function endOfLines(bytes: Buffer): number {
  let end = 0;
  for (let lines = 0; lines < MAX_LINES; lines += 1) {
    end = bytes.indexOf(LINE_FEED, end) + 1;
    if (end === 0) return bytes.length;
  }
  return end;
}
