import type { WebSocket } from 'ws';
import type { StartTimer } from '../../time/timer.ts';

export interface HeartbeatOptions {
  readonly interval_ms: number;
  /** Returns the bytes received since the last call. */
  readonly received_bytes: () => number;
  readonly startTimer: StartTimer;
  /** Called when neither a pong nor enough of a message arrived between two pings. */
  readonly onSilent: () => void;
}

/** Minimum bytes between two pings while a message is arriving: even a slow link is faster. */
const MIN_RECEIVED_BYTES = 65_536;

/** Pings the node of an open WebSocket at an interval. Returns the function that stops it. */
export function startHeartbeat(
  socket: WebSocket,
  { interval_ms, received_bytes, startTimer, onSilent }: HeartbeatOptions,
): () => void {
  let isAlive = true;
  const onReceived = (): void => {
    isAlive = true;
  };
  socket.on('pong', onReceived);
  socket.on('message', onReceived);
  const beat = (): void => {
    const isReceiving = received_bytes() >= MIN_RECEIVED_BYTES;
    if (!isAlive && !isReceiving) return onSilent();
    isAlive = false;
    socket.ping();
    return schedule();
  };
  let stop = (): void => undefined;
  const schedule = (): void => {
    stop = startTimer(interval_ms, beat);
  };
  schedule();
  return () => stop();
}
