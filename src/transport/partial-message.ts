import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Reservation } from './byte-budget.ts';

/** Bytes of the header of a control frame from a client (RFC 6455, section 5.2). */
const CONTROL_HEADER_BYTES = 6;

export interface PartialMessageOptions {
  readonly connection: Duplex;
  readonly held: Reservation;
  /** How long one message may take to arrive. */
  readonly timeout_ms: number;
  readonly onTooSlow: () => void;
  /** The account holds too many bytes. */
  readonly onTooLarge: () => void;
}

/**
 * Counts the part of a WebSocket message that has arrived, which ws keeps until the message is complete.
 * A part in the chunk in which the previous message ends does not count. Must be called before other
 * listeners for messages are added.
 */
export function watchPartialMessages(
  socket: WebSocket,
  { connection, held, timeout_ms, onTooSlow, onTooLarge }: PartialMessageOptions,
): void {
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    // While nothing is read, the client cannot finish its message.
    if (socket.isPaused) timer?.refresh();
    else onTooSlow();
  };
  const apply = (): void => {
    if (bytes === 0) {
      clearTimeout(timer);
      timer = undefined;
    } else {
      timer ??= setTimeout(check, timeout_ms).unref();
    }
    if (!held.resize(bytes)) onTooLarge();
  };
  const onControl = ({ length }: Buffer): void => {
    bytes = Math.max(0, bytes - length - CONTROL_HEADER_BYTES);
  };
  const onEnd = (): void => {
    bytes = 0;
    apply();
  };
  const onData = (): void => {
    if (socket.readyState === socket.OPEN) apply();
  };
  // Bytes are counted before ws parses them and emits what they complete, and applied after it.
  connection.prependListener('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  connection.on('data', onData);
  socket.on('message', onEnd);
  socket.on('ping', onControl);
  socket.on('pong', onControl);
  socket.on('close', onEnd);
}
