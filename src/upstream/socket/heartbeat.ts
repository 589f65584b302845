import type { WebSocket } from 'ws';
import type { StartTimer } from '../../time/timer.ts';

/** What was received between two pings. */
export interface Beat {
  readonly received_bytes: number;
  /** Whether a message was incomplete all the time, and nothing of it arrived. */
  readonly isStuck: boolean;
}

export interface HeartbeatOptions {
  readonly interval_ms: number;
  /** Returns what was received since the last call. */
  readonly beat: () => Beat;
  readonly startTimer: StartTimer;
  /** Called when neither a pong nor enough of a message arrived between two pings, or nothing of a message. */
  readonly onSilent: () => void;
}

/** Minimum bytes between two pings while a message is arriving: even a slow link is faster. */
const MIN_RECEIVED_BYTES = 65_536;

/** Pings the node of an open WebSocket at an interval. Returns the function that stops it. */
export function startHeartbeat(
  socket: WebSocket,
  { interval_ms, beat: nextBeat, startTimer, onSilent }: HeartbeatOptions,
): () => void {
  let isAlive = true;
  const onReceived = (): void => {
    isAlive = true;
  };
  socket.on('pong', onReceived);
  socket.on('message', onReceived);
  const beat = (): void => {
    const { received_bytes, isStuck } = nextBeat();
    const isReceiving = received_bytes >= MIN_RECEIVED_BYTES;
    // A node may reply to pings within a message, behind which all responses wait.
    if (isStuck || (!isAlive && !isReceiving)) return onSilent();
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
