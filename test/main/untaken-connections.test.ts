import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { closeUntakenConnections } from '../../src/main/workers/untaken-connections.ts';

/** The members of a worker process that Node's cluster primary uses. */
class FakeWorker extends EventEmitter {
  readonly sent: unknown[] = [];
  readonly onDisconnect = vi.fn<() => void>();

  constructor() {
    super();
    this.on('disconnect', this.onDisconnect);
  }

  send = (message: unknown): boolean => this.sent.push(message) > 0;

  disconnect = (): void => undefined;
}

interface Watched {
  readonly worker: FakeWorker;
  /** Sends a message with a connection; returns the connection. */
  connect(message: object): { readonly close: () => void };
}

function watch(): Watched {
  const worker = new FakeWorker();
  closeUntakenConnections(worker as unknown as ChildProcess);
  return {
    worker,
    connect(message) {
      const handle = { close: vi.fn<() => void>() };
      (worker.send as (...parts: unknown[]) => boolean)(message, handle);
      return handle;
    },
  };
}

const newConnection = (seq: number): object => ({ cmd: 'NODE_CLUSTER', act: 'newconn', seq });
const acknowledge = (seq: number): object => ({ cmd: 'NODE_CLUSTER', ack: seq, accepted: true });

describe('connections sent to a worker that exits', () => {
  it('are closed if the worker has not taken them', () => {
    const { worker, connect } = watch();
    const [taken, untaken] = [connect(newConnection(1)), connect(newConnection(2))];
    worker.emit('internalMessage', acknowledge(1));
    worker.emit('exit', null, 'SIGKILL');
    expect(taken.close).not.toHaveBeenCalled();
    expect(untaken.close).toHaveBeenCalledOnce();
    expect(worker.onDisconnect).toHaveBeenCalledOnce();
    const late = connect(newConnection(3));
    worker.disconnect();
    expect(late.close).toHaveBeenCalledOnce();
    expect(worker.onDisconnect).toHaveBeenCalledOnce();
  });

  it.each([
    ['have another name', { cmd: 'NODE_CLUSTER', act: 'connection', seq: 1 }],
    ['belong to another command', { cmd: 'NODE_CLUSTER_2', act: 'newconn', seq: 1 }],
    ['have another form', { kind: 'newconn', seq: 1 }],
  ])('are left to Node if its messages %s', (_change, message) => {
    const { worker, connect } = watch();
    const handle = connect(message);
    expect(worker.sent).toEqual([message]);
    worker.disconnect();
    worker.emit('exit', null, 'SIGKILL');
    expect(handle.close).not.toHaveBeenCalled();
    expect(worker.onDisconnect).not.toHaveBeenCalled();
  });

  it('are left to Node, and not collected without bound, if acknowledgments have another form', () => {
    const { worker, connect } = watch();
    const handles = Array.from({ length: 3_000 }, (_, seq) => connect(newConnection(seq)));
    expect(worker.sent).toHaveLength(3_000);
    worker.emit('exit', null, 'SIGKILL');
    expect(handles.filter(({ close }) => vi.mocked(close).mock.calls.length > 0)).toEqual([]);
    expect(worker.onDisconnect).not.toHaveBeenCalled();
  });
});
