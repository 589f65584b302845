import type { ChildProcess } from 'node:child_process';

/** The part of a message between Node's cluster primary and a worker that is read here. */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
  /** Of an answer: `seq` of the message it answers. */
  readonly ack?: unknown;
}

interface Handle {
  close(): void;
}

type Send = (message: ClusterMessage, handle?: Handle, ...more: unknown[]) => boolean;

/**
 * Closes, when a worker process ends, the connections that were sent to it and that it has not
 * taken. Node's cluster primary does neither this nor anything else with them: the caller would wait
 * for ever, and the descriptor would stay open in this process. A handle that was sent and not
 * acknowledged also suppresses the event `disconnect` of the channel, without which the primary goes
 * on sending connections of other addresses to the ended process.
 */
export function closeUntakenConnections(worker: ChildProcess): void {
  const untaken = new Map<unknown, Handle>();
  let isEnded = false;
  const end = (): void => {
    for (const handle of untaken.values()) handle.close();
    untaken.clear();
    if (!isEnded) worker.emit('disconnect');
    isEnded = true;
  };
  const send = worker.send.bind(worker) as Send;
  const sendAndNote: Send = (message, handle, ...more) => {
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && handle !== undefined) {
      untaken.set(message.seq, handle);
    }
    return send(message, handle, ...more);
  };
  worker.send = sendAndNote as ChildProcess['send'];
  worker.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
    if (cmd === 'NODE_CLUSTER') untaken.delete(ack);
  });
  const disconnect = worker.disconnect.bind(worker);
  // Node calls it when the other side of the channel is closed, before or after the process ends.
  worker.disconnect = () => {
    disconnect();
    end();
  };
  worker.prependListener('exit', end);
}
