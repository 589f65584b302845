import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import type { NetworkService } from '../../src/transport/network-service.ts';
import { SocketOutbox } from '../../src/transport/socket-outbox.ts';

it('has nothing to send after holding a response has cut its connection', () => {
  const socket = { bufferedAmount: 1_000_000, send: () => undefined } as unknown as WebSocket;
  const waiting: number[] = [];
  const outbox = new SocketOutbox(socket, {
    stream: new PassThrough(),
    holder: { cut: () => undefined },
    onChange: (waiting_bytes) => waiting.push(waiting_bytes),
    onProgress: () => undefined,
  });
  const unsent = {
    hold() {
      outbox.end('cut');
      return { sent: () => undefined, release: () => undefined };
    },
  };
  const service = { document: Buffer.alloc(0), unsent } as unknown as NetworkService;
  outbox.push(service, [Buffer.from('response')], { account: 'acme' });
  expect(waiting).toEqual([0]);
});
