import type { ChildProcess } from 'node:child_process';

/** The fields that are read from a message between Node's cluster primary and a worker. */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
  /** In an acknowledgment: `seq` of the message. */
  readonly ack?: unknown;
}

interface Handle {
  close(): void;
}

type Send = (message: ClusterMessage, handle?: Handle, ...more: unknown[]) => boolean;

/**
 * Maximum number of tracked connections. Node sends a worker one connection per address at a time, so more
 * of them mean that acknowledgments were missed.
 */
const MAX_UNTAKEN = 1_000;

/**
 * Closes the connections that were sent to a worker process which exits before it has taken them.
 *
 * Node's cluster primary leaves them open (nodejs/node-v0.x-archive#7006, closed but still the case):
 * the caller waits forever, and this process leaks a descriptor. An unacknowledged handle also keeps
 * Node from emitting `disconnect`, so that the primary keeps sending connections to the dead process.
 *
 * Node has no public API for this. The function reads the internal messages of `node:cluster` instead:
 * `newconn`, which carries the connection, and its acknowledgment. If Node changes either of them, the
 * function does nothing.
 */
export function closeUntakenConnections(worker: ChildProcess): void {
  const untaken = new Map<unknown, Handle>();
  let state: 'unused' | 'tracking' | 'disabled' = 'unused';
  const send = worker.send.bind(worker) as Send;
  const sendAndTrack: Send = (message, handle, ...more) => {
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && handle !== undefined) {
      track(message.seq, handle);
    }
    return send(message, handle, ...more);
  };
  const track = (seq: unknown, handle: Handle): void => {
    if (state === 'disabled') return;
    state = untaken.size < MAX_UNTAKEN ? 'tracking' : 'disabled';
    if (state === 'tracking') untaken.set(seq, handle);
    else untaken.clear();
  };
  worker.send = sendAndTrack as ChildProcess['send'];
  worker.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
    if (cmd === 'NODE_CLUSTER') untaken.delete(ack);
  });
  let hasEmitted = false;
  const end = (): void => {
    if (state !== 'tracking') return;
    for (const handle of untaken.values()) handle.close();
    untaken.clear();
    if (!hasEmitted) worker.emit('disconnect');
    hasEmitted = true;
  };
  const disconnect = worker.disconnect.bind(worker);
  // Node calls `disconnect` when the worker's end of the channel closes, before or after the process exits.
  worker.disconnect = () => {
    disconnect();
    end();
  };
  worker.prependListener('exit', end);
}
